import { type RawBuilder, sql } from 'kysely';
import type { StoreConnections } from './connections.ts';
import { type TableWith, tablesWith } from './schema.ts';

export interface OwnerStore {
  /**
   * Gives the data of the names `from` to the owner `to`, in one transaction; also the authors in the current letter of
   * `workspace`, but not in other letters. An idempotency key that `to` already has keeps its old owner.
   */
  rename(from: readonly string[], to: string, workspace: string): Promise<void>;
}

const RENAME: Readonly<Record<TableWith<'owned'>, (name: string, to: string) => RawBuilder<unknown>>> = {
  applications(name, to) {
    // When the new name already has an open application of this type, that one keeps the unique slot. The register has
    // both.
    const slot = sql`${to} || substr(applications.slot, length(applications.owner) + 1)`;
    const isTaken = sql`exists (select 1 from applications as other where other.slot = ${slot})`;
    return sql`update applications set owner = ${to},
      slot = case when slot is null or ${isTaken} then null else ${slot} end where owner = ${name}`;
  },
  // A key that the new name already has keeps its old owner: the row under the new name is more recent.
  keys: (name, to) => sql`update keys set owner = ${to} where owner = ${name}
    and not exists (select 1 from keys as other where other.owner = ${to} and other.key = keys.key)`,
  uploads(name, to) {
    // When the new name already has an upload with this `localId`, the id of the document takes its place: an application
    // can refer to that document, which the sweeper would remove as long as it has another owner.
    const isTaken = sql`exists (select 1 from uploads as other where other.owner = ${to}
      and other."wizardId" = uploads."wizardId" and other."localId" = uploads."localId")`;
    return sql`update uploads set owner = ${to},
      "localId" = case when ${isTaken} then "documentId" else "localId" end where owner = ${name}`;
  },
};

export function ownerStore({ relaxed, serialized }: StoreConnections): OwnerStore {
  const isAuthor = (name: string, workspace: string) =>
    sql<boolean>`slot = ${workspace} and replace(content, ${name}, '') <> content`;

  async function isUsed(name: string, workspace: string): Promise<boolean> {
    const found = await Promise.all([
      ...tablesWith('owned').map((table) =>
        relaxed.selectFrom(table).select('owner').where('owner', '=', name).limit(1).execute(),
      ),
      relaxed.selectFrom('brieven').select('briefId').where(isAuthor(name, workspace)).limit(1).execute(),
    ]);
    return found.some(({ length }) => length > 0);
  }

  return {
    async rename(from, to, workspace) {
      const used: string[] = [];
      for (const name of from) if (await isUsed(name, workspace)) used.push(name);
      if (used.length === 0) return;
      await serialized(`owner|${to}`, async (db) => {
        for (const name of used) {
          for (const rename of Object.values(RENAME)) await rename(name, to).execute(db);
          await db
            .updateTable('brieven')
            .set({ content: sql`replace(content, ${name}, ${to})`, version: sql`version + 1` })
            .where(isAuthor(name, workspace))
            .execute();
        }
      });
    },
  };
}
