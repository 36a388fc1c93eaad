import { type ExpressionBuilder, sql } from 'kysely';
import type { Leftover, UploadStore } from '../../../src/ports/store/uploads.ts';
import { dropDocument } from '../applications/document-ids.ts';
import { hasEnded, inListOf, isFree, UNCLAIMED } from '../claims.ts';
import type { Tables } from '../database/schema.ts';
import type { StoreConnections } from '../database/sqlite.ts';

type Where = ExpressionBuilder<Tables, 'uploads'>;
type Condition = (where: Where) => ReturnType<Where['and']>;

/** Maximum number of uploads that one transaction moves, because a statement can have only so many parameters. */
const BATCH_SIZE = 500;

/**
 * SQL condition on an upload that is true when no application of its owner refers to its document. Document ids are
 * UUIDs, so a text search in the JSON list of ids gives no false matches.
 */
export const isUnmentioned = sql<boolean>`not exists (
  select 1 from applications
  where applications.owner = uploads.owner and applications."documentIds" like '%"' || uploads."documentId" || '"%')`;

/**
 * Returns the store's methods for documents without an application, and `lease`, with which one process at a time does
 * a job.
 */
export function leftoverMethods({ relaxed, durable, atStore }: StoreConnections) {
  const now = () => atStore(Date.now());

  /**
   * Marks stored uploads that match `which` and are linked to no application as being deleted, so that they cannot be
   * used any more.
   */
  async function mark(which: Condition): Promise<void> {
    await durable
      .updateTable('uploads')
      .set({ ...UNCLAIMED, state: 'deleting' })
      .where('state', '=', 'uploaded')
      .where('links', '=', '')
      .where(which)
      .execute();
  }

  /**
   * Moves uploads that match `which` to the table `leftovers` (documents to be deleted), and returns them. It moves
   * only uploads that are being deleted or did not finish, and that have no valid claim (lock).
   */
  async function move(which: Condition): Promise<readonly Leftover[]> {
    const moved: Leftover[] = [];
    for (;;) {
      const batch = await moveBatch(which);
      moved.push(...batch);
      if (batch.length < BATCH_SIZE) return moved;
    }
  }

  /** Moves at most `BATCH_SIZE` uploads as `move` does, in one transaction: otherwise a failure could lose documents. */
  const moveBatch = (which: Condition): Promise<readonly Leftover[]> =>
    durable.transaction().execute(async (db) => {
      const isMovable: Condition = (where) =>
        where.and([where('state', 'in', ['deleting', 'pending']), isFree(now()), which(where)]);
      const rows = await db
        .deleteFrom('uploads')
        .where('documentId', 'in', (from) =>
          from.selectFrom('uploads').select('documentId').where(isMovable).limit(BATCH_SIZE),
        )
        // Again, because another transaction may have changed an upload since it was selected.
        .where(isMovable)
        .returning(['documentId', 'key'])
        .execute();
      if (rows.length > 0) {
        await db
          .insertInto('leftovers')
          .values(rows.map((row) => ({ ...row, since: now() })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      return rows;
    });

  /** Removes the documents of interrupted deletions from the applications that still list them. */
  async function dropInterrupted(): Promise<void> {
    const interrupted = await durable
      .selectFrom('uploads')
      .select(['owner', 'documentId'])
      .where('state', '=', 'deleting')
      .where(isFree(now()))
      .execute();
    for (const { owner, documentId } of interrupted) await dropDocument(durable, owner, documentId);
  }

  const methods: Pick<UploadStore, 'abandon' | 'sweep' | 'removed' | 'postpone' | 'lease'> = {
    async abandon(owner, documentIds) {
      const isMine: Condition = (where) =>
        where.and([where('owner', '=', owner), where('documentId', 'in', inListOf(documentIds))]);
      await mark((where) => where.and([isMine(where), isUnmentioned]));
      return move((where) => where.and([isMine(where), where('state', '=', 'deleting')]));
    },

    async sweep({ orphans, doubts }, max) {
      await dropInterrupted();
      await mark((where) => where.and([where('createdAt', '<', atStore(orphans)), isUnmentioned]));
      await move((where) => where('state', '=', 'deleting') as ReturnType<Where['and']>);
      await move((where) =>
        where.and([where('state', '=', 'pending'), where('createdAt', '<', atStore(Math.min(orphans, doubts)))]),
      );
      await relaxed
        .deleteFrom('uploads')
        .where('state', '=', 'rejected')
        .where('createdAt', '<', atStore(orphans))
        .execute();
      return (
        relaxed
          .selectFrom('leftovers')
          .select(['documentId', 'key'])
          .where((where) => where.or([where('key', 'is not', null), where('since', '<', atStore(doubts))]))
          // Skip an id that a later attempt uses again: its document is no longer left over.
          .where(sql<boolean>`not exists (select 1 from uploads where uploads."documentId" = leftovers."documentId")`)
          .orderBy('since')
          .limit(max)
          .execute()
      );
    },

    async removed(documentId) {
      await relaxed.deleteFrom('leftovers').where('documentId', '=', documentId).execute();
    },

    async postpone(documentId) {
      await relaxed.updateTable('leftovers').set({ since: now() }).where('documentId', '=', documentId).execute();
    },

    async lease(name, holder, until) {
      const held = await relaxed
        .insertInto('leases')
        .values({ name, holder, until: atStore(until) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, until: atStore(until) })
            .where((where) => where.or([hasEnded('leases.until', now()), where('leases.holder', '=', holder)])),
        )
        .returning('holder')
        .executeTakeFirst();
      return held !== undefined;
    },
  };
  return methods;
}
