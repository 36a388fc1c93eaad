import { type ExpressionBuilder, sql } from 'kysely';
import type { Leftover, UploadStore } from '../../src/ports/uploads.ts';
import { askable, isFree, UNCLAIMED } from './claims.ts';
import type { Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';

type Where = ExpressionBuilder<Tables, 'uploads'>;
type Condition = (where: Where) => ReturnType<Where['and']>;

/** No application of the owner mentions it. Ids are UUIDs, so that the text of a list can be searched for one. */
const isUnmentioned = sql<boolean>`not exists (
  select 1 from applications
  where applications.owner = uploads.owner and applications."documentIds" like '%"' || uploads."documentId" || '"%')`;

/** What belongs to nobody any more, and who of all processes looks after it. */
export function leaving({ swift, sure, at: atStore }: Connections) {
  const now = () => atStore(Date.now());

  /** From here on nobody can use them, and no process has to live for their removal. */
  async function mark(which: Condition): Promise<void> {
    await sure
      .updateTable('uploads')
      .set({ ...UNCLAIMED, state: 'deleting' })
      .where('state', '=', 'uploaded')
      .where('links', '=', '')
      .where(which)
      .execute();
  }

  /** A process that dies in between leaves something in the store of documents; the other way round it could take something out of use. */
  async function move(which: Condition): Promise<readonly Leftover[]> {
    const rows = await sure
      .deleteFrom('uploads')
      .where('state', 'in', ['deleting', 'pending'])
      .where(isFree(now()))
      .where(which)
      .returning(['documentId', 'key'])
      .execute();
    const leftovers = rows.map((row) => ({ ...row, since: Date.now() }));
    if (leftovers.length > 0) {
      await sure
        .insertInto('leftovers')
        .values(rows.map((row) => ({ ...row, since: now() })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    return leftovers;
  }

  const methods: Pick<UploadStore, 'abandon' | 'sweep' | 'removed' | 'lease'> = {
    async abandon(owner, documentIds) {
      const isMine: Condition = (where) =>
        where.and([where('owner', '=', owner), where('documentId', 'in', askable(documentIds))]);
      await mark((where) => where.and([isMine(where), isUnmentioned]));
      return move((where) => where.and([isMine(where), where('state', '=', 'deleting')]));
    },

    async sweep({ orphans, doubts }, most) {
      await mark((where) => where.and([where('createdAt', '<', orphans), isUnmentioned]));
      await move((where) => where('state', '=', 'deleting') as ReturnType<Where['and']>);
      await move((where) =>
        where.and([where('state', '=', 'pending'), where('createdAt', '<', Math.min(orphans, doubts))]),
      );
      await swift.deleteFrom('uploads').where('state', '=', 'rejected').where('createdAt', '<', orphans).execute();
      return (
        swift
          .selectFrom('leftovers')
          .selectAll()
          .where((where) => where.or([where('key', 'is not', null), where('since', '<', atStore(doubts))]))
          // Taken up again after all, under the same id.
          .where(sql<boolean>`not exists (select 1 from uploads where uploads."documentId" = leftovers."documentId")`)
          .orderBy('since')
          .limit(most)
          .execute()
      );
    },

    async removed(documentId) {
      await swift.deleteFrom('leftovers').where('documentId', '=', documentId).execute();
    },

    async lease(name, holder, until) {
      const held = await swift
        .insertInto('leases')
        .values({ name, holder, until: atStore(until) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, until: atStore(until) })
            .where((where) => where.or([where('leases.until', '<=', now()), where('leases.holder', '=', holder)])),
        )
        .returning('holder')
        .executeTakeFirst();
      return held !== undefined;
    },
  };
  return methods;
}
