/** The commands of the service, other than its start. Part of the composition root, so it may import adapters. */
import type { Config } from '../config/index.ts';
import { openConfiguredStore } from './store.ts';

/** A function that carries out a command. `words` are the arguments after the command's name. */
export type Command = (config: Config, words: readonly string[]) => Promise<void>;

/**
 * Migrates the database schema without starting the service, for a deployment that does so before new instances start.
 */
async function migrateStore(config: Config): Promise<void> {
  const store = await openConfiguredStore(config);
  await store.close();
  process.stdout.write('The schema is up to date.\n');
}

/** The commands of the service, keyed by name (`npm run <name>`). */
export const COMMANDS: Readonly<Record<string, Command>> = { migrate: migrateStore };
