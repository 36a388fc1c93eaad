import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Backstage, present, worldNamed } from './backstage.ts';
import { done, ok, operation, Refused } from './operation.ts';
import { SnapshotName, World } from './schema.ts';
import { restoreSnapshot, type SnapshotFile, takeSnapshot } from './snapshot.ts';
import { Snapshot } from './snapshot-schema.ts';

const TAG = 'Momentopnamen';

/** Where snapshots are: a file each in a folder, or nowhere but in mind. */
export interface Album {
  list(): readonly { readonly name: string; readonly savedAt: string; readonly world: string }[];
  read(name: string): SnapshotFile | null;
  write(name: string, snapshot: SnapshotFile): void;
  remove(name: string): void;
}

export const snapshotOperations = (backstage: Backstage, album: Album) => [
  operation({
    id: 'snapshots',
    method: 'GET',
    path: '/snapshots',
    tag: TAG,
    summary: 'De momentopnamen die er zijn',
    answers: { 200: z.array(SnapshotName) },
    handle: () => ok(album.list()),
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
      album.write(name, await backstage.seeded.alone(world, () => takeSnapshot(backstage, world)));
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
      await restoreNamed(backstage, album, world, nameOf(params));
      return ok(present(backstage, world));
    },
  }),

  operation({
    id: 'readSnapshot',
    method: 'GET',
    path: '/snapshots/{name}',
    tag: TAG,
    summary: 'Een momentopname als bestand, om te bewaren of te vergelijken',
    answers: { 200: Snapshot },
    handle({ params }) {
      const name = nameOf(params);
      return {
        status: 200,
        body: known(album, name),
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
    handle({ params }) {
      const name = nameOf(params);
      known(album, name);
      album.remove(name);
      return done;
    },
  }),
];

export async function restoreNamed(backstage: Backstage, album: Album, world: string, name: string): Promise<void> {
  const snapshot = known(album, nameOf({ name }));
  await backstage.seeded.alone(world, () => restoreSnapshot(backstage, world, snapshot));
}

function nameOf({ name = '' }: Readonly<Record<string, string>>): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name;
  throw new Refused(
    400,
    'naam-onjuist',
    'Een momentopname heet met kleine letters, cijfers en streepjes, ten hoogste 64.',
  );
}

function known(album: Album, name: string): SnapshotFile {
  const snapshot = album.read(name);
  if (snapshot !== null) return snapshot;
  const names = album.list().map((one) => one.name);
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
      list: () =>
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
    list: () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .filter((file) => /^[a-z0-9][a-z0-9-]{0,63}\.json$/.test(file))
        .map((file) => {
          const name = file.slice(0, -'.json'.length);
          const [, world = ''] = /"world": "([a-z0-9-]{1,32})"/.exec(readFileSync(fileOf(name), 'utf8')) ?? [];
          return { name, savedAt: statSync(fileOf(name)).mtime.toISOString(), world };
        })
        .sort(byName),
    read,
    write: (name, snapshot) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(name), `${JSON.stringify(snapshot, null, 2)}\n`);
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
