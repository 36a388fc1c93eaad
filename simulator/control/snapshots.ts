import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Sentence } from '../../src/problem.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { uuidOf } from '../people/uuid.ts';
import { withoutMark } from '../persona-files/json-file.ts';
import { parseSimulatedJson } from '../transport/operation.ts';
import { writeFileAtomically } from '../worlds/atomic-write.ts';
import { NEVER_EXPIRES } from '../worlds/seeded-stores.ts';
import type { WorldSettings } from '../worlds/settings.ts';
import { type ArchivedRows, type ControlDeps, present, type SnapshotStore } from './deps.ts';
import { ControlAnswer, operation } from './operation.ts';
import { toMembers, toPrintedWorld, toRows, toText } from './print.ts';
import { type BodyError, ControlError, diskFull, notThere } from './refusals.ts';
import { SnapshotName, World } from './schema.ts';
import { membersOf, rewriting, Snapshot, type SnapshotFile } from './snapshot-file.ts';
import { documentsOfWorld, emptyWorld } from './worlds.ts';

const TAG = 'Snapshots';

/** Maximum size in bytes of an imported snapshot. It is large, because a snapshot contains documents. */
const MAX_SNAPSHOT = 256 * 1024 * 1024;

export const snapshotOperations = [
  operation(TAG, 'GET /snapshots', {
    id: 'snapshots',
    description: 'List the snapshots',
    guide: [['Which snapshots there are', 'Momentopnamen', 'snapshots']],
    command: { name: 'snapshots', print: (answer) => toRows(answer, 'No snapshots yet.') },
    answers: { 200: z.array(SnapshotName) },
    handle: (_, deps) => deps.snapshots.list(),
  }),

  operation(TAG, 'PUT /worlds/{world}/snapshots/{name}', {
    id: 'saveSnapshot',
    description: 'Save the world as a snapshot',
    guide: [['Keep a world as it is', 'Momentopnamen: Bewaar deze wereld', 'save zomer']],
    command: { name: 'save', print: toMembers },
    answers: { 200: SnapshotName.omit({ savedAt: true }) },
    async handle({ world, params }, deps) {
      const name = nameOf(params);
      deps.snapshots.write(name, await deps.seeded.withExclusiveWorld(world, () => takeSnapshot(deps, world)));
      return { name, world };
    },
  }),

  operation(TAG, 'POST /worlds/{world}/snapshots/{name}/restore', {
    id: 'restoreSnapshot',
    description: 'Replace the world by a snapshot, which may be of another world',
    guide: [['A world as it was', 'Momentopnamen: Zet terug', 'restore zomer']],
    command: { name: 'restore', print: toPrintedWorld },
    answers: { 200: World },
    async handle({ world, params }, deps) {
      await restoreNamed(deps, world, nameOf(params));
      return present(deps, world);
    },
  }),

  operation(TAG, 'GET /snapshots/{name}', {
    id: 'readSnapshot',
    description: 'Get a snapshot as a file',
    guide: [['A snapshot to a file', 'Momentopnamen: Download', 'export zomer zomer.json']],
    command: { name: 'export', description: 'Write a snapshot to a file', file: 'write' },
    answers: { 200: Snapshot },
    async handle({ params }, deps) {
      const name = nameOf(params);
      const headers = { 'Content-Disposition': `attachment; filename="${name}.json"` };
      return new ControlAnswer({ body: await snapshotNamed(deps, name), headers });
    },
  }),

  operation(TAG, 'PUT /snapshots/{name}', {
    id: 'uploadSnapshot',
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
    handle: ({ params, body }, deps) => deps.snapshots.write(nameOf(params), body),
  }),

  operation(TAG, 'DELETE /snapshots/{name}', {
    id: 'removeSnapshot',
    description: 'Delete a snapshot',
    guide: [['A snapshot gone', 'Momentopnamen: Verwijder', 'discard zomer']],
    command: { name: 'discard', print: () => toText('The snapshot is deleted.') },
    answers: { 204: null },
    async handle({ params }, deps) {
      const name = nameOf(params);
      await snapshotNamed(deps, name);
      deps.snapshots.remove(name);
    },
  }),
];

/** Throws a 404 when there is no such snapshot, a 400 for a name that is not valid, a 409 when it cannot be restored. */
export async function restoreNamed(deps: ControlDeps, world: string, name: string): Promise<void> {
  const snapshot = await snapshotNamed(deps, nameOf({ name }));
  await deps.seeded.withExclusiveWorld(world, () => restoreSnapshot(deps, world, snapshot));
}

function nameOf({ name = '' }: Readonly<Record<string, string>>): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name;
  throw new ControlError('naam-onjuist', {
    detail: 'Een momentopname heet met kleine letters, cijfers en streepjes, ten hoogste 64.',
    english: 'The name of a snapshot has lower-case letters, digits and hyphens, at most 64.',
  });
}

async function snapshotNamed({ snapshots }: ControlDeps, name: string): Promise<SnapshotFile> {
  const snapshot = snapshots.read(name);
  if (snapshot !== null) return snapshot;
  throw notThere(
    'momentopname-onbekend',
    { detail: 'Die momentopname is er niet.', english: 'There is no such snapshot.' },
    (await snapshots.list()).map((one) => one.name),
    { detail: 'Er is nog geen momentopname.', english: 'There is no snapshot yet.' },
  );
}

/** Values that remove the claim of a row. In a snapshot, no row has a claim, except a claim that never expires. */
const UNCLAIMED = { claim: null, claimedUntil: null };

