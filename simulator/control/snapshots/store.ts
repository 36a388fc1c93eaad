/** The snapshots that are kept, as files or in memory. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { parseSimulatedJson } from '../../transport/operation.ts';
import { writeFileAtomically } from '../../worlds/atomic-write.ts';
import { type BodyError, ControlError } from '../refusals.ts';
import type { SnapshotName } from '../schema.ts';
import { Snapshot, type SnapshotFile } from './schema.ts';

/** `world` is an empty string when it is not found near the start of the file. */
type SnapshotSummary = z.output<typeof SnapshotName>;

export interface SnapshotStore {
  list(): Promise<readonly SnapshotSummary[]>;
  /** Null when there is none. Throws a 409 when its file is not a valid snapshot. */
  read(name: string): SnapshotFile | null;
  /** Stores a snapshot; replaces one with the same name. */
  write(name: string, snapshot: SnapshotFile): void;
  remove(name: string): void;
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
    const file = parseSimulatedJson(readFileSync(fileOf(name), 'utf8'));
    if (file === undefined) throw unusable(`Het bestand ${name}.json is geen JSON.`);
    const { data, error } = Snapshot.safeParse(file);
    if (error === undefined) return data;
    const detail = `Het bestand ${name}.json is geen momentopname van deze simulator, of van een nieuwere versie.`;
    throw unusable(detail, error.issues.slice(0, 1).map(toError));
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

const unusable = (detail: string, errors?: readonly BodyError[]): ControlError =>
  new ControlError('momentopname-onbruikbaar', detail, errors);

function toError(issue: z.core.$ZodIssue): BodyError {
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const pointer = [...issue.path, ...(unknown === undefined ? [] : [unknown])]
    .map((part) => `/${String(part)}`)
    .join('');
  return unknown === undefined
    ? { pointer, code: 'ongeldige-waarde', detail: 'Deze waarde kan hier niet.' }
    : { pointer, code: 'onbekend-veld', detail: 'Dit veld bestaat niet.' };
}
