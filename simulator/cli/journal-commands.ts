/**
 * The commands for the journal: the list of recorded requests in a world, with the rules that decided their answers.
 */
import { type Command, Option } from 'commander';
import type * as z from 'zod';
import { toText } from '../control/print.ts';
import type { JournalEntry } from '../control/schema.ts';
import { parseNumber, type Session, writeJson } from './command.ts';

type EntryAnswer = z.output<typeof JournalEntry>;

/** The time in the Netherlands, as the console shows it. */
const TIME = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'medium', timeZone: 'Europe/Amsterdam' });

function entryText({ at, caller, request, response, ms, upstream, why, breach = [] }: EntryAnswer): string {
  const calls = upstream.map(({ bron, outcome, fault }) => `${bron} ${outcome}${fault ? ` (${fault})` : ''}`);
  const line = `${TIME.format(new Date(at))} ${caller?.subject ?? '–'} ${request.method} ${request.path} ${response.status} ${Math.round(ms)} ms`;
  return [
    calls.length > 0 ? `${line}  ← ${calls.join(', ')}` : line,
    ...breach.map((fault) => `    NOT AS THE OPENAPI DOCUMENT SAYS: ${fault}`),
    ...why.map(({ rule, sentence: told, outcome }) => `    ${rule}: ${told ?? JSON.stringify(outcome)}`),
  ]
    .map((one) => one.replaceAll('\n', ' '))
    .join('\n');
}

interface JournalOptions {
  readonly limit?: number;
  readonly persona?: string;
  readonly operation?: string;
  readonly status?: string;
  readonly trace?: string;
  readonly search?: string;
  readonly before?: number;
  readonly follow?: true;
  readonly har?: string;
}

export function addJournalCommand(program: Command, session: Session): void {
  program
    .command('journal')
    .description(
      'List the calls in the world, with the time in the Netherlands, the upstreams that they called and the rules that were applied',
    )
    .option('--limit <n>', 'only the last n calls', parseNumber)
    .addOption(new Option('--persona <slug>', 'only the calls of this person').conflicts(['follow', 'har']))
    .addOption(new Option('--operation <name>', 'only the calls of this operation').conflicts(['follow', 'har']))
    .addOption(
      new Option('--status <status>', 'only answers with this status: 422, or 4xx').conflicts(['follow', 'har']),
    )
    .addOption(
      new Option('--trace <traceId>', 'only the call with the traceId of a problem').conflicts(['follow', 'har']),
    )
    .addOption(
      new Option('--search <words>', 'only calls with these words in path, person, code or reasons').conflicts([
        'follow',
        'har',
      ]),
    )
    .addOption(
      new Option('--before <id>', 'only calls before the one with this id')
        .argParser(parseNumber)
        .conflicts(['follow', 'har']),
    )
    .option('-f, --follow', 'print further calls as they come, until the simulator stops')
    .addOption(new Option('--har <file>', 'write the calls to a file in the format HAR').conflicts(['follow', 'limit']))
    .action(async ({ follow, har, ...filters }: JournalOptions) => {
      const { control } = session;
      const world = session.worldOf(filters.persona ?? '');
      const { limit } = filters;
      if (har !== undefined) return session.print(writeJson(har, await control.call('GET', `${world}/journal.har`)));
      const given = Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]);
      const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
      const entries = (await control.call('GET', `${world}/journal${query}`)) as EntryAnswer[];
      if (!follow)
        return session.print({ json: entries, text: entries.map(entryText).join('\n') || 'No calls to show.' });
      // One entry a line, so that another program can read them as they come.
      const write = (entry: EntryAnswer) => session.write(session.json ? JSON.stringify(entry) : entryText(entry));
      entries.forEach(write);
      // The stream begins after the last printed entry, so that an entry that arrives in between is not missed.
      const last = entries.at(-1)?.id ?? (limit === undefined ? 0 : null);
      const after = last === null ? '' : `?after=${last}`;
      for await (const entry of control.events(`${world}/journal/stream${after}`)) write(entry as EntryAnswer);
      if (!session.json) session.print(toText('The simulator stopped.'));
    });
}
