/**
 * The commands of the service besides starting it. This file belongs to the composition root, so it may import
 * adapters.
 */
import type { Config } from '../../config/index.ts';
import { StartError } from '../start-error.ts';
import { openConfiguredStore } from '../wiring/store.ts';
import { compareStores } from './compare.ts';

/** A command of the service. */
export interface Command {
  /** The arguments of the command and what it does, in one line for `--help`. */
  readonly help: string;
  /** True when the command itself answers `--help`. */
  readonly hasOwnHelp?: true;
  /** True when the command has arguments. Otherwise it is refused with any. */
  readonly hasArguments?: true;
  /** Runs the command. `words` are the arguments after its name. */
  run(config: Config, words: readonly string[]): Promise<void>;
}

async function migrateStore(config: Config): Promise<void> {
  const store = await openConfiguredStore(config);
  await store.close();
  const migrated = 'The schema is up to date.';
  // In a production-like deployment a log platform reads standard output, so the line is JSON there.
  const line = { level: 30, time: new Date().toISOString(), migrated };
  process.stdout.write(`${config.productionLike ? JSON.stringify(line) : migrated}\n`);
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'for an unknown reason';
}

/** Copies the database to a new SQLite file. The service may be running (guides/backup.md). */
async function backUp({ store }: Config, [target, ...rest]: readonly string[]): Promise<void> {
  if (store.kind === 'sqlite' && store.folder === ':memory:')
    throw new StartError('backup: DATA_DIR=:memory: keeps nothing to copy.');
  if (target === undefined || rest.length > 0)
    throw new StartError('backup: name the file to make, and nothing else, for example: backup /backup/monday.sqlite');
  const { backup } = await import('../../../adapters/store/backup.ts');
  await backup(store, target).catch((error) => {
    throw new StartError(`backup: ${target} was not made (${reasonOf(error)}).`, error);
  });
  process.stdout.write(`${target} is a complete copy.\n`);
}

/** Fills an empty store (SQLite or PostgreSQL) from a backup file. Stop every instance of the service first. */
async function restoreBackup(config: Config, [file, ...rest]: readonly string[]): Promise<void> {
  if (file === undefined || rest.length > 0)
    throw new StartError('restore: name the file, and nothing else, for example: restore /backup/monday.sqlite');
  const [{ restore }, store] = await Promise.all([
    import('../../../adapters/store/backup.ts'),
    openConfiguredStore(config),
  ]);
  try {
    const counts = Object.entries(await restore(store, file));
    process.stdout.write(`${file} is restored: ${counts.map(([table, count]) => `${count} ${table}`).join(', ')}.\n`);
  } catch (error) {
    throw new StartError(`restore: ${file} was not restored (${reasonOf(error)}). The store is unchanged.`, error);
  } finally {
    await store.close();
  }
}

/** The commands of every build of the service, keyed by name (`node start.js <name>`). */
export const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: { help: 'migrates the schema of the store, and stops', run: migrateStore },
  backup: { help: '<file>: copies the store to a new file, while the service runs', hasArguments: true, run: backUp },
  restore: { help: '<file>: fills an empty store from that file', hasArguments: true, run: restoreBackup },
  compare: {
    help: '[--remove <file>]: compares the store with the document store',
    hasArguments: true,
    run: compareStores,
  },
};
