import { type Kysely, sql } from 'kysely';
import type { NewApplication } from '../../../src/ports/store/applications.ts';
import type { UploadStore } from '../../../src/ports/store/uploads.ts';
import { inListOf, UNCLAIMED } from '../claims.ts';
import type { Tables } from '../database/schema.ts';
import type { StoreConnections } from '../database/sqlite.ts';
import { toUpload } from '../map.ts';

/** Returns the text in the column `links` of a document that means: this application refers to the document. */
const linkOf = (applicationId: string): string => `|${applicationId}|`;

/** Returns the ids of the documents of this owner that are linked to an application. */
export async function findLinkedDocuments(
  db: StoreConnections['durable'],
  owner: string,
  applicationId: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('documentId')
    .where('owner', '=', owner)
    .where('links', 'like', `%${linkOf(applicationId)}%`)
    .execute();
  return rows.map(({ documentId }) => documentId);
}

/**
 * Removes the links between an application and the documents of its owner. With `documentIds`, only those of these
 * documents.
 */
export async function unlink(
  db: Kysely<Tables>,
  owner: string,
  applicationId: string,
  documentIds?: readonly string[],
): Promise<void> {
  const link = linkOf(applicationId);
  await db
    .updateTable('uploads')
    .set({ links: sql`replace(links, ${link}, '')` })
    .where('owner', '=', owner)
    .where('links', 'like', `%${link}%`)
    .$if(documentIds !== undefined, (query) => query.where('documentId', 'in', inListOf(documentIds ?? [])))
    .execute();
}

/** Removes the links between an application and the documents of its owner that are not in its list of documents. */
export async function unlinkOthers(
  db: Kysely<Tables>,
  { owner, id, documentIds = [] }: Pick<NewApplication, 'owner' | 'id' | 'documentIds'>,
): Promise<void> {
  const linked = await findLinkedDocuments(db, owner, id);
  const others = linked.filter((documentId) => !documentIds.includes(documentId));
  await unlink(db, owner, id, others);
}

/**
 * Returns the store's methods that link documents to applications, and the methods that delete documents. A document
 * that is being deleted cannot be linked.
 */
export function linkMethods({ durable, atStore }: StoreConnections) {
  const methods: Pick<UploadStore, 'link' | 'beginDelete' | 'endDelete' | 'cancelDelete'> = {
    async link(owner, documentIds, applicationId) {
      const wanted = [...new Set(documentIds)];
      if (wanted.length === 0) return true;
      const link = linkOf(applicationId);
      const before = await findLinkedDocuments(durable, owner, applicationId);
      const linked = await durable
        .updateTable('uploads')
        .set({ links: sql`case when links like ${`%${link}%`} then links else links || ${link} end` })
        .where('owner', '=', owner)
        .where('documentId', 'in', inListOf(wanted))
        .where('state', '=', 'uploaded')
        .executeTakeFirst();
      if (Number(linked.numUpdatedRows) === wanted.length) return true;
      // Keep earlier links of this application: the register may have received them.
      await unlink(
        durable,
        owner,
        applicationId,
        wanted.filter((documentId) => !before.includes(documentId)),
      );
      return false;
    },

    async beginDelete(owner, documentId, { token, until }, evenIfLinked) {
      const row = await durable
        .updateTable('uploads')
        .set({ state: 'deleting', claim: token, claimedUntil: atStore(until) })
        .where('owner', '=', owner)
        .where('documentId', 'in', inListOf([documentId]))
        .where('state', '=', 'uploaded')
        .$if(evenIfLinked === undefined, (query) => query.where('links', '=', ''))
        .returningAll()
        .returning(atStore(Date.now()).as('now'))
        .executeTakeFirst();
      if (row !== undefined) return toUpload(row);
      const existing = await durable
        .selectFrom('uploads')
        .select('links')
        .where('owner', '=', owner)
        .where('documentId', 'in', inListOf([documentId]))
        .where('state', '=', 'uploaded')
        .executeTakeFirst();
      return existing === undefined || existing.links === '' ? 'absent' : 'linked';
    },

    async endDelete(documentId, token) {
      await durable.deleteFrom('uploads').where('documentId', '=', documentId).where('claim', '=', token).execute();
    },

    async cancelDelete(documentId, token) {
      await durable
        .updateTable('uploads')
        .set({ ...UNCLAIMED, state: 'uploaded' })
        .where('documentId', '=', documentId)
        .where('claim', '=', token)
        .execute();
    },
  };
  return methods;
}
