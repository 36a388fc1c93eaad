import { sql } from 'kysely';
import type { DocumentIndex, DocumentUse } from '../../../src/ports/inventory.ts';
import { inListOf } from '../claims.ts';
import type { StoreConnections } from '../database/sqlite.ts';
import { isUnmentioned } from './leftovers.ts';

const BATCH_SIZE = 500;

/**
 * Returns the part of the store that lists the documents that the store knows. Its method `discard` adds documents that
 * the store does not know to `leftovers` (documents to be deleted).
 */
export const documentIndex = ({ durable, at }: StoreConnections): DocumentIndex => ({
  async *all() {
    const uploads = (last: string) =>
      durable
        .selectFrom('uploads')
        .select(['documentId', 'key', 'state'])
        .where('documentId', '>', last)
        .orderBy('documentId')
        .limit(BATCH_SIZE)
        .execute();
    for await (const rows of batches(uploads))
      yield rows.map(({ documentId, key, state }) => ({ documentId, key: state === 'uploaded' ? key : null }));
    const leftovers = (last: string) =>
      durable
        .selectFrom('leftovers')
        .select('documentId')
        .where('documentId', '>', last)
        .orderBy('documentId')
        .limit(BATCH_SIZE)
        .execute();
    for await (const rows of batches(leftovers)) yield rows.map(({ documentId }) => ({ documentId, key: null }));
  },

  async usesOf(documentIds) {
    const uses = new Map<string, DocumentUse>();
    for (let from = 0; from < documentIds.length; from += BATCH_SIZE) {
      const rows = await durable
        .selectFrom('uploads')
        .select(['documentId', 'links', isUnmentioned.as('unmentioned')])
        .where('state', '=', 'uploaded')
        .where('documentId', 'in', inListOf(documentIds.slice(from, from + BATCH_SIZE)))
        .execute();
      for (const { documentId, links, unmentioned } of rows)
        uses.set(documentId, links !== '' ? 'request' : unmentioned ? 'nothing' : 'concept');
    }
    return uses;
  },

  async discard(documents) {
    for (const { documentId, key } of documents) {
      await sql`insert into leftovers ("documentId", key, since) select ${documentId}, ${key}, ${at(Date.now())}
        where not exists (select 1 from uploads where "documentId" = ${documentId})
        on conflict do nothing`.execute(durable);
    }
  },
});

/**
 * Yields all rows in batches. `read` returns the rows whose document id comes after a given id, in the order of their
 * ids.
 */
async function* batches<Row extends { readonly documentId: string }>(
  read: (last: string) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: string | undefined = '';
  while (last !== undefined) {
    const rows: readonly Row[] = await read(last);
    yield rows;
    last = rows.at(-1)?.documentId;
  }
}
