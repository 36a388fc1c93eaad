/** The part of a persona file with data that only the BRP (population register) has. */
import * as z from 'zod';
import { GESLACHTEN, OPSCHORTINGEN, TITELCODES } from '../../fixtures/brp.ts';

/** Schema of a text; `must` says what it must be when it does not match. */
export const matching = (pattern: RegExp, must: string) => z.string().regex(pattern, must);

/** Returns the schema of a text of 1 to `max` characters that does not begin or end with white space. */
export const text = (max: number) =>
  matching(/^\S(.*\S)?$/, 'must not be empty, or begin or end with a space').max(max);
/** Schema of a relative date: years, months and days to add to the first day of a world, which is mostly today. */
export const Offset = z
  .strictObject({
    years: z.int().min(-100).max(100).optional(),
    months: z.int().min(-1_200).max(1_200).optional(),
    days: z.int().min(-36_500).max(36_500).optional(),
  })
  .describe(
    'A date relative to today: { "months": 4 } is four months from now, { "years": -12, "days": 9 } is twelve years ago plus nine days, {} is today.',
  );

const Code = z.strictObject({ code: matching(/^\d{4}$/, 'must be four digits'), omschrijving: text(80) });
const Land = Code.describe(
  'Country, as in table 34 of the BRP: { "code": "5010", "omschrijving": "België" }. Code 0000: not known.',
);

const Gemeente = Code.describe(
  'Municipality, as in table 33 of the BRP. May be left out when the woonplaats is a large town.',
);

export const adres = {
  straat: text(80).describe('Name of the street of at most 24 characters; ".": not known.'),
  officieleStraat: text(80).nullish().describe('Official name of the street. Absent: the same as straat.'),
  bijHuisnummer: z
    .enum(['to', 'by'])
    .nullish()
    .describe('For a home without a number of its own: "to" is opposite huisnummer, "by" is near it.'),
  huisnummer: z.int().min(0).max(99_999).describe('House number; 0: not known.'),
  huisletter: matching(/^[A-Za-z]$/, 'must be one letter').nullish(),
  toevoeging: matching(/^[A-Za-z0-9]{1,4}$/, 'must be one to four letters or digits').nullish(),
  postcode: matching(
    /^[1-9]\d{3}(?!SA|SD|SS)[A-Z]{2}$/,
    'must be four digits and two capitals, not SA, SD or SS: 3514CN',
  ),
  woonplaats: text(80).describe('Town; ".": not known.'),
  gemeente: Gemeente.nullish(),
  ouderGegeven: z
    .boolean()
    .nullish()
    .describe('An older record: the BRP has no official name of the street, and no woonplaats.'),
};
export const locatie = {
  beschrijving: text(35).describe('Description of the place, such as a pitch for a caravan.'),
  gemeente: Gemeente,
};
export const buitenland = {
  regels: z
    .array(text(80).or(z.literal('')))
    .max(3)
    .describe('Address lines; "": that line is not known; an empty list: only the country is known.'),
  land: Land,
};
export const Verblijfplaats = z
  .discriminatedUnion('soort', [
    z.strictObject({ soort: z.literal('adres'), ...adres }),
    z.strictObject({ soort: z.literal('locatie'), ...locatie }),
    z.strictObject({ soort: z.literal('buitenland'), ...buitenland }),
    z.strictObject({ soort: z.literal('onbekend') }),
  ])
  .describe('Where the person lives according to the BRP.');

const adellijkeTitelPredicaat = z
  .enum(TITELCODES)
  .nullish()
  .describe('Title of nobility or predicate, as in table 38 of the BRP: "B" is a baron, "JV" a jonkvrouw.');

const Partner = z.strictObject({
  voornamen: text(200),
  voorvoegsel: text(10).nullish(),
  geslachtsnaam: text(200),
  adellijkeTitelPredicaat,
  geslacht: z.enum(GESLACHTEN),
  sinds: Offset.describe('Date of the marriage or partnership.'),
  tot: Offset.nullish().describe('Date on which it ended, by divorce or death. Absent: it did not.'),
});

const known = (what: string) =>
  z
    .enum(['JaarMaandDatum', 'JaarDatum', 'DatumOnbekend'])
    .nullish()
    .describe(`What is known of the ${what}: year and month, the year, or nothing. Absent: the whole date.`);

/** What only the BRP has. For a member that is absent or null, the simulated BRP makes up a value, or leaves it out. */
export const Brp = z
  .strictObject({
    geboren: z
      .strictObject({
        plaats: text(80),
        code: matching(/^\d{4}$/, 'must be four digits').nullish(),
        land: Land.nullish(),
      })
      .nullish()
      .describe('Place of birth: a Dutch municipality with its code, or a place in another country.'),
    geboortedatum: known('date of birth'),
    huwelijksdatum: known('date of the marriage or partnership'),
    adresdatum: known('date since which the person lives at the address'),
    overlijdensdatum: known('date of death'),
    nationaliteit: Code.nullish().describe(
      'Nationality, as in table 32 of the BRP: 0499 is stateless, 0000 not known. Absent: Dutch.',
    ),
    naamgebruik: z
      .enum(['E', 'P', 'V', 'N'])
      .nullish()
      .describe('Use of the surname of the partner: E own, P partner, V partner and own, N own and partner.'),
    adellijkeTitelPredicaat,
    partner: Partner.nullish().describe('Spouse or registered partner, or a former one; null: none.'),
    immigratie: z.strictObject({ op: Offset, land: Land }).nullish(),
    verblijfstitel: z
      .strictObject({
        code: matching(/^\d{2}$/, 'must be two digits'),
        omschrijving: text(80),
        van: Offset,
        tot: Offset.nullish(),
      })
      .nullish()
      .describe('Residence permit, as in table 56 of the BRP.'),
    opschorting: z
      .enum(OPSCHORTINGEN)
      .nullish()
      .describe(
        'Reason why the data are no longer kept up to date: M by decision of the minister, "." not known. With F (an error) or W (wiped), the BRP does not give the person. Absent: as death and the address make it.',
      ),
    curatele: z
      .boolean()
      .nullish()
      .describe('True: under guardianship. The BRP says so; a registration does not end by it.'),
    emigratie: Offset.nullish().describe('Date on which the person left the Netherlands.'),
    inOnderzoek: Offset.nullish().describe('Date since which the address is under investigation.'),
    nietOpAdres: Offset.nullish().describe(
      'Date on which the municipality established that the person does not live at the address.',
    ),
  })
  .describe('Facts that only the BRP has.');
