/**
 * The schema of a snapshot file. A snapshot is untrusted input, so its structure is checked before any data of a world
 * are replaced. The schema gives each text a kind, which says what happens to the text when the snapshot is restored in
 * another world. A text without a kind does not compile (`demandKinds`).
 */
import * as z from 'zod';
import { UITKOMSTEN } from '../../adapters/register/wire.ts';
import type { BriefContent } from '../../src/ports/store/brief-store.ts';
import { EXTENSIONS } from '../../src/uploads/inspection/inspect.ts';
import {
  ALL_BEROEPEN,
  APPLICATION_TYPES,
  BEROEPEN,
  BRIEF_TAGS,
  LISTS,
  MARKS,
  type Uitkomst,
} from '../../src/wire/values.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { REFERENTIE_PREFIX } from '../people/resident.ts';
import { parseSimulatedJson } from '../transport/operation.ts';
import { SimulatedDocumentSchema } from '../upstreams/documenten/simulated-document.ts';
import { FAULT_KINDS, Fault, SERVICE, SERVICE_FAULT_KINDS, type SimulatedFault } from '../worlds/faults.ts';
import { isScenario } from '../worlds/scenarios.ts';
import { LetterState } from './schema.ts';

type Kind = 'world' | 'reference' | 'typed' | 'fixed';
type Marked<Value> = Value & z.core.$brand<Kind>;

/** Returns a schema of the same values, as texts of one kind. A value that is a list or an object has texts of that kind. */
type Mark = <Schema extends z.ZodType>(schema: Schema) => z.ZodType<Marked<z.output<Schema>>, z.input<Schema>>;

export interface TextKinds {
  /** The name of the world of the snapshot. */
  readonly world: Mark;
  /** A text that the service or a simulator made. Logins and ids in it belong to the world. */
  readonly reference: Mark;
  /** A text that people typed or a client chose. Only ids of the world in it change: other words only look like logins. */
  readonly typed: Mark;
  /** A text that is the same in every world, such as a date. */
  readonly fixed: Mark;
  /** Returns the schema of a text with the JSON of a value that `schema` accepts. */
  json<Schema extends z.ZodType>(schema: Schema): z.ZodType<Marked<string>, string>;
}

type Rewrite = Readonly<Record<Exclude<Kind, 'fixed'>, (text: string) => string>>;

/** Maximum nesting depth of a value whose structure is free: deeper values cannot be copied. */
const MAX_DEPTH = 64;

const isShallow = (value: unknown, levels = MAX_DEPTH): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1)));

/** Returns the value in a string with JSON; undefined when it is not JSON, or is nested too deep to copy. */
function parse(value: string): unknown {
  const parsed = parseSimulatedJson(value);
  return isShallow(parsed) ? parsed : undefined;
}

const asItIs: Mark = (schema) => schema as never;

const UNCHANGED: TextKinds = {
  world: asItIs,
  reference: asItIs,
  typed: asItIs,
  fixed: asItIs,
  json: (schema) =>
    asItIs(
      z.string().refine((value) => {
        const parsed = parse(value);
        return parsed !== undefined && schema.safeParse(parsed).success;
      }),
    ),
};

/** Returns the kinds in a schema that changes the texts of a snapshot file, which must be valid. */
export function rewriting(rewrite: Rewrite): TextKinds {
  const changed =
    (kind: keyof Rewrite): Mark =>
    (schema) =>
      schema.transform((value) => mapTexts(value, rewrite[kind])) as never;
  return {
    world: changed('world'),
    reference: changed('reference'),
    typed: changed('typed'),
    fixed: asItIs,
    json: (schema) => asItIs(z.string().transform((value) => JSON.stringify(schema.parse(parse(value))))),
  };
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, change)]));
}

/** The paths to the texts and values of unknown type in a value of type `Value` that have no kind; never when all have one. */
type WithoutKind<Value, Path extends string = ''> =
  Value extends z.core.$brand<Kind>
    ? never
    : unknown extends Value
      ? Path
      : Value extends string
        ? string extends Value
          ? Path
          : never
        : Value extends readonly (infer Item)[]
          ? WithoutKind<Item, `${Path}[]`>
          : Value extends object
            ? { [Name in keyof Value & string]-?: WithoutKind<Value[Name], `${Path}.${Name}`> }[keyof Value & string]
            : never;

