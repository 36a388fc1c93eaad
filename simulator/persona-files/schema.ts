import * as z from 'zod';
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import { GESLACHTEN } from '../../fixtures/brp.ts';
import { INSTELLINGEN, OPLEIDINGEN } from '../../fixtures/opleidingen.ts';
import { CATEGORY_IDS } from '../../src/uploads/categories.ts';
import { APPLICATION_TYPES, PROFESSIONAL_ROLES, STAFF_ROLES } from '../../src/wire/values.ts';
import { similarTo } from '../text.ts';
import { adres, Brp, buitenland, locatie, matching, Offset, text, Verblijfplaats } from './brp.ts';

/** The schema of a persona file: a JSON object that describes one person, in the folder `PERSONAS_DIR`. */

const keysOf = <Row extends object>(row: Row) => Object.keys(row) as [keyof Row & string, ...(keyof Row & string)[]];

const Opleiding = z
  .union([
    z.enum(keysOf(OPLEIDINGEN)),
    z.strictObject({
      naam: text(100),
      code: text(50),
      niveau: z.enum(['eqf-4', 'eqf-6', 'eqf-7']),
      soort: z.enum(['vocational-diploma', 'bachelor', 'master']),
      taal: matching(/^[a-z]{2}$/, 'must be two lower case letters').describe('Language of instruction, ISO 639-1.'),
    }),
  ])
  .describe('Study programme: a known one by its name, or a programme of your own as an object.');

const Instelling = z
  .union([z.enum(keysOf(INSTELLINGEN)), z.strictObject({ naam: text(100), code: text(10).describe('BRIN code.') })])
  .describe('Institution: a known one by its name, or an institution of your own as an object.');

const Diploma = z.strictObject({
  opleiding: Opleiding,
  instelling: Instelling,
  behaaldOp: Offset.nullable().describe('Date of the diploma; null: not obtained yet.'),
});

const Status = z
  .discriminatedUnion('soort', [
    z.strictObject({
      soort: z.literal('geschorst'),
      op: Offset,
      tot: Offset.nullable().describe(
        'First day after the suspension; null: a provisional measure without an end date.',
      ),
      reden: z.enum(['Schorsing door het tuchtcollege', 'Schorsing bij voorlopige voorziening']),
    }),
    z.strictObject({
      soort: z.literal('doorgehaald'),
      op: Offset,
      reden: z.enum([
        'Niet geherregistreerd',
        'Op eigen verzoek',
        'Tuchtmaatregel',
        'Overlijden',
        'Registratie van rechtswege vervallen',
      ]),
    }),
  ])
  .describe('Suspended or struck off. Leave it out for a person who is registered.');

const Aantekening = z.strictObject({
  soort: z.enum(['specialisme', 'vermelding', 'maatregel', 'beperking']),
  omschrijving: text(300),
  van: Offset,
  tot: Offset.optional(),
  openbaar: z.boolean().default(true),
});

const Registratie = z
  .strictObject({
    beroep: z.enum([...new Set(BEROEP_BY_CODE.values())]),
    nummer: matching(/^90\d{9}$/, 'must be eleven digits that begin with 90')
      .optional()
      .describe('Register number: 90, seven digits, and the two digits of the profession. Leave it out to get one.'),
    sinds: Offset.describe('First day of the registration; not before the diploma. An object as { "years": -12 }.'),
    uhd: Offset.nullable().describe('Uiterste herregistratiedatum, the deadline for renewal; null: none.'),
    status: Status.optional(),
    specialistTot: Offset.optional().describe('Last day of the registration as a specialist.'),
    aantekeningen: z.array(Aantekening).max(20).optional(),
  })
  .refine(({ beroep, nummer }) => nummer === undefined || BEROEP_BY_CODE.get(nummer.slice(-2)) === beroep, {
    path: ['nummer'],
    error: 'must end in the two digits of the profession',
  });

