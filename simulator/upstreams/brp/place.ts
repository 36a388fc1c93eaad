/** Converts the place where a person lives to the format of the BRP. */
import { createHash } from 'node:crypto';
import type { Verblijfplaats } from '../../../fixtures/brp.ts';
import { NEDERLAND, toBrpDate, value } from './words.ts';

type Adres = Extract<Verblijfplaats, { soort: 'adres' }>;

/**
 * Returns the BRP's member `verblijfplaats`. `van` is the day on which the person came to live there; `onderzoek` is
 * the day from which the address is under investigation, or null (both `YYYY-MM-DD`).
 */
export function verblijfplaatsOf(place: Verblijfplaats, van: string, onderzoek: string | null) {
  const since = { datumVan: toBrpDate(van), datumIngangGeldigheid: toBrpDate(van) };
  const doubts = (names: readonly string[]) =>
    onderzoek === null
      ? {}
      : {
          inOnderzoek: {
            ...Object.fromEntries(names.map((name) => [name, true])),
            datumIngangOnderzoek: toBrpDate(onderzoek),
          },
        };
  switch (place.soort) {
    case 'adres': {
      const verblijfadres = {
        ...(!place.ouderGegeven && { officieleStraatnaam: place.officieleStraat ?? place.straat }),
        korteStraatnaam: place.straat,
        huisnummer: place.huisnummer,
        ...(place.bijHuisnummer && { aanduidingBijHuisnummer: BIJ_HUISNUMMER[place.bijHuisnummer].value }),
        ...(place.huisletter && { huisletter: place.huisletter }),
        ...(place.toevoeging && { huisnummertoevoeging: place.toevoeging }),
        postcode: place.postcode,
        ...(!place.ouderGegeven && { woonplaats: place.woonplaats }),
      };
      return {
        type: 'Adres',
        functieAdres: value('W', 'woonadres'),
        adresseerbaarObjectIdentificatie: bagId(place, '01'),
        nummeraanduidingIdentificatie: bagId(place, '20'),
        ...since,
        verblijfadres: { ...verblijfadres, ...doubts(Object.keys(verblijfadres)) },
        ...doubts(DOUBTED_WITH_ADDRESS),
      };
    }
    case 'locatie':
      return {
        type: 'Locatie',
        functieAdres: value('W', 'woonadres'),
        ...since,
        verblijfadres: { locatiebeschrijving: place.beschrijving, ...doubts(['locatiebeschrijving']) },
        ...doubts(['type', 'datumVan', 'functieAdres']),
      };
    case 'buitenland': {
      const lines = Object.fromEntries(place.regels.map((regel, index) => [`regel${index + 1}`, regel]));
      return { type: 'VerblijfplaatsBuitenland', ...since, verblijfadres: { ...lines, land: place.land } };
    }
    case 'onbekend':
      return { type: 'VerblijfplaatsOnbekend', ...since };
  }
}

/** What the BRP and an address line say about a home opposite or near a house number. */
const BIJ_HUISNUMMER = {
  to: { value: value('to', 'tegenover'), line: ' t/o' },
  by: { value: value('by', 'bij'), line: ' bij' },
} as const;

/** Returns the town in an address. For an older record, which has none, it is the municipality. */
export const townOfAddress = ({ ouderGegeven, woonplaats, gemeente }: Adres): string =>
  ouderGegeven ? gemeente.omschrijving : woonplaats;

/** The BRP marks these as under investigation too. */
const DOUBTED_WITH_ADDRESS = [
  'type',
  'datumVan',
  'functieAdres',
  'adresseerbaarObjectIdentificatie',
  'nummeraanduidingIdentificatie',
];

// In the form of the BAG (register of addresses): the code of the municipality, the kind of object (`01` a home, `20` a
// house number) and a number. The same address always gets the same id.
function bagId({ gemeente, straat, huisnummer, huisletter, toevoeging, postcode }: Adres, kind: string): string {
  const hash = createHash('sha256').update([postcode, straat, huisnummer, huisletter, toevoeging, kind].join('/'));
  return (
    gemeente.code + kind + String(Number.parseInt(hash.digest('hex').slice(0, 12), 16) % 10 ** 10).padStart(10, '0')
  );
}

const LAND_ONBEKEND = '0000';

/** Returns the address lines in the BRP's member `adressering`; none for an unknown address. */
export function adresregelsOf(place: Verblijfplaats) {
  switch (place.soort) {
    case 'adres': {
      const { straat, bijHuisnummer, huisnummer, huisletter = '', toevoeging = '' } = place;
      if (straat === '.' || huisnummer === 0) return {};
      const near = bijHuisnummer ? BIJ_HUISNUMMER[bijHuisnummer].line : '';
      const before = huisletter ? ' ' : toevoeging === '' ? '' : /^\d/.test(toevoeging) ? '-' : ' ';
      return {
        adresregel1: `${straat}${near} ${huisnummer}${before}${huisletter}${toevoeging}`,
        adresregel2: `${place.postcode.replace(/^(\d{4})/, '$1 ')}  ${townOfAddress(place).toUpperCase()}`,
      };
    }
    case 'locatie':
      return { adresregel1: place.beschrijving, adresregel2: place.gemeente.omschrijving.toUpperCase() };
    case 'buitenland':
      return place.regels.length === 0 || place.land.code === LAND_ONBEKEND
        ? {}
        : {
            ...Object.fromEntries(place.regels.map((regel, index) => [`adresregel${index + 1}`, regel])),
            ...(place.land.code !== NEDERLAND.code && { land: place.land }),
          };
    case 'onbekend':
      return {};
  }
}
