import { sql } from 'kysely';
import type { ApplicationStore } from '../../../src/ports/store/applications.ts';
import { isFree } from '../claims.ts';
import type { StoreConnections } from '../database/sqlite.ts';
import { SUMMARY_COLUMNS, toApplication, toRow, toSummary } from '../map.ts';
import { dropDocument } from './document-ids.ts';
import { draftSaver, hasVersionIn, versionText } from './drafts.ts';
import { type SubmissionMethods, submissionMethods } from './submissions.ts';
import { reasonFinder } from './unchanged.ts';

/**
 * Returns the store of applications. Most changes are one SQL statement that also checks the condition of the change,
 * so that concurrent requests do not overwrite each other's changes.
 */
export const applicationStore = (connections: StoreConnections): ApplicationStore => ({
  ...draftMethods(connections),
  ...submissionMethods(connections),
});

function draftMethods(connections: StoreConnections): Omit<ApplicationStore, keyof SubmissionMethods> {
  const { relaxed, durable, atStore, serialized } = connections;
  const now = () => atStore(Date.now());
  const findReason = reasonFinder(connections);
  const summary = () => [...SUMMARY_COLUMNS, now().as('now')] as const;
  const save = draftSaver(connections);

  return {
    async list(owner) {
      const rows = await relaxed
        .selectFrom('applications')
        .select(summary())
        .where('owner', '=', owner)
        .orderBy('updatedAt', 'desc')
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toSummary);
    },

    async open(owner) {
      const rows = await relaxed
        .selectFrom('applications')
        .select(summary())
        .where('owner', '=', owner)
        .where((where) =>
          where.or([where('tag', 'in', ['Pending', 'InBehandeling']), where('sentKey', 'is not', null)]),
        )
        .where('tag', 'in', ['Concept', 'Pending', 'InBehandeling'])
        .execute();
      return rows.map(toSummary);
    },

    async find(owner, id) {
      const row = await relaxed
        .selectFrom('applications')
        .select([...summary(), 'draft'])
        .where('id', '=', id)
        .where('owner', '=', owner)
        .executeTakeFirst();
      return row === undefined ? null : toApplication(row);
    },

    add: (application, max = Number.POSITIVE_INFINITY) =>
      serialized(`concepts|${application.owner}`, async (db) => {
        const added = await db
          .insertInto('applications')
          .values(toRow(application, 'Concept'))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning([...summary(), 'draft'])
          .executeTakeFirst();
        if (added === undefined) {
          const existing = db.selectFrom('applications').select([...summary(), 'draft']);
          return toApplication(await existing.where('id', '=', application.id).executeTakeFirstOrThrow());
        }
        const { concepts } = await db
          .selectFrom('applications')
          .select(({ fn }) => fn.countAll().as('concepts'))
          .where('owner', '=', application.owner)
          .where('tag', '=', 'Concept')
          .executeTakeFirstOrThrow();
        if (Number(concepts) <= max) return toApplication(added);
        await db.deleteFrom('applications').where('id', '=', application.id).execute();
        return null;
      }),

    async sync(owner, id, { documentIds, ...content }, updatedAt, ifVersions) {
      const draft = { ...content, owner, id, updatedAt, documentIds: JSON.stringify(documentIds) };
      const version = await save(draft, ifVersions);
      return version ?? findReason(owner, id, ifVersions);
    },

    dropDocument: (owner, documentId) => dropDocument(durable, owner, documentId),

    async remove(owner, id, ifVersions) {
      const removed = await relaxed
        .deleteFrom('applications')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('tag', '=', 'Concept')
        .where('sentKey', 'is', null)
        .where(isFree(now()))
        .$if(ifVersions !== undefined, (query) => query.where(hasVersionIn(versionText(ifVersions ?? []))))
        .returning('documentIds')
        .executeTakeFirst();
      return removed === undefined ? findReason(owner, id, ifVersions) : JSON.parse(removed.documentIds);
    },

    async decide(id, { tag, reden, at }) {
      await durable
        .updateTable('applications')
        .set({ tag, reden, updatedAt: at, version: sql`version + 1`, slot: null })
        .where('id', '=', id)
        .where('tag', '=', 'InBehandeling')
        .execute();
    },
  };
}
