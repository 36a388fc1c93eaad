/**
 * The schema of a snapshot file. A snapshot is untrusted input, so its structure is checked before any data of a world
 * are replaced.
 */
import * as z from 'zod';
import { UITKOMSTEN } from '../../../adapters/register/wire.ts';
import { DEFAULT_WORLD } from '../../people/directory.ts';
import { DocumentPartSchema, SimulatedDocumentSchema } from '../../upstreams/documenten/simulated-document.ts';
import { FAULT_KINDS, SERVICE, SERVICE_FAULT_KINDS } from '../../worlds/faults.ts';
import { isScenario } from '../../worlds/scenarios.ts';
import { untrustedList } from '../../worlds/untrusted-list.ts';
import { LetterState } from '../letters/schema.ts';
import { Fault } from '../schema.ts';
import { count, date, moment, stateRows, storeRows } from './rows.ts';
import { demandKinds, isShallow, type TextKinds, UNCHANGED } from './texts.ts';

/** About 400 years in milliseconds, which is more than a clock can be set to. */
const MAX_OFFSET = 400 * 366 * 24 * 60 * 60 * 1_000;

const listsOf = <Rows extends Record<string, z.ZodType>>(rows: Rows) =>
  z.strictObject(
    Object.fromEntries(Object.entries(rows).map(([table, row]) => [table, untrustedList(row)])) as {
      [Table in keyof Rows]: ReturnType<typeof untrustedList<Rows[Table]>>;
    },
  );

const hasKindOfTarget = ({ upstream, kind }: z.output<typeof Fault>): boolean =>
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
    lock: reference(z.string()),
    delen: untrustedList(DocumentPartSchema.extend({ uuid })),
  };
  return SimulatedDocumentSchema.extend(shape).refine((document) => isShallow(document));
}

/** Returns the schema of the members of a snapshot file, each checked alone. */
export const membersOf = (kinds: TextKinds) => {
  const { world, fixed } = kinds;
  const day = fixed(date);
  const text = fixed(z.string());
  return demandKinds(
    z.strictObject({
      format: z.literal('zorgregister-snapshot/1'),
      world: world(z.string().regex(/^[a-z0-9-]{1,32}$/)),
      settings: z.strictObject({
        clock: z
          .union([
            z.strictObject({
              firstDay: day,
              begun: z.literal(true).optional(),
              kind: z.literal('running'),
              ahead: z.number().min(-MAX_OFFSET).max(MAX_OFFSET),
            }),
            z.strictObject({ firstDay: day, begun: z.literal(true).optional(), kind: z.literal('frozen'), at: moment }),
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

function firstWrong<Item>(list: readonly Item[], isRight: (item: Item) => boolean, at: Path, member: string): Path[] {
  const index = list.findIndex((item) => !isRight(item));
  return index === -1 ? [] : [[...at, index, member]];
}

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
  const slots = isFirst();
  const [ids, documentIds, places, briefIds] = [isFirst(), isFirst(), isFirst(), isFirst()];
  const { applications, uploads, brieven } = store;
  const [ofApplications, ofUploads, ofBrieven] = [
    ['store', 'applications'],
    ['store', 'uploads'],
    ['store', 'brieven'],
  ];
  return [
    ...(['zaken', 'verzendingen', 'besluiten', 'ids'] as const).flatMap((table) =>
      firstWrong(sources[table], (row: { world: string }) => isHere(row.world), ['sources', table], 'world'),
    ),
    ...(['zaken', 'residents', 'movedIn'] as const).flatMap((table) =>
      firstWrong(sources[table], (row: { resident: string }) => isOf(row.resident), ['sources', table], 'resident'),
    ),
    ...firstWrong(applications, ({ owner }) => isOf(owner), ofApplications, 'owner'),
    ...firstWrong(applications, ({ id }) => ids(id), ofApplications, 'id'),
    ...firstWrong(
      applications,
      ({ slot, owner, type }) => slot === null || (`${slot}|`.startsWith(`${owner}|${type}|`) && slots(slot)),
      ofApplications,
      'slot',
    ),
    ...firstWrong(uploads, ({ owner }) => isOf(owner), ofUploads, 'owner'),
    ...firstWrong(uploads, ({ documentId }) => documentIds(documentId), ofUploads, 'documentId'),
    ...firstWrong(
      uploads,
      ({ owner, wizardId, localId }) => places(JSON.stringify([owner, wizardId, localId])),
      ofUploads,
      'localId',
    ),
    ...firstWrong(brieven, ({ workspace }) => isHere(workspace), ofBrieven, 'workspace'),
    ...firstWrong(brieven, ({ briefId }) => briefIds(briefId), ofBrieven, 'briefId'),
    ...firstWrong(brieven, ({ slot }) => slot === null || (isHere(slot) && slots(slot)), ofBrieven, 'slot'),
    ...firstWrong(documents, ({ kept }) => keys.has(kept.uuid), ['documents'], 'kept'),
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
