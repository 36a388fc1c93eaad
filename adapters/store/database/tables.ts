import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** What the parts of the store that handle whole tables do with a table. */
interface TableUse<Table extends keyof Tables = keyof Tables> {
  /** True when a backup contains the table; false when the service makes its rows again. */
  readonly backedUp: boolean;
  /** True when an archive of one workspace contains its rows. */
  readonly archived: boolean;
  /** True when each row belongs to a person, the `owner`: they change with the name of the owner, and end with it. */
  readonly owned: Tables[Table] extends { owner: string } ? true : false;
}

/** What happens to each table. A table without an entry does not compile. */
const TABLES = {
  applications: { backedUp: true, archived: true, owned: true },
  keys: { backedUp: true, archived: false, owned: true },
  uploads: { backedUp: true, archived: true, owned: true },
  leftovers: { backedUp: true, archived: false, owned: false },
  leases: { backedUp: false, archived: false, owned: false },
  rates: { backedUp: false, archived: false, owned: false },
  brieven: { backedUp: true, archived: true, owned: false },
} as const satisfies { [Table in keyof Tables]: TableUse<Table> };

/** The names of the tables for which `Use` is true. */
export type TableWith<Use extends keyof TableUse> = {
  [Table in keyof Tables]: (typeof TABLES)[Table][Use] extends true ? Table : never;
}[keyof Tables];

/** Returns the names of all tables. */
export const tableNames = (): (keyof Tables)[] => Object.keys(TABLES) as (keyof Tables)[];

/** Returns the names of the tables for which `use` is true. */
export const tablesWith = <Use extends keyof TableUse>(use: Use): TableWith<Use>[] =>
  tableNames().filter((table): table is TableWith<Use> => TABLES[table][use]);

/** Deletes all rows and keeps the schema. */
export async function erase(db: Kysely<Tables>): Promise<void> {
  for (const table of tableNames()) await db.deleteFrom(table).execute();
}