/** Call it only inside `withExclusiveWorld`, so that the world does not change in the meantime. */
async function takeSnapshot({ worlds, archive, documentFolder }: ControlDeps, world: string): Promise<SnapshotFile> {
  const store = await archive.take(world);
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
  // The workspace is left out: it is the world of the snapshot.
  const uploads = store.uploads.map(({ workspace: _, ...row }) => ({
    ...row,
    ...(row.claimedUntil !== NEVER_EXPIRES && UNCLAIMED),
    // The moments are far in the future and in the same order, so that a restored upload is never cleaned up as too
    // old.
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
 * Call it only inside `withExclusiveWorld`. Throws a 409 and changes nothing when the snapshot has a document of
 * another world, or cannot become one of this world. Empties the world and throws a 409 or 503 when it cannot be
 * stored.
 */
async function restoreSnapshot(deps: ControlDeps, world: string, snapshot: SnapshotFile): Promise<void> {
  const { worlds, archive, documentFolder } = deps;
  const { settings, sources, store, documents } = snapshot.world === world ? snapshot : forWorld(deps, snapshot, world);
  await refuseForeignDocuments(deps, world, store.uploads, documents);
  await emptyWorld(deps, world);
  worlds.changeSettings(world, settings as WorldSettings);
  try {
    worlds.state.insertRows(sources);
    const uploads = store.uploads.map((row) => ({ ...row, workspace: world }));
    await archive.put({ ...store, uploads } as ArchivedRows);
    for (const { kept, content } of documents)
      documentFolder.store(kept, content === null ? null : Buffer.from(content, 'base64'));
  } catch (error) {
    for (const { kept } of documents) documentFolder.remove(kept.uuid);
    await emptyWorld(deps, world);
    const full = diskFull(error);
    if (full !== null)
      throw new ControlError(full.code, {
        detail: `De wereld is nu leeg. ${full.said.detail}`,
        english: `The world is empty now. ${full.said.english}`,
      });
    throw new ControlError('momentopname-onbruikbaar', {
      detail: 'Deze momentopname is niet terug te zetten; de wereld is nu leeg.',
      english: 'This snapshot cannot be restored; the world is empty now.',
    });
  }
}

/** All worlds share one document store. */
async function refuseForeignDocuments(
  deps: ControlDeps,
  world: string,
  uploads: SnapshotFile['store']['uploads'],
  documents: SnapshotFile['documents'],
): Promise<void> {
  // A document that could not be deleted, as during a fault, is of nobody any more.
  const own = new Set([...(await documentsOfWorld(deps, world)), ...(await deps.archive.leftoverKeys())]);
  const wanted = [...documents.map(({ kept }) => kept.uuid), ...uploads.flatMap(({ key }) => key ?? [])];
  if (wanted.every((uuid) => own.has(uuid) || deps.documentFolder.find(uuid) === undefined)) return;
  throw new ControlError('momentopname-onbruikbaar', {
    detail: 'In deze momentopname staat een document dat van een ander is.',
    english: 'This snapshot has a document that belongs to somebody else.',
  });
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
  throw new ControlError('momentopname-onbruikbaar', {
    detail: `Deze momentopname van de wereld ${snapshot.world} is niet terug te zetten in een andere wereld.`,
    english: `This snapshot of the world ${snapshot.world} cannot be restored in another world.`,
  });
}

/** Indented JSON files in `<dataDir>/snapshots`, which a project can commit. In memory for `:memory:`. */
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
    // To read a pipe can wait without end.
    if (!statSync(fileOf(name), { throwIfNoEntry: false })?.isFile()) return null;
    const file = parseSimulatedJson(withoutMark(readFileSync(fileOf(name), 'utf8')));
    if (file === undefined)
      throw unusable({
        detail: `Het bestand ${name}.json is geen JSON.`,
        english: `The file ${name}.json is not JSON.`,
      });
    const { data, error } = Snapshot.safeParse(file);
    if (error === undefined) return data;
    const said = {
      detail: `Het bestand ${name}.json is geen momentopname van deze simulator, of van een nieuwere versie.`,
      english: `The file ${name}.json is no snapshot of this simulator, or one of a newer version.`,
    };
    throw unusable(said, error.issues.slice(0, 1).map(toError));
  };
  return {
    async list() {
      const files = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
      const names = files
        .filter((file) => file.isFile())
        .flatMap(({ name: file }) => /^([a-z0-9][a-z0-9-]{0,63})\.json$/.exec(file)?.[1] ?? []);
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

/** Reads only the start of the file, because a snapshot can be large. Null when the file cannot be read. */
async function summaryOf(name: string, path: string): Promise<z.output<typeof SnapshotName> | null> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return null;
  try {
    const { mtime } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [, world = ''] = /"world"\s*:\s*"([a-z0-9-]{1,32})"/.exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
    return { name, savedAt: mtime.toISOString(), world };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);

const unusable = (said: Sentence, errors?: readonly BodyError[]): ControlError =>
  new ControlError('momentopname-onbruikbaar', said, errors);

function toError(issue: z.core.$ZodIssue): BodyError {
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const pointer = [...issue.path, ...(unknown === undefined ? [] : [unknown])]
    .map((part) => `/${String(part)}`)
    .join('');
  return unknown === undefined
    ? {
        pointer,
        code: 'ongeldige-waarde',
        detail: 'Deze waarde kan hier niet.',
        english: 'This value is not possible here.',
      }
    : { pointer, code: 'onbekend-veld', detail: 'Dit veld bestaat niet.', english: 'There is no such member.' };
}
