import {
  type Compilable,
  type CompiledQuery,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
} from 'kysely';
import {
  type Application,
  type ApplicationStore,
  type ApplicationSummary,
  addedApplication,
  type DraftContent,
  type NewApplication,
  reasonUnchanged,
  type Unchanged,
} from '../../src/ports/store/applications.ts';
import { type Claim, isClaimed } from '../../src/ports/store/claim.ts';
import { insertsOne, isFree, type TimedRow, UNCLAIMED, updatesOne } from './claims.ts';
import type { StoreConnections, Write } from './connections.ts';
import { dropDocument, findUnlinkedDocuments, unlink, unlinkOthers, withoutDocuments } from './document-links.ts';
import type { Tables } from './schema.ts';

type ApplicationRow = Selectable<Tables['applications']>;
type Where = ExpressionBuilder<Tables, 'applications'>;

const is = (values: Partial<ApplicationRow>) => (where: Where) => where.and(values);

const SUMMARY_COLUMNS = [
  'id',
  'owner',
  'type',
  'tag',
  'version',
  'stepIndex',
  'stepCount',
  'documentIds',
  'referentie',
  'manual',
  'reden',
  'createdAt',
  'updatedAt',
  'submittedAt',
  'claim',
  'claimedUntil',
  'sentKey',
  'sentHash',
  'sentAt',
] as const satisfies readonly (keyof ApplicationRow)[];

/**
 * Most changes are one SQL statement that also checks the condition of the change, so that concurrent requests do not
 * overwrite each other's changes.
 */
