import type { Config } from '../config/index.ts';
import { RUN, START, StartError } from './start-error.ts';
import { openConfiguredStore } from './wiring/store.ts';

// The commands of the service besides starting it. Part of the composition root, so it may import adapters.
export interface Command {
  /** In one line for `--help`. */
  readonly help: string;
  /** The command itself answers `--help`. */
  readonly hasOwnHelp?: true;
  /** Otherwise it is refused with any argument. */
  readonly hasArguments?: true;
  /** `words` are the arguments after its name. */
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

// The service may be running (guides/backup.md).
async function backUp({ store }: Config, [target, ...rest]: readonly string[]): Promise<void> {
  if (store.kind === 'sqlite' && store.folder === ':memory:')
    throw new StartError('backup: DATA_DIR=:memory: keeps nothing to copy.');
  if (target === undefined || rest.length > 0)
    throw new StartError('backup: name the file to make, and nothing else, for example: backup /backup/monday.sqlite');
  const { backup } = await import('../../adapters/store/backup.ts');
  await backup(store, target).catch((error) => {
    throw new StartError(`backup: ${target} was not made (${reasonOf(error)}).`, error);
  });
  process.stdout.write(`${target} is a complete copy.\n`);
}

// Stop every instance of the service first.
async function restoreBackup(config: Config, [file, ...rest]: readonly string[]): Promise<void> {
  if (file === undefined || rest.length > 0)
    throw new StartError('restore: name the file, and nothing else, for example: restore /backup/monday.sqlite');
  const [{ restore }, store] = await Promise.all([
    import('../../adapters/store/backup.ts'),
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

/** The commands of every build, by name (`node start.js <name>`). */
export const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: { help: 'migrates the schema of the store, and stops', run: migrateStore },
  backup: { help: '<file>: copies the store to a new file, while the service runs', hasArguments: true, run: backUp },
  restore: { help: '<file>: fills an empty store from that file', hasArguments: true, run: restoreBackup },
};

export const helpText = (commands: Readonly<Record<string, Command>>): string =>
  [
    `Usage: ${START}`,
    '',
    'Starts the service. There are no options, only variables, each with its default in docs/reference/configuration.md:',
    '',
    `  PORT=3115 ${START}              another port than 3000`,
    `  DATA_DIR=.data2 ${START}        another data folder; :memory: keeps nothing`,
    `  CORS_ORIGINS=https://portal.example ${START}   the origins of pages that may call it`,
    '',
    `Commands, with the same variables, for example "${RUN} migrate":`,
    '',
    ...Object.entries(commands).map(([name, { help }]) => `  ${name.padEnd(12)}${help}`),
    `  ${'conformance'.padEnd(12)}checks real upstreams; conformance --help says how`,
    `  ${'--version'.padEnd(12)}prints the version`,
    '',
  ].join('\n');
