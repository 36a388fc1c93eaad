import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { ApplicationStore } from '../../../src/ports/store/applications.ts';
import type { Claim } from '../../../src/ports/store/claim.ts';
import { isFree, UNCLAIMED } from '../claims.ts';
import type { Tables } from '../database/schema.ts';
import type { StoreConnections } from '../database/sqlite.ts';
import { SUMMARY_COLUMNS, toApplication, toRow } from '../map.ts';
import { unlink, unlinkOthers } from '../uploads/links.ts';
import { findUnlinkedDocuments, withoutDocuments } from './document-ids.ts';
import { reasonFinder } from './unchanged.ts';

type Where = ExpressionBuilder<Tables, 'applications'>;

/**
 * The store's methods that claim an application (lock it for a limited time) to submit it, and that record how it is
 * sent to the register.
 */
export type SubmissionMethods = Pick<
  ApplicationStore,
  'addPending' | 'adopt' | 'claim' | 'send' | 'release' | 'forget' | 'settle'
>;

/**
 * Returns the value of the unique column `slot`. An owner can have only one application with this value: one that is
 * being sent, in doubt (sent, not confirmed) or in progress.
 *
 * @param about - the registration that the application is about, when an owner can have one for each
 */
const slotOf = (owner: string, type: string, about: string | null = null): string =>
  [owner, type, ...(about === null ? [] : [about])].join('|');

/**
 * Returns true when the owner has a request of this type in progress that has no slot, because it was restored while
 * another one had the slot.
 */
const hasRequestWithoutSlot = async (db: Kysely<Tables>, owner: string, type: string): Promise<boolean> =>
  (await db
    .selectFrom('applications')
    .select('id')
    .where('owner', '=', owner)
    .where('type', '=', type)
    .where('tag', '=', 'InBehandeling')
    .where('slot', 'is', null)
    .executeTakeFirst()) !== undefined;

/**
 * Returns the store's methods that claim an application (lock it for a limited time) to submit it, and that record how
 * it is sent to the register.
 */
export const submissionMethods = (connections: StoreConnections): SubmissionMethods => ({
  ...claimMethods(connections),
  ...sendMethods(connections),
});