/** Only Latin-1 characters, because the font of the PDF has no others. */
const latin1 = (max: number) => matching(/^[ -~\u00a0-\u00ff]*$/, 'must have Latin-1 characters only').max(max);
const localIds = z
  .array(z.string().max(64))
  .max(20)
  .optional()
  .describe('The localId of each upload that belongs to it.');
const request = { type: z.enum(APPLICATION_TYPES), documenten: localIds };
const Aanvraag = z.discriminatedUnion('tag', [
  z.strictObject({
    ...request,
    tag: z.literal('Concept'),
    begonnen: Offset,
    stepIndex: z.int().min(0).max(50),
    stepCount: z.int().min(0).max(50),
    draft: z.record(z.string().max(100), z.json()).describe('What the wizard has saved.'),
  }),
  z.strictObject({ ...request, tag: z.literal('InBehandeling'), ingediend: Offset, manual: z.boolean() }),
  z.strictObject({
    ...request,
    tag: z.literal('Afgewezen'),
    ingediend: Offset,
    besloten: Offset,
    manual: z.boolean(),
    reden: text(500),
  }),
]);

const Upload = z.strictObject({
  localId: matching(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores'),
  wizardId: z.enum(['registratie', 'herregistratie', 'intake']),
  categoryId: z.enum(CATEGORY_IDS),
  bestandsnaam: text(120).regex(/^[^/\\]+$/, 'must not contain a slash'),
  state: z.enum(['uploaded', 'pending', 'rejected']),
  inhoud: z
    .discriminatedUnion('soort', [
      z.strictObject({ soort: z.literal('pdf'), titel: latin1(100), regels: z.array(latin1(200)).max(40) }),
      z.strictObject({ soort: z.literal('jpg'), bestand: z.literal('identiteitskaart') }),
      z.strictObject({ soort: z.literal('png'), bestand: z.literal('diploma') }),
    ])
    .describe('A page of text, or one of the two pictures of the simulator.'),
});

/** The short name of a persona. Not a numbered name such as `burger-1`: those are of generated citizens. */
export const SLUG = /^(?!burger-\d)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
export const MAX_SLUG = 48;

const Slug = z
  .string()
  .max(MAX_SLUG)
  .regex(SLUG, 'must consist of lower case letters and digits with single hyphens, and not look like burger-1')
  .describe('Name of the persona in X-Subject or X-Medewerker, such as "kim-van-dam". No other persona may have it.');

const naam = {
  voornamen: text(200).nullable().describe('null: a person who has one name, which is geslachtsnaam.'),
  voorvoegsel: text(10).nullish(),
  geslachtsnaam: text(200).describe('Surname; ".": not known.'),
};

const person = {
  bsn: matching(/^999\d{6}$/, 'must be nine digits that begin with 999')
    .nullish()
    .describe(
      'A number for tests: nine digits that begin with 999 and pass the 11-test. Leave it out to get one. null: a person without one, who is not in the BRP and DUO.',
    ),
  geslacht: z.enum(GESLACHTEN).describe('O: unknown, as for a person with an X in the passport.'),
  leeftijd: z.int().min(16).max(110).describe('Age today, in years.'),
  verjaardag: matching(
    /^((0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)$/,
    'must be a month and a day of it, not 29 February: 03-14',
  ).describe('Month and day of birth, MM-DD. Not 29 February.'),
  geheim: z.boolean().nullish().describe('True: the data may not be passed on (geheimhouding).'),
  overleden: Offset.nullish().describe('Date of death.'),
  berichtenbox: z
    .boolean()
    .nullish()
    .describe('True: letters of the register go to the Berichtenbox. Absent: by post.'),
  herkomst: z.enum(['eu', 'buiten-eu']).nullish().describe('Origin of a diploma that is not Dutch.'),
  brp: Brp.nullish(),
  beoogdBeroep: z
    .enum([...new Set(BEROEP_BY_CODE.values())])
    .nullish()
    .describe('Profession in which a person without a registration wants to be registered.'),
  registraties: z.array(Registratie).max(5).describe('Registrations in the register; an empty list: none.'),
  diplomas: z.array(Diploma).max(10).describe('Diplomas at DUO.'),
  aanvragen: z.array(Aanvraag).max(20).nullish().describe('Requests: drafts, in progress, rejected.'),
  uploads: z.array(Upload).max(20).nullish().describe('Documents of the person.'),
  handmatig: z
    .boolean()
    .nullish()
    .describe('True: a case handler decides on new requests. False: the register decides. Absent: by its own rule.'),
};

const CompletePerson = z.strictObject({ ...person, naam: z.strictObject(naam), verblijfplaats: Verblijfplaats });

const head = {
  $schema: z.string().max(500).optional().describe('Address of this schema, with which an editor completes the file.'),
  slug: Slug,
  toont: text(300).optional().describe('What the persona shows, in Dutch: one sentence.'),
  shows: text(300).optional().describe('What the persona shows, in English: one sentence.'),
};
const role = z.enum(PROFESSIONAL_ROLES).describe('Role in X-Role.');
const rollen = z.array(z.enum(STAFF_ROLES)).min(1).describe('Roles in X-Rollen.');

export const CompleteFile = z.discriminatedUnion('kind', [
  z.strictObject({ ...head, kind: z.literal('professional'), person: CompletePerson }),
  z.strictObject({ ...head, kind: z.literal('letter'), naam: text(200), role }),
  z.strictObject({ ...head, kind: z.literal('staff'), naam: text(200), rollen }),
]);

export const ExtendingFile = z
  .strictObject({
    ...head,
    extends: z
      .string()
      .max(MAX_SLUG)
      .describe(
        'Slug of the persona to start from: of the simulator or your own. Objects are merged, lists and dates are replaced, null removes an optional member. slug, bsn, register numbers, toont and shows are not taken over.',
      ),
    person: z
      .strictObject({
        ...person,
        naam: z.strictObject(naam).partial(),
        verblijfplaats: z
          .strictObject({
            soort: z.enum(['adres', 'locatie', 'buitenland', 'onbekend']),
            ...locatie,
            ...adres,
            ...buitenland,
          })
          .partial()
          .describe('Members to change. With another soort it replaces the whole address.'),
      })
      .partial()
      .optional(),
    naam: text(200).optional().describe('Name of a person who works on letters, or of staff.'),
    role: role.optional(),
    rollen: rollen.optional(),
  })
  .describe('A persona made from another one.');

const [Professional, Letter, Staff] = CompleteFile.options;
const kind = z.enum(['professional', 'letter', 'staff']);

/** Unlike `CompleteFile`, it finds all faults of a file without a `kind`, or with a wrong one. */
export function fittingSchema(value: unknown): z.ZodType {
  const content = Object(value);
  const names = Object.keys(content);
  if (names.some((name) => similarTo(name.toLowerCase(), ['extends']) !== undefined)) return ExtendingFile;
  if (kind.safeParse(content.kind).success) return CompleteFile;
  if (names.includes('person')) return Professional.extend({ kind });
  if (names.includes('rollen')) return Staff.extend({ kind });
  return names.includes('role') ? Letter.extend({ kind }) : CompleteFile;
}

/** The content of a persona file, with the members of the extended persona, if any. */
export type PersonaContent = z.output<typeof CompleteFile>;
/** The content of a persona file as its author writes it: complete, or with `extends`. */
export type PersonaFile = z.input<typeof CompleteFile> | z.input<typeof ExtendingFile>;
/** A `PersonaFile` as TypeScript sees an imported JSON file: a fixed text or number is any `string` or `number` there. */
export type PersonaJson = FromJson<PersonaFile>;
type FromJson<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends readonly (infer One)[]
      ? readonly FromJson<One>[]
      : T extends object
        ? { readonly [Name in keyof T]: FromJson<T[Name]> }
        : T;

/** Returns the JSON Schema (draft 7, which editors support) of a persona file. */
export const personaJsonSchema = (): object => ({
  title: 'Persona of the zorgregister simulator',
  ...z.toJSONSchema(z.union([ExtendingFile, CompleteFile]), { target: 'draft-7', io: 'input' }),
});
