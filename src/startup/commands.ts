/** What can be done beside serving. Part of the composition root: it crosses buildings, as `main.ts` does. */
import type { Config } from '../config/index.ts';
import { openConfiguredStore } from './store.ts';

/** `words` are what followed its name. */
export type Command = (config: Config, words: readonly string[]) => Promise<void>;

/** Only the schema: for a deployment that wants it done before the first new instance starts. */
async function migrateStore(config: Config): Promise<void> {
  const store = await openConfiguredStore(config);
  await store.close();
  process.stdout.write('The schema is up to date.\n');
}

/** By name, as `npm run <name>` calls them; those of development come on top. */
export const COMMANDS: Readonly<Record<string, Command>> = { migrate: migrateStore };
