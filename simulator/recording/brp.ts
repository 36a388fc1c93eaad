/** Anonymizes a recorded answer of the BRP (the population register). */
import { BUITENLAND } from '../../fixtures/burgers/places.ts';
import { BRP_DATE_TYPES, toPartialBrpDate } from '../people/brp-date.ts';
import {
  type Anonymizer,
  flag,
  freeText,
  knownText,
  listOf,
  matching,
  members,
  oneOf,
  orNull,
  replaced,
  UnknownValueError,
} from './anonymizers.ts';
import type { Replacement } from './replacement.ts';

/** Keeps a code of a code table of the BRP. Throws `UnknownValueError` for a text of another form. */
const code = matching(/^(\d{1,4}|[A-Z.]{1,2})$/);

/**
 * Returns an anonymizer for a value of a code table of the BRP. It keeps the code, and replaces a description that is
 * not in `omschrijvingen` by `onbekend`.
 */
const codeTableValue = (omschrijvingen: Iterable<string>) =>
  members({ code, omschrijving: knownText(omschrijvingen, 'onbekend') });

/**
 * Returns an anonymizer for a date of the BRP, of which parts can be unknown. `move` returns the new date for a date
 * `YYYY-MM-DD`, in which an unknown month is July and an unknown day the 15th.
 */
const datumMovedBy = (move: (replacement: Replacement, day: string) => string | null): Anonymizer =>
  orNull((given, replacement, pointer) => {
    members({
      type: oneOf(...BRP_DATE_TYPES),
      datum: matching(/^\d{4}-\d\d-\d\d$/),
      jaar: wholeNumber,
      maand: wholeNumber,
      onbekend: flag,
      langFormaat: matching(/./),
    })(given, replacement, pointer);
    const { type: name, datum, jaar = 1, maand = 7, langFormaat } = given as Record<string, unknown>;
    const type = BRP_DATE_TYPES.find((one) => one === name);
    if (type === 'DatumOnbekend') return toPartialBrpDate('', type);
    const original = type === 'Datum' ? String(datum) : `${String(jaar).padStart(4, '0')}-${pad(maand)}-15`;
    const day = move(replacement, original);
    if (type === undefined || day === null) throw new UnknownValueError(pointer);
    for (const text of [type === 'Datum' ? original : '', type === 'JaarDatum' ? '' : langFormaat])
      if (typeof text === 'string' && text !== '') replacement.recordOriginal(text);
    return toPartialBrpDate(day, type);
  });

const wholeNumber: Anonymizer = orNull((given, _, pointer) => {
  if (!Number.isInteger(given)) throw new UnknownValueError(pointer);
  return given;
});
const pad = (number: unknown): string => String(number).padStart(2, '0');

const datum = datumMovedBy((replacement, day) => replacement.moveDate(day));
const geboortedatum = datumMovedBy((replacement, day) => replacement.moveBirthDate(day));

/**
 * Returns an anonymizer for an object in an answer of the BRP, with the members in `known` and the member
 * `inOnderzoek`, which says which of them the municipality is checking.
 */
const group = (known: Readonly<Record<string, Anonymizer>>): Anonymizer =>
  members({
    ...known,
    inOnderzoek: members({
      ...Object.fromEntries(Object.keys(known).map((name) => [name, flag])),
      datumIngangOnderzoek: datum,
      datumIngangOnderzoekPersoon: datum,
      datumIngangOnderzoekVerblijfplaats: datum,
    }),
  });

/** The honours with which the BRP addresses people with a title. */
const HONOURS = ['Hoogheid', ...['heer', 'vrouwe'].flatMap((sex) => [`Hooggeboren ${sex}`, `Hoogwelgeboren ${sex}`])];

/** Keeps the first words of a salutation, and replaces the name after them. */
const aanhef: Anonymizer = (given, replacement, pointer) =>
  HONOURS.includes(given as string)
    ? given
    : replaced((_, original) => {
        const [salutation] = /^Geachte (mevrouw|heer|(?=\p{Lu}))/u.exec(original) ?? [];
        return salutation === undefined ? null : `${salutation.trim()} ${replacement.achternaam}`;
      })(given, replacement, pointer);

