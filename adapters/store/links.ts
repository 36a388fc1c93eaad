import { sql } from 'kysely';
import type { UploadStore } from '../../src/ports/uploads.ts';
import { askable, UNCLAIMED } from './claims.ts';
import { toUpload } from './map.ts';
import type { Connections } from './sqlite.ts';

/** One request among those that refer to a document, as it stands in the column `links`. */
const linkOf = (applicationId: string): string => `|${applicationId}|`;

/** Which requests refer to a document, and its removal, which none of them may do. Both are changes of the one row. */
export function linking({ sure, at: atStore }: Connections) {
  async function unlink(owner: string, applicationId: string, documentIds?: readonly string[]): Promise<void> {
    const link = linkOf(applicationId);
    await sure
      .updateTable('uploads')
      .set({ links: sql`replace(links, ${link}, '')` })
      .where('owner', '=', owner)
      .where('links', 'like', `%${link}%`)
      .$if(documentIds !== undefined, (query) => query.where('documentId', 'in', askable(documentIds ?? [])))
      .execute();
  }

  const methods: Pick<UploadStore, 'link' | 'unlink' | 'beginDelete' | 'endDelete' | 'cancelDelete'> = {
    async link(owner, documentIds, applicationId) {
      const wanted = [...new Set(documentIds)];
      if (wanted.length === 0) return true;
      const link = linkOf(applicationId);
      const before = await sure
        .selectFrom('uploads')
        .select('documentId')
        .where('owner', '=', owner)
        .where('links', 'like', `%${link}%`)
        .execute();
      const linked = await sure
        .updateTable('uploads')
        .set({ links: sql`case when links like ${`%${link}%`} then links else links || ${link} end` })
        .where('owner', '=', owner)
        .where('documentId', 'in', askable(wanted))
        .where('state', '=', 'uploaded')
        .executeTakeFirst();
      if (Number(linked.numUpdatedRows) === wanted.length) return true;
      // What it referred to already may be with the register: that stays.
      await unlink(
        owner,
        applicationId,
        wanted.filter((documentId) => !before.some((one) => one.documentId === documentId)),
      );
      return false;
    },

    unlink: (owner, applicationId) => unlink(owner, applicationId),

    async beginDelete(owner, documentId, { token, until }, even) {
      const row = await sure
        .updateTable('uploads')
        .set({ state: 'deleting', claim: token, claimedUntil: atStore(until) })
        .where('owner', '=', owner)
        .where('documentId', 'in', askable([documentId]))
        .where('state', '=', 'uploaded')
        .$if(even === undefined, (query) => query.where('links', '=', ''))
        .returningAll()
        .returning(atStore(Date.now()).as('now'))
        .executeTakeFirst();
      if (row !== undefined) return toUpload(row);
      const there = await sure
        .selectFrom('uploads')
        .select('links')
        .where('owner', '=', owner)
        .where('documentId', 'in', askable([documentId]))
        .where('state', '=', 'uploaded')
        .executeTakeFirst();
      return there === undefined || there.links === '' ? 'absent' : 'linked';
    },

    async endDelete(documentId, token) {
      await sure.deleteFrom('uploads').where('documentId', '=', documentId).where('claim', '=', token).execute();
    },

    async cancelDelete(documentId, token) {
      await sure
        .updateTable('uploads')
        .set({ ...UNCLAIMED, state: 'uploaded' })
        .where('documentId', '=', documentId)
        .where('claim', '=', token)
        .execute();
    },
  };
  return methods;
}
