/**
 * The schema of a snapshot file (saved copy of a world). A snapshot is untrusted input, so its structure is checked
 * before any data of a world are replaced.
 */
import * as z from 'zod';
import { UITKOMSTEN } from '../../../adapters/register/wire.ts';
import { APPLICATION_TYPES, BEROEPEN, BRIEF_TAGS } from '../../../src/wire/values.ts';
import { DEFAULT_WORLD } from '../../people/directory.ts';
import { SimulatedDocumentSchema } from '../../upstreams/documenten/simulated-document.ts';
import { isScenario } from '../../worlds/scenarios.ts';
import { untrustedList } from '../../worlds/untrusted-list.ts';
import { Fault } from '../schema.ts';
import { isDeliveredContent, StoredBriefContent } from './letter-content.ts';

const date = z.iso.date();
/** Schema of an id. An id is also used as a file name, so characters other than `\w` and `-` are refused. */
const id = z.string().regex(/^[\w-]{1,64}$/);
const text = z.string();
const count = z.int().nonnegative();
const flag = z.int().min(0).max(1);
/** Schema of a time in milliseconds since 1970, in the years 1000 to 9999. */
const moment = z.number().min(Date.parse('1000-01-01')).max(Date.parse('9999-12-31'));

/**
 * Maximum difference in milliseconds between the clock of a world and the real time in a snapshot: about 400 years,
 * which is more than a clock can be set to.
 */
const MAX_OFFSET = 400 * 366 * 24 * 60 * 60 * 1_000;

/** Maximum nesting depth of a value whose structure is free: deeper values cannot be copied. */
const MAX_DEPTH = 64;

/** Returns true for a value that is nested at most `levels` deep. */
const isShallow = (value: unknown, levels = MAX_DEPTH): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1)));

/** Returns the schema of a string that contains a JSON object, a JSON list, or any JSON, nested at most 64 deep. */
const json = (kind: 'object' | 'list' | 'any') =>
  z.string().refine((value) => {
    try {
      const parsed: unknown = JSON.parse(value);
      if (!isShallow(parsed)) return false;
      if (kind === 'any') return true;
      return kind === 'list' ? Array.isArray(parsed) : isObject(parsed);
    } catch {
      return false;
    }
  });

const isObject = (value: unknown): boolean => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Returns the letter in a string with its JSON; null when it has none, or is nested too deep to copy. */
function briefContentIn(value: string): z.output<typeof StoredBriefContent> | null {
  try {
    const parsed: unknown = JSON.parse(value);
    return isShallow(parsed) ? (StoredBriefContent.safeParse(parsed).data ?? null) : null;
  } catch {
    return null;
  }
}

const claim = { claim: text.nullable(), claimedUntil: z.number().nullable() };

/** Schemas of the rows in which the simulator stores the state of a world, keyed by table. */
const stateRows = {
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
    inhoud: z.string().refine(isDeliveredContent).nullable().default(null),
    uitkomst: z.enum(UITKOMSTEN).nullable().default(null),
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

/** Schemas of the rows of the service's store, keyed by table. */
const storeRows = {
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
        const brief = briefContentIn(content);
        // Without its frozen text an approved letter cannot be sent.
        return brief !== null && (brief.frozen !== null || (tag !== 'approved' && tag !== 'sent'));
      },
      { path: ['content'] },
    ),
};

const listsOf = <Rows extends Record<string, z.ZodType>>(rows: Rows) =>
  z.strictObject(
    Object.fromEntries(Object.entries(rows).map(([table, row]) => [table, untrustedList(row)])) as {
      [Table in keyof Rows]: ReturnType<typeof untrustedList<Rows[Table]>>;
    },
  );

/**
 * Schema of the simulated documents in a snapshot: the metadata (`kept`), and the content in base64 (null for none).
 */
const Documents = untrustedList(
  z.strictObject({
    kept: SimulatedDocumentSchema.refine((document) => isShallow(document)),
    content: z.string().nullable(),
  }),
);

/**
 * Schema of a snapshot file: all data and settings of one world (separate copy of the simulated data). A file with rows
 * of another world is not valid.
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
      scenarios: untrustedList(z.string().refine(isScenario)),
      faults: untrustedList(Fault.extend({ id: z.string() })),
      letter: z
        .strictObject({ referentie: text, templateId: text.nullable(), uitkomst: z.enum(UITKOMSTEN).optional() })
        .optional(),
      next: z.int().positive(),
    }),
    sources: listsOf(stateRows),
    store: listsOf(storeRows),
    documents: Documents,
  })
  // Every row must belong to the world that the file names, because a restore must not change another world. Every
  // document must be of an upload: another one would not be found, nor removed, with the world.
  .refine(({ world, sources: state, store: { applications, uploads, brieven }, documents }) => {
    const isHere = (named: { readonly world: string }): boolean => named.world === world;
    const isOf = (login: string): boolean =>
      world === DEFAULT_WORLD ? !login.includes('@') : login.endsWith(`@${world}`);
    const keys = new Set<unknown>(uploads.map(({ key }) => key));
    return (
      documents.every(({ kept }) => keys.has(kept.uuid)) &&
      [...state.zaken, ...state.verzendingen, ...state.besluiten, ...state.ids].every(isHere) &&
      [...state.zaken, ...state.residents, ...state.movedIn].every(({ resident }) => isOf(resident)) &&
      [...applications, ...uploads].every(({ owner }) => isOf(owner)) &&
      applications.every(({ slot, owner, type }) => slot === null || slot === `${owner}|${type}`) &&
      brieven.every(({ workspace, slot }) => workspace === world && (slot === null || slot === world))
    );
  })
  .meta({ id: 'Snapshot' });
