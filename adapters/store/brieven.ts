import { type Selectable, sql } from 'kysely';
import type { Brief, BriefContent, BriefStore } from '../../src/ports/brief-store.ts';
import type { Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';

type Row = Selectable<Tables['brieven']>;

/** Rounds of a restart before it gives up: in each of them somebody else got something done. */
const ROUNDS = 50;

export function briefStore({ swift, sure }: Connections): BriefStore {
  /** False: the workspace has a letter. */
  async function add(workspace: string, briefId: string, content: BriefContent): Promise<boolean> {
    const added = await sure
      .insertInto('brieven')
      .values({ ...freshRow(content), briefId, workspace, slot: workspace, version: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows ?? 0) === 1;
  }

  return {
    async current(workspace) {
      const row = await swift.selectFrom('brieven').selectAll().where('slot', '=', workspace).executeTakeFirst();
      return row === undefined ? null : toBrief(row);
    },

    async begin(workspace, briefId, content) {
      await add(workspace, briefId, content);
    },

    async change({ briefId, version }, { tag, content }) {
      const changed = await (tag === 'draft' ? swift : sure)
        .updateTable('brieven')
        .set({ tag, content: JSON.stringify(content), version: version + 1 })
        .where('briefId', '=', briefId)
        .where('version', '=', version)
        .where('slot', 'is not', null)
        .executeTakeFirst();
      return Number(changed.numUpdatedRows) === 1;
    },

    async restart(workspace, briefId, content) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const restarted = await sure
          .updateTable('brieven')
          .set({ ...freshRow(content), version: sql`version + 1` })
          .where('slot', '=', workspace)
          .where('tag', '<>', 'sent')
          .where('sending', 'is', null)
          .executeTakeFirst();
        if (Number(restarted.numUpdatedRows) === 1) return;
        // Two statements and no transaction: whoever dies in between leaves a workspace without a letter, where one can begin.
        await sure
          .updateTable('brieven')
          .set({ slot: null })
          .where('slot', '=', workspace)
          .where((where) => where.or([where('tag', '=', 'sent'), where('sending', 'is not', null)]))
          .execute();
        if (await add(workspace, briefId, content)) return;
      }
      throw new Error('a letter that is restarted all the time');
    },

    async send({ briefId, version, sending }, token) {
      const noted = await sure
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
      await sure
        .updateTable('brieven')
        .set({ sending: null })
        .where('briefId', '=', briefId)
        .where('sending', '=', token)
        .where('tag', '=', 'approved')
        .execute();
    },

    async settle(briefId, at) {
      const settled = await sure
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

function toBrief({ briefId, workspace, version, tag, sentAt, sending, content }: Row): Brief {
  return { ...(JSON.parse(content) as BriefContent), briefId, workspace, version, tag, sentAt, sending };
}
