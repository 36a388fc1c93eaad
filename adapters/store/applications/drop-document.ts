import { sql } from 'kysely';
import type { StoreConnections } from '../database/sqlite.ts';

/** Removes the id of a deleted document from every application of its owner, in any state. */
export async function dropDocument(db: StoreConnections['durable'], owner: string, documentId: string): Promise<void> {
  const item = JSON.stringify(documentId);
  const list = sql.ref('documentIds');
  await db
    .updateTable('applications')
    .set({
      documentIds: sql`replace(replace(replace(${list}, ${`${item},`}, ''), ${`,${item}`}, ''), ${item}, '')`,
      version: sql`version + 1`,
    })
    .where('owner', '=', owner)
    .where('documentIds', 'like', `%${item}%`)
    .execute();
}
