import { sql } from 'kysely';
import type { DocumentIndex, DocumentUse } from '../../../src/ports/inventory.ts';
import { inListOf } from '../claims.ts';
import type { StoreConnections } from '../database/sqlite.ts';
import { isUnmentioned } from './leftovers.ts';

const BATCH_SIZE = 500;

/** SQL condition on an upload that is true when it is linked, and only to applications that are not in the store. */
const isStranded = sql<boolean>`(links <> '' and not exists (
  select 1 from applications
  where applications.owner = uploads.owner and uploads.links like '%|' || applications.id || '|%'))`;

/**
 * Returns the part of the store that lists the documents that the store knows. Its method `discard` adds documents that
 * the store does not know to `leftovers` (documents to be deleted).
 */
export const documentIndex = ({ durable, atStore }: StoreConnections): DocumentIndex => ({
  async *all() {
    const uploads = (last: string) =>
      durable
        .selectFrom('uploads')
        .select(['documentId', 'key', 'state', isStranded.as('stranded')])
        .where('documentId', '>', last)
        .orderBy('documentId')
        .limit(BATCH_SIZE)
        .execute();
    for await (const rows of batches(uploads))
      yield rows.map(({ documentId, key, state, stranded }) => ({
        documentId,
        key: state === 'uploaded' ? key : null,
        isStranded: Boolean(stranded),
      }));
    const leftovers = (last: string) =>
      durable
        .selectFrom('leftovers')
        .select('documentId')
        .where('documentId', '>', last)
        .orderBy('documentId')
        .limit(BATCH_SIZE)
        .execute();
    for await (const rows of batches(leftovers))
      yield rows.map(({ documentId }) => ({ documentId, key: null, isStranded: false }));
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
      await sql`insert into leftovers ("documentId", key, since) select ${documentId}, ${key}, ${atStore(Date.now())}
        where not exists (select 1 from uploads where "documentId" = ${documentId})
        on conflict do nothing`.execute(durable);
    }
  },

  async release(documentIds) {
    for (const documentId of documentIds)
      await durable
        .updateTable('uploads')
        .set({ links: '' })
        .where('documentId', '=', documentId)
        .where(isStranded)
        .execute();
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
