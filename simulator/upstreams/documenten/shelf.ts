import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileContent } from '../../transport/operation.ts';
import { PARTIAL_SUFFIX, writeWhole } from '../../worlds/whole-file.ts';
import { type Kept, keptIn } from './kept.ts';

/** The documents of the simulated store, in files that anyone can read: `<uuid>.json` beside `<uuid>.bin`. */
export interface Shelf {
  readonly folder: string;
  /** Files of documents that could not be read when it was opened, and are left as they are. */
  readonly unreadable: readonly string[];
  all(): Iterable<Kept>;
  find(uuid: string): Kept | undefined;
  put(kept: Kept): void;
  /** Takes a received file for the content of a document or a part. */
  fill(uuid: string, path: string): void;
  content(uuid: string): FileContent | null;
  remove(uuid: string): void;
  close(): void;
}

/** It is the name of a file too, and never a way to another folder. */
const NAME = /^[\w-]{36}$/;

/**
 * Opens `<folder>/documenten`; `:memory:` keeps nothing after `close`. `isShared`: another process works there too, and what
 * is unfinished may be its.
 */
export function openShelf(dataDir: string, isShared = false): Shelf {
  const isTemporary = dataDir === ':memory:';
  const folder = isTemporary ? mkdtempSync(join(tmpdir(), 'zorgregister-documenten-')) : join(dataDir, 'documenten');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kept = new Map<string, Kept>();
  const unreadable: string[] = [];
  for (const name of readdirSync(folder)) {
    // What was being received when the process ended.
    if (name.endsWith(PARTIAL_SUFFIX) && !isShared) rmSync(join(folder, name));
    if (!name.endsWith('.json')) continue;
    const one = keptIn(join(folder, name));
    if (one === null) unreadable.push(join(folder, name));
    else kept.set(one.uuid, one);
  }
  const fileOf = (uuid: string, kind: 'json' | 'bin'): string => {
    if (!NAME.test(uuid)) throw new Error('a document by a name that no document has');
    return join(folder, `${uuid}.${kind}`);
  };

  return {
    folder,
    unreadable,
    all: () => kept.values(),
    find(uuid) {
      // Another process may have put it there.
      const known = kept.get(uuid);
      if (known !== undefined || !NAME.test(uuid)) return known;
      const one = keptIn(fileOf(uuid, 'json'));
      if (one === null) return undefined;
      kept.set(uuid, one);
      return one;
    },
    put(one) {
      kept.set(one.uuid, one);
      writeWhole(fileOf(one.uuid, 'json'), JSON.stringify(one, null, 2));
    },
    fill: (uuid, path) => renameSync(path, fileOf(uuid, 'bin')),
    content(uuid) {
      const omvang = kept.get(uuid)?.omvang ?? 0;
      return omvang === 0 ? null : { path: fileOf(uuid, 'bin'), size: omvang };
    },
    remove(uuid) {
      if (!NAME.test(uuid)) return;
      kept.delete(uuid);
      for (const kind of ['json', 'bin'] as const) rmSync(fileOf(uuid, kind), { force: true });
    },
    close() {
      if (isTemporary) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes every document that was kept in a folder. */
export const eraseShelf = (dataDir: string): void => {
  if (dataDir !== ':memory:') rmSync(join(dataDir, 'documenten'), { recursive: true, force: true });
};
