import type { Adres, Geadresseerde, Persoon } from '../../src/ports/brp.ts';
import { isDate } from '../../src/wire/dates.ts';
import type { PersoonWire, VerblijfadresWire } from './wire.ts';

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

/** A full date or none: `JaarMaandDatum`, `JaarDatum` and `DatumOnbekend` have no day, and none is made up. */
function toDatum(datum: { type?: string | undefined; datum?: string | undefined } | undefined): string | null {
  return datum?.type === 'Datum' && datum.datum !== undefined && isDate(datum.datum) ? datum.datum : null;
}

/** Null without a known street and number; the real service leaves unknown values out. */
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

const NEAR = new Map([
  ['to', ' t/o'],
  ['by', ' bij'],
]);

/**
 * The official rule for the first address line: street, "t/o" or "bij" when indicated, number; a letter after a space
 * with the addition glued to it; an addition alone after a hyphen when it begins with a digit, else after a space.
 */
function adresregel1(straatnaam: string, huisnummer: number, wire: VerblijfadresWire): string {
  const near = NEAR.get(wire.aanduidingBijHuisnummer?.code ?? '') ?? '';
  const letter = known(wire.huisletter) ?? '';
  const addition = known(wire.huisnummertoevoeging) ?? '';
  const separator = letter !== '' ? ' ' : addition === '' ? '' : /^\d/.test(addition) ? '-' : ' ';
  return `${straatnaam}${near} ${huisnummer}${separator}${letter}${addition}`.replace(/\s+/g, ' ').trim();
}

/** The municipality stands in for an absent town; 1999 is where non-residents are kept, and no town (facts of the BRP). */
const gemeente = ({ gemeenteVanInschrijving: at }: PersoonWire): string | null =>
  at?.code === '1999' ? null : known(at?.omschrijving);

/** Values come untrimmed, and what is blank is unknown. */
const known = (text: string | undefined): string | null => text?.trim() || null;
