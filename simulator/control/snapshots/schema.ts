/**
 * The schema of a snapshot file (a saved copy of a world). The file is untrusted input, so it is checked before any
 * data of the world are deleted. For `gegevens`, `draft`, `documentIds` and the `content` of a letter, only the kind of
 * JSON is checked (an object or a list), not what is in it.
 */
import * as z from 'zod';
import { UITKOMSTEN } from '../../../adapters/register/brieven/wire.ts';
import { APPLICATION_TYPES, BEROEPEN, BRIEF_TAGS } from '../../../src/wire/values.ts';
import { DEFAULT_WORLD } from '../../people/directory.ts';
import { SimulatedDocumentSchema } from '../../upstreams/documenten/simulated-document.ts';
import { isScenario } from '../../worlds/scenarios.ts';
import { Fault } from '../schema.ts';

const date = z.iso.date();
/** Schema of an id. An id is also used as a file name, so other characters than `\w` and `-` are refused. */
const id = z.string().regex(/^[\w-]{1,64}$/);
const text = z.string();
const count = z.int().nonnegative();
const flag = z.int().min(0).max(1);
/** Schema of a moment in milliseconds since 1970, in a year of four digits. */
const moment = z.number().min(Date.parse('1000-01-01')).max(Date.parse('9999-12-31'));

/**
 * Maximum of `ahead` in milliseconds: how far the clock of a world can be ahead of, or behind, the real time. It is 400
 * years, twice the maximum that the control API allows.
 */
const MAX_OFFSET = 400 * 366 * 24 * 60 * 60 * 1_000;

/** Returns the schema of a string that contains a JSON object, a JSON list, or any JSON. */
const json = (kind: 'object' | 'list' | 'any') =>
  z.string().refine((value) => {
    try {
      const parsed: unknown = JSON.parse(value);
      if (kind === 'any') return true;
      return kind === 'list' ? Array.isArray(parsed) : isObject(parsed);
    } catch {
      return false;
    }
  });

const isObject = (value: unknown): boolean => value !== null && typeof value === 'object' && !Array.isArray(value);

const flags = { vet: z.boolean(), cursief: z.boolean(), onderstreept: z.boolean() };

/** Schema of the sections of a delivered letter, as the register received them (`VerzendingWire`). */
const LetterContent = z.object({
  secties: z.array(
    z.object({
      sleutel: text,
      titel: text,
      alineas: z.array(
        z.object({
          lijst: z.enum(['opsomming', 'nummering']).nullable(),
          delen: z.array(z.object({ tekst: text, ...flags })),
        }),
      ),
    }),
  ),
});

/** Returns true for JSON text of the sections of a letter, and for the text `null`. */
function isLetterContent(value: string): boolean {
  try {
    return LetterContent.nullable().safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}

const claim = { claim: text.nullable(), claimedUntil: z.number().nullable() };

/** Schemas of the rows of the simulators' own state, keyed by table. */
const sources = {
  zaken: z.strictObject({
    number: count,
    world: text,
    prefix: text,
    resident: text,
    sleutel: text,
    referentie: text,
    soort: text,
    kenmerk: text.nullable(),
    gegevens: json('object'),
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
    inhoud: z.string().refine(isLetterContent).nullable().default(null),
    verzondenOp: text,
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

/** Schemas of the rows of the store of the service, keyed by table. */
const store = {
  applications: z.strictObject({
    id,
    owner: text,
    type: z.enum(APPLICATION_TYPES),
    tag: z.enum(['Concept', 'Pending', 'InBehandeling', 'Goedgekeurd', 'Afgewezen']),
    version: count,
    draft: json('any').nullable(),
    stepIndex: count,
    stepCount: count,
    documentIds: json('list'),
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
    formaat: text.nullable(),
    bestandsnaam: text.nullable(),
    omvang: count.nullable(),
    sha256: text.nullable(),
    key: text.nullable(),
    links: text,
    perhapsStored: flag,
    ...claim,
    createdAt: z.number(),
  }),
  brieven: z.strictObject({
    briefId: id,
    workspace: text,
    slot: text.nullable(),
    version: count,
    tag: z.enum(BRIEF_TAGS),
    sentAt: text.nullable(),
    sending: text.nullable(),
    content: json('object'),
  }),
};

/** Returns the schema of an object with a list of rows for each table, from the schemas of the rows. */
const listsOf = <Rows extends Record<string, z.ZodType>>(rows: Rows) =>
  z.strictObject(
    Object.fromEntries(Object.entries(rows).map(([table, row]) => [table, z.array(row)])) as {
      [Table in keyof Rows]: z.ZodArray<Rows[Table]>;
    },
  );

/** Schema of the documents in the simulated document store: metadata (`kept`), and content in base64 or null. */
const Documents = z.array(
  z.strictObject({
    kept: SimulatedDocumentSchema,
    content: z.string().nullable(),
  }),
);

/**
 * Schema of a snapshot file, which has all data and settings of one world. The file has a fixed order and no time of
 * writing, so that the same world always gives the same file.
 */
export const Snapshot = z
  .strictObject({
    format: z.literal('zorgregister-snapshot/1'),
    world: z.string().regex(/^[a-z0-9-]{1,32}$/),
    settings: z.strictObject({
      clock: z
        .union([
          z.strictObject({
            firstDay: date,
            begun: z.literal(true).optional(),
            kind: z.literal('running'),
            ahead: z.number().min(-MAX_OFFSET).max(MAX_OFFSET),
          }),
          z.strictObject({ firstDay: date, begun: z.literal(true).optional(), kind: z.literal('frozen'), at: moment }),
        ])
        .nullable(),
      scenarios: z.array(z.string().refine(isScenario)),
      faults: z.array(Fault.extend({ id: z.string() })),
      letter: z
        .strictObject({ referentie: text, templateId: text.nullable(), uitkomst: z.enum(UITKOMSTEN).optional() })
        .optional(),
      next: z.int().positive(),
    }),
    sources: listsOf(sources),
    store: listsOf(store),
    documents: Documents,
  })
  // Every row must belong to the world that the file names: a restore must not change another world.
  .refine(({ world, sources: its, store: { applications, uploads, brieven } }) => {
    const isHere = (named: { readonly world: string }): boolean => named.world === world;
    const isOf = (login: string): boolean =>
      world === DEFAULT_WORLD ? !login.includes('@') : login.endsWith(`@${world}`);
    return (
      [...its.zaken, ...its.verzendingen, ...its.besluiten, ...its.ids].every(isHere) &&
      [...its.zaken, ...its.residents, ...its.movedIn].every(({ resident }) => isOf(resident)) &&
      [...applications, ...uploads].every(({ owner }) => isOf(owner)) &&
      applications.every(({ slot, owner, type }) => slot === null || slot === `${owner}|${type}`) &&
      brieven.every(({ workspace, slot }) => workspace === world && (slot === null || slot === world))
    );
  })
  .meta({ id: 'Snapshot' });
