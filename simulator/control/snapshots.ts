import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeWhole } from '../worlds/whole-file.ts';
import { type ControlDeps, present, worldNamed } from './deps.ts';
import { done, ok, operation, Refused } from './operation.ts';
import { SnapshotName, World } from './schema.ts';
import { restoreSnapshot, type SnapshotFile, takeSnapshot } from './snapshot.ts';
import { Snapshot } from './snapshot-schema.ts';

const TAG = 'Momentopnamen';

/** A snapshot without what is in it; `savedAt` as RFC 3339, `world` empty when the file does not say. */
type Listed = z.output<typeof SnapshotName>;

/** Where snapshots are: a file each in a folder, or nowhere but in mind. */
export interface Album {
  list(): Promise<readonly Listed[]>;
  read(name: string): SnapshotFile | null;
  write(name: string, snapshot: SnapshotFile): void;
  remove(name: string): void;
}

export const snapshotOperations = (deps: ControlDeps, album: Album) => [
  operation({
    id: 'snapshots',
    method: 'GET',
    path: '/snapshots',
    tag: TAG,
    summary: 'De momentopnamen die er zijn',
    answers: { 200: z.array(SnapshotName) },
    handle: async () => ok(await album.list()),
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
      album.write(name, await deps.seeded.withExclusiveWorld(world, () => takeSnapshot(deps, world)));
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
      await restoreNamed(deps, album, world, nameOf(params));
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
        body: await known(album, name),
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
    answers: { 204: null },
    handle({ params, body }) {
      album.write(nameOf(params), body);
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
      await known(album, name);
      album.remove(name);
      return done;
    },
  }),
];

export async function restoreNamed(deps: ControlDeps, album: Album, world: string, name: string): Promise<void> {
  const snapshot = await known(album, nameOf({ name }));
  await deps.seeded.withExclusiveWorld(world, () => restoreSnapshot(deps, world, snapshot));
}

function nameOf({ name = '' }: Readonly<Record<string, string>>): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name;
  throw new Refused(
    400,
    'naam-onjuist',
    'Een momentopname heet met kleine letters, cijfers en streepjes, ten hoogste 64.',
  );
}

async function known(album: Album, name: string): Promise<SnapshotFile> {
  const snapshot = album.read(name);
  if (snapshot !== null) return snapshot;
  const names = (await album.list()).map((one) => one.name);
  throw new Refused(
    404,
    'momentopname-onbekend',
    names.length > 0 ? `Die momentopname is er niet. Er zijn: ${names.join(', ')}.` : 'Er is nog geen momentopname.',
  );
}

/** The snapshots of a folder, readable files that can be committed; `:memory:` keeps them in mind. */
export function openAlbum(dataDir: string): Album {
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
    const parsed = Snapshot.safeParse(parse(readFileSync(fileOf(name), 'utf8')));
    if (parsed.success) return parsed.data;
    throw new Refused(
      409,
      'momentopname-onbruikbaar',
      `Het bestand ${name}.json is geen momentopname van deze simulator.`,
    );
  };
  return {
    async list() {
      const files = existsSync(folder) ? await readdir(folder) : [];
      const names = files.flatMap((file) => /^([a-z0-9][a-z0-9-]{0,63})\.json$/.exec(file)?.[1] ?? []);
      const listed = await Promise.all(names.map((name) => listedAs(name, fileOf(name))));
      return listed.flatMap((one) => one ?? []).sort(byName);
    },
    read,
    write: (name, snapshot) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeWhole(fileOf(name), `${JSON.stringify(snapshot, null, 2)}\n`);
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}

/** Bytes at the beginning of a snapshot in which its world stands: the second thing that is written. */
const HEAD = 1_024;

/** What the list says of a snapshot, from the beginning of its file; null when it has gone in the meantime. */
async function listedAs(name: string, path: string): Promise<Listed | null> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return null;
  try {
    const { mtime } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
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