/** Does not compile when a text in the parsed value has no kind; the error names its path. An enumeration needs none. */
const demandKinds = <Schema extends z.ZodType>(
  schema: [WithoutKind<z.output<Schema>>] extends [never] ? Schema : WithoutKind<z.output<Schema>>,
): Schema => schema as Schema;

/** Stops at the first item that is wrong: a small file can have a million of them, which would take minutes. */
const untrustedList = <Item extends z.ZodType>(item: Item) =>
  // The schema of the items is used, and not a check of a list of unknown values: the OpenAPI document would then not
  // describe the items.
  z.preprocess((values, context) => {
    if (!Array.isArray(values)) return values;
    // Nothing is checked again: after an unknown member zod goes on, and would report that of every item.
    return parseItems(item, values, context) === z.NEVER ? [] : values;
  }, z.array(item));

/** For a list in a text with JSON. Each item is checked once: twice, as in `untrustedList`, doubles with each level. */
const untrustedListInText = <Item extends z.ZodType>(item: Item) =>
  z.array(z.unknown()).transform((values, context) => parseItems(item, values, context));

/** Returns the parsed items. Reports the faults of the first item that is wrong, and stops there. */
function parseItems<Item extends z.ZodType>(item: Item, values: readonly unknown[], context: z.RefinementCtx) {
  const parsed: z.output<Item>[] = [];
  for (const [index, value] of values.entries()) {
    const { data, error } = item.safeParse(value);
    if (error !== undefined) {
      // `continue: false`, so that checks of the whole file do not see a list that is wrong.
      for (const issue of error.issues) context.addIssue({ ...issue, path: [index, ...issue.path], continue: false });
      return z.NEVER;
    }
    parsed.push(data);
  }
  return parsed;
}

/** Members that an older version did not store may be absent. */
function storedBriefContent({ reference, typed, fixed }: TextKinds) {
  const [login, written, key] = [reference(z.string()), typed(z.string()), fixed(z.string())];
  const RichText = z.object({
    paragraphs: untrustedListInText(
      z.object({
        list: z.enum(LISTS).nullable(),
        nodes: untrustedListInText(
          z.discriminatedUnion('type', [
            z.object({ type: z.literal('text'), text: written, marks: untrustedListInText(z.enum(MARKS)) }),
            z.object({ type: z.literal('placeholder'), key, text: written.nullable() }),
            z.object({ type: z.literal('lineBreak') }),
          ]),
        ),
      }),
    ),
  });
  const uitkomst = z.enum(['toewijzen', 'afwijzen', 'buiten-behandeling'] satisfies Uitkomst[]);
  const Besluit = z.object({ uitkomst, reden: written.nullable() }).nullable().exactOptional();
  const block = { blockId: key, content: RichText };
  const section = { sectionKey: key, title: written };
  const names = untrustedListInText(login);
  const schema = z.object({
    opdrachtId: reference(z.string()),
    templateId: key,
    beroep: z.enum(ALL_BEROEPEN),
    placeholders: untrustedListInText(
      z.object({ key, label: written, autoResolvable: z.boolean(), fillable: z.boolean(), deprecated: z.boolean() }),
    ),
    sections: untrustedListInText(
      z.object({
        ...section,
        required: z.boolean(),
        locked: z.boolean(),
        blocks: untrustedListInText(
          z.discriminatedUnion('type', [
            z.object({ ...block, type: z.literal('freeText') }),
            z.object({
              ...block,
              type: z.literal('passage'),
              sourcePassageId: key,
              sourceVersion: z.int(),
              label: written.exactOptional(),
              edited: z.boolean(),
              besluit: Besluit,
              uitkomsten: untrustedListInText(uitkomst).nullable().exactOptional(),
              uren: z.enum(['genoeg', 'te-weinig']).nullable().exactOptional(),
              uhd: z.enum(['loopt', 'voorbij']).nullable().exactOptional(),
              reactie: z.enum(['geen', 'gegeven', 'niet-nodig']).nullable().exactOptional(),
              feit: key.nullable().exactOptional(),
            }),
          ]),
        ),
      }),
    ),
    drafterId: login.nullable(),
    savedBy: names.default([]),
    submitters: names.default([]),
    submittedBy: login.nullable(),
    submittedAt: key.nullable(),
    approvedBy: login.nullable(),
    approvedAt: key.nullable(),
    rejectedBy: login.nullable(),
    rejectedAt: key.nullable(),
    comments: written.nullable(),
    frozen: z
      .object({
        values: z.record(z.string(), written.nullable()),
        geheim: z.boolean(),
        kanaal: z.enum(['berichtenbox', 'post']),
        referentie: key,
        besluit: Besluit,
        uiterlijk: key.nullable().exactOptional(),
        verzoek: z
          .object({ templateId: key, reactieTot: key.nullable(), waarover: written })
          .nullable()
          .exactOptional(),
        sections: untrustedListInText(z.object({ ...section, content: RichText })),
      })
      .nullable(),
  }) satisfies z.ZodType<BriefContent>;
  return demandKinds(schema);
}

