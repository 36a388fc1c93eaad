import { type ExpressionBuilder, sql } from 'kysely';
import type { ApplicationStore, Claim, Unchanged } from '../../src/ports/store.ts';
import { APPLICATION_TYPES } from '../../src/wire/values.ts';
import { isFree, UNCLAIMED } from './claims.ts';
import { SUMMARY, toApplication, toRow, toSummary } from './map.ts';
import type { Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';

type Where = ExpressionBuilder<Tables, 'applications'>;

/** Unique over everybody: one request of a type on its way or under treatment for each owner. */
const slotOf = (owner: string, type: string): string => `${owner}|${type}`;

const claimOf = ({ token, until }: Claim) => ({ claim: token, claimedUntil: until });

export function applicationStore({ swift, sure }: Connections): ApplicationStore {
  /** Why a conditional change met nothing, read after the fact. A Concept that is free by now was busy then: try again. */
  async function whyNot(owner: string, id: string, ifVersions?: readonly number[]): Promise<Unchanged> {
    const row = await swift
      .selectFrom('applications')
      .select(['tag', 'version', 'sentKey', 'claim', 'claimedUntil'])
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (row === undefined || row.tag === 'Pending') return 'absent';
    if (row.tag !== 'Concept') return 'submitted';
    if (row.claim !== null && (row.claimedUntil ?? 0) > Date.now()) return 'busy';
    if (row.sentKey !== null) return 'in-doubt';
    return ifVersions !== undefined && !ifVersions.includes(row.version) ? 'stale' : 'busy';
  }

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

    async open(owner) {
      const now = Date.now();
      const rows = await swift
        .selectFrom('applications')
        .select(SUMMARY)
        .where(
          'slot',
          'in',
          APPLICATION_TYPES.map((type) => slotOf(owner, type)),
        )
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

    async addPending(application, { sentKey, sentHash }, claim) {
      const slot = slotOf(application.owner, application.type);
      const added = await sure
        .insertInto('applications')
        .values({ ...toRow(application, 'Pending'), sentKey, sentHash, sentAt: Date.now(), slot, ...claimOf(claim) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return Number(added.numInsertedOrUpdatedRows ?? 0) === 1;
    },

    async adopt(id, sentAt, { sentHash }, claim) {
      const now = Date.now();
      const adopted = await sure
        .updateTable('applications')
        .set({ ...claimOf(claim), sentAt: now, sentHash: mixed(sentHash) })
        .where('id', '=', id)
        .where('tag', '=', 'Pending')
        .where('sentAt', '=', sentAt)
        .where(isFree(now))
        .executeTakeFirst();
      return Number(adopted.numUpdatedRows) === 1;
    },

    async sync(owner, id, content, at, ifVersions) {
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
        .where('sentKey', 'is', null)
        .where(isFree(Date.now()))
        .$if(ifVersions !== undefined, (query) => query.where('version', 'in', [-1, ...(ifVersions ?? [])]))
        .returning('version')
        .executeTakeFirst();
      return saved?.version ?? whyNot(owner, id, ifVersions);
    },

    async remove(owner, id) {
      const removed = await swift
        .deleteFrom('applications')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('tag', '=', 'Concept')
        .where('sentKey', 'is', null)
        .where(isFree(Date.now()))
        .executeTakeFirst();
      return Number(removed.numDeletedRows) === 1 ? 'removed' : whyNot(owner, id);
    },

    async claim(owner, id, claim) {
      const now = Date.now();
      const row = await swift
        .updateTable('applications')
        .set(claimOf(claim))
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('tag', '=', 'Concept')
        .where(isFree(now))
        .returning([...SUMMARY, 'draft'])
        .executeTakeFirst();
      if (row !== undefined) return toApplication(row, now);
      const why = await whyNot(owner, id);
      return why === 'in-doubt' ? 'busy' : why;
    },

    async send(id, token, { sentKey, sentHash }, documentIds) {
      const row = await swift
        .selectFrom('applications')
        .select(['owner', 'type'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return false;
      try {
        const sent = await sure
          .updateTable('applications')
          .set({
            sentKey,
            sentHash: mixed(sentHash),
            sentAt: Date.now(),
            slot: slotOf(row.owner, row.type),
            documentIds: JSON.stringify(documentIds),
          })
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

    async release(id, token) {
      await swift
        .updateTable('applications')
        .set(UNCLAIMED)
        .where('id', '=', id)
        .where('claim', '=', token)
        .where('tag', 'in', ['Concept', 'Pending'])
        .execute();
    },

    async forget(id, known) {
      const mine = (where: Where) =>
        'token' in known
          ? where('claim', '=', known.token)
          : where.and([where('sentAt', '=', known.sentAt), isFree(Date.now())]);
      await sure.deleteFrom('applications').where('id', '=', id).where('tag', '=', 'Pending').where(mine).execute();
      await sure
        .updateTable('applications')
        .set({ ...UNCLAIMED, slot: null, sentKey: null, sentHash: null, sentAt: null })
        .where('id', '=', id)
        .where('tag', '=', 'Concept')
        .where(mine)
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
          ...UNCLAIMED,
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

/** Two contents under one key: nobody can tell which of them arrived. */
const mixed = (sentHash: string) =>
  sql<string>`case when "sentHash" is null or "sentHash" = ${sentHash} then ${sentHash} else 'mixed' end`;

/** A unique column already has that value: SQLite's extended code, PostgreSQL's SQLSTATE. */
function isTaken(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === 2067 || code === '23505';
}
