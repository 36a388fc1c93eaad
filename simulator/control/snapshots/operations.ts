import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../worlds/atomic-write.ts';
import { type ControlDeps, present, worldNamed } from '../deps.ts';
import { ControlError, done, ok, operation } from '../operation.ts';
import { SnapshotName, World } from '../schema.ts';
import { Snapshot } from './schema.ts';
import { restoreSnapshot, type SnapshotFile, takeSnapshot } from './snapshot.ts';

const TAG = 'Momentopnamen';

/**
 * The name of a snapshot (saved copy of a world), the world that was saved, and the time of saving (RFC 3339). `world`
 * is an empty string when it is not found near the start of the file.
 */
type SnapshotSummary = z.output<typeof SnapshotName>;

/** A store of snapshots (saved copies of a world): a folder with files, or memory. */
export interface SnapshotStore {
  /** Returns the snapshots, sorted by name. */
  list(): Promise<readonly SnapshotSummary[]>;
  /**
   * Returns the snapshot with this name; null when there is none. Throws a 409 when its file is not a valid snapshot.
   */
  read(name: string): SnapshotFile | null;
  /** Stores a snapshot; replaces one with the same name. */
  write(name: string, snapshot: SnapshotFile): void;
  /** Deletes a snapshot. Does nothing when there is none with this name. */
  remove(name: string): void;
}

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
 * Replaces all data and settings of a world (separate copy of the simulated data) by those in the snapshot with this
 * name. Throws a 404 when there is no such snapshot, a 400 when the name is not valid, and a 409 when the snapshot
 * cannot be restored.
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

/**
 * Returns a store of snapshots (saved copies of a world). Each snapshot is an indented JSON file in
 * `<dataDir>/snapshots`, so that a project can commit it. With `:memory:`, the snapshots are lost when the process
 * ends.
 */
export function openSnapshotStore(dataDir: string): SnapshotStore {
  if (dataDir === ':memory:') {
    const kept = new Map<string, { snapshot: SnapshotFile; savedAt: string }>();
    return {
      list: async () =>
        [...kept].map(([name, { snapshot, savedAt }]) => ({ name, savedAt, world: snapshot.world })).sort(byName),
      read: (name) => structuredClone(kept.get(name)?.snapshot ?? null),
      write: (name, snapshot) => {
        kept.set(name, { snapshot: structuredClone(snapshot), savedAt: new Date().toISOString() });
      },
      remove: (name) => {
        kept.delete(name);
      },
    };
  }
  const folder = join(dataDir, 'snapshots');
  const fileOf = (name: string): string => join(folder, `${name}.json`);
  const read = (name: string): SnapshotFile | null => {
    if (!existsSync(fileOf(name))) return null;
    const { data, error } = Snapshot.safeParse(parse(readFileSync(fileOf(name), 'utf8')));
    if (error === undefined) return data;
    const pointer = error.issues[0]?.path.map((part) => `/${String(part)}`).join('') ?? '';
    throw new ControlError(
      409,
      'momentopname-onbruikbaar',
      `Het bestand ${name}.json is geen momentopname van deze simulator.`,
      [{ pointer, detail: 'Deze waarde kan hier niet.' }],
    );
  };
  return {
    async list() {
      const files = existsSync(folder) ? await readdir(folder) : [];
      const names = files.flatMap((file) => /^([a-z0-9][a-z0-9-]{0,63})\.json$/.exec(file)?.[1] ?? []);
      const listed = await Promise.all(names.map((name) => summaryOf(name, fileOf(name))));
      return listed.flatMap((one) => one ?? []).sort(byName);
    },
    read,
    write: (name, snapshot) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileAtomically(fileOf(name), `${JSON.stringify(snapshot, null, 2)}\n`);
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}

/** Number of bytes at the start of a snapshot file in which the name of its world is searched for. */
const HEAD_BYTES = 1_024;

/**
 * Returns the summary of the snapshot in the file `path`; null when the file cannot be read. Reads only the start of
 * the file, because a snapshot can be large.
 */
async function summaryOf(name: string, path: string): Promise<SnapshotSummary | null> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return null;
  try {
    const { mtime } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [, world = ''] = /"world": "([a-z0-9-]{1,32})"/.exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
    return { name, savedAt: mtime.toISOString(), world };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