const flags = { vet: z.boolean(), cursief: z.boolean(), onderstreept: z.boolean() };

/** Schema of the content of a delivered letter, as the service sent it to the register (`VerzendingWire`). */
const DeliveredContent = z.object({
  verzoek: z
    .object({ templateId: z.string(), reactieTot: z.iso.date(), waarover: z.string() })
    .nullable()
    .exactOptional(),
  secties: untrustedListInText(
    z.object({
      sleutel: z.string(),
      titel: z.string(),
      alineas: untrustedListInText(
        z.object({
          lijst: z.enum(['opsomming', 'nummering']).nullable(),
          delen: untrustedListInText(z.object({ tekst: z.string(), ...flags })),
        }),
      ),
    }),
  ),
});

const isDeliveredContent = (value: string): boolean =>
  DeliveredContent.nullable().safeParse(parseSimulatedJson(value)).success;

/** The first and last day in a snapshot. A clock comes no nearer to the years that dates cannot have than 400 years. */
const [FIRST_DAY, LAST_DAY] = ['1400-01-01', '2800-12-31'];

/** Terms and dates of birth that are counted from it have four digits in their year too. */
const date = z.iso.date().refine((day) => day >= FIRST_DAY && day <= LAST_DAY);
/** Schema of a time in milliseconds since 1970, with the limits of `date`. */
const moment = z.number().min(Date.parse(FIRST_DAY)).max(Date.parse(LAST_DAY));
/** Schema of a number that the service or the simulator can count on from: SQLite returns no number above 2^53 - 1. */
const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const flag = z.int().min(0).max(1);

/** The highest number of a case (zaak): a reference has six digits, and the next cases need higher numbers. */
const LAST_NUMBER = 900_000;

function stateRows({ world, reference, typed, fixed, json }: TextKinds) {
  const [text, day, ofWorld, login] = [z.string(), fixed(date), world(z.string()), reference(z.string())];
  /** What an applicant asked: the members from which the register makes dates, addresses and registrations. */
  const Gegevens = demandKinds(
    z
      .object({
        diplomaDatum: day.nullish(),
        diplomaId: reference(text).nullish(),
        registratieId: reference(text).nullish(),
        straat: typed(text.min(1)).optional(),
        woonplaats: typed(text.min(1)).optional(),
      })
      // The members of the draft, which a client chooses.
      .catchall(typed(z.unknown())),
  );
  return {
    zaken: z.strictObject({
      number: count.max(LAST_NUMBER),
      world: ofWorld,
      prefix: z.enum(Object.values(REFERENTIE_PREFIX)),
      resident: login,
      sleutel: typed(text),
      referentie: fixed(text.regex(/^[A-Z]{3}-\d{4}-\d{6}$/)),
      soort: z.enum(APPLICATION_TYPES),
      kenmerk: reference(text).nullable(),
      gegevens: json(Gegevens),
      handmatig: flag,
      ontvangenOp: day,
    }),
    verzendingen: z.strictObject({
      // Letters are numbered over all worlds. Older files have the number here; it is not used.
      number: count.exactOptional(),
      sleutel: reference(text),
      referentie: fixed(text),
      kanaal: fixed(text),
      tekst: typed(text),
      inhoud: typed(text.refine(isDeliveredContent)).nullable().default(null),
      uitkomst: z.enum(UITKOMSTEN).nullable().default(null),
      verzondenOp: day,
      world: ofWorld,
    }),
    besluiten: z.strictObject({
      world: ofWorld,
      referentie: fixed(text),
      uitkomst: z.enum(UITKOMSTEN).nullable(),
      reden: typed(text).nullable(),
      datum: day,
      beroep: z.enum(BEROEPEN).nullable().default(null),
    }),
    ids: z.strictObject({ world: ofWorld, last: count }),
    residents: z.strictObject({ resident: login, firstDay: day }),
    movedIn: z.strictObject({ resident: login }),
  };
}

