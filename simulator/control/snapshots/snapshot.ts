/** Makes a snapshot of a world, and restores a world from a snapshot. */
import { readFileSync } from 'node:fs';
import { DEFAULT_WORLD } from '../../people/directory.ts';
import { uuidOf } from '../../people/uuid.ts';
import { NEVER_EXPIRES } from '../../worlds/seeded-stores.ts';
import type { WorldSettings } from '../../worlds/settings.ts';
import { type ControlDeps, rowsOfWorld } from '../deps.ts';
import { diskFull } from '../disk-full.ts';
import { ControlError } from '../refusals.ts';
import type { ArchivedRows } from '../store-archive.ts';
import { documentsOfWorld, eraseWorld } from '../worlds.ts';
import { membersOf, Snapshot, type SnapshotFile } from './schema.ts';
import { rewriting } from './texts.ts';

/** Values that remove the claim of a row. In a snapshot, no row has a claim, except a claim that never expires. */
const UNCLAIMED = { claim: null, claimedUntil: null };

/** Call it only inside `withExclusiveWorld`, so that the world does not change in the meantime. */
export async function takeSnapshot(
  { worlds, archive, documentFolder }: ControlDeps,
  world: string,
): Promise<SnapshotFile> {
  const store = await archive.take(rowsOfWorld(world));
  const documents = store.uploads.flatMap(({ key }) => {
    const kept = typeof key === 'string' ? documentFolder.find(key) : undefined;
    if (kept === undefined) return [];
    const content = documentFolder.content(kept.uuid);
    return [{ kept, content: content && readFileSync(content.path).toString('base64') }];
  });
  // The time of sending is needed only while it is unknown whether the request arrived.
  const applications = store.applications.map((row) => ({
    ...row,
    ...UNCLAIMED,
    ...(row.tag !== 'Concept' && row.tag !== 'Pending' && { sentAt: null }),
  }));
  const moments = [...new Set(store.uploads.map(({ createdAt }) => Number(createdAt)))].sort((a, b) => b - a);
  // Without the workspace, which is the world of the snapshot.
  const uploads = store.uploads.map(({ workspace: _, ...row }) => ({
    ...row,
    ...(row.claimedUntil !== NEVER_EXPIRES && UNCLAIMED),
    // Far in the future and in the same order, so that a restored upload is never cleaned up as too old.
    createdAt: NEVER_EXPIRES - moments.indexOf(Number(row.createdAt)),
  }));
  // The attempt that sent a letter is not needed once the letter is sent.
  const brieven = store.brieven.map((row) => (row.tag === 'sent' ? { ...row, sending: null } : row));
  return {
    format: 'zorgregister-snapshot/1',
    world: world as SnapshotFile['world'],
    settings: worlds.settings(world) as SnapshotFile['settings'],
    sources: worlds.state.copyRows(world) as SnapshotFile['sources'],
    store: { ...store, applications, uploads, brieven } as SnapshotFile['store'],
    documents: documents as SnapshotFile['documents'],
  };
}

/**
 * Replaces all data and settings of a world by those of a snapshot, which may be of another world. Call it only inside
 * `withExclusiveWorld`. Throws a 409 and changes nothing when the snapshot has a document that belongs to another
 * world, or cannot be changed into one of this world. Empties the world when the data cannot be stored, and throws a
 * 409, or the 503 of a full disk, that says so.
 */
export async function restoreSnapshot(deps: ControlDeps, world: string, snapshot: SnapshotFile): Promise<void> {
  const { worlds, archive, documentFolder } = deps;
  const { settings, sources, store, documents } = snapshot.world === world ? snapshot : forWorld(deps, snapshot, world);
  await refuseForeignDocuments(deps, world, store.uploads, documents);
  await eraseWorld(deps, world);
  worlds.state.recordUse(world, Date.now());
  worlds.changeSettings(world, settings as WorldSettings);
  try {
    worlds.state.insertRows(sources);
    const uploads = store.uploads.map((row) => ({ ...row, workspace: world }));
    await archive.put({ ...store, uploads } as ArchivedRows);
    for (const { kept, content } of documents)
      documentFolder.store(kept, content === null ? null : Buffer.from(content, 'base64'));
  } catch (error) {
    for (const { kept } of documents) documentFolder.remove(kept.uuid);
    await eraseWorld(deps, world);
    const full = diskFull(error);
    if (full !== null) throw new ControlError(full.code, `De wereld is nu leeg. ${full.message}`);
    throw new ControlError(
      'momentopname-onbruikbaar',
      'Deze momentopname is niet terug te zetten; de wereld is nu leeg.',
    );
  }
}

