/** The schemas of the rows in a snapshot file (saved copy of a world). */
import * as z from 'zod';
import { UITKOMSTEN } from '../../../adapters/register/wire.ts';
import { EXTENSIONS } from '../../../src/uploads/inspection/file-types.ts';
import { APPLICATION_TYPES, BEROEPEN, BRIEF_TAGS } from '../../../src/wire/values.ts';
import { REFERENTIE_PREFIX } from '../../people/resident.ts';
import { isDeliveredContent, StoredBriefContent } from './letter-content.ts';

/** The first and last day in a snapshot. A clock comes no nearer to the years that dates cannot have than 400 years. */
const [FIRST_DAY, LAST_DAY] = ['1400-01-01', '2800-12-31'];

/** Schema of a date, `YYYY-MM-DD`. Terms and dates of birth that are counted from it have four digits in their year too. */
export const date = z.iso.date().refine((day) => day >= FIRST_DAY && day <= LAST_DAY);
/** Schema of a time in milliseconds since 1970, with the limits of `date`. */
export const moment = z.number().min(Date.parse(FIRST_DAY)).max(Date.parse(LAST_DAY));
/** Schema of an id. An id is also used as a file name, so characters other than `\w` and `-` are refused. */
const id = z.string().regex(/^[\w-]{1,64}$/);
const text = z.string();
/** Schema of a number that the service or the simulator can count on from: SQLite returns no number above 2^53 - 1. */
export const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const flag = z.int().min(0).max(1);

/** Maximum nesting depth of a value whose structure is free: deeper values cannot be copied. */
const MAX_DEPTH = 64;

/** Returns true for a value that is nested at most `levels` deep. */
export const isShallow = (value: unknown, levels = MAX_DEPTH): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1)));

/** Returns the value in a string with JSON; undefined when it is not JSON, or is nested too deep to copy. */
function parse(value: string): unknown {
  try {
    const parsed: unknown = JSON.parse(value);
    return isShallow(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the schema of a string with the JSON of a value that `schema` accepts, nested at most 64 deep. */
const json = (schema: z.ZodType) =>
  z.string().refine((value) => {
    const parsed = parse(value);
    return parsed !== undefined && schema.safeParse(parsed).success;
  });

/** Schema of what an applicant asked: the members from which the register makes dates and addresses. */
const Gegevens = z.looseObject({
  diplomaDatum: date.nullish(),
  straat: z.string().min(1).optional(),
  woonplaats: z.string().min(1).optional(),
});

/** The highest number of a case (zaak): a reference has six digits, and the next cases need higher numbers. */
const LAST_NUMBER = 900_000;

const claim = { claim: text.nullable(), claimedUntil: z.number().nullable() };

/** Schemas of the rows in which the simulator stores the state of a world, keyed by table. */
export const stateRows = {
  zaken: z.strictObject({
    number: count.max(LAST_NUMBER),
    world: text,
    prefix: z.enum(Object.values(REFERENTIE_PREFIX)),
    resident: text,
    sleutel: text,
    referentie: z.string().regex(/^[A-Z]{3}-\d{4}-\d{6}$/),
    soort: z.enum(APPLICATION_TYPES),
    kenmerk: text.nullable(),
    gegevens: json(Gegevens),
    handmatig: flag,
    ontvangenOp: date,
  }),
  verzendingen: z.strictObject({
    // Letters are numbered over all worlds. Older files have the number here; it is not used.
    number: count.exactOptional(),
    sleutel: text,
    referentie: text,
    kanaal: text,
    tekst: text,
    inhoud: z.string().refine(isDeliveredContent).nullable().default(null),
    uitkomst: z.enum(UITKOMSTEN).nullable().default(null),
    verzondenOp: date,
    world: text,
  }),
  besluiten: z.strictObject({
    world: text,
    referentie: text,
    uitkomst: z.enum(UITKOMSTEN).nullable(),
    reden: text.nullable(),
    datum: date,
    beroep: z.enum(BEROEPEN).nullable().default(null),
  }),
  ids: z.strictObject({ world: text, last: count }),
  residents: z.strictObject({ resident: text, firstDay: date }),
  movedIn: z.strictObject({ resident: text }),
};

/** Schemas of the rows of the service's store, keyed by table. */
export const storeRows = {
  applications: z.strictObject({
    id,
    owner: text,
    type: z.enum(APPLICATION_TYPES),
    tag: z.enum(['Concept', 'Pending', 'InBehandeling', 'Goedgekeurd', 'Afgewezen']),
    version: count,
    draft: json(z.unknown()).nullable(),
    stepIndex: count,
    stepCount: count,
    documentIds: json(z.array(text)),
    referentie: text.nullable(),
    manual: flag.nullable(),
    reden: text.nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    submittedAt: z.iso.datetime().nullable(),
    ...claim,
    slot: text.nullable(),
    sentKey: text.nullable(),
    sentHash: text.nullable(),
    sentAt: z.number().nullable(),
  }),
  uploads: z.strictObject({
    owner: text,
    wizardId: text,
    localId: text,
    documentId: id,
    categoryId: text,
    state: z.enum(['pending', 'uploaded', 'rejected', 'deleting']),
    formaat: z.enum(Object.keys(EXTENSIONS)).nullable(),
    bestandsnaam: text.nullable(),
    omvang: count.nullable(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    key: text.nullable(),
    links: text,
    perhapsStored: flag,
    ...claim,
    createdAt: z.number(),
  }),
  brieven: z
    .strictObject({
      briefId: id,
      workspace: text,
      slot: text.nullable(),
      version: count,
      tag: z.enum(BRIEF_TAGS),
      sentAt: z.iso.datetime().nullable(),
      sending: text.nullable(),
      content: text,
    })
    .refine(
      ({ tag, content }) => {
        const brief = StoredBriefContent.safeParse(parse(content)).data;
        // Without its frozen text an approved letter cannot be sent.
        return brief !== undefined && (brief.frozen !== null || (tag !== 'approved' && tag !== 'sent'));
      },
      { path: ['content'] },
    ),
};