function storeRows(kinds: TextKinds) {
  const { world, reference, typed, fixed, json } = kinds;
  const text = z.string();
  // An id is also used as a file name, so characters other than \w and - are refused.
  const id = reference(text.regex(/^[\w-]{1,64}$/));
  const time = fixed(z.iso.datetime());
  const claim = { claim: reference(text).nullable(), claimedUntil: z.number().nullable() };
  return {
    applications: z.strictObject({
      id,
      owner: reference(text),
      type: z.enum(APPLICATION_TYPES),
      tag: z.enum(['Concept', 'Pending', 'InBehandeling', 'Goedgekeurd', 'Afgewezen']),
      version: count,
      // A draft stays as it was sent, byte for byte.
      draft: typed(text.refine((value) => parse(value) !== undefined)).nullable(),
      stepIndex: count,
      stepCount: count,
      documentIds: json(z.array(reference(text))),
      referentie: fixed(text).nullable(),
      manual: flag.nullable(),
      reden: typed(text).nullable(),
      createdAt: time,
      updatedAt: time,
      submittedAt: time.nullable(),
      ...claim,
      slot: reference(text).nullable(),
      sentKey: typed(text).nullable(),
      sentHash: fixed(text).nullable(),
      sentAt: z.number().nullable(),
    }),
    uploads: z.strictObject({
      owner: reference(text),
      wizardId: typed(text),
      localId: typed(text),
      documentId: id,
      categoryId: fixed(text),
      state: z.enum(['pending', 'uploaded', 'rejected', 'deleting']),
      formaat: fixed(z.enum(Object.keys(EXTENSIONS))).nullable(),
      bestandsnaam: typed(text).nullable(),
      omvang: count.nullable(),
      sha256: fixed(text.regex(/^[0-9a-f]{64}$/)).nullable(),
      key: reference(text).nullable(),
      links: reference(text),
      perhapsStored: flag,
      ...claim,
      createdAt: z.number(),
    }),
    brieven: z
      .strictObject({
        briefId: id,
        workspace: world(text),
        // The name of the world for the current letter; null for a letter that was sent earlier.
        slot: world(text).nullable(),
        version: count,
        tag: z.enum(BRIEF_TAGS),
        sentAt: time.nullable(),
        sending: reference(text).nullable(),
        content: json(storedBriefContent(kinds)),
      })
      .refine(
        // Without its frozen text an approved letter cannot be sent.
        ({ tag, content }) => (tag !== 'approved' && tag !== 'sent') || Object(parse(content)).frozen !== null,
        { path: ['content'] },
      ),
  };
}

/** About 400 years in milliseconds, which is more than a clock can be set to. */
const MAX_OFFSET = 400 * 366 * 24 * 60 * 60 * 1_000;

const listsOf = <Rows extends Record<string, z.ZodType>>(rows: Rows) =>
  z.strictObject(
    Object.fromEntries(Object.entries(rows).map(([table, row]) => [table, untrustedList(row)])) as {
      [Table in keyof Rows]: ReturnType<typeof untrustedList<Rows[Table]>>;
    },
  );

const hasKindOfTarget = ({ upstream, kind }: SimulatedFault): boolean =>
  kind in (upstream === SERVICE ? SERVICE_FAULT_KINDS : FAULT_KINDS);

function documentSchema({ reference, typed, fixed }: TextKinds) {
  const uuid = reference(z.string().regex(/^[\w-]{36}$/));
  const shape = {
    uuid,
    metadata: z
      .object({ titel: typed(z.unknown()), bestandsnaam: typed(z.unknown()) })
      .partial()
      .catchall(reference(z.unknown())),
    beginRegistratie: fixed(z.string()),
  };
  return SimulatedDocumentSchema.extend(shape).refine((document) => isShallow(document));
}

