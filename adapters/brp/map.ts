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
    naam: known(wire.naam?.volledigeNaam),
    geboortedatum: toDatum(wire.geboorte?.datum),
    adres: verblijfplaats?.type === 'Adres' ? toAdres(verblijfplaats.verblijfadres ?? {}, gemeente(wire)) : null,
    overleden: wire.opschortingBijhouding?.reden?.code === 'O',
    verblijftNietOpAdres: verblijfplaats?.indicatieVastgesteldVerblijftNietOpAdres === true,
    geheim: wire.geheimhoudingPersoonsgegevens === true,
  };
}

export const toGeadresseerde = (wire: PersoonWire): Geadresseerde => ({
  ...toPersoon(wire),
  aanhef: known(wire.adressering?.aanhef),
});

/** Returns a complete date (`YYYY-MM-DD`); null when it is absent, does not exist, or is only partly known. */
function toDatum(datum: { type?: string | undefined; datum?: string | undefined } | undefined): string | null {
  return datum?.type === 'Datum' && datum.datum !== undefined && isDate(datum.datum) ? datum.datum : null;
}

/**
 * Returns the address; null when the street or house number is unknown. The BRP leaves out unknown values, or sends `.`
 * as street.
 */
function toAdres(wire: VerblijfadresWire, gemeenteNaam: string | null): Adres | null {
  const straatnaam = known(wire.korteStraatnaam);
  if (straatnaam === null || straatnaam === '.' || !wire.huisnummer) return null;
  return {
    straat: adresregel1(straatnaam, wire.huisnummer, wire),
    postcode:
      known(wire.postcode)
        ?.toUpperCase()
        .replace(/^(\d{4})\s*([A-Z]{2})$/, '$1 $2') ?? null,
    woonplaats: known(wire.woonplaats) ?? gemeenteNaam,
  };
}

/** The text before the house number, for each code of `aanduidingBijHuisnummer`. */
const HOUSE_NUMBER_PREFIXES = new Map([
  ['to', ' t/o'],
  ['by', ' bij'],
]);

/**
 * Returns the first address line by the official rule, for example `Kerkstraat 12 A` or `Kerkstraat t/o 12-2`. An
 * addition directly follows a house letter; without one it follows a hyphen when it begins with a digit, else a space.
 */
function adresregel1(straatnaam: string, huisnummer: number, wire: VerblijfadresWire): string {
  const prefix = HOUSE_NUMBER_PREFIXES.get(wire.aanduidingBijHuisnummer?.code ?? '') ?? '';
  const letter = known(wire.huisletter) ?? '';
  const addition = known(wire.huisnummertoevoeging) ?? '';
  const separator = letter !== '' ? ' ' : addition === '' ? '' : /^\d/.test(addition) ? '-' : ' ';
  return `${straatnaam}${prefix} ${huisnummer}${separator}${letter}${addition}`.replace(/\s+/g, ' ').trim();
}

/**
 * Returns the name of the person's municipality, for an address without a town. Returns null when the BRP has none, and
 * for code 1999, the BRP's code for non-residents.
 */
const gemeente = ({ gemeenteVanInschrijving: at }: PersoonWire): string | null =>
  at?.code === '1999' ? null : known(at?.omschrijving);

/** Returns a text without white space at its start and end; null when the text is absent or blank. */
const known = (text: string | undefined): string | null => text?.trim() || null;
