/** The commands of the service, beside starting it. Part of the composition root, so it may import adapters. */
import type { Config } from '../config/index.ts';
import { openConfiguredStore } from './store.ts';

/** A command of the command line. `words`: the arguments after its name. */
export type Command = (config: Config, words: readonly string[]) => Promise<void>;

/** Brings the database schema up to date and stops, for a deployment that does so before it starts new instances. */
async function migrateStore(config: Config): Promise<void> {
  const store = await openConfiguredStore(config);
  await store.close();
  process.stdout.write('The schema is up to date.\n');
}

/** The commands by name (`npm run <name>`). The development part adds its own. */
export const COMMANDS: Readonly<Record<string, Command>> = { migrate: migrateStore };
