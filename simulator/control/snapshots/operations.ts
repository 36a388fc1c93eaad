import * as z from 'zod';
import { type ControlDeps, present, worldNamed } from '../deps.ts';
import { ControlError, done, ok, operation } from '../operation.ts';
import { SnapshotName, World } from '../schema.ts';
import { Snapshot } from './schema.ts';
import { restoreSnapshot, type SnapshotFile, takeSnapshot } from './snapshot.ts';
import type { SnapshotStore } from './store.ts';

const TAG = 'Momentopnamen';

/** Maximum size in bytes of an imported snapshot. It is large, because a snapshot contains documents. */
const MAX_SNAPSHOT = 256 * 1024 * 1024;

/** Returns the operations that list, save, restore, export, import and delete snapshots (saved copies of a world). */
export const snapshotOperations = (deps: ControlDeps, snapshotStore: SnapshotStore) => [
  operation({
    id: 'snapshots',
    method: 'GET',
    path: '/snapshots',
    tag: TAG,
    summary: 'De momentopnamen die er zijn',
    answers: { 200: z.array(SnapshotName) },
    handle: async () => ok(await snapshotStore.list()),
  }),

  operation({
    id: 'saveSnapshot',
    method: 'PUT',
    path: '/worlds/{world}/snapshots/{name}',
    tag: TAG,
    summary: 'Een wereld bewaren zoals die nu is',
    answers: { 200: SnapshotName.omit({ savedAt: true }) },
    async handle({ params }) {
      const [world, name] = [worldNamed(params), nameOf(params)];
      snapshotStore.write(name, await deps.seeded.withExclusiveWorld(world, () => takeSnapshot(deps, world)));
      return ok({ name, world });
    },
  }),

  operation({
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/worlds/{world}/snapshots/{name}/restore',
    tag: TAG,
    summary: 'Een wereld terugzetten zoals die was',
    answers: { 200: World },
    async handle({ params }) {
      const world = worldNamed(params);
      await restoreNamed(deps, snapshotStore, world, nameOf(params));
      return ok(present(deps, world));
    },
  }),

  operation({
    id: 'readSnapshot',
    method: 'GET',
    path: '/snapshots/{name}',
    tag: TAG,
    summary: 'Een momentopname als bestand, om te bewaren of te vergelijken',
    answers: { 200: Snapshot },
    async handle({ params }) {
      const name = nameOf(params);
      return {
        status: 200,
        body: await snapshotNamed(snapshotStore, name),
        headers: { 'Content-Disposition': `attachment; filename="${name}.json"` },
      };
    },
  }),

  operation({
    id: 'uploadSnapshot',
    method: 'PUT',
    path: '/snapshots/{name}',
    tag: TAG,
    summary: 'Een momentopname uit een bestand',
    body: Snapshot,
    maxBody: MAX_SNAPSHOT,
    answers: { 204: null },
    handle({ params, body }) {
      snapshotStore.write(nameOf(params), body);
      return done;
    },
  }),

  operation({
    id: 'removeSnapshot',
    method: 'DELETE',
    path: '/snapshots/{name}',
    tag: TAG,
    summary: 'Een momentopname weg',
    answers: { 204: null },
    async handle({ params }) {
      const name = nameOf(params);
      await snapshotNamed(snapshotStore, name);
      snapshotStore.remove(name);
      return done;
    },
  }),
];

/**
 * Replaces all data and settings of a world by those in the snapshot with this name. Throws a 404 when there is no such
 * snapshot, a 400 when the name is not valid, and a 409 when the snapshot cannot be restored.
 */
export async function restoreNamed(
  deps: ControlDeps,
  snapshotStore: SnapshotStore,
  world: string,
  name: string,
): Promise<void> {
  const snapshot = await snapshotNamed(snapshotStore, nameOf({ name }));
  await deps.seeded.withExclusiveWorld(world, () => restoreSnapshot(deps, world, snapshot));
}

/** Returns the path parameter `name`. Throws a 400 when it is not a valid name of a snapshot. */
function nameOf({ name = '' }: Readonly<Record<string, string>>): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name;
  throw new ControlError(
    400,
    'naam-onjuist',
    'Een momentopname heet met kleine letters, cijfers en streepjes, ten hoogste 64.',
  );
}

/**
 * Returns the snapshot with this name. Throws a 404 when there is none, and a 409 when its file is not a valid
 * snapshot.
 */
async function snapshotNamed(snapshotStore: SnapshotStore, name: string): Promise<SnapshotFile> {
  const snapshot = snapshotStore.read(name);
  if (snapshot !== null) return snapshot;
  const names = (await snapshotStore.list()).map((one) => one.name);
  throw new ControlError(
    404,
    'momentopname-onbekend',
    names.length > 0 ? `Die momentopname is er niet. Er zijn: ${names.join(', ')}.` : 'Er is nog geen momentopname.',
  );
}
