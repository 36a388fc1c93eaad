/** The treatment of a recorded answer of the BRP (the population register): which values are kept or replaced. */
import { BUITENLAND } from '../../fixtures/burgers/places.ts';
import { partsOf } from './dates.ts';
import type { Replacement } from './replacement.ts';
import {
  flag,
  freeText,
  knownText,
  listOf,
  matching,
  members,
  NotRecognised,
  oneOf,
  orNull,
  replaced,
  type Treatment,
} from './treatment.ts';

/** In a recording, keeps a code of a code table of the BRP; throws `NotRecognised` for a text of another form. */
const code = matching(/^(\d{1,4}|[A-Z.]{1,2})$/);

/**
 * Returns a recording rule (`Treatment`) for a value of a code table of the BRP: it keeps the code, and replaces a
 * description that is not in `omschrijvingen` by `onbekend`.
 */
const value = (omschrijvingen: Iterable<string>) =>
  members({ code, omschrijving: knownText(omschrijvingen, 'onbekend') });

const TYPES = ['Datum', 'JaarMaandDatum', 'JaarDatum', 'DatumOnbekend'];

/**
 * Returns a recording rule (`Treatment`) for a date of the BRP, of which parts can be unknown. `move` returns the
 * replacing date for a date `YYYY-MM-DD`, in which an unknown month is July and an unknown day the 15th.
 */
const datumBy = (move: (by: Replacement, day: string) => string | null): Treatment =>
  orNull((given, by, pointer) => {
    members({
      type: oneOf(...TYPES),
      datum: matching(/^\d{4}-\d\d-\d\d$/),
      jaar: wholeNumber,
      maand: wholeNumber,
      onbekend: flag,
      langFormaat: matching(/./),
    })(given, by, pointer);
    const { type, datum, jaar = 1, maand = 7, langFormaat, ...rest } = given as Record<string, unknown>;
    if (type === 'DatumOnbekend') return { type, ...rest, langFormaat: 'onbekend' };
    const original = type === 'Datum' ? String(datum) : `${String(jaar).padStart(4, '0')}-${pad(maand)}-15`;
    const day = move(by, original);
    if (type === undefined || day === null) throw new NotRecognised(pointer);
    for (const text of [type === 'Datum' ? original : '', type === 'JaarDatum' ? '' : langFormaat])
      if (typeof text === 'string' && text !== '') by.forget(text);
    return { type, ...partsOf(day, String(type)) };
  });

const wholeNumber: Treatment = orNull((given, _, pointer) => {
  if (!Number.isInteger(given)) throw new NotRecognised(pointer);
  return given;
});
const pad = (number: unknown): string => String(number).padStart(2, '0');

const datum = datumBy((by, day) => by.day(day));
const geboortedatum = datumBy((by, day) => by.birthday(day));

/**
 * Returns a recording rule (`Treatment`) for an object in an answer of the BRP, with the members in `known` and the
 * member `inOnderzoek`, which says which of them are under investigation.
 */
const group = (known: Readonly<Record<string, Treatment>>): Treatment =>
  members({
    ...known,
    inOnderzoek: members({
      ...Object.fromEntries(Object.keys(known).map((name) => [name, flag])),
      datumIngangOnderzoek: datum,
      datumIngangOnderzoekPersoon: datum,
      datumIngangOnderzoekVerblijfplaats: datum,
    }),
  });

/** In a recording, keeps the first words of a salutation, and replaces the name after them. */
const aanhef = replaced((by, original) => {
  const [salutation] =
    /^(Geachte (mevrouw|heer|heer\/mevrouw)|Hooggeboren (heer|vrouwe)|Hoogwelgeboren (heer|vrouwe))(?= )/.exec(
      original,
    ) ?? [null];
  return salutation === null ? null : `${salutation} ${by.achternaam}`;
});

/** Returns `text`, in capitals when `original` is completely in capitals. */
const asWritten = (text: string, original: string): string =>
  original === original.toUpperCase() ? text.toUpperCase() : text;

const straat = replaced((by, original) => asWritten(by.adres.straat, original));
const regel = replaced((by) => `${by.adres.straat} ${by.adres.huisnummer}`);
const LANDEN = BUITENLAND.map(({ land }) => land.omschrijving);

const verblijfadres = group({
  korteStraatnaam: straat,
  officieleStraatnaam: straat,
  huisnummer: orNull((given, by, pointer) => (wholeNumber(given, by, pointer) === 0 ? 0 : by.adres.huisnummer)),
  huisletter: replaced(() => 'A'),
  huisnummertoevoeging: replaced((_, original) => (/^\d/.test(original) ? '2' : 'zw')),
  aanduidingBijHuisnummer: value(['tegenover', 'bij']),
  postcode: replaced(({ adres: { postcode } }, original) =>
    original.includes(' ') ? postcode.replace(/^\d{4}/, '$& ') : postcode,
  ),
  woonplaats: replaced((by, original) => asWritten(by.adres.woonplaats, original)),
  locatiebeschrijving: replaced((by) => `Woonboot, kade vak ${by.adres.huisnummer}`),
  land: value(LANDEN),
  regel1: regel,
  regel2: replaced((by) => by.adres.woonplaats),
  regel3: replaced((by) => by.adres.gemeente.omschrijving),
});

/**
 * In a recording, replaces a municipality by that of the fictitious person. Code 1999 stays, which the BRP has for a
 * person who lives abroad.
 */
const gemeente: Treatment = orNull((given, by, pointer) => {
  members({ code, omschrijving: matching(/./) })(given, by, pointer);
  const { code: original, omschrijving } = given as Record<string, unknown>;
  if (original === '1999') return { code: '1999', omschrijving: 'Registratie Niet-Ingezetenen' };
  if (typeof omschrijving === 'string') by.forget(omschrijving);
  return by.adres.gemeente;
});

const persoon = group({
  burgerservicenummer: replaced(() => '{bsn}'),
  naam: group({ volledigeNaam: replaced((by) => by.volledigeNaam) }),
  geboorte: group({ datum: geboortedatum }),
  verblijfplaats: group({
    type: oneOf('Adres', 'Locatie', 'VerblijfplaatsBuitenland', 'VerblijfplaatsOnbekend'),
    verblijfadres,
    indicatieVastgesteldVerblijftNietOpAdres: flag,
  }),
  adressering: group({ aanhef }),
  gemeenteVanInschrijving: gemeente,
  geheimhoudingPersoonsgegevens: flag,
  opschortingBijhouding: group({
    reden: value(['overlijden', 'emigratie', 'ministerieel besluit', 'pl is aangelegd in de rni', 'fout', 'onbekend']),
    datum,
  }),
  verificatie: group({ datum, omschrijving: knownText(['eigen verzoek'], 'bewijs') }),
  rni: listOf(
    members({ deelnemer: value([]), categorie: matching(/^[A-Z][a-z]{2,20}$/), omschrijvingVerdrag: freeText }),
  ),
});

/** The treatment of the BRP's answer to the operation `personen`, which contains persons. */
export const personen = members({
  type: oneOf('RaadpleegMetBurgerservicenummer'),
  personen: listOf(persoon),
});
