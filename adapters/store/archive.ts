import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Whose things: those of one workspace. Its people have a name that ends in `suffix`; null: a name without any. */
export interface Whose {
  readonly workspace: string;
  readonly suffix: string | null;
}

type Row = Readonly<Record<string, string | number | null>>;
export type ArchivedRows = Readonly<Record<(typeof TABLES)[number], readonly Row[]>>;

const TABLES = ['applications', 'uploads', 'brieven'] as const;

/**
 * Takes out and puts back all that a workspace has, so that a story can be told again. Idempotency keys are not part of it: an
 * answer that was given belongs to what was there then.
 */
export interface Archive {
  take(whose: Whose): Promise<ArchivedRows>;
  put(rows: ArchivedRows): Promise<void>;
  erase(whose: Whose): Promise<void>;
}

/** Rows in one statement: far below the parameters that either engine takes. */
const AT_ONCE = 200;

export function archiveOf(db: Kysely<Tables>): Archive {
  const ownedBy = ({ suffix }: Whose) =>
    suffix === null ? sql<boolean>`owner not like '%@%'` : sql<boolean>`owner like ${`%${suffix}`}`;

  return {
    async take(whose) {
      const [applications, uploads, brieven] = await Promise.all([
        db.selectFrom('applications').selectAll().where(ownedBy(whose)).orderBy('id').execute(),
        db.selectFrom('uploads').selectAll().where(ownedBy(whose)).orderBy('documentId').execute(),
        db.selectFrom('brieven').selectAll().where('workspace', '=', whose.workspace).orderBy('briefId').execute(),
      ]);
      return { applications, uploads, brieven };
    },
    put: (rows) =>
      db.transaction().execute(async (transaction) => {
        for (const table of TABLES) {
          for (let at = 0; at < rows[table].length; at += AT_ONCE) {
            const some = rows[table].slice(at, at + AT_ONCE) as never;
            await transaction.insertInto(table).values(some).execute();
          }
        }
      }),
    erase: (whose) =>
      db.transaction().execute(async (transaction) => {
        for (const table of ['applications', 'uploads', 'keys'] as const)
          await transaction.deleteFrom(table).where(ownedBy(whose)).execute();
        await transaction.deleteFrom('brieven').where('workspace', '=', whose.workspace).execute();
      }),
  };
}