/** Returns the schema of the members of a snapshot file, each checked alone. */
export const membersOf = (kinds: TextKinds) => {
  const { world, fixed } = kinds;
  const day = fixed(date);
  const text = fixed(z.string());
  const begin = { firstDay: day, begun: z.literal(true).optional() };
  return demandKinds(
    z.strictObject({
      format: z.literal('zorgregister-snapshot/1'),
      world: world(z.string().regex(/^[a-z0-9-]{1,32}$/)),
      settings: z.strictObject({
        clock: z
          .union([
            z.strictObject({
              ...begin,
              kind: z.literal('running'),
              ahead: z.number().min(-MAX_OFFSET).max(MAX_OFFSET),
            }),
            z.strictObject({ ...begin, kind: z.literal('frozen'), at: moment }),
          ])
          .nullable(),
        scenarios: untrustedList(fixed(z.string().refine(isScenario))),
        faults: untrustedList(
          Fault.extend({
            id: text,
            // The operation, the code and the person are named without the world.
            operation: fixed(Fault.shape.operation),
            code: fixed(Fault.shape.code),
            persona: fixed(Fault.shape.persona),
          }).refine(hasKindOfTarget),
        ),
        letter: z
          .strictObject({
            referentie: text,
            templateId: LetterState.shape.templateId.unwrap().nullable(),
            uitkomst: z.enum(UITKOMSTEN).optional(),
          })
          .optional(),
        next: count.positive(),
      }),
      sources: listsOf(stateRows(kinds)),
      store: listsOf(storeRows(kinds)),
      documents: untrustedList(
        // The content, in base64 (null for none), is not changed.
        z.strictObject({ kept: documentSchema(kinds), content: text.nullable() }),
      ),
    }),
  );
};

type Members = z.output<ReturnType<typeof membersOf>>;

type Path = readonly (string | number)[];

/** Returns the path to the first row that fails a check, for each member that has one. */
const wrongIn = <Row>(
  at: Path,
  rows: readonly Row[],
  checks: Readonly<Record<string, (row: Row) => boolean>>,
): Path[] =>
  Object.entries(checks).flatMap(([member, isRight]) => {
    const index = rows.findIndex((row) => !isRight(row));
    return index === -1 ? [] : [[...at, index, member]];
  });

/** Returns a function that returns false for a key that it was called with before. */
function isFirst(): (key: string) => boolean {
  const seen = new Set<string>();
  return (key) => seen.size < seen.add(key).size;
}

// Every row must belong to the world that the file names, because a restore must not change another world. Every
// document must be of an upload: another one would not be found, nor removed, with the world. No id may be there twice,
// because a restore would stop halfway.
function misplaced({ world, sources, store, documents }: Members): Path[] {
  const isHere = (name: string): boolean => name === world;
  const isOf = (login: string): boolean =>
    world === DEFAULT_WORLD ? !login.includes('@') : login.endsWith(`@${world}`);
  const keys = new Set<unknown>(store.uploads.map(({ key }) => key));
  const [slots, ids, documentIds, places, briefIds] = [isFirst(), isFirst(), isFirst(), isFirst(), isFirst()];
  const ofWorld = { world: (row: { world: string }) => isHere(row.world) };
  const ofPerson = { resident: (row: { resident: string }) => isOf(row.resident) };
  return [
    ...(['zaken', 'verzendingen', 'besluiten', 'ids'] as const).flatMap((table) =>
      wrongIn(['sources', table], sources[table], ofWorld),
    ),
    ...(['zaken', 'residents', 'movedIn'] as const).flatMap((table) =>
      wrongIn(['sources', table], sources[table], ofPerson),
    ),
    ...wrongIn(['store', 'applications'], store.applications, {
      owner: ({ owner }) => isOf(owner),
      id: ({ id }) => ids(id),
      slot: ({ slot, owner, type }) => slot === null || (`${slot}|`.startsWith(`${owner}|${type}|`) && slots(slot)),
    }),
    ...wrongIn(['store', 'uploads'], store.uploads, {
      owner: ({ owner }) => isOf(owner),
      documentId: ({ documentId }) => documentIds(documentId),
      localId: ({ owner, wizardId, localId }) => places(JSON.stringify([owner, wizardId, localId])),
    }),
    ...wrongIn(['store', 'brieven'], store.brieven, {
      workspace: ({ workspace }) => isHere(workspace),
      briefId: ({ briefId }) => briefIds(briefId),
      slot: ({ slot }) => slot === null || (isHere(slot) && slots(slot)),
    }),
    ...wrongIn(['documents'], documents, { kept: ({ kept }) => keys.has(kept.uuid) }),
  ];
}

/** Schema of a snapshot file: all data and settings of one world. A file with rows of another world is not valid. */
export const Snapshot = membersOf(UNCHANGED)
  .superRefine((file, context) => {
    const [path] = misplaced(file);
    if (path !== undefined) context.addIssue({ code: 'custom', path: [...path] });
  })
  .meta({ id: 'Snapshot' });

export type SnapshotFile = z.output<typeof Snapshot>;
