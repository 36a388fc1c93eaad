import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Brief, BriefContent, BriefStore } from '../../src/ports/store/brief-store.ts';
import { insertsOne, updatesOne } from './claims.ts';
import type { StoreConnections } from './connections.ts';
import type { Tables } from './schema.ts';

type BriefRow = Selectable<Tables['brieven']>;
type Where = ExpressionBuilder<Tables, 'brieven'>;

const is = (values: Partial<BriefRow>) => (where: Where) => where.and(values);

// Maximum number of attempts to save, while other requests change the letter.
const MAX_ATTEMPTS = 50;

export function briefStore({ relaxed, durable }: StoreConnections): BriefStore {
  // False when the workspace already has a current letter.
  const add = (workspace: string, briefId: string, content: BriefContent): Promise<boolean> =>
    insertsOne(
      durable
        .insertInto('brieven')
        .values({ ...freshRow(content), briefId, workspace, slot: workspace, version: 1 })
        .onConflict((conflict) => conflict.doNothing()),
    );

  return {
    async current(workspace) {
      const row = await relaxed.selectFrom('brieven').selectAll().where('slot', '=', workspace).executeTakeFirst();
      return row === undefined ? null : toBrief(row);
    },

    async begin(workspace, briefId, content) {
      await add(workspace, briefId, content);
    },

    change: ({ briefId, version }, { tag, content }) =>
      updatesOne(
        (tag === 'draft' ? relaxed : durable)
          .updateTable('brieven')
          .set({ tag, content: JSON.stringify(content), version: version + 1 })
          .where(is({ briefId, version }))
          .where('slot', 'is not', null),
      ),

    async restart(workspace, briefId, content, seen) {
      const isSeen = (where: Where) =>
        where.and({ slot: workspace, ...(seen && { briefId: seen.briefId, version: seen.version }) });
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const restarted = durable
          .updateTable('brieven')
          .set({ ...freshRow(content), version: sql`version + 1` })
          .where(isSeen)
          .where('tag', '<>', 'sent')
          .where('sending', 'is', null);
        if (await updatesOne(restarted)) return true;
        // Two statements without a transaction: if the process dies in between, the workspace has no letter, and can
        // begin one.
        const isSetAside = await updatesOne(
          durable
            .updateTable('brieven')
            .set({ slot: null })
            .where(isSeen)
            .where((where) => where.or([where('tag', '=', 'sent'), where('sending', 'is not', null)])),
        );
        if (seen === undefined || isSetAside) {
          if (await add(workspace, briefId, content)) return true;
          if (seen !== undefined) return false;
        } else if (!(await relaxed.selectFrom('brieven').select('briefId').where(isSeen).executeTakeFirst()))
          return false;
      }
      throw new Error('a letter that is restarted all the time');
    },

    send: ({ briefId, version, sending }, token) =>
      updatesOne(
        durable
          .updateTable('brieven')
          .set({ sending: token })
          .where(is({ briefId, version, tag: 'approved' }))
          .where('slot', 'is not', null)
          .where('sending', sending === null ? 'is' : '=', sending),
      ),

    async unsend(briefId, token) {
      await durable
        .updateTable('brieven')
        .set({ sending: null })
        .where(is({ briefId, sending: token, tag: 'approved' }))
        .execute();
    },

    settle: (briefId, at) =>
      updatesOne(
        durable
          .updateTable('brieven')
          .set({ tag: 'sent', sentAt: at, version: sql`version + 1` })
          .where(is({ briefId, tag: 'approved' })),
      ),
  };
}

const freshRow = (content: BriefContent) => ({
  tag: 'draft' as const,
  content: JSON.stringify(content),
  sentAt: null,
  sending: null,
});

// A letter of an older version of the service has no `savedBy` or no `submitters`.
function toBrief({ briefId, workspace, version, tag, sentAt, sending, content }: BriefRow): Brief {
  const kept = JSON.parse(content) as Omit<BriefContent, 'savedBy' | 'submitters'> & Partial<BriefContent>;
  return { savedBy: [], submitters: [], ...kept, briefId, workspace, version, tag, sentAt, sending };
}
