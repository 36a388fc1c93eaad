/** Worlds as they were. */
import { type CliCommand, jsonIn, jsonTo, word } from './command.ts';
import { listed, one } from './story-commands.ts';
import { quiet, shown } from './world-commands.ts';

export const SNAPSHOT_COMMANDS: Readonly<Record<string, CliCommand>> = {
  snapshots: {
    usage: 'snapshots',
    about: 'Which snapshots there are',
    most: 0,
    run: async ({ control }) => listed(await control.call('GET', '/snapshots'), 'No snapshots yet.'),
  },
  save: {
    usage: 'save <name>',
    about: 'Keeps a world as it is now',
    most: 1,
    run: async ({ control, world, words }) =>
      one(await control.call('PUT', `${world}/snapshots/${encodeURIComponent(word(words, 0, 'under which name'))}`)),
  },
  restore: {
    usage: 'restore <name>',
    about: 'A world as it was, also another than it was taken of',
    most: 1,
    run: async ({ control, world, words }) =>
      shown(
        await control.call(
          'POST',
          `${world}/snapshots/${encodeURIComponent(word(words, 0, 'which snapshot'))}/restore`,
        ),
      ),
  },
  export: {
    usage: 'export <name> <file>',
    about: 'A snapshot as a file, to commit or to send',
    most: 2,
    async run({ control, words }) {
      const [name, file] = [word(words, 0, 'which snapshot'), word(words, 1, 'to which file')];
      const snapshot = await control.call('GET', `/snapshots/${encodeURIComponent(name)}`);
      return jsonTo(file, snapshot);
    },
  },
  import: {
    usage: 'import <name> <file>',
    about: 'A snapshot from a file',
    most: 2,
    async run({ control, words }) {
      const [name, file] = [word(words, 0, 'under which name'), word(words, 1, 'from which file')];
      await control.call('PUT', `/snapshots/${encodeURIComponent(name)}`, jsonIn(file));
      return quiet(`Kept as ${name}.`);
    },
  },
  discard: {
    usage: 'discard <name>',
    about: 'A snapshot gone',
    most: 1,
    async run({ control, words }) {
      await control.call('DELETE', `/snapshots/${encodeURIComponent(word(words, 0, 'which snapshot'))}`);
      return quiet('Gone.');
    },
  },
};
