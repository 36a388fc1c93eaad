import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { kyselyDatabase } from './node-sqlite.ts';
import { migrate, type Tables } from './schema.ts';

/** Milliseconds that a writer waits for another process. */
const BUSY = 5_000;

function database(file: string, synchronous: 'normal' | 'full'): SqliteDatabase & { exec(sql: string): void } {
  const db = new DatabaseSync(file, { timeout: BUSY });
  db.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma foreign_keys = on`);
  return { ...kyselyDatabase(db), exec: (sql) => db.exec(sql) };
}

export interface Connections {
  /** For drafts: survives the process, and may lose the last moments in a power cut. */
  readonly swift: Kysely<Tables>;
  /** For what was promised to somebody: on the disk before it returns. */
  readonly sure: Kysely<Tables>;
}

/** Opens `<folder>/zorgregister.sqlite`, making folder and file where needed; `:memory:` keeps nothing. */
export async function openSqlite(folder: string): Promise<Connections> {
  const inMemory = folder === ':memory:';
  if (!inMemory) mkdirSync(folder, { recursive: true });
  const file = inMemory ? ':memory:' : join(folder, 'zorgregister.sqlite');
  const first = database(file, 'normal');
  const swift = new Kysely<Tables>({ dialect: new SqliteDialect({ database: first }) });
  // Of several processes that start at once, one migrates and the others wait for it here.
  first.exec('begin exclusive');
  try {
    await migrate(swift);
    first.exec('commit');
  } catch (error) {
    first.exec('rollback');
    throw error;
  }
  if (inMemory) return { swift, sure: swift };
  return { swift, sure: new Kysely<Tables>({ dialect: new SqliteDialect({ database: database(file, 'full') }) }) };
}
