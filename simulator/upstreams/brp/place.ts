/** Converts the place where a person lives to the format of the BRP. */
import { createHash } from 'node:crypto';
import type { Verblijfplaats } from '../../../fixtures/brp.ts';
import { type BrpDate, inOnderzoek, isKnown, NEDERLAND, ONBEKEND, value } from './words.ts';

type Adres = Extract<Verblijfplaats, { soort: 'adres' }>;
type Buitenland = Extract<Verblijfplaats, { soort: 'buitenland' }>;

/**
 * Returns the BRP's member `verblijfplaats`. `van` is the date on which the person came to live there, as the
 * BRP has it; `onderzoek` is the day from which the whole of it is under investigation (`YYYY-MM-DD`), or null. Unknown values are left out.
 */
export function verblijfplaatsOf(place: Verblijfplaats, van: BrpDate, onderzoek: string | null) {
  const since = { datumVan: van, datumIngangGeldigheid: van };
  const doubted = ['type', ...Object.keys(since)];
  switch (place.soort) {
    case 'adres': {
      const { straat, officieleStraat = straat, huisnummer, woonplaats, ouderGegeven } = place;
      const verblijfadres = {
        ...(isKnown(officieleStraat) && !ouderGegeven && { officieleStraatnaam: officieleStraat }),
        ...(isKnown(straat) && { korteStraatnaam: straat }),
        ...(huisnummer !== 0 && { huisnummer }),
        ...(place.bijHuisnummer && { aanduidingBijHuisnummer: BIJ_HUISNUMMER[place.bijHuisnummer].value }),
        ...(place.huisletter && { huisletter: place.huisletter }),
        ...(place.toevoeging && { huisnummertoevoeging: place.toevoeging }),
        postcode: place.postcode,
        ...(isKnown(woonplaats) && !ouderGegeven && { woonplaats }),
      };
      const ids = {
        adresseerbaarObjectIdentificatie: bagId(place, '01'),
        nummeraanduidingIdentificatie: bagId(place, '20'),
      };
      return {
        type: 'Adres',
        functieAdres: value('W', 'woonadres'),
        ...ids,
        ...since,
        verblijfadres: { ...verblijfadres, ...inOnderzoek(onderzoek, ADRES) },
        ...inOnderzoek(onderzoek, [...doubted, 'functieAdres', ...Object.keys(ids)]),
      };
    }
    case 'locatie':
      return {
        type: 'Locatie',
        functieAdres: value('W', 'woonadres'),
        ...since,
        verblijfadres: { locatiebeschrijving: place.beschrijving, ...inOnderzoek(onderzoek, ['locatiebeschrijving']) },
        ...inOnderzoek(onderzoek, [...doubted, 'functieAdres']),
      };
    case 'buitenland': {
      if (place.land.code === ONBEKEND) break;
      return {
        type: 'VerblijfplaatsBuitenland',
        ...since,
        verblijfadres: { ...linesOf(place, 'regel'), land: place.land, ...inOnderzoek(onderzoek, BUITENLAND) },
        ...inOnderzoek(onderzoek, doubted),
      };
    }
  }
  return { type: 'VerblijfplaatsOnbekend', ...since, ...inOnderzoek(onderzoek, doubted) };
}

/** Members that are marked as under investigation, also when they have no value. */
const ADRES = [
  'aanduidingBijHuisnummer',
  'huisletter',
  'huisnummer',
  'huisnummertoevoeging',
  'korteStraatnaam',
  'officieleStraatnaam',
  'postcode',
  'woonplaats',
];
const BUITENLAND = ['regel1', 'regel2', 'regel3', 'land'];

/** Returns the lines of an address abroad under their numbers, which do not change when one is not known. */
const linesOf = ({ regels }: Buitenland, name: 'regel' | 'adresregel'): Record<string, string> =>
  Object.fromEntries(regels.flatMap((regel, index) => (regel === '' ? [] : [[`${name}${index + 1}`, regel]])));

/** What the BRP and an address line say about a home opposite or near a house number. */
const BIJ_HUISNUMMER = {
  to: { value: value('to', 'tegenover'), line: ' t/o' },
  by: { value: value('by', 'bij'), line: ' bij' },
} as const;

/** Returns the town in an address; the municipality for an older record, which has none, or for an unknown town. */
const townOfAddress = ({ ouderGegeven, woonplaats, gemeente }: Adres): string =>
  ouderGegeven || !isKnown(woonplaats) ? gemeente.omschrijving : woonplaats;

// Returns an id in the form of the BAG (register of addresses): the code of the municipality, the kind of object (`01`
// a home, `20` a house number) and a number. The same address always gets the same id.
function bagId({ gemeente, straat, huisnummer, huisletter, toevoeging, postcode }: Adres, kind: string): string {
  const hash = createHash('sha256').update([postcode, straat, huisnummer, huisletter, toevoeging, kind].join('/'));
  return (
    gemeente.code + kind + String(Number.parseInt(hash.digest('hex').slice(0, 12), 16) % 10 ** 10).padStart(10, '0')
  );
}

/** Returns the address lines in the BRP's member `adressering`; none for an unknown address. */
export function adresregelsOf(
  place: Verblijfplaats,
): Partial<Record<`adresregel${1 | 2 | 3}`, string>> & { land?: Buitenland['land'] } {
  switch (place.soort) {
    case 'adres': {
      const { straat, bijHuisnummer, huisnummer, huisletter = '', toevoeging = '' } = place;
      if (!isKnown(straat) || huisnummer === 0) return {};
      const near = bijHuisnummer ? BIJ_HUISNUMMER[bijHuisnummer].line : '';
      const before = huisletter ? ' ' : toevoeging === '' ? '' : /^\d/.test(toevoeging) ? '-' : ' ';
      return {
        adresregel1: `${straat}${near} ${huisnummer}${before}${huisletter}${toevoeging}`,
        adresregel2: `${place.postcode.replace(/^(\d{4})/, '$1 ')}  ${townOfAddress(place).toUpperCase()}`.trim(),
      };
    }
    case 'locatie':
      return { adresregel1: place.beschrijving, adresregel2: place.gemeente.omschrijving.toUpperCase() };
    case 'buitenland': {
      const lines = linesOf(place, 'adresregel');
      if (Object.keys(lines).length === 0 || place.land.code === ONBEKEND) return {};
      return { ...lines, ...(place.land.code !== NEDERLAND.code && { land: place.land }) };
    }
    case 'onbekend':
      return {};
  }
}
