import type { Adres, Geadresseerde, Persoon } from '../../src/ports/brp.ts';
import { isDate } from '../../src/wire/dates.ts';
import type { PersoonWire, VerblijfadresWire } from './wire.ts';

/** Returns a person of the BRP in the words of the service; a value is null when it is unknown or blank. */
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

/** Returns a full date (`YYYY-MM-DD`), or null: `JaarMaandDatum`, `JaarDatum` and `DatumOnbekend` have no day. */
function toDatum(datum: { type?: string | undefined; datum?: string | undefined } | undefined): string | null {
  return datum?.type === 'Datum' && datum.datum !== undefined && isDate(datum.datum) ? datum.datum : null;
}

/**
 * Returns the address, or null without a known street and number. The BRP leaves unknown values out, or sends `.` as
 * street.
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

/** Text before the house number, by code of `aanduidingBijHuisnummer`. */
const NEAR = new Map([
  ['to', ' t/o'],
  ['by', ' bij'],
]);

/**
 * Returns the first address line by the official rule: street, "t/o" or "bij" when indicated, number; a letter after a
 * space with the addition glued to it; an addition alone after a hyphen when it begins with a digit, else after a
 * space.
 */
function adresregel1(straatnaam: string, huisnummer: number, wire: VerblijfadresWire): string {
  const near = NEAR.get(wire.aanduidingBijHuisnummer?.code ?? '') ?? '';
  const letter = known(wire.huisletter) ?? '';
  const addition = known(wire.huisnummertoevoeging) ?? '';
  const separator = letter !== '' ? ' ' : addition === '' ? '' : /^\d/.test(addition) ? '-' : ' ';
  return `${straatnaam}${near} ${huisnummer}${separator}${letter}${addition}`.replace(/\s+/g, ' ').trim();
}

/**
 * Returns the name of the municipality, for an address without a town. Null for 1999, the BRP's code for non-residents.
 */
const gemeente = ({ gemeenteVanInschrijving: at }: PersoonWire): string | null =>
  at?.code === '1999' ? null : known(at?.omschrijving);

/** Returns a trimmed text, or null when it is absent or blank: the BRP sends untrimmed values. */
const known = (text: string | undefined): string | null => text?.trim() || null;