export function applicationStore(connections: StoreConnections): ApplicationStore {
  const { relaxed, durable, atStore, serialized } = connections;
  const now = () => atStore(Date.now());
  const claimOf = ({ token, until }: Claim) => ({ claim: token, claimedUntil: atStore(until) });
  const summary = () => [...SUMMARY_COLUMNS, now().as('now')] as const;
  const select = () => relaxed.selectFrom('applications').select(summary());
  const saveDraft = draftSaver(connections);

  async function findReason(owner: string, id: string, ifVersions?: readonly number[]): Promise<Unchanged> {
    const row = await relaxed
      .selectFrom('applications')
      .select(['tag', 'version', 'sentKey', 'claim', 'claimedUntil', now().as('now')])
      .where(is({ id, owner }))
      .executeTakeFirst();
    return reasonUnchanged(row && { ...row, claimed: isClaimed(row) }, ifVersions);
  }

  return {
    async list(owner) {
      const rows = await select()
        .where('owner', '=', owner)
        .orderBy('updatedAt', 'desc')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toSummary);
    },

    async open(owner) {
      const rows = await select()
        .where('owner', '=', owner)
        .where((where) =>
          where.or([where('tag', 'in', ['Pending', 'InBehandeling']), where('sentKey', 'is not', null)]),
        )
        .where('tag', 'in', ['Concept', 'Pending', 'InBehandeling'])
        .execute();
      return rows.map(toSummary);
    },

    async find(owner, id) {
      const row = await select().select('draft').where(is({ id, owner })).executeTakeFirst();
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
          .where(is({ owner: application.owner, tag: 'Concept' }))
          .executeTakeFirstOrThrow();
        if (Number(concepts) <= max) return toApplication(added);
        await db.deleteFrom('applications').where('id', '=', application.id).execute();
        return null;
      }),

    async sync(owner, id, { documentIds, ...content }, updatedAt, ifVersions) {
      const draft = { ...content, owner, id, updatedAt, documentIds: JSON.stringify(documentIds) };
      return (await saveDraft(draft, ifVersions)) ?? findReason(owner, id, ifVersions);
    },

    dropDocument: (owner, documentId) => dropDocument(durable, owner, documentId),

    async remove(owner, id, ifVersions) {
      const removed = await relaxed
        .deleteFrom('applications')
        .where(is({ id, owner, tag: 'Concept', sentKey: null }))
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
        .where(is({ id, tag: 'InBehandeling' }))
        .execute();
    },

    async addPending(application, { sentKey, sentHash, about }, claim) {
      if (await hasRequestWithoutSlot(relaxed, application.owner, application.type)) return false;
      const slot = slotOf(application.owner, application.type, about);
      return insertsOne(
        durable
          .insertInto('applications')
          .values({ ...toRow(application, 'Pending'), sentKey, sentHash, sentAt: now(), slot, ...claimOf(claim) })
          .onConflict((conflict) => conflict.doNothing()),
      );
    },

    adopt(id, sentAt, { sentHash }, claim, documentIds) {
      const sending = {
        sentAt: now(),
        sentHash: nextSentHash(sentHash),
        draft: sql<string | null>`case when "sentHash" = ${sentHash} then "draft" end`,
        documentIds: JSON.stringify(documentIds),
      };
      return updatesOne(
        durable
          .updateTable('applications')
          .set({ ...claimOf(claim), ...sending })
          .where(is({ id, tag: 'Pending' }))
          .where('sentAt', '=', sentAt)
          .where(isFree(now())),
      );
    },

    async claim(owner, id, claim) {
      const row = await relaxed
        .updateTable('applications')
        .set(claimOf(claim))
        .where(is({ id, owner, tag: 'Concept' }))
        .where(isFree(now()))
        .returning([...summary(), 'draft'])
        .executeTakeFirst();
      if (row !== undefined) return toApplication(row);
      const why = await findReason(owner, id);
      return why === 'in-doubt' ? 'busy' : why;
    },

    async release(id, token) {
      await relaxed
        .updateTable('applications')
        .set(UNCLAIMED)
        .where(is({ id, claim: token }))
        .where('tag', 'in', ['Concept', 'Pending'])
        .execute();
    },

    async send(id, token, { sentKey, sentHash, about }, documentIds) {
      const row = await relaxed
        .selectFrom('applications')
        .select(['owner', 'type'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined || (await hasRequestWithoutSlot(relaxed, row.owner, row.type))) return false;
      try {
        return await updatesOne(
          durable
            .updateTable('applications')
            .set({
              sentKey,
              sentHash: nextSentHash(sentHash),
              sentAt: now(),
              slot: slotOf(row.owner, row.type, about),
              documentIds: JSON.stringify(documentIds),
            })
            .where(is({ id, claim: token, tag: 'Concept' })),
        );
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    forget(id, known) {
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
          .where(is({ id, tag: 'Pending' }))
          .where(mine)
          .returning('owner')
          .execute();
        const undone = await db
          .updateTable('applications')
          .set({ ...UNCLAIMED, slot: null, sentKey: null, sentHash: null, sentAt: null })
          .where(is({ id, tag: 'Concept' }))
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
      const changed = await updatesOne(
        durable
          .updateTable('applications')
          .set({ ...settled, documentIds, version: sql`version + 1` })
          .$if(sent !== undefined, (query) =>
            query.set({
              sentKey: sql`coalesce("sentKey", ${sent?.sending.sentKey})`,
              sentHash: sql`coalesce("sentHash", ${sent?.sending.sentHash})`,
            }),
          )
          .where('id', '=', id)
          .where('tag', 'in', ['Concept', 'Pending']),
      );
      if (changed || sent === undefined) return changed;
      const { application } = sent;
      const { about, ...sending } = sent.sending;
      const restore = (slot: string | null) =>
        insertsOne(
          durable
            .insertInto('applications')
            .values({ ...toRow(application, 'Pending'), ...settled, ...sending, slot })
            .onConflict((conflict) => conflict.column('id').doNothing()),
        );
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

type Draft = Pick<ApplicationRow, 'id' | 'owner' | keyof DraftContent | 'updatedAt'>;

// Versions are one text, so that the SQL is the same for any number of them.
const versionText = (versions: readonly number[]): string => `,${versions.join()},`;

const hasVersionIn = (versions: unknown) => sql<boolean>`${versions} like '%,' || cast(version as text) || ',%'`;

// Its statements are compiled once: a portal saves a draft at every step of its form, the most frequent write by far.
function draftSaver({ relaxed, write, now }: StoreConnections) {
  const build = (value: <Name extends keyof Draft>(name: Name) => Draft[Name]) =>
    relaxed
      .updateTable('applications')
      .set({
        draft: value('draft'),
        stepIndex: value('stepIndex'),
        stepCount: value('stepCount'),
        documentIds: value('documentIds'),
        updatedAt: value('updatedAt'),
        version: sql`version + 1`,
      })
      .where(is({ id: value('id'), owner: value('owner'), tag: 'Concept', sentKey: null }))
      .where(isFree(now))
      .returning('version');
  const save = compileOnce<Draft, { version: number }>(write, build);
  const saveVersion = compileOnce<Draft & { readonly versions: string }, { version: number }>(write, (value) =>
    build(value).where(hasVersionIn(value('versions'))),
  );

  return async (draft: Draft, ifVersions?: readonly number[]): Promise<number | undefined> => {
    const saved = ifVersions ? saveVersion({ ...draft, versions: versionText(ifVersions) }) : save(draft);
    return (await saved)?.version;
  };
}

class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

// Kysely takes longer to compile a query than SQLite takes to run it. `build` makes it, with `value(name)` in place of
// each value.
function compileOnce<Values extends object, Row>(
  run: Write,
  build: (value: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
): (values: Values) => Promise<Row | undefined> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (values) => {
    // The query is only compiled here, so that no code reads a placeholder as the value that its column asks for.
    compiled ??= build((name) => new Placeholder(name) as never).compile();
    const parameters = compiled.parameters.map((one) =>
      one instanceof Placeholder ? values[one.name as keyof Values] : one,
    );
    const [row] = await run<Row>({ ...compiled, parameters });
    return row;
  };
}

// The unique column `slot`: with it, an owner has only one application that is being sent, in doubt or in progress; one
// for each registration when it is `about` one.
const slotOf = (owner: string, type: string, about: string | null = null): string =>
  [owner, type, ...(about === null ? [] : [about])].join('|');

// A request in progress that was restored while another one had the slot.
const hasRequestWithoutSlot = async (db: Kysely<Tables>, owner: string, type: string): Promise<boolean> =>
  (await db
    .selectFrom('applications')
    .select('id')
    .where(is({ owner, type, tag: 'InBehandeling', slot: null }))
    .executeTakeFirst()) !== undefined;

// `mixed`: the register may have received different contents under the same idempotency key.
const nextSentHash = (sentHash: string): RawBuilder<string> =>
  sql`case when "sentHash" is null or "sentHash" = ${sentHash} then ${sentHash} else 'mixed' end`;

// SQLite reports a violation with an extended result code, PostgreSQL with an SQLSTATE.
function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === 2067 || code === '23505';
}

function toSummary(row: TimedRow<Pick<ApplicationRow, (typeof SUMMARY_COLUMNS)[number]>>): ApplicationSummary {
  const { claim, claimedUntil, now, manual, documentIds, ...rest } = row;
  return {
    ...(rest as Omit<ApplicationSummary, 'claimed' | 'manual' | 'documentIds'>),
    documentIds: JSON.parse(documentIds),
    manual: manual === null ? null : manual === 1,
    claimed: isClaimed({ claim, claimedUntil, now }),
  };
}

function toApplication(row: TimedRow<Pick<ApplicationRow, (typeof SUMMARY_COLUMNS)[number] | 'draft'>>): Application {
  const { draft, ...rest } = row;
  return { ...toSummary(rest), draft };
}

function toRow(application: NewApplication, tag: 'Concept' | 'Pending'): ApplicationRow {
  const { documentIds, ...row } = addedApplication(application, tag);
  return { ...row, ...UNCLAIMED, documentIds: JSON.stringify(documentIds), slot: null };
}
