/** A world as a file, and a world from a file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { ArchivedRows } from '../../src/ports/archive.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { uuidOf } from '../people/uuid.ts';
import { FOREVER } from '../worlds/seeded-stores.ts';
import type { Settings } from '../worlds/settings.ts';
import { type ControlDeps, whoseOf } from './deps.ts';
import { Refused } from './operation.ts';
import type { Snapshot } from './snapshot-schema.ts';
import { emptied } from './worlds.ts';

export type SnapshotFile = z.output<typeof Snapshot>;

/** Moments at which somebody was at work, which the file does not tell: nobody is. */
const NOBODY = { claim: null, claimedUntil: null };

export async function takeSnapshot({ worlds, archive, shelf }: ControlDeps, world: string): Promise<SnapshotFile> {
  const store = await archive.take(whoseOf(world));
  const documents = store.uploads.flatMap(({ key }) => {
    const kept = typeof key === 'string' ? shelf.find(key) : undefined;
    if (kept === undefined) return [];
    const content = shelf.content(kept.uuid);
    return [{ kept, content: content && readFileSync(content.path).toString('base64') }];
  });
  // When a request was sent matters for as long as it is not known to have arrived.
  const applications = store.applications.map((row) => ({
    ...row,
    ...NOBODY,
    ...(row.tag !== 'Concept' && row.tag !== 'Pending' && { sentAt: null }),
  }));
  const moments = [...new Set(store.uploads.map(({ createdAt }) => Number(createdAt)))].sort((a, b) => b - a);
  const uploads = store.uploads.map((row) => ({
    ...row,
    ...(row.claimedUntil !== FOREVER && NOBODY),
    // In the same order, and never so old that it is taken for forgotten, whenever it is put back.
    createdAt: FOREVER - moments.indexOf(Number(row.createdAt)),
  }));
  // Of a letter that is out nobody asks any more by which try that was.
  const brieven = store.brieven.map((row) => (row.tag === 'sent' ? { ...row, sending: null } : row));
  return {
    format: 'zorgregister-snapshot/1',
    world,
    settings: worlds.settings(world) as SnapshotFile['settings'],
    sources: worlds.state.take(world) as SnapshotFile['sources'],
    store: { ...store, applications, uploads, brieven } as unknown as SnapshotFile['store'],
    documents: documents as SnapshotFile['documents'],
  };
}

/** A world as it was when the snapshot was taken; in another world everything in it gets names of its own. */
export async function restoreSnapshot(deps: ControlDeps, world: string, snapshot: SnapshotFile): Promise<void> {
  const { worlds, archive, shelf } = deps;
  const { settings, sources, store, documents } = snapshot.world === world ? snapshot : rehomed(snapshot, world);
  await refuseOthers(deps, world, store.uploads, documents);
  await emptied(deps, world);
  worlds.state.use(world, Date.now());
  worlds.change(world, settings as Settings);
  try {
    worlds.state.put(sources);
    await archive.put(store as ArchivedRows);
  } catch {
    await emptied(deps, world);
    throw new Refused(
      409,
      'momentopname-onbruikbaar',
      'Deze momentopname is niet terug te zetten; de wereld is nu leeg.',
    );
  }
  for (const { kept: document, content } of documents) {
    if (content !== null) {
      const path = join(shelf.folder, `${document.uuid}.part`);
      writeFileSync(path, Buffer.from(content, 'base64'));
      shelf.fill(document.uuid, path);
    }
    shelf.put(document);
  }
}

/** Documents are all on one shelf: what is another world's is not to be overwritten, read or taken away. */
async function refuseOthers(
  { archive, shelf }: ControlDeps,
  world: string,
  uploads: SnapshotFile['store']['uploads'],
  documents: SnapshotFile['documents'],
): Promise<void> {
  const own = new Set((await archive.take(whoseOf(world))).uploads.map(({ key }) => key));
  const parts = documents.flatMap(({ kept }) => kept.delen.map(({ uuid }) => uuid));
  const wanted = [...documents.map(({ kept }) => kept.uuid), ...uploads.flatMap(({ key }) => key ?? []), ...parts];
  if (wanted.every((uuid) => own.has(uuid) || shelf.find(uuid) === undefined)) return;
  throw new Refused(409, 'momentopname-onbruikbaar', 'In deze momentopname staat een document dat van een ander is.');
}

/** Whom a login in a world can begin with, besides `burger-` and a number. */
const SLUGS = new Set(PERSONAS.map(({ slug }) => slug));
/** What a login is written in: all of a word is one, or nothing of it. */
const WORD = /[\w@-]+/g;
/** What an id is written in; other words of the same letters may stand before or after it. */
const HEXADECIMAL = /[\da-f-]+/g;
/** The letters of an id, with its dashes or without. */
const LENGTHS = [36, 32];

/**
 * The same world under another name. Logins end in the name of the world and ids are of one thing only, so both change, the
 * same way each time. What somebody wrote in a draft stays as it was written, but for the ids in it.
 */
function rehomed(snapshot: SnapshotFile, world: string): SnapshotFile {
  const from = snapshot.world === DEFAULT_WORLD ? '' : `@${snapshot.world}`;
  const to = world === DEFAULT_WORLD ? '' : `@${world}`;
  const relogged = (word: string): string => {
    const slug = word.endsWith(from) ? word.slice(0, word.length - from.length) : '';
    return SLUGS.has(slug) || /^burger-\d+$/.test(slug) ? slug + to : word;
  };
  const ids = new Map<string, string>();
  const fresh = (id: unknown) => {
    if (typeof id !== 'string' || id === '') return;
    ids.set(id, uuidOf(`${world}/${id}`));
    ids.set(id.replaceAll('-', ''), uuidOf(`${world}/${id}`).replaceAll('-', ''));
  };
  for (const { id } of snapshot.store.applications) fresh(id);
  for (const { documentId, key } of snapshot.store.uploads) for (const id of [documentId, key]) fresh(id);
  for (const { briefId } of snapshot.store.brieven) fresh(briefId);
  const withId = (run: string): string => {
    for (const length of LENGTHS) {
      const [last, first] = [ids.get(run.slice(-length)), ids.get(run.slice(0, length))];
      if (last !== undefined) return run.slice(0, -length) + last;
      if (first !== undefined) return first + run.slice(length);
    }
    return run;
  };
  const renamed = (value: unknown, name?: string): unknown => {
    if (typeof value === 'string') {
      if (name === 'world' || name === 'workspace') return world;
      // Of a letter that went out before nothing is current any more, and its slot stays empty.
      if (name === 'slot' && value === snapshot.world) return world;
      const withIds = ids.get(value) ?? value.replace(HEXADECIMAL, withId);
      return name === 'draft' || name === 'tekst' ? withIds : withIds.replace(WORD, relogged);
    }
    if (Array.isArray(value)) return value.map((one) => renamed(one));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, key)]));
    return value;
  };
  // Bytes are no text: they hold no name and no id.
  const documents = snapshot.documents.map(({ kept, content }) => ({
    kept: renamed(kept) as typeof kept,
    content,
  }));
  const { settings, sources, store } = snapshot;
  return {
    ...snapshot,
    world,
    settings,
    documents,
    ...(renamed({ sources, store }) as Pick<SnapshotFile, 'sources' | 'store'>),
  };
}
