import type { Adres, Geadresseerde, Persoon, Verblijf } from '../../src/ports/brp.ts';
import type { DatumWire, PersoonWire, VerblijfadresWire } from './wire.ts';

/** The address is null when it is unknown, or not in the Netherlands (type `Adres`). */
export function toVerblijf(wire: PersoonWire): Verblijf {
  const { verblijfplaats } = wire;
  return {
    adres: verblijfplaats?.type === 'Adres' ? toAdres(verblijfplaats.verblijfadres ?? {}, gemeente(wire)) : null,
    inNederland: verblijfplaats?.type === 'Adres' || verblijfplaats?.type === 'Locatie',
    overleden: wire.opschortingBijhouding?.reden?.code === 'O' || wire.overlijden?.datum != null,
    verblijftNietOpAdres: [verblijfplaats, wire.adressering].some(
      (group) => group?.indicatieVastgesteldVerblijftNietOpAdres === true,
    ),
    geheim: wire.geheimhoudingPersoonsgegevens === true,
  };
}

/** A name or date is null when it is unknown, and undefined when it is not one of the requested `fields`. */
export const toPersoon = (wire: PersoonWire, fields: readonly string[]): Persoon => ({
  naam: fields.includes('naam.volledigeNaam') ? volledigeNaam(wire) : undefined,
  geboortedatum: fields.includes('geboorte.datum') ? toDatum(wire.geboorte?.datum) : undefined,
  ...toVerblijf(wire),
});

/**
 * The name is the one that the person uses, which can be that of a partner, as the salutation (`aanhef`) has it; null
 * when it is unknown. There are no address lines when one of them, or the country abroad, is not one of the requested
 * `fields`: such an address is incomplete.
 */
export function toGeadresseerde(wire: PersoonWire, fields: readonly string[]): Geadresseerde {
  const { aanhef, aanschrijfwijze, adresregel1, adresregel2, adresregel3, land } = wire.adressering ?? {};
  const known = (...lines: (string | null | undefined)[]) => lines.flatMap((line) => trimmedOrNull(line) ?? []);
  const verblijf = toVerblijf(wire);
  const parts = verblijf.inNederland ? ['adresregel1', 'adresregel2'] : ADRESREGELS;
  const isComplete = parts.every((part) => fields.includes(`adressering.${part}`));
  const lines = isComplete ? known(adresregel1, adresregel2, adresregel3) : [];
  return {
    naam: trimmedOrNull(aanschrijfwijze?.naam) ?? volledigeNaam(wire),
    aanhef: trimmedOrNull(aanhef),
    aanspreekvorm: trimmedOrNull(aanschrijfwijze?.aanspreekvorm),
    // A country alone is no address.
    adresregels: lines.length === 0 ? [] : [...lines, ...known(land?.omschrijving)],
    ...verblijf,
  };
}

// The members of an address abroad. An address in the Netherlands has the first two.
const ADRESREGELS = ['adresregel1', 'adresregel2', 'adresregel3', 'land'];

// First names can end in spaces, before the surname.
const volledigeNaam = ({ naam }: PersoonWire): string | null =>
  trimmedOrNull(naam?.volledigeNaam?.replace(/\s+/g, ' '));

// `YYYY-MM-DD`; null when the date is absent, only partly known, or not in the calendar.
function toDatum(datum: DatumWire | null | undefined): string | null {
  return datum?.type === 'Datum' ? (datum.datum ?? null) : null;
}

// The BRP leaves out unknown values, or sends `.` as street. Without a street or house number there is no address.
function toAdres(wire: VerblijfadresWire, gemeenteNaam: string | null): Adres | null {
  const straatnaam = trimmedOrNull(wire.korteStraatnaam);
  if (straatnaam === null || straatnaam === '.' || !wire.huisnummer) return null;
  return {
    straat: adresregel1(straatnaam, wire.huisnummer, wire),
    postcode:
      trimmedOrNull(wire.postcode)
        ?.toUpperCase()
        .replace(/^(\d{4})\s*([A-Z]{2})$/, '$1 $2') ?? null,
    woonplaats: trimmedOrNull(wire.woonplaats) ?? gemeenteNaam,
  };
}

// The keys are codes of `aanduidingBijHuisnummer`: opposite or near that house number.
const HOUSE_NUMBER_PREFIXES = new Map([
  ['to', ' t/o'],
  ['by', ' bij'],
]);

// The official rule, for example `Kerkstraat 12 A` or `Kerkstraat t/o 12-2`: the addition comes directly after the
// house letter. Without one, a hyphen comes before an addition that begins with a digit, and a space before any other.
function adresregel1(straatnaam: string, huisnummer: number, wire: VerblijfadresWire): string {
  const prefix = HOUSE_NUMBER_PREFIXES.get(wire.aanduidingBijHuisnummer?.code ?? '') ?? '';
  const letter = trimmedOrNull(wire.huisletter) ?? '';
  const addition = trimmedOrNull(wire.huisnummertoevoeging) ?? '';
  const separator = letter !== '' ? ' ' : addition === '' ? '' : /^\d/.test(addition) ? '-' : ' ';
  return `${straatnaam}${prefix} ${huisnummer}${separator}${letter}${addition}`.replace(/\s+/g, ' ').trim();
}

// Replaces an unknown town in the address. The BRP uses code 1999 for non-residents.
const gemeente = ({ gemeenteVanInschrijving: at }: PersoonWire): string | null =>
  at?.code === '1999' ? null : trimmedOrNull(at?.omschrijving);

const trimmedOrNull = (text: string | null | undefined): string | null => text?.trim() || null;