/** All worlds share one document store. */
async function refuseForeignDocuments(
  deps: ControlDeps,
  world: string,
  uploads: SnapshotFile['store']['uploads'],
  documents: SnapshotFile['documents'],
): Promise<void> {
  const own = await documentsOfWorld(deps, world);
  const parts = documents.flatMap(({ kept }) => kept.delen.map(({ uuid }) => uuid));
  const wanted = [...documents.map(({ kept }) => kept.uuid), ...uploads.flatMap(({ key }) => key ?? []), ...parts];
  if (wanted.every((uuid) => own.has(uuid) || deps.documentFolder.find(uuid) === undefined)) return;
  throw new ControlError('momentopname-onbruikbaar', 'In deze momentopname staat een document dat van een ander is.');
}

const WORD = /[\w@-]+/g;
const HEXADECIMAL = /[\da-f-]+/g;
/** Lengths of a UUID: with and without dashes. */
const ID_LENGTHS = [36, 32];
// Logins get the name of that world, except in texts that people typed (`TextKinds`). Ids are replaced by new ones,
// because two worlds may not have the same id.
function forWorld({ directory }: ControlDeps, snapshot: SnapshotFile, world: string): SnapshotFile {
  const from = snapshot.world === DEFAULT_WORLD ? '' : `@${snapshot.world}`;
  const to = world === DEFAULT_WORLD ? '' : `@${world}`;
  const slugOf = (login: string): string => (login.endsWith(from) ? login.slice(0, login.length - from.length) : '');
  const { applications, uploads, brieven } = snapshot.store;
  const { zaken, residents, movedIn } = snapshot.sources;
  // The simulator does not know every owner: a persona file can be deleted, and a number can be of nobody.
  const logins = new Set<string>([
    ...[...applications, ...uploads].map(({ owner }) => owner),
    ...[...zaken, ...residents, ...movedIn].map(({ resident }) => resident),
  ]);
  const isLogin = (word: string): boolean =>
    logins.has(word) || directory.persona(slugOf(word)) !== undefined || /^burger-\d+$/.test(slugOf(word));
  const withLogin = (word: string): string => (isLogin(word) ? slugOf(word) + to : word);
  const ids = new Map<string, string>();
  const fresh = (id: unknown) => {
    if (typeof id !== 'string' || id === '') return;
    ids.set(id, uuidOf(`${world}/${id}`));
    ids.set(id.replaceAll('-', ''), uuidOf(`${world}/${id}`).replaceAll('-', ''));
  };
  for (const { id } of applications) fresh(id);
  for (const { documentId, key } of uploads) for (const id of [documentId, key]) fresh(id);
  for (const { briefId } of brieven) fresh(briefId);
  const withId = (run: string): string => {
    for (const length of ID_LENGTHS)
      for (let at = 0; at + length <= run.length; at += 1) {
        const id = ids.get(run.slice(at, at + length));
        if (id !== undefined) return run.slice(0, at) + id + run.slice(at + length);
      }
    return run;
  };
  const typed = (text: string): string => ids.get(text) ?? text.replace(HEXADECIMAL, withId);
  const reference = (text: string): string =>
    logins.has(text) ? withLogin(text) : typed(text).replace(WORD, withLogin);
  const changed = membersOf(rewriting({ world: () => world, reference, typed })).parse(snapshot);
  const copy = Snapshot.safeParse(changed);
  if (copy.success) return copy.data;
  throw new ControlError(
    'momentopname-onbruikbaar',
    `Deze momentopname van de wereld ${snapshot.world} is niet terug te zetten in een andere wereld.`,
  );
}