/** Replaces the name in an address by the initial and the surname of the fictional person. */
const aanschrijfnaam = replaced(({ volledigeNaam, achternaam }) => `${volledigeNaam.slice(0, 1)}. ${achternaam}`);
const aanspreekvorm = oneOf(...HONOURS.map((honour) => `De ${honour.charAt(0).toLowerCase()}${honour.slice(1)}`));

/** Returns `text`, in capitals when `original` is completely in capitals. */
const inCaseOf = (text: string, original: string): string =>
  original === original.toUpperCase() ? text.toUpperCase() : text;

const straat = replaced((replacement, original) => inCaseOf(replacement.adres.straat, original));
const regel = replaced((replacement) => `${replacement.adres.straat} ${replacement.adres.huisnummer}`);
const LANDEN = BUITENLAND.map(({ land }) => land.omschrijving);

const verblijfadres = group({
  korteStraatnaam: straat,
  officieleStraatnaam: straat,
  huisnummer: orNull((given, replacement, pointer) =>
    wholeNumber(given, replacement, pointer) === 0 ? 0 : replacement.adres.huisnummer,
  ),
  huisletter: replaced(() => 'A'),
  huisnummertoevoeging: replaced((_, original) => (/^\d/.test(original) ? '2' : 'zw')),
  aanduidingBijHuisnummer: codeTableValue(['tegenover', 'bij']),
  postcode: replaced(({ adres: { postcode } }, original) =>
    original.includes(' ') ? postcode.replace(/^\d{4}/, '$& ') : postcode,
  ),
  woonplaats: replaced((replacement, original) => inCaseOf(replacement.adres.woonplaats, original)),
  locatiebeschrijving: replaced((replacement) => `Woonwagen, vak ${replacement.adres.huisnummer}`),
  land: codeTableValue(LANDEN),
  regel1: regel,
  regel2: replaced((replacement) => replacement.adres.woonplaats),
  regel3: replaced((replacement) => replacement.adres.gemeente.omschrijving),
});

/**
 * Replaces a municipality by that of the fictional person. Code 1999, which means that the person lives abroad, is
 * kept.
 */
const gemeente: Anonymizer = orNull((given, replacement, pointer) => {
  members({ code, omschrijving: matching(/./) })(given, replacement, pointer);
  const { code: original, omschrijving } = given as Record<string, unknown>;
  if (original === '1999') return { code: '1999', omschrijving: 'Registratie Niet-Ingezetenen' };
  if (typeof omschrijving === 'string') replacement.recordOriginal(omschrijving);
  return replacement.adres.gemeente;
});

const persoon = group({
  burgerservicenummer: replaced(() => '{bsn}'),
  naam: group({ volledigeNaam: replaced((replacement) => replacement.volledigeNaam) }),
  geboorte: group({ datum: geboortedatum }),
  verblijfplaats: group({
    type: oneOf('Adres', 'Locatie', 'VerblijfplaatsBuitenland', 'VerblijfplaatsOnbekend'),
    verblijfadres,
    indicatieVastgesteldVerblijftNietOpAdres: flag,
  }),
  adressering: group({
    aanhef,
    aanschrijfwijze: members({ naam: aanschrijfnaam, aanspreekvorm }),
    adresregel1: regel,
    adresregel2: replaced(
      ({ adres }) => `${adres.postcode.replace(/^\d{4}/, '$& ')}  ${adres.woonplaats.toUpperCase()}`,
    ),
    adresregel3: replaced((replacement) => replacement.adres.gemeente.omschrijving),
    land: codeTableValue(LANDEN),
    indicatieVastgesteldVerblijftNietOpAdres: flag,
  }),
  gemeenteVanInschrijving: gemeente,
  geheimhoudingPersoonsgegevens: flag,
  opschortingBijhouding: group({
    reden: codeTableValue([
      'overlijden',
      'emigratie',
      'ministerieel besluit',
      'pl is aangelegd in de rni',
      'fout',
      'onbekend',
    ]),
    datum,
  }),
  verificatie: group({ datum, omschrijving: knownText(['eigen verzoek'], 'bewijs') }),
  rni: listOf(
    members({
      deelnemer: codeTableValue([]),
      categorie: matching(/^[A-Z][a-z]{2,20}$/),
      omschrijvingVerdrag: freeText,
    }),
  ),
});

/** Anonymizes the answer of the BRP to the operation `personen`, which contains persons. */
export const personen = members({
  type: oneOf('RaadpleegMetBurgerservicenummer'),
  personen: listOf(persoon),
});
