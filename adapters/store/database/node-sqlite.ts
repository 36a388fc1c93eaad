import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';

/**
 * Returns a Node SQLite database with the interface that Kysely's dialect expects. It caches prepared statements, which
 * saves time.
 */
export function kyselyDatabase(db: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  function prepare(sql: string) {
    const statement = db.prepare(sql);
    const prepared = {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
      iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
    };
    statements.set(sql, prepared);
    return prepared;
  }
  return { prepare: (sql) => statements.get(sql) ?? prepare(sql), close: () => db.close() };
}