/** Returns the store's methods that claim an application (lock it for a limited time), and that release it. */
function claimMethods(
  connections: StoreConnections,
): Pick<SubmissionMethods, 'addPending' | 'adopt' | 'claim' | 'release'> {
  const { relaxed, durable, atStore } = connections;
  const now = () => atStore(Date.now());
  const claimOf = ({ token, until }: Claim) => ({ claim: token, claimedUntil: atStore(until) });
  const findReason = reasonFinder(connections);

  return {
    async addPending(application, { sentKey, sentHash, about }, claim) {
      if (await hasRequestWithoutSlot(relaxed, application.owner, application.type)) return false;
      const slot = slotOf(application.owner, application.type, about);
      const added = await durable
        .insertInto('applications')
        .values({ ...toRow(application, 'Pending'), sentKey, sentHash, sentAt: now(), slot, ...claimOf(claim) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return Number(added.numInsertedOrUpdatedRows ?? 0) === 1;
    },

    async adopt(id, sentAt, { sentHash }, claim, documentIds) {
      const sending = { sentAt: now(), sentHash: nextSentHash(sentHash), documentIds: JSON.stringify(documentIds) };
      const adopted = await durable
        .updateTable('applications')
        .set({ ...claimOf(claim), ...sending })
        .where('id', '=', id)
        .where('tag', '=', 'Pending')
        .where('sentAt', '=', sentAt)
        .where(isFree(now()))
        .executeTakeFirst();
      return Number(adopted.numUpdatedRows) === 1;
    },

    async claim(owner, id, claim) {
      const row = await relaxed
        .updateTable('applications')
        .set(claimOf(claim))
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('tag', '=', 'Concept')
        .where(isFree(now()))
        .returning([...SUMMARY_COLUMNS, now().as('now'), 'draft'])
        .executeTakeFirst();
      if (row !== undefined) return toApplication(row);
      const why = await findReason(owner, id);
      return why === 'in-doubt' ? 'busy' : why;
    },

    async release(id, token) {
      await relaxed
        .updateTable('applications')
        .set(UNCLAIMED)
        .where('id', '=', id)
        .where('claim', '=', token)
        .where('tag', 'in', ['Concept', 'Pending'])
        .execute();
    },
  };
}

/** Returns the store's methods that record that an application is sent, was not sent, or was confirmed. */
function sendMethods({
  relaxed,
  durable,
  atStore,
}: StoreConnections): Pick<SubmissionMethods, 'send' | 'forget' | 'settle'> {
  const now = () => atStore(Date.now());

  return {
    async send(id, token, { sentKey, sentHash, about }, documentIds) {
      const row = await relaxed
        .selectFrom('applications')
        .select(['owner', 'type'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined || (await hasRequestWithoutSlot(relaxed, row.owner, row.type))) return false;
      try {
        const sent = await durable
          .updateTable('applications')
          .set({
            sentKey,
            sentHash: nextSentHash(sentHash),
            sentAt: now(),
            slot: slotOf(row.owner, row.type, about),
            documentIds: JSON.stringify(documentIds),
          })
          .where('id', '=', id)
          .where('claim', '=', token)
          .where('tag', '=', 'Concept')
          .executeTakeFirst();
        return Number(sent.numUpdatedRows) === 1;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    async forget(id, known) {
      const mine = (where: Where) =>
        'token' in known
          ? where('claim', '=', known.token)
          : where.and([
              where('sentAt', '=', known.sentAt),
              where('sentAt', '<=', atStore(Date.now() - (known.silentFor ?? 0))),
              isFree(now()),
            ]);
      // In one transaction: the link of an application that is gone would keep its document from being deleted for good.
      return durable.transaction().execute(async (db) => {
        const removed = await db
          .deleteFrom('applications')
          .where('id', '=', id)
          .where('tag', '=', 'Pending')
          .where(mine)
          .returning('owner')
          .execute();
        const undone = await db
          .updateTable('applications')
          .set({ ...UNCLAIMED, slot: null, sentKey: null, sentHash: null, sentAt: null })
          .where('id', '=', id)
          .where('tag', '=', 'Concept')
          .where(mine)
          .returning('owner')
          .execute();
        const [changed] = [...removed, ...undone];
        if (changed !== undefined) await unlink(db, changed.owner, id);
        return changed !== undefined;
      });
    },

    async settle(id, { referentie, manual, at }, sent) {
      const settled = {
        tag: 'InBehandeling',
        referentie,
        manual: manual ? 1 : 0,
        submittedAt: at,
        updatedAt: at,
        ...UNCLAIMED,
      };
      if (sent?.isOnly) await unlinkOthers(durable, sent.application);
      const documentIds = withoutDocuments(await findUnlinkedDocuments(durable, id));
      const changed = await durable
        .updateTable('applications')
        .set({ ...settled, documentIds, version: sql`version + 1` })
        .$if(sent !== undefined, (query) =>
          query.set({
            sentKey: sql`coalesce("sentKey", ${sent?.sending.sentKey})`,
            sentHash: sql`coalesce("sentHash", ${sent?.sending.sentHash})`,
          }),
        )
        .where('id', '=', id)
        .where('tag', 'in', ['Concept', 'Pending'])
        .executeTakeFirst();
      if (Number(changed.numUpdatedRows) === 1) return true;
      if (sent === undefined) return false;
      const { application } = sent;
      const { about, ...sending } = sent.sending;
      const restore = async (slot: string | null) => {
        const restored = await durable
          .insertInto('applications')
          .values({ ...toRow(application, 'Pending'), ...settled, ...sending, slot })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst();
        return Number(restored.numInsertedOrUpdatedRows ?? 0) === 1;
      };
      try {
        return await restore(slotOf(application.owner, application.type, about));
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        // The owner has another open application of this type by now. The register has both.
        return restore(null);
      }
    },
  };
}

/**
 * Returns SQL for the new value of the column `sentHash`: the given hash or, when the row already has another hash, the
 * text `mixed`. `mixed` means that the register may have received different contents under the same idempotency key.
 */
const nextSentHash = (sentHash: string) =>
  sql<string>`case when "sentHash" is null or "sentHash" = ${sentHash} then ${sentHash} else 'mixed' end`;

/**
 * Returns true when an error is a violation of a unique constraint. SQLite reports it with an extended result code,
 * PostgreSQL with an SQLSTATE.
 */
function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === 2067 || code === '23505';
}
