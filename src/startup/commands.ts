/** The commands of the service, other than its start. Part of the composition root, so it may import adapters. */
import type { Config } from '../config/index.ts';
import { StartError } from './explain.ts';
import { openConfiguredStore } from './store.ts';

/** A function that carries out a command. `words` are the arguments after the command's name. */
export type Command = (config: Config, words: readonly string[]) => Promise<void>;

/**
 * Migrates the database schema without starting the service, for a deployment that does so before new instances start.
 */
async function migrateStore(config: Config): Promise<void> {
  const store = await openConfiguredStore(config);
  await store.close();
  process.stdout.write('The schema is up to date.\n');
}

/**
 * Copies the SQLite database to a new file while the service runs. PostgreSQL has tools of its own for that
 * (guides/backup.md, "PostgreSQL").
 */
async function backUp({ store }: Config, [target]: readonly string[]): Promise<void> {
  if (store.kind === 'postgres' || store.folder === ':memory:')
    throw new StartError(
      'backup: copies the SQLite file in DATA_DIR. For PostgreSQL use its own tools: docs/guides/backup.md.',
    );
  if (target === undefined)
    throw new StartError('backup: name the file to make, for example: backup /backup/monday.sqlite');
  const { backupSqlite } = await import('../../adapters/store/backup.ts');
  try {
    backupSqlite(store.folder, target);
  } catch (error) {
    throw new StartError(
      `backup: ${target} was not made (${(error as Error).message}). Nothing else was changed.`,
      error,
    );
  }
  process.stdout.write(`${target} is a complete copy.\n`);
}

/**
 * Returns the names of these commands and of `conformance`, which is not one of them because it does not need the
 * configuration of the whole service.
 */
export const namesOf = (commands: Readonly<Record<string, Command>>): string[] => [
  ...Object.keys(commands),
  'conformance',
];

/** The commands of the service, keyed by name (`npm run <name>`). */
export const COMMANDS: Readonly<Record<string, Command>> = { migrate: migrateStore, backup: backUp };
