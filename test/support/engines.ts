import { type OpenStore, openStore } from '../../adapters/store/index.ts';
import { createMemoryStore, type MemoryStore } from '../../browser/memory-store/index.ts';
import { startPostgres } from './postgres.ts';
import { temporaryFolder } from './run-folder.ts';
import { use } from './service.ts';

/**
 * The kinds of store with which store tests run. In `all`, each has a function that opens a new, empty store; `databases`
 * are all but the one in memory. `newFolder` returns the path of a new folder, `newDatabase` the URL of a new PostgreSQL database.
 */
export interface Engines {
  readonly all: readonly [name: string, open: () => Promise<MemoryStore | OpenStore>][];
  readonly databases: readonly [name: string, open: () => Promise<OpenStore>][];
  readonly newFolder: () => string;
  readonly newDatabase: () => Promise<string>;
}

/** Starts PostgreSQL for the tests of a file. */
export const useEngines = (): Engines => {
  const postgres = use(startPostgres());
  const newFolder = (): string => temporaryFolder('store');
  const newDatabase = async (): Promise<string> => (await postgres).database();
  const databases: Engines['databases'] = [
    ['SQLite in memory', () => openStore({ kind: 'sqlite', folder: ':memory:' })],
    ['SQLite in a file', () => openStore({ kind: 'sqlite', folder: newFolder() })],
    ['PostgreSQL', async () => openStore({ kind: 'postgres', url: await newDatabase() })],
  ];
  return { all: [['plain memory', async () => createMemoryStore()], ...databases], databases, newFolder, newDatabase };
};
