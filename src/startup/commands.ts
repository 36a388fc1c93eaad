import { readFileSync } from 'node:fs';
import type { Config } from '../config/index.ts';
import { newCall, UpstreamError } from '../ports/call.ts';
import { type Comparison, compareDocuments } from '../uploads/documents.ts';
import { RUN, START, StartError } from './start-error.ts';
import { openConfiguredStore } from './wiring/store.ts';
import { documentListOf, documentsOf } from './wiring/upstreams.ts';

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
  compare: {
    help: '[--remove <file>]: compares the store with the document store',
    hasArguments: true,
    run: compareStores,
  },
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

// guides/backup.md.
const USAGE = 'compare: there is one option, --remove <file with the ids of documents, one a line>.';
// Milliseconds.
const CALL_TIMEOUT = 60_000;

// Prints the documents that only the service's own store or only the document store has, and those of requests that are
// gone; exit code 1 when there are any. With `--remove <file>` it gives the documents in the file to the sweeper. It
// then throws, and changes nothing, when the service's own store refers to one of them.
async function compareStores(config: Config, words: readonly string[]): Promise<void> {
  if (config.upstreams.documenten.kind !== 'url')
    throw new StartError('compare: DOCUMENTS_UPSTREAM must be a real document store.');
  const [option, file, ...more] = words;
  if (option !== undefined && (option !== '--remove' || file === undefined || more.length > 0))
    throw new StartError(USAGE);
  const ids = file === undefined ? null : idsIn(file);
  const [{ list, client: lister }, { documents, client }, store] = [
    documentListOf(config),
    documentsOf(config),
    await openConfiguredStore(config),
  ];
  try {
    const found = await compareDocuments(list, documents, store.documentIndex, () => newCall(CALL_TIMEOUT)).catch(
      (error) => {
        const unread = error instanceof UpstreamError ? 'document store' : 'database';
        throw new StartError(
          `compare: the ${unread} could not be read (${error.message}). Nothing was changed.`,
          error,
        );
      },
    );
    if (ids === null) {
      process.stdout.write(reportOf(found));
      if (found.unowned.length + found.stranded.length + found.missing.length > 0) process.exitCode = 1;
      return;
    }
    const unowned = new Map(found.unowned.map((one) => [one.documentId, one]));
    const stranded = ids.filter((id) => found.stranded.includes(id));
    const others = ids.filter((id) => !unowned.has(id) && !stranded.includes(id));
    if (others.length > 0)
      throw new StartError(
        `compare: these ids are not of documents without an owner: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ', …' : ''}. Nothing was changed.`,
      );
    await store.documentIndex.discard(ids.flatMap((id) => unowned.get(id) ?? []));
    await store.documentIndex.release(stranded);
    process.stdout.write(`The sweeper deletes ${counted(ids.length)} in its next rounds.\n`);
  } finally {
    await Promise.all([lister.close(), client.close(), store.close()]);
  }
}

// The first word of each line that is not empty.
function idsIn(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return [...new Set(lines.flatMap((line) => /\S+/.exec(line)?.[0] ?? []))];
  } catch (error) {
    throw new StartError(`compare: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, error);
  }
}

const USES = { request: 'a submitted request', concept: 'a Concept', nothing: 'nothing' } as const;

const counted = (documents: number): string => `${documents} ${documents === 1 ? 'document' : 'documents'}`;

const reportOf = ({ stored, unowned, stranded, missing }: Comparison): string =>
  [
    `${counted(stored)} in the document store: ${unowned.length} without an owner. ${counted(missing.length)} ${missing.length === 1 ? 'is' : 'are'} missing there.`,
    ...(unowned.length > 0 ? ['', 'Without an owner: nothing here refers to it.'] : []),
    ...unowned.map(({ documentId, since }) => `  ${documentId}  ${since ?? ''}`.trimEnd()),
    ...(stranded.length > 0 ? ['', 'Of a request that is gone: nothing else here refers to it.'] : []),
    ...stranded.map((documentId) => `  ${documentId}`),
    ...(missing.length > 0 ? ['', 'Missing: known here, and not in the document store. What refers to it:'] : []),
    ...missing.map(({ documentId, use }) => `  ${documentId}  ${USES[use]}`),
    '',
  ].join('\n');
