/** What was called, and why it went as it did. */
import { type CliCommand, jsonTo } from './command.ts';
import { quiet } from './world-commands.ts';

interface Entry {
  readonly id: number;
  readonly at: string;
  readonly caller: { readonly subject: string } | null;
  readonly request: { readonly method: string; readonly path: string };
  readonly response: { readonly status: number };
  readonly ms: number;
  readonly upstream: readonly { readonly bron: string; readonly outcome: number | string; readonly fault?: string }[];
  readonly why: readonly { readonly rule: string; readonly outcome: unknown }[];
  readonly breach?: readonly string[];
}

function lineOf({ at, caller, request, response, ms, upstream, why, breach = [] }: Entry): string {
  const asked = upstream.map(({ bron, outcome, fault }) => `${bron} ${outcome}${fault ? ` (${fault})` : ''}`);
  const because = why.map(({ rule, outcome }) => `    ${rule}: ${JSON.stringify(outcome)}`);
  const line = `${at.slice(11, 19)} ${caller?.subject ?? '–'} ${request.method} ${request.path} ${response.status} ${Math.round(ms)} ms`;
  const broken = breach.map((fault) => `    NOT AS THE DOCUMENT SAYS: ${fault}`);
  return [asked.length > 0 ? `${line}  ← ${asked.join(', ')}` : line, ...broken, ...because].join('\n');
}

export const JOURNAL_COMMANDS: Readonly<Record<string, CliCommand>> = {
  journal: {
    usage: 'journal [--limit n] [--follow] [--har file]',
    about: 'The calls in a world, with what they asked of the sources and why they were answered so',
    most: 0,
    async run({ control, world, flags, write }) {
      if (typeof flags.har === 'string') return jsonTo(flags.har, await control.call('GET', `${world}/journal.har`));
      const limit = typeof flags.limit === 'string' ? `?limit=${encodeURIComponent(flags.limit)}` : '';
      const entries = (await control.call('GET', `${world}/journal${limit}`)) as Entry[];
      if (!flags.follow) return { json: entries, text: entries.map(lineOf).join('\n') || 'Nobody has called yet.' };
      // An entry on a line, so that another program can read along.
      const tell = (entry: Entry) => write(flags.json ? JSON.stringify(entry) : lineOf(entry));
      entries.forEach(tell);
      // From the last that was told, so that nothing falls between the two.
      const last = entries.at(-1)?.id ?? (limit === '' ? 0 : null);
      const after = last === null ? '' : `?after=${last}`;
      for await (const entry of control.events(`${world}/journal/stream${after}`)) tell(entry as Entry);
      return flags.json ? undefined : quiet('The simulator ended.');
    },
  },
  forget: {
    usage: 'forget',
    about: 'An empty journal',
    most: 0,
    async run({ control, world }) {
      await control.call('DELETE', `${world}/journal`);
      return quiet('The journal is empty.');
    },
  },
};
