import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { createMemoryStore } from '../../browser/memory-store/index.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { temporaryFolder } from './run-folder.ts';

type OpenStore = Promise<Store & { erase(): Promise<void> }>;

/**
 * The kinds of store with which store tests run. In `all`, each has a function that opens a new, empty store.
 * `newFolder` returns the path of a new folder, `newDatabase` the URL of a new PostgreSQL database.
 */
export interface Engines {
  readonly all: readonly [name: string, open: () => OpenStore][];
  readonly newFolder: () => string;
  readonly newDatabase: () => Promise<string>;
}

/** Starts PostgreSQL before the tests of a file; stops it and removes all folders after them. */
export const useEngines = (): Engines => {
  let postgres: Postgres;
  const folders: string[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const newFolder = (): string => {
    const folder = temporaryFolder('store');
    folders.push(folder);
    return folder;
  };
  const newDatabase = (): Promise<string> => postgres.database();
  return {
    all: [
      ['plain memory', async () => createMemoryStore()],
      ['SQLite in memory', () => openStore({ kind: 'sqlite', folder: ':memory:' })],
      ['SQLite in a file', () => openStore({ kind: 'sqlite', folder: newFolder() })],
      ['PostgreSQL', async () => openStore({ kind: 'postgres', url: await newDatabase() })],
    ],
    newFolder,
    newDatabase,
  };
};
