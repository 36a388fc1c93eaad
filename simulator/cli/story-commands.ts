/** Cases, the letter, uploads, snapshots and demonstrations. */
import { readFileSync, writeFileSync } from 'node:fs';
import { CliFault } from './client.ts';
import { type CliCommand, type Printed, word } from './command.ts';
import { quiet, shown } from './world-commands.ts';

const listed = (json: unknown, none: string): Printed => {
  const rows = json as Readonly<Record<string, unknown>>[];
  const text = rows.map((row) => Object.values(row).map(cell).join('  '));
  return { json, text: text.join('\n') || none };
};

const cell = (value: unknown): string =>
  value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value);

const one = (json: unknown): Printed => ({
  json,
  text: Object.entries((json ?? {}) as object)
    .map(([name, value]) => `${name}: ${cell(value)}`)
    .join('\n'),
});

/** A case by its reference, or the open one of a persona. */
async function referentieOf(
  control: Parameters<CliCommand['run']>[0]['control'],
  world: string,
  named: string,
): Promise<string> {
  if (/^[A-Z]{3}-/.test(named)) return named;
  const zaken = (await control.call('GET', `${world}/zaken`)) as { referentie: string; slug: string; status: string }[];
  const open = zaken.findLast(({ slug, status }) => slug === named && status !== 'besloten');
  if (open === undefined)
    throw new CliFault(`${named} has no request that is still open; \`npm run sim -- zaken\` shows all.`);
  return open.referentie;
}

export const STORY_COMMANDS: Readonly<Record<string, CliCommand>> = {
  zaken: {
    usage: 'zaken',
    about: 'The requests that the register has',
    run: async ({ control, world }) => listed(await control.call('GET', `${world}/zaken`), 'No requests yet.'),
  },
  decide: {
    usage: 'decide <referentie|persona> goedgekeurd | afgewezen [reden] | open',
    about: 'Decides on a request, or puts it under treatment again',
    async run({ control, world, words }) {
      const referentie = await referentieOf(control, world, word(words, 0, 'which request: its reference, or whose'));
      const uitkomst = word(words, 1, 'what is decided: goedgekeurd, afgewezen or open');
      const path = `${world}/zaken/${encodeURIComponent(referentie)}/besluit`;
      if (uitkomst === 'open') return one(await control.call('DELETE', path));
      return one(
        await control.call('PUT', path, {
          uitkomst,
          ...(words[2] !== undefined && { reden: words.slice(2).join(' ') }),
        }),
      );
    },
  },
  brief: {
    usage: 'brief [draft|submitted|approved|rejected|sent]',
    about: 'Where the letter stands, or bring it there',
    async run({ control, world, words: [tag] }) {
      if (tag !== undefined) return one(await control.call('PUT', `${world}/brief`, { tag }));
      const letter = await control.call('GET', `${world}/brief`);
      return letter === null ? { json: null, text: 'Nobody has opened the letter yet.' } : one(letter);
    },
  },
  uploads: {
    usage: 'uploads',
    about: 'The documents of everybody',
    run: async ({ control, world }) => listed(await control.call('GET', `${world}/uploads`), 'No documents.'),
  },
  upload: {
    usage: 'upload <documentId> uploaded | pending | rejected',
    about: 'Brings a document in a state',
    async run({ control, world, words }) {
      const id = encodeURIComponent(word(words, 0, 'which document'));
      return one(await control.call('PUT', `${world}/uploads/${id}`, { state: word(words, 1, 'in which state') }));
    },
  },
  snapshots: {
    usage: 'snapshots',
    about: 'Which snapshots there are',
    run: async ({ control }) => listed(await control.call('GET', '/snapshots'), 'No snapshots yet.'),
  },
  save: {
    usage: 'save <name>',
    about: 'Keeps a world as it is now',
    run: async ({ control, world, words }) =>
      one(await control.call('PUT', `${world}/snapshots/${encodeURIComponent(word(words, 0, 'under which name'))}`)),
  },
  restore: {
    usage: 'restore <name>',
    about: 'A world as it was, also another than it was taken of',
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
    async run({ control, words }) {
      const snapshot = await control.call('GET', `/snapshots/${encodeURIComponent(word(words, 0, 'which snapshot'))}`);
      const file = word(words, 1, 'to which file');
      writeFileSync(file, `${JSON.stringify(snapshot, null, 2)}\n`);
      return { json: snapshot, text: `Written to ${file}.` };
    },
  },
  import: {
    usage: 'import <name> <file>',
    about: 'A snapshot from a file',
    async run({ control, words }) {
      const [name, file] = [word(words, 0, 'under which name'), word(words, 1, 'from which file')];
      await control.call('PUT', `/snapshots/${encodeURIComponent(name)}`, jsonIn(file));
      return quiet(`Kept as ${name}.`);
    },
  },
  discard: {
    usage: 'discard <name>',
    about: 'A snapshot gone',
    async run({ control, words }) {
      await control.call('DELETE', `/snapshots/${encodeURIComponent(word(words, 0, 'which snapshot'))}`);
      return quiet('Gone.');
    },
  },
  demo: {
    usage: 'demo [<name>|<file>] [--step n]',
    about: 'Which demonstrations there are, the steps of one, or one step of it',
    async run({ control, world, words: [named], flags }) {
      const all = (await control.call('GET', '/demos')) as Demo[];
      if (named === undefined)
        return { json: all, text: all.map(({ name, title }) => `${name.padEnd(16)} ${title}`).join('\n') };
      const demo = /\.json$/.test(named) ? (jsonIn(named) as Demo) : all.find(({ name }) => name === named);
      if (demo === undefined)
        throw new CliFault(
          `No demonstration ${named}. There are: ${all.map(({ name }) => name).join(', ')}, or name a .json file.`,
        );
      if (flags.step === undefined)
        return { json: demo, text: demo.steps.map(({ title }, index) => `${index + 1}. ${title}`).join('\n') };
      const step = demo.steps[Number(flags.step) - 1];
      if (step === undefined) throw new CliFault(`--step takes 1 to ${demo.steps.length}.`);
      const done = (await control.call('POST', `${world}/step`, step)) as { curl: string | null };
      return {
        json: done,
        text: [step.title, ...(step.say ? [step.say] : []), ...(done.curl ? [done.curl] : [])].join('\n'),
      };
    },
  },
};

interface Demo {
  readonly name: string;
  readonly title: string;
  readonly steps: readonly { readonly title: string; readonly say?: string }[];
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliFault(`${file} is not there, or is no JSON.`);
  }
}
