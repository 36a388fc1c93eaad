import { sql } from 'kysely';
import type { Store } from '../../src/ports/store.ts';
import { applicationStore } from './applications.ts';
import { keyStore } from './keys.ts';
import { erase } from './schema.ts';
import type { Connections } from './sqlite.ts';

/** Where everything is kept: a PostgreSQL of many, or a file (or nothing, `:memory:`) of one machine. */
export type StoreLocation =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'sqlite'; readonly folder: string };

/** Opens the store at a location, its schema brought up to date. Each engine is loaded when it is asked for. */
export async function openStore(location: StoreLocation): Promise<Store & { erase(): Promise<void> }> {
  const connections = await connect(location);
  const { swift, sure } = connections;
  return {
    applications: applicationStore(connections),
    keys: keyStore(connections),
    async ping() {
      await sql`select 1`.execute(swift);
    },
    erase: () => erase(sure),
    async close() {
      await swift.destroy();
      if (sure !== swift) await sure.destroy();
    },
  };
}

async function connect(location: StoreLocation): Promise<Connections> {
  if (location.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(location.url);
  return (await import('./sqlite.ts')).openSqlite(location.folder);
}
