import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { NO_FILE, type Upload, type UploadKey, type UploadStore } from '../../../src/ports/store/uploads.ts';
import { inListOf, isFree, UNCLAIMED } from '../claims.ts';
import type { Tables } from '../database/schema.ts';
import type { StoreConnections } from '../database/sqlite.ts';
import { toUpload } from '../map.ts';
import { leftoverMethods } from './leftovers.ts';
import { linkMethods } from './links.ts';

type Where = ExpressionBuilder<Tables, 'uploads'>;

/** The column values of an upload without a file. */
const EMPTY = { ...NO_FILE, state: 'pending', links: '', perhapsStored: 0 } as const;

/** Returns the store of uploads, from the start of an upload until its document is deleted. */
export const uploadStore = (connections: StoreConnections): UploadStore => ({
  ...readMethods(connections),
  ...receiveMethods(connections),
  ...linkMethods(connections),
  ...leftoverMethods(connections),
});

/** The part of an upload that says whether an earlier attempt may have stored its document. */
type EarlierAttempt = Pick<Tables['uploads'], 'documentId' | 'perhapsStored'>;
type Receiving = Pick<UploadStore, 'claim' | 'renew' | 'receive' | 'settle' | 'reject' | 'release'>;
type Reading = Pick<UploadStore, 'list' | 'named' | 'find'>;

/** Returns the store's methods that read uploads. */
function readMethods({ relaxed, atStore }: StoreConnections): Reading {
  const read = () => atStore(Date.now()).as('now');
  return {
    async list(owner, localIds) {
      const rows = await relaxed
        .selectFrom('uploads')
        .selectAll()
        .select(read())
        .where('owner', '=', owner)
        .$if(localIds !== undefined, (query) => query.where('localId', 'in', inListOf(localIds ?? [])))
        .orderBy('createdAt', 'desc')
        .orderBy('localId')
        .orderBy('documentId')
        .execute();
      return rows.map(toUpload);
    },

    async named(owner, documentIds) {
      const rows = await relaxed
        .selectFrom('uploads')
        .selectAll()
        .select(read())
        .where('owner', '=', owner)
        .where('documentId', 'in', inListOf(documentIds))
        .execute();
      return rows.map(toUpload);
    },

    async find(documentId, workspace): Promise<Upload | null> {
      const row = await relaxed
        .selectFrom('uploads')
        .selectAll()
        .select(read())
        .where('documentId', 'in', inListOf([documentId]))
        .where('workspace', '=', workspace)
        .executeTakeFirst();
      return row === undefined ? null : toUpload(row);
    },
  };
}

/**
 * Returns the store's methods for receiving a file: from the claim (the lock of the request that receives it) until the
 * document is stored.
 */
function receiveMethods({ relaxed, durable, serialized, atStore }: StoreConnections): Receiving {
  const now = () => atStore(Date.now());
  const read = () => now().as('now');
  const is =
    ({ owner, wizardId, localId }: UploadKey, token?: string) =>
    (where: Where) =>
      where.and({ owner, wizardId, localId, ...(token !== undefined && { claim: token }) });

  const find = (name: UploadKey) =>
    relaxed.selectFrom('uploads').selectAll().select(read()).where(is(name)).executeTakeFirst();

  /**
   * Adds the document of an earlier attempt to the leftovers (documents to be deleted) when it may be in the document
   * store. Call it in the transaction that removes the id of that document from its upload: otherwise a failure could
   * lose the document.
   */
  async function recordLeftover(db: Kysely<Tables>, earlier: EarlierAttempt | undefined): Promise<void> {
    if (earlier?.perhapsStored !== 1) return;
    await db
      .insertInto('leftovers')
      .values({ documentId: earlier.documentId, key: null, since: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  return {
    async claim(name, { workspace, categoryId, documentId }, { token, until }, at) {
      const claimed = { claim: token, claimedUntil: atStore(until) };
      const [added] = await relaxed
        .insertInto('uploads')
        .values({ ...name, ...EMPTY, ...claimed, workspace, categoryId, documentId, createdAt: atStore(at) })
        .onConflict((conflict) => conflict.columns(['owner', 'wizardId', 'localId']).doNothing())
        .returningAll()
        .returning(read())
        .execute();
      if (added !== undefined) return toUpload(added);
      const existing = await find(name);
      if (existing === undefined || existing.state === 'uploaded') return existing ? toUpload(existing) : null;
      const taken = await relaxed
        .updateTable('uploads')
        .set({ ...claimed, workspace, categoryId, createdAt: atStore(at), state: 'pending' })
        .where(is(name))
        .where('state', '=', existing.state)
        .where('state', 'in', ['pending', 'rejected'])
        .where(isFree(now()))
        .executeTakeFirst();
      return Number(taken.numUpdatedRows) === 1 ? toUpload({ ...existing, workspace, categoryId }) : null;
    },

    async renew(name, token, until) {
      const renewed = await relaxed
        .updateTable('uploads')
        .set({ claimedUntil: atStore(until) })
        .where(is(name, token))
        .executeTakeFirst();
      return Number(renewed.numUpdatedRows) === 1;
    },

    async receive(name, token, file, quota) {
      // The row is claimed, so no other request changes it meanwhile.
      const earlier = await find(name);
      const { owner, wizardId, localId } = name;
      const others = sql`from uploads as others where others.owner = ${owner} and others."wizardId" = ${wizardId}
        and others."localId" <> ${localId} and others.links = '' and others.omvang is not null
        and (others.state = 'uploaded' or others.state = 'pending' and others."claimedUntil" > ${now()})`;
      // Serialized: otherwise two uploads at the same time do not count each other, and both fit in the quota.
      const isReceived = await serialized(`uploads of ${owner} in ${wizardId}`, async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('uploads')
          .set({ ...file, perhapsStored: 1 })
          .where(is(name, token))
          .where(sql<boolean>`(select count(*) ${others}) < ${quota.documents}`)
          .where(sql<boolean>`(select coalesce(sum(omvang), 0) ${others}) + ${file.omvang} <= ${quota.bytes}`)
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) return false;
        if (earlier?.documentId !== file.documentId) await recordLeftover(db, earlier);
        return true;
      });
      if (isReceived) return 'received';
      return (await find(name))?.claim === token ? 'quota' : 'lapsed';
    },

    async settle(name, token, key) {
      const settled = await durable
        .updateTable('uploads')
        .set({ ...UNCLAIMED, state: 'uploaded', key, perhapsStored: 0 })
        .where(is(name, token))
        .executeTakeFirst();
      return Number(settled.numUpdatedRows) === 1;
    },

    async reject(name, token) {
      const earlier = await find(name);
      await durable.transaction().execute(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('uploads')
          .set({ ...EMPTY, ...UNCLAIMED, state: 'rejected' })
          .where(is(name, token))
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 1) await recordLeftover(db, earlier);
      });
    },

    async release(name, token, how) {
      if (how === 'unreceived')
        await relaxed.deleteFrom('uploads').where(is(name, token)).where('perhapsStored', '=', 0).execute();
      await relaxed.updateTable('uploads').set(UNCLAIMED).where(is(name, token)).execute();
    },
  };
}
