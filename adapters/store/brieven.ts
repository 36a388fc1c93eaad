import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Brief, BriefContent, BriefStore } from '../../src/ports/store/brief-store.ts';
import type { Tables } from './database/schema.ts';
import type { StoreConnections } from './database/sqlite.ts';

type BriefRow = Selectable<Tables['brieven']>;

/** Maximum number of attempts to replace a letter with a new draft, while other requests change the letter. */
const MAX_ATTEMPTS = 50;

/** Returns the store of letters. Each workspace (tenant) has at most one current letter. */
export function briefStore({ relaxed, durable }: StoreConnections): BriefStore {
  /**
   * Adds a letter as the current one of a workspace (tenant). Returns false, and changes nothing, when the workspace
   * already has a current letter.
   */
  async function add(workspace: string, briefId: string, content: BriefContent): Promise<boolean> {
    const added = await durable
      .insertInto('brieven')
      .values({ ...freshRow(content), briefId, workspace, slot: workspace, version: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows ?? 0) === 1;
  }

  return {
    async current(workspace) {
      const row = await relaxed.selectFrom('brieven').selectAll().where('slot', '=', workspace).executeTakeFirst();
      return row === undefined ? null : toBrief(row);
    },

    async begin(workspace, briefId, content) {
      await add(workspace, briefId, content);
    },

    async change({ briefId, version }, { tag, content }) {
      const changed = await (tag === 'draft' ? relaxed : durable)
        .updateTable('brieven')
        .set({ tag, content: JSON.stringify(content), version: version + 1 })
        .where('briefId', '=', briefId)
        .where('version', '=', version)
        .where('slot', 'is not', null)
        .executeTakeFirst();
      return Number(changed.numUpdatedRows) === 1;
    },

    async restart(workspace, briefId, content, seen) {
      const isSeen = (where: ExpressionBuilder<Tables, 'brieven'>) =>
        where.and({ slot: workspace, ...(seen && { briefId: seen.briefId, version: seen.version }) });
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const restarted = await durable
          .updateTable('brieven')
          .set({ ...freshRow(content), version: sql`version + 1` })
          .where(isSeen)
          .where('tag', '<>', 'sent')
          .where('sending', 'is', null)
          .executeTakeFirst();
        if (Number(restarted.numUpdatedRows) === 1) return true;
        // Two statements without a transaction: if the process dies in between, the workspace has no letter, and can
        // begin one.
        const setAside = await durable
          .updateTable('brieven')
          .set({ slot: null })
          .where(isSeen)
          .where((where) => where.or([where('tag', '=', 'sent'), where('sending', 'is not', null)]))
          .executeTakeFirst();
        if (seen === undefined || Number(setAside.numUpdatedRows) === 1) {
          if (await add(workspace, briefId, content)) return true;
          if (seen !== undefined) return false;
        } else if (!(await relaxed.selectFrom('brieven').select('briefId').where(isSeen).executeTakeFirst()))
          return false;
      }
      throw new Error('a letter that is restarted all the time');
    },

    async send({ briefId, version, sending }, token) {
      const noted = await durable
        .updateTable('brieven')
        .set({ sending: token })
        .where('briefId', '=', briefId)
        .where('version', '=', version)
        .where('tag', '=', 'approved')
        .where('slot', 'is not', null)
        .where('sending', sending === null ? 'is' : '=', sending)
        .executeTakeFirst();
      return Number(noted.numUpdatedRows) === 1;
    },

    async unsend(briefId, token) {
      await durable
        .updateTable('brieven')
        .set({ sending: null })
        .where('briefId', '=', briefId)
        .where('sending', '=', token)
        .where('tag', '=', 'approved')
        .execute();
    },

    async settle(briefId, at) {
      const settled = await durable
        .updateTable('brieven')
        .set({ tag: 'sent', sentAt: at, version: sql`version + 1` })
        .where('briefId', '=', briefId)
        .where('tag', '=', 'approved')
        .executeTakeFirst();
      return Number(settled.numUpdatedRows) === 1;
    },
  };
}

const freshRow = (content: BriefContent) => ({
  tag: 'draft' as const,
  content: JSON.stringify(content),
  sentAt: null,
  sending: null,
});

/**
 * Converts a database row to a letter. A letter that an older version of the service stored has no `savedBy` (who saved
 * it) or no `submitters`, and gets an empty list.
 */
function toBrief({ briefId, workspace, version, tag, sentAt, sending, content }: BriefRow): Brief {
  const kept = JSON.parse(content) as Omit<BriefContent, 'savedBy' | 'submitters'> & Partial<BriefContent>;
  return { savedBy: [], submitters: [], ...kept, briefId, workspace, version, tag, sentAt, sending };
}
