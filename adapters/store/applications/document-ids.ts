import { type RawBuilder, sql } from 'kysely';
import type { StoreConnections } from '../database/sqlite.ts';
import { findLinkedDocuments } from '../uploads/links.ts';

type Database = StoreConnections['durable'];

/** Removes the id of a deleted document from every application of its owner, in any state. */
export async function dropDocument(db: Database, owner: string, documentId: string): Promise<void> {
  await db
    .updateTable('applications')
    .set({ documentIds: withoutDocuments([documentId]), version: sql`version + 1` })
    .where('owner', '=', owner)
    .where('documentIds', 'like', `%${JSON.stringify(documentId)}%`)
    .execute();
}

/**
 * Returns SQL for the value of the column `documentIds` without these ids. The database computes it from the current
 * value, so that a concurrent change of the list is not lost.
 */
export const withoutDocuments = (documentIds: readonly string[]): RawBuilder<string> =>
  documentIds.reduce<RawBuilder<string>>((list, documentId) => {
    const item = JSON.stringify(documentId);
    return sql`replace(replace(replace(${list}, ${`${item},`}, ''), ${`,${item}`}, ''), ${item}, '')`;
  }, sql.ref('documentIds'));

/** Returns the ids in the list of an application of documents that are not linked to it (`UploadStore.link`). */
export async function findUnlinkedDocuments(db: Database, id: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('applications')
    .select(['owner', 'documentIds'])
    .where('id', '=', id)
    .executeTakeFirst();
  const listed: readonly string[] = JSON.parse(row?.documentIds ?? '[]');
  if (row === undefined || listed.length === 0) return [];
  const linked = await findLinkedDocuments(db, row.owner, id);
  return listed.filter((documentId) => !linked.includes(documentId));
}
