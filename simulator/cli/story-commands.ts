/** Cases, the letter and uploads. */
import { CliFault } from './client.ts';
import { type CliCommand, oneOf, type Printed, word } from './command.ts';
export const listed = (json: unknown, none: string): Printed => {
  const rows = json as Readonly<Record<string, unknown>>[];
  const text = rows.map((row) => Object.values(row).map(cell).join('  '));
  return { json, text: text.join('\n') || none };
};

/** What has a name in it is read by its values: a decision as `afgewezen Te weinig uren 2026-06-03`. */
const cell = (value: unknown): string =>
  value === null ? '–' : typeof value === 'object' ? Object.values(value).filter(Boolean).join(' ') : String(value);

export const one = (json: unknown): Printed => ({
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

const OUTCOMES = ['goedgekeurd', 'afgewezen', 'open'] as const;
const TAGS = ['draft', 'submitted', 'approved', 'rejected', 'sent'] as const;
const STATES = ['uploaded', 'pending', 'rejected'] as const;

export const STORY_COMMANDS: Readonly<Record<string, CliCommand>> = {
  zaken: {
    usage: 'zaken',
    about: 'The requests that the register has',
    most: 0,
    async run({ control, world }) {
      const json = (await control.call('GET', `${world}/zaken`)) as { handmatig: boolean }[];
      const rows = json.map((zaak) => ({ ...zaak, handmatig: zaak.handmatig ? 'by hand' : 'by itself' }));
      return { ...listed(rows, 'No requests yet.'), json };
    },
  },
  decide: {
    usage: 'decide <referentie|persona> goedgekeurd | afgewezen [reden] | open',
    about: 'Decides on a request, or puts it under treatment again',
    most: Number.POSITIVE_INFINITY,
    async run({ control, world, words }) {
      const named = word(words, 0, 'which request: its reference, or whose');
      const uitkomst = oneOf(word(words, 1, `what is decided: ${OUTCOMES.join(', ')}`), OUTCOMES, 'decision');
      const referentie = await referentieOf(control, world, named);
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
    most: 1,
    async run({ control, world, words: [said] }) {
      if (said !== undefined)
        return one(await control.call('PUT', `${world}/brief`, { tag: oneOf(said, TAGS, 'state of a letter') }));
      const letter = await control.call('GET', `${world}/brief`);
      return letter === null ? { json: null, text: 'Nobody has opened the letter yet.' } : one(letter);
    },
  },
  uploads: {
    usage: 'uploads',
    about: 'The documents of everybody',
    most: 0,
    run: async ({ control, world }) => listed(await control.call('GET', `${world}/uploads`), 'No documents.'),
  },
  upload: {
    usage: 'upload <documentId> uploaded | pending | rejected',
    about: 'Brings a document in a state',
    most: 2,
    async run({ control, world, words }) {
      const id = encodeURIComponent(word(words, 0, 'which document'));
      const state = oneOf(word(words, 1, `in which state: ${STATES.join(', ')}`), STATES, 'state of a document');
      return one(await control.call('PUT', `${world}/uploads/${id}`, { state }));
    },
  },
};
