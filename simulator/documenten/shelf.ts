import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileContent } from '../operation.ts';

/** What the simulated store keeps of a document, beside its content. */
export interface Kept {
  readonly uuid: string;
  /** The members that were sent with it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Bytes; null for a document without content. */
  readonly omvang: number | null;
  readonly versie: number;
  readonly beginRegistratie: string;
  /** Who may change it; empty when nobody. */
  readonly lock: string;
  /** Parts that are awaited, or have come. */
  readonly delen: readonly { readonly uuid: string; readonly omvang: number; readonly voltooid: boolean }[];
}

/** The documents of the simulated store, in files that anyone can read: `<uuid>.json` beside `<uuid>.bin`. */
export interface Shelf {
  readonly folder: string;
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

/** Opens `<folder>/documenten`; `:memory:` keeps nothing after `close`. */
export function openShelf(dataDir: string): Shelf {
  const isTemporary = dataDir === ':memory:';
  const folder = isTemporary ? mkdtempSync(join(tmpdir(), 'zorgregister-documenten-')) : join(dataDir, 'documenten');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kept = new Map<string, Kept>();
  for (const name of readdirSync(folder)) {
    // What was being received when the process ended.
    if (name.endsWith('.part')) rmSync(join(folder, name));
    if (!name.endsWith('.json')) continue;
    const one = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Kept;
    kept.set(one.uuid, one);
  }
  const fileOf = (uuid: string, kind: 'json' | 'bin'): string => {
    if (!NAME.test(uuid)) throw new Error('a document by a name that no document has');
    return join(folder, `${uuid}.${kind}`);
  };

  return {
    folder,
    all: () => kept.values(),
    find(uuid) {
      // Another process may have put it there.
      if (!kept.has(uuid) && NAME.test(uuid) && existsSync(fileOf(uuid, 'json')))
        kept.set(uuid, JSON.parse(readFileSync(fileOf(uuid, 'json'), 'utf8')));
      return kept.get(uuid);
    },
    put(one) {
      kept.set(one.uuid, one);
      writeFileSync(fileOf(one.uuid, 'json'), JSON.stringify(one, null, 2));
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
