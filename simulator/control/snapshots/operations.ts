import * as z from 'zod';
import { type ControlDeps, present, worldNamed } from '../deps.ts';
import { done, ok, operation } from '../operation.ts';
import { toMembers, toPrintedWorld, toRows, toText } from '../print.ts';
import { ControlError } from '../refusals.ts';
import { SnapshotName, World } from '../schema.ts';
import { Snapshot, type SnapshotFile } from './schema.ts';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';

const TAG = 'Snapshots';

/** Maximum size in bytes of an imported snapshot. It is large, because a snapshot contains documents. */
const MAX_SNAPSHOT = 256 * 1024 * 1024;

export const snapshotOperations = [
  operation({
    id: 'snapshots',
    method: 'GET',
    path: '/snapshots',
    tag: TAG,
    description: 'List the snapshots',
    guide: [['Which snapshots there are', 'Momentopnamen', 'snapshots']],
    command: { name: 'snapshots', print: (answer) => toRows(answer, 'No snapshots yet.') },
    answers: { 200: z.array(SnapshotName) },
    handle: async (_, deps) => ok(await deps.snapshots.list()),
  }),

  operation({
    id: 'saveSnapshot',
    method: 'PUT',
    path: '/worlds/{world}/snapshots/{name}',
    tag: TAG,
    description: 'Save the world as a snapshot',
    guide: [['Keep a world as it is', 'Momentopnamen: Bewaar deze wereld', 'save zomer']],
    command: { name: 'save', print: toMembers },
    answers: { 200: SnapshotName.omit({ savedAt: true }) },
    async handle({ params }, deps) {
      const [world, name] = [worldNamed(params), nameOf(params)];
      deps.snapshots.write(name, await deps.seeded.withExclusiveWorld(world, () => takeSnapshot(deps, world)));
      return ok({ name, world });
    },
  }),

  operation({
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/worlds/{world}/snapshots/{name}/restore',
    tag: TAG,
    description: 'Replace the world by a snapshot, which may be of another world',
    guide: [['A world as it was', 'Momentopnamen: Zet terug', 'restore zomer']],
    command: { name: 'restore', print: toPrintedWorld },
    answers: { 200: World },
    async handle({ params }, deps) {
      const world = worldNamed(params);
      await restoreNamed(deps, world, nameOf(params));
      return ok(present(deps, world));
    },
  }),

  operation({
    id: 'readSnapshot',
    method: 'GET',
    path: '/snapshots/{name}',
    tag: TAG,
    description: 'Get a snapshot as a file',
    guide: [['A snapshot to a file', 'Momentopnamen: Download', 'export zomer zomer.json']],
    command: { name: 'export', description: 'Write a snapshot to a file', file: 'write' },
    answers: { 200: Snapshot },
    async handle({ params }, deps) {
      const name = nameOf(params);
      return {
        status: 200,
        body: await snapshotNamed(deps, name),
        headers: { 'Content-Disposition': `attachment; filename="${name}.json"` },
      };
    },
  }),

  operation({
    id: 'uploadSnapshot',
    method: 'PUT',
    path: '/snapshots/{name}',
    tag: TAG,
    description: 'Save a snapshot from a file',
    guide: [['A snapshot from a file', 'Momentopnamen: Momentopname uit een bestand', 'import zomer zomer.json']],
    command: {
      name: 'import',
      description: 'Read a snapshot from a file',
      file: 'read',
      print: (_, [name]) => toText(`The snapshot is saved as ${name}.`),
    },
    body: Snapshot,
    maxBody: MAX_SNAPSHOT,
    answers: { 204: null },
    handle({ params, body }, deps) {
      deps.snapshots.write(nameOf(params), body);
      return done;
    },
  }),

  operation({
    id: 'removeSnapshot',
    method: 'DELETE',
    path: '/snapshots/{name}',
    tag: TAG,
    description: 'Delete a snapshot',
    guide: [['A snapshot gone', 'Momentopnamen: Verwijder', 'discard zomer']],
    command: { name: 'discard', print: () => toText('The snapshot is deleted.') },
    answers: { 204: null },
    async handle({ params }, deps) {
      const name = nameOf(params);
      await snapshotNamed(deps, name);
      deps.snapshots.remove(name);
      return done;
    },
  }),
];

/**
 * Replaces all data and settings of a world by those in the snapshot with this name. Throws a 404 when there is no such
 * snapshot, a 400 when the name is not valid, and a 409 when the snapshot cannot be restored.
 */
export async function restoreNamed(deps: ControlDeps, world: string, name: string): Promise<void> {
  const snapshot = await snapshotNamed(deps, nameOf({ name }));
  await deps.seeded.withExclusiveWorld(world, () => restoreSnapshot(deps, world, snapshot));
}

function nameOf({ name = '' }: Readonly<Record<string, string>>): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name;
  throw new ControlError(
    'naam-onjuist',
    'Een momentopname heet met kleine letters, cijfers en streepjes, ten hoogste 64.',
  );
}

async function snapshotNamed({ snapshots }: ControlDeps, name: string): Promise<SnapshotFile> {
  const snapshot = snapshots.read(name);
  if (snapshot !== null) return snapshot;
  const names = (await snapshots.list()).map((one) => one.name);
  throw new ControlError(
    'momentopname-onbekend',
    names.length > 0 ? `Die momentopname is er niet. Er zijn: ${names.join(', ')}.` : 'Er is nog geen momentopname.',
  );
}
