import { type ExpressionBuilder, sql } from 'kysely';
import type { ApplicationStore, Unchanged } from '../../src/ports/store.ts';
import { SUMMARY, toApplication, toRow, toSummary } from './map.ts';
import type { Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';

type Where = ExpressionBuilder<Tables, 'applications'>;

const slotOf = (owner: string, type: string): string => `${owner}|${type}`;

export function applicationStore({ swift, sure }: Connections): ApplicationStore {
  const isFree = (now: number) => (where: Where) =>
    where.or([where('claim', 'is', null), where('claimedUntil', '<=', now)]);

  /**
   * Why a conditional change met nothing, read after the fact. A Concept that is free by now was busy then: try again.
   */
  async function whyNot(owner: string, id: string, ifVersion?: number): Promise<Unchanged> {
    const row = await swift
      .selectFrom('applications')
      .select(['tag', 'version'])
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (row === undefined || row.tag === 'Pending') return 'absent';
    if (row.tag !== 'Concept') return 'submitted';
    return ifVersion !== undefined && row.version !== ifVersion ? 'stale' : 'busy';
  }

  /** A place that a dead submit left taken. What it sent, if anything, is found when the register is asked. */
  const freeSlot = (slot: string) =>
    sure
      .updateTable('applications')
      .set({ slot: null })
      .where('slot', '=', slot)
      .where('tag', 'in', ['Concept', 'Pending'])
      .where(isFree(Date.now()))
      .execute();

  return {
    async list(owner) {
      const now = Date.now();
      const rows = await swift
        .selectFrom('applications')
        .select(SUMMARY)
        .where('owner', '=', owner)
        .orderBy('updatedAt', 'desc')
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .execute();
      return rows.map((row) => toSummary(row, now));
    },

    async find(owner, id) {
      const row = await swift
        .selectFrom('applications')
        .select([...SUMMARY, 'draft'])
        .where('id', '=', id)
        .where('owner', '=', owner)
        .executeTakeFirst();
      return row === undefined ? null : toApplication(row, Date.now());
    },

    async add(application) {
      await swift
        .insertInto('applications')
        .values(toRow(application, 'Concept'))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },

    async addPending(application, sending, until) {
      const slot = slotOf(application.owner, application.type);
      await freeSlot(slot);
      const row = { ...toRow(application, 'Pending'), ...sending, slot, claim: application.id, claimedUntil: until };
      const added = await sure
        .insertInto('applications')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return Number(added.numInsertedOrUpdatedRows ?? 0) === 1;
    },

    async sync(owner, id, content, at, ifVersion) {
      const now = Date.now();
      const saved = await swift
        .updateTable('applications')
        .set({
          draft: content.draft,
          stepIndex: content.stepIndex,
          stepCount: content.stepCount,
          documentIds: JSON.stringify(content.documentIds),
          updatedAt: at,
          version: sql`version + 1`,
        })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('tag', '=', 'Concept')
        .where(isFree(now))
        .$if(ifVersion !== undefined, (query) => query.where('version', '=', ifVersion ?? 0))
        .returning('version')
        .executeTakeFirst();
      return saved?.version ?? whyNot(owner, id, ifVersion);
    },

    async remove(owner, id) {
      const now = Date.now();
      const removed = await swift
        .deleteFrom('applications')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('tag', '=', 'Concept')
        .where(isFree(now))
        .executeTakeFirst();
      return Number(removed.numDeletedRows) === 1 ? 'removed' : whyNot(owner, id);
    },

    async claim(owner, id, token, until) {
      const now = Date.now();
      const row = await swift
        .updateTable('applications')
        .set({ claim: token, claimedUntil: until })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('tag', '=', 'Concept')
        .where(isFree(now))
        .returning([...SUMMARY, 'draft'])
        .executeTakeFirst();
      return row === undefined ? whyNot(owner, id) : toApplication(row, now);
    },

    async send(id, token, sending) {
      const row = await swift
        .selectFrom('applications')
        .select(['owner', 'type'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return false;
      const slot = slotOf(row.owner, row.type);
      await freeSlot(slot);
      try {
        const sent = await sure
          .updateTable('applications')
          .set({ ...sending, slot })
          .where('id', '=', id)
          .where('claim', '=', token)
          .where('tag', '=', 'Concept')
          .executeTakeFirst();
        return Number(sent.numUpdatedRows) === 1;
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
    },

    async release(id, undone) {
      if (undone) await sure.deleteFrom('applications').where('id', '=', id).where('tag', '=', 'Pending').execute();
      await swift
        .updateTable('applications')
        .set({ claim: null, claimedUntil: null, ...(undone && { slot: null, sentKey: null, sentHash: null }) })
        .where('id', '=', id)
        .where('tag', 'in', ['Concept', 'Pending'])
        .execute();
    },

    async settle(id, { referentie, manual, at }) {
      const settled = await sure
        .updateTable('applications')
        .set({
          tag: 'InBehandeling',
          referentie,
          manual: manual ? 1 : 0,
          submittedAt: at,
          updatedAt: at,
          version: sql`version + 1`,
          claim: null,
          claimedUntil: null,
        })
        .where('id', '=', id)
        .where('tag', 'in', ['Concept', 'Pending'])
        .executeTakeFirst();
      return Number(settled.numUpdatedRows) === 1;
    },

    async decide(id, { tag, reden, at }) {
      await sure
        .updateTable('applications')
        .set({ tag, reden, updatedAt: at, version: sql`version + 1`, slot: null })
        .where('id', '=', id)
        .where('tag', '=', 'InBehandeling')
        .execute();
    },
  };
}

/** A unique column already has that value: SQLite's extended code, PostgreSQL's SQLSTATE. */
function isTaken(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === 2067 || code === '23505';
}
