import type { Adres, Geadresseerde, Persoon } from '../../src/ports/brp.ts';
import { isDate } from '../../src/wire/dates.ts';
import type { PersoonWire, VerblijfadresWire } from './wire.ts';

/**
 * Converts a person of the BRP to the types of the service. A name, date or address is null when it is unknown. The
 * address is also null when it is not an address in the Netherlands (type `Adres`).
 */
export function toPersoon(wire: PersoonWire): Persoon {
  const { verblijfplaats } = wire;
  return {
    naam: trimmedOrNull(wire.naam?.volledigeNaam),
    geboortedatum: toDatum(wire.geboorte?.datum),
    adres: verblijfplaats?.type === 'Adres' ? toAdres(verblijfplaats.verblijfadres ?? {}, gemeente(wire)) : null,
    overleden: wire.opschortingBijhouding?.reden?.code === 'O',
    verblijftNietOpAdres: verblijfplaats?.indicatieVastgesteldVerblijftNietOpAdres === true,
    geheim: wire.geheimhoudingPersoonsgegevens === true,
  };
}

/**
 * Converts a person of the BRP to the addressee of a letter: a person with a salutation (`aanhef`), which is null when
 * it is unknown. The name is the one that the person uses, which can be that of a partner, as the salutation has it.
 */
export function toGeadresseerde(wire: PersoonWire): Geadresseerde {
  const persoon = toPersoon(wire);
  return {
    ...persoon,
    naam: trimmedOrNull(wire.adressering?.aanschrijfwijze?.naam) ?? persoon.naam,
    aanhef: trimmedOrNull(wire.adressering?.aanhef),
  };
}

/**
 * Returns a complete date (`YYYY-MM-DD`). Returns null when the date is absent, only partly known, or not in the
 * calendar.
 */
function toDatum(datum: { type?: string | undefined; datum?: string | undefined } | undefined): string | null {
  return datum?.type === 'Datum' && datum.datum !== undefined && isDate(datum.datum) ? datum.datum : null;
}

/**
 * Returns the address; null when the street or house number is unknown. The BRP leaves out unknown values, or sends `.`
 * as street.
 */
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

/**
 * The text between street name and house number, keyed by the code in `aanduidingBijHuisnummer`: opposite (`t/o`) or
 * near (`bij`) that house number.
 */
const HOUSE_NUMBER_PREFIXES = new Map([
  ['to', ' t/o'],
  ['by', ' bij'],
]);

/**
 * Returns the first address line by the official rule, for example `Kerkstraat 12 A` or `Kerkstraat t/o 12-2`. The
 * addition (`huisnummertoevoeging`) comes directly after the house letter. Without a house letter, a hyphen comes
 * before an addition that begins with a digit, and a space before any other addition.
 */
function adresregel1(straatnaam: string, huisnummer: number, wire: VerblijfadresWire): string {
  const prefix = HOUSE_NUMBER_PREFIXES.get(wire.aanduidingBijHuisnummer?.code ?? '') ?? '';
  const letter = trimmedOrNull(wire.huisletter) ?? '';
  const addition = trimmedOrNull(wire.huisnummertoevoeging) ?? '';
  const separator = letter !== '' ? ' ' : addition === '' ? '' : /^\d/.test(addition) ? '-' : ' ';
  return `${straatnaam}${prefix} ${huisnummer}${separator}${letter}${addition}`.replace(/\s+/g, ' ').trim();
}

/**
 * Returns the name of the municipality in which the person is registered, which replaces an unknown town in the
 * address. Returns null when the BRP has no municipality, and for code 1999, which the BRP uses for non-residents.
 */
const gemeente = ({ gemeenteVanInschrijving: at }: PersoonWire): string | null =>
  at?.code === '1999' ? null : trimmedOrNull(at?.omschrijving);

/** Returns a text without white space at its start and end; null when the text is absent or blank. */
const trimmedOrNull = (text: string | undefined): string | null => text?.trim() || null;
