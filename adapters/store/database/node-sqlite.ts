import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';

type Statement = ReturnType<SqliteDatabase['prepare']>;

/** Half of the maximum number of prepared statements in the cache of one connection. */
const HALF = 100;

/**
 * Returns a Node SQLite database with the interface that Kysely's dialect expects. It caches prepared statements, which
 * saves time: at least the last 100 different SQL texts, and at most 200.
 */
export function kyselyDatabase(db: DatabaseSync): SqliteDatabase {
  // Two maps instead of one that is sorted by last use: a text that is used often then costs one lookup.
  let recent = new Map<string, Statement>();
  let older = new Map<string, Statement>();

  /** Returns the statement of a text that is not in `recent`, and adds it there. */
  function prepare(sql: string): Statement {
    const prepared = older.get(sql) ?? prepareNew(sql);
    if (recent.size === HALF) {
      older = recent;
      recent = new Map();
    }
    recent.set(sql, prepared);
    return prepared;
  }

  function prepareNew(sql: string): Statement {
    const statement = db.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
      iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
    };
  }

  return {
    prepare: (sql) => recent.get(sql) ?? prepare(sql),
    close() {
      if (db.isOpen) db.close();
    },
  };
}
