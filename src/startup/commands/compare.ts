/** The command `compare` (guides/backup.md). This file belongs to the composition root, so it may import adapters. */
import { readFileSync } from 'node:fs';
import type { Config } from '../../config/index.ts';
import { newCall, UpstreamError } from '../../ports/call.ts';
import { type Comparison, compareDocuments } from '../../uploads/documents.ts';
import { StartError } from '../start-error.ts';
import { openConfiguredStore } from '../wiring/store.ts';
import { documentListOf, documentsOf } from '../wiring/upstreams.ts';

const USAGE = 'compare: there is one option, --remove <file with the ids of documents, one a line>.';
/** Timeout of one call to the document store in milliseconds. */
const CALL_TIMEOUT = 60_000;

/**
 * Prints the documents that only the service's own store or only the document store has, and those of requests that are
 * gone. Sets exit code 1 when there are any. With `--remove <file>` it instead gives the documents whose ids are in the
 * file to the sweeper (a background job), which deletes them. It then throws a `StartError`, and changes nothing, when
 * something in the service's own store refers to one of them.
 */
export async function compareStores(config: Config, words: readonly string[]): Promise<void> {
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

/** Returns the ids in a file, without duplicates: the first word of each line that is not empty. */
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
