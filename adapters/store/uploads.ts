import { type ExpressionBuilder, type Kysely, type Selectable, sql, type UpdateObject } from 'kysely';
import { isClaimed } from '../../src/ports/store/claim.ts';
import {
  type Leftover,
  type LeftoverStore,
  NO_FILE,
  type StoredUploadState,
  type Upload,
  type UploadKey,
  type UploadStore,
} from '../../src/ports/store/uploads.ts';
import { hasEnded, inListOf, isFree, type TimedRow, UNCLAIMED, updatesOne } from './claims.ts';
import type { StoreConnections } from './connections.ts';
import { dropDocument, findLinkedDocuments, isUnmentioned, linkOf, unlink } from './document-links.ts';
import type { Tables } from './schema.ts';

type UploadRow = Selectable<Tables['uploads']>;
type Where = ExpressionBuilder<Tables, 'uploads'>;
type Condition = (where: Where) => ReturnType<Where['and']>;

const EMPTY = { ...NO_FILE, state: 'pending', links: '', perhapsStored: 0 } as const;

// One statement can have only so many parameters.
const BATCH_SIZE = 500;

export function uploadStore({ relaxed, durable, serialized, atStore }: StoreConnections): UploadStore & LeftoverStore {
  const now = () => atStore(Date.now());
  const select = () => relaxed.selectFrom('uploads').selectAll().select(now().as('now'));
  const is =
    ({ owner, wizardId, localId }: UploadKey, token?: string): Condition =>
    (where) =>
      where.and({ owner, wizardId, localId, ...(token !== undefined && { claim: token }) });
  // False when the token no longer has the claim.
  const changeClaimed = (
    db: Kysely<Tables>,
    name: UploadKey,
    token: string,
    changes: UpdateObject<Tables, 'uploads'>,
  ) => updatesOne(db.updateTable('uploads').set(changes).where(is(name, token)));
  const find = (name: UploadKey) => select().where(is(name)).executeTakeFirst();
  const among =
    (owner: string, documentIds: readonly string[]): Condition =>
    (where) =>
      where.and([where('owner', '=', owner), where('documentId', 'in', inListOf(documentIds))]);

  // The document of an earlier attempt may be in the document store. Call this in the transaction that removes its id
  // from the upload: otherwise a failure could lose the document.
  async function recordLeftover(
    db: Kysely<Tables>,
    earlier: Pick<UploadRow, 'documentId' | 'perhapsStored'> | undefined,
  ): Promise<void> {
    if (earlier?.perhapsStored === 1) await addLeftovers(db, [{ documentId: earlier.documentId, key: null }]);
  }

  async function addLeftovers(db: Kysely<Tables>, rows: readonly Leftover[]): Promise<void> {
    if (rows.length === 0) return;
    await db
      .insertInto('leftovers')
      .values(rows.map((row) => ({ ...row, since: now() })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  // Marks uploads as being deleted: no request can use them any more.
  async function mark(which: Condition): Promise<void> {
    await durable
      .updateTable('uploads')
      .set({ ...UNCLAIMED, state: 'deleting' })
      .where('state', '=', 'uploaded')
      .where('links', '=', '')
      .where(which)
      .execute();
  }

  async function move(which: Condition): Promise<readonly Leftover[]> {
    const moved: Leftover[] = [];
    for (;;) {
      const batch = await moveBatch(which);
      moved.push(...batch);
      if (batch.length < BATCH_SIZE) return moved;
    }
  }

  // In one transaction: otherwise a failure could lose documents.
  const moveBatch = (which: Condition): Promise<readonly Leftover[]> =>
    durable.transaction().execute(async (db) => {
      const isMovable: Condition = (where) =>
        where.and([where('state', 'in', ['deleting', 'pending']), isFree(now()), which(where)]);
      const rows = await db
        .deleteFrom('uploads')
        .where('documentId', 'in', (from) =>
          from.selectFrom('uploads').select('documentId').where(isMovable).limit(BATCH_SIZE),
        )
        // The condition is checked again, because another transaction may have changed an upload since it was selected.
        .where(isMovable)
        .returning(['documentId', 'key'])
        .execute();
      await addLeftovers(db, rows);
      return rows;
    });

  // Documents of interrupted deletions that applications still list.
  async function dropInterrupted(): Promise<void> {
    const interrupted = await durable
      .selectFrom('uploads')
      .select(['owner', 'documentId'])
      .where('state', '=', 'deleting')
      .where(isFree(now()))
      .execute();
    for (const { owner, documentId } of interrupted) await dropDocument(durable, owner, documentId);
  }

  return {
    async list(owner, localIds) {
      const rows = await select()
        .where('owner', '=', owner)
        .$if(localIds !== undefined, (query) => query.where('localId', 'in', inListOf(localIds ?? [])))
        .orderBy('createdAt', 'desc')
        .orderBy('localId')
        .orderBy('documentId')
        .execute();
      return rows.map(toUpload);
    },

    async named(owner, documentIds) {
      const rows = await select().where(among(owner, documentIds)).execute();
      return rows.map(toUpload);
    },

    async find(documentId, workspace) {
      const row = await select()
        .where('documentId', 'in', inListOf([documentId]))
        .where('workspace', '=', workspace)
        .executeTakeFirst();
      return row === undefined ? null : toUpload(row);
    },

    async claim(name, { workspace, categoryId, documentId }, { token, until }, at) {
      const claimed = { claim: token, claimedUntil: atStore(until) };
      const added = await relaxed
        .insertInto('uploads')
        .values({ ...name, ...EMPTY, ...claimed, workspace, categoryId, documentId, createdAt: atStore(at) })
        .onConflict((conflict) => conflict.columns(['owner', 'wizardId', 'localId']).doNothing())
        .returningAll()
        .returning(now().as('now'))
        .executeTakeFirst();
      if (added !== undefined) return toUpload(added);
      const existing = await find(name);
      if (existing === undefined || existing.state === 'uploaded') return existing ? toUpload(existing) : null;
      const isTaken = await updatesOne(
        relaxed
          .updateTable('uploads')
          .set({ ...claimed, workspace, categoryId, createdAt: atStore(at), state: 'pending' })
          .where(is(name))
          .where('state', '=', existing.state)
          .where('state', 'in', ['pending', 'rejected'])
          .where(isFree(now())),
      );
      return isTaken ? toUpload({ ...existing, workspace, categoryId }) : null;
    },

    renew: (name, token, until) => changeClaimed(relaxed, name, token, { claimedUntil: atStore(until) }),

    async receive(name, token, file, quota) {
      // The row is claimed, so no other request changes it meanwhile.
      const earlier = await find(name);
      const { owner, wizardId, localId } = name;
      const others = sql`from uploads as others where others.owner = ${owner} and others."wizardId" = ${wizardId}
        and others."localId" <> ${localId} and others.links = '' and others.omvang is not null
        and (others.state = 'uploaded' or others.state = 'pending' and others."claimedUntil" > ${now()})`;
      // Serialized: otherwise two uploads at the same time do not count each other, and both fit in the quota.
      const isReceived = await serialized(`uploads of ${owner} in ${wizardId}`, async (db) => {
        const fits = await updatesOne(
          db
            .updateTable('uploads')
            .set({ ...file, perhapsStored: 1 })
            .where(is(name, token))
            .where(sql<boolean>`(select count(*) ${others}) < ${quota.documents}`)
            .where(sql<boolean>`(select coalesce(sum(omvang), 0) ${others}) + ${file.omvang} <= ${quota.bytes}`),
        );
        if (fits && earlier?.documentId !== file.documentId) await recordLeftover(db, earlier);
        return fits;
      });
      if (isReceived) return 'received';
      return (await find(name))?.claim === token ? 'quota' : 'lapsed';
    },

    settle: (name, token, key) =>
      changeClaimed(durable, name, token, { ...UNCLAIMED, state: 'uploaded', key, perhapsStored: 0 }),

    async reject(name, token) {
      const earlier = await find(name);
      await durable.transaction().execute(async (db) => {
        const rejected = { ...EMPTY, ...UNCLAIMED, state: 'rejected' };
        if (await changeClaimed(db, name, token, rejected)) await recordLeftover(db, earlier);
      });
    },

    async release(name, token, how) {
      if (how === 'unreceived')
        await relaxed.deleteFrom('uploads').where(is(name, token)).where('perhapsStored', '=', 0).execute();
      await changeClaimed(relaxed, name, token, UNCLAIMED);
    },

    async link(owner, documentIds, applicationId) {
      const wanted = [...new Set(documentIds)];
      if (wanted.length === 0) return true;
      const link = linkOf(applicationId);
      const before = await findLinkedDocuments(durable, owner, applicationId);
      const linked = await durable
        .updateTable('uploads')
        .set({ links: sql`case when links like ${`%${link}%`} then links else links || ${link} end` })
        .where(among(owner, wanted))
        .where('state', '=', 'uploaded')
        .executeTakeFirst();
      if (Number(linked.numUpdatedRows) === wanted.length) return true;
      // Keep earlier links of this application: the register may have received them.
      const fresh = wanted.filter((documentId) => !before.includes(documentId));
      await unlink(durable, owner, applicationId, fresh);
      return false;
    },

    async beginDelete(owner, documentId, { token, until }, evenIfLinked) {
      const row = await durable
        .updateTable('uploads')
        .set({ state: 'deleting', claim: token, claimedUntil: atStore(until) })
        .where(among(owner, [documentId]))
        .where('state', '=', 'uploaded')
        .$if(evenIfLinked === undefined, (query) => query.where('links', '=', ''))
        .returningAll()
        .returning(now().as('now'))
        .executeTakeFirst();
      if (row !== undefined) return toUpload(row);
      const existing = await durable
        .selectFrom('uploads')
        .select('links')
        .where(among(owner, [documentId]))
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

    async abandon(owner, documentIds) {
      const isMine = among(owner, documentIds);
      await mark((where) => where.and([isMine(where), isUnmentioned]));
      return move((where) => where.and([isMine(where), where('state', '=', 'deleting')]));
    },

    async sweep({ orphans, doubts }, max) {
      await dropInterrupted();
      await mark((where) => where.and([where('createdAt', '<', atStore(orphans)), isUnmentioned]));
      await move((where) => where.and({ state: 'deleting' }));
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
}

// A pending upload whose claim is not valid any more gets the state `lost`.
function toUpload(read: TimedRow<UploadRow>): Upload {
  const { claim, claimedUntil, now, links: _, perhapsStored, state, ...row } = read;
  const isLost = state === 'pending' && !isClaimed({ claim, claimedUntil, now });
  return { ...row, state: isLost ? 'lost' : (state as StoredUploadState), perhapsStored: perhapsStored === 1 };
}
