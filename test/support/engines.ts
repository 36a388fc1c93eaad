import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { StoreLocation } from '../../adapters/store/index.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** What a port's tests run on: every engine that the store may be kept in, each location a fresh one. */
export interface Engines {
  readonly all: readonly [name: string, locate: () => Promise<StoreLocation>][];
  readonly newFolder: () => string;
  readonly newDatabase: () => Promise<string>;
}

/** Starts PostgreSQL before the file's tests, and removes it and every folder after them. Call it at the top. */
export const useEngines = (): Engines => {
  let postgres: Postgres;
  const folders: string[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'zorgregister-store-'));
    folders.push(folder);
    return folder;
  };
  const newDatabase = (): Promise<string> => postgres.database();
  return {
    all: [
      ['SQLite in memory', async () => ({ kind: 'sqlite', folder: ':memory:' })],
      ['SQLite in a file', async () => ({ kind: 'sqlite', folder: newFolder() })],
      ['PostgreSQL', async () => ({ kind: 'postgres', url: await newDatabase() })],
    ],
    newFolder,
    newDatabase,
  };
};
