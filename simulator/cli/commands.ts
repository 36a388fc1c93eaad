/** The commands that make several requests, or follow a stream. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { UITKOMSTEN } from '../../adapters/register/wire.ts';
import { makeFolder } from '../../adapters/store/files.ts';
import { JournalFilters } from '../control/journal-filter.ts';
import type { PeopleFound } from '../control/people-schema.ts';
import { type Printed, toMembers, toPrintedWorld, toRows, toText } from '../control/print.ts';
import {
  LetterState,
  LetterTag,
  type PersonaCard,
  type SentLetterSummary,
  type World,
  type Zaak,
} from '../control/schema.ts';
import { explainFault } from '../persona-files/explain.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import type { Sample } from '../samples/index.ts';
import { describeFields } from '../search/conditions.ts';
import { FAULT_KINDS, FAULT_TARGETS, SERVICE, type SimulatedFault } from '../worlds/faults.ts';
import type { RecordedRequest } from '../worlds/journal.ts';
import { CliError } from './client.ts';
import { inSentence, parseNumber, parseOneOf, type Session, writeBytes, writeJson } from './command.ts';

const CLOCK_CHANGES = [
  '+4months',
  '-1day',
  '2026-09-01 [freeze]',
  'freeze',
  'run',
  'real',
  'deadline <persona> [days]',
];

function parseClockChange(words: readonly string[]): unknown {
  const [first = '', second, third] = words;
  const option = words.find((word) => /^-\D/.test(word));
  if (option !== undefined)
    throw new CliError(`There is no option ${option}. This command takes --world, --url and --json.`);
  if (/^[+-]\d/.test(first)) return { move: words.join(' ') };
  const invalid = (what: string) =>
    new CliError(`The clock does not know ${what}. Use one of: ${CLOCK_CHANGES.join(', ')}.`);
  const allowOnly = (most: number) => {
    if (words.length > most) throw invalid(words.join(' '));
  };
  if (first === 'deadline') {
    allowOnly(3);
    if (second === undefined) throw new CliError('Name the persona whose deadline it is: clock deadline sanne-de-wit.');
    if (third !== undefined && !/^[+-]?\d{1,5}$/.test(third)) throw invalid(`${third} days`);
    return { deadline: second, ...(third !== undefined && { days: Number(third) }) };
  }
  if (isDay(first) || isMoment(first)) {
    allowOnly(2);
    if (second !== undefined && second !== 'freeze') throw invalid(words.join(' '));
    return { set: first, ...(second === 'freeze' && { frozen: true }) };
  }
  allowOnly(1);
  if (first === 'real') return { real: true };
  if (first === 'freeze') return { frozen: true };
  if (first === 'run') return { frozen: false };
  throw invalid(first);
}

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;
const isMoment = (text: string): boolean => z.iso.datetime({ offset: true }).safeParse(text).success;

function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It has to be a day, such as 2026-06-01.');
}

function personaText({ slug, shows, situaties, nu }: z.output<typeof PersonaCard>): string {
  if (nu === null) return `${slug}\n    ${shows}`;
  const now = [nu.status ?? 'not registered', nu.uhd && `UHD ${nu.uhd}`, nu.eligible && 'eligible'].filter(Boolean);
  return `${slug} [${now.join(', ')}] ${situaties.join(' ')}\n    ${shows}`;
}

export function addWorldCommands(program: Command, session: Session): void {
  program
    .command('reset')
    .description('Empty the world and start it again')
    .option('--begin <day>', 'start on this day, with the clock frozen', parseDay)
    .addOption(new Option('--all', 'reset every world').conflicts('begin'))
    .action(async ({ begin, all }: { begin?: string; all?: true }) => {
      const { control, world } = session;
      if (all) {
        await control.call('POST', '/reset');
        session.print(toText('Every world is reset.'));
        return;
      }
      session.print(
        toPrintedWorld(await control.call('POST', `${world}/reset`, begin === undefined ? undefined : { begin })),
      );
    });
  program
    .command('drop')
    .description('Delete the world')
    .action(async () => {
      const { control, world } = session;
      const worlds = (await control.call('GET', '/worlds')) as z.output<typeof World>[];
      const found = worlds.some((one) => `/worlds/${one.world}` === world);
      await control.call('DELETE', world);
      const others = `There are: ${worlds.map((one) => one.world).join(', ')}.`;
      session.print(toText(found ? 'The world is deleted.' : `There was no such world. ${others}`));
    });
  program
    .command('clock')
    .description(`Change the clock of the world: ${CLOCK_CHANGES.map((change) => `\`${change}\``).join(', ')}`)
    .argument('<change...>', 'how to change it')
    // `-1day` looks like an option.
    .allowUnknownOption()
    .action(async (change: string[]) => {
      // Quotes make one word of several: `clock "+1year 2days"`.
      const words = change.join(' ').trim().split(/\s+/);
      const [first, persona = ''] = words;
      const world = first === 'deadline' ? session.worldOf(persona) : session.world;
      session.print(toPrintedWorld(await session.control.call('POST', `${world}/clock`, parseClockChange(words))));
    });
  program
    .command('personas')
    .description('List the personas, with their registration now')
    .argument('[situatie]', 'only those in this situation, such as specialist or twee-beroepen')
    .action(async (situatie: string | undefined) => {
      const all = (await session.control.call('GET', `${session.world}/personas`)) as z.output<typeof PersonaCard>[];
      const personas = all.filter(
        ({ situaties }) => situatie === undefined || situaties.some((one) => one === situatie),
      );
      if (personas.length === 0) {
        const known = [...new Set(all.flatMap(({ situaties }) => situaties))].sort();
        throw new CliError(`Nobody is in the situation ${situatie}. There are: ${known.join(', ')}.`);
      }
      const { faults } = (await session.control.call('GET', '/personas')) as { faults: PersonaFault[] };
      const refused = faults.map((fault) => `refused: ${explainFault(fault)}`);
      session.print({ json: personas, text: [...personas.map(personaText), ...refused].join('\n') });
    });
}

const FORMATS = ['json', 'csv'] as const;

type PeopleAnswer = z.output<typeof PeopleFound>;

function lineOf(person: PeopleAnswer['burgers'][number]): string {
  const { slug, status, beroep, uhd, leeftijd, woonplaats, situaties } = person;
  const deadline = uhd === null ? 'no UHD' : `UHD ${uhd}`;
  const parts = [slug, status, beroep ?? '–', deadline, `${leeftijd} years`, woonplaats ?? '–', situaties.join(', ')];
  return parts.filter(Boolean).join('  ');
}

/** A search stops after a fifth of a second, and the same search then goes on. */
const MAX_SEARCHES = 25;

/** The personas come first. `answer` has as many generated people, if there are. */
function toPeople(answer: PeopleAnswer, wanted: number): Printed {
  const personas = answer.personas.slice(0, wanted);
  const burgers = answer.burgers.slice(0, wanted - personas.length);
  const { searched } = answer;
  const count = personas.length + burgers.length;
  const short =
    count < wanted ? `${count} of ${wanted} people found, up to burger-${searched}. Search again to look further.` : '';
  return {
    json: { personas, burgers, searched },
    text: [...personas.map(lineOf), ...burgers.map(lineOf), short].filter(Boolean).join('\n'),
  };
}

export function addPeopleCommands(program: Command, session: Session): void {
  program
    .command('people')
    .description(
      'Find personas and generated people by conditions, such as `--where "status=Geschorst" --where "uhd<+6months"`',
    )
    .option('--where <condition>', 'a field, an operator and a value; repeat it for more', appendValue, [])
    .option('-n <number>', 'how many people at most, the personas first', parseNumber, 5)
    .addHelpText(
      'after',
      () =>
        `\nFields, operators and values:\n${describeFields()
          .map((line) => `  ${line}`)
          .join('\n')}`,
    )
    .action(async ({ where, n }: { where: string[]; n: number }) => {
      const world = decodeURIComponent(session.world.replace('/worlds/', ''));
      const query = new URLSearchParams({ n: String(n), world });
      for (const condition of where) query.append('where', condition);
      let answer: PeopleAnswer;
      let left = MAX_SEARCHES;
      do {
        answer = (await session.control.call('GET', `/people?${query}`)) as PeopleAnswer;
        left -= 1;
      } while (left > 0 && answer.personas.length + answer.burgers.length < n);
      session.print(toPeople(answer, n));
    });
  program
    .command('export-people')
    .description('Export generated people as each upstream has them: register, BRP and DUO')
    .option('--count <number>', 'how many, from burger-1 on', parseNumber, 100)
    .option('--format <format>', FORMATS.join(', '), parseOneOf(FORMATS), 'json')
    .option('--out <file>', 'file to write; without it, to the terminal')
    .action(async ({ count, format, out }: { count: number; format: string; out?: string }) => {
      const path = `${session.world}/people/export?count=${count}&format=${format}`;
      const answer = await session.control.call('GET', path);
      const text = typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`;
      if (out === undefined) session.write(text.trimEnd());
      else session.print(writeBytes(out, text));
    });
  program
    .command('persona')
    .description('Make a persona of your own: `persona new kim-van-dam --from sanne-de-wit` writes a file to change')
    .argument('<action>', 'new', parseOneOf(['new']))
    .argument('<slug>', 'name of the new persona')
    .option('--from <persona>', 'the persona to start from', 'sanne-de-wit')
    .action(async (_: string, slug: string, { from }: { from: string }) => {
      const copy = `/personas/${encodeURIComponent(from)}/copy?as=${encodeURIComponent(slug)}`;
      const file = await session.control.call('GET', copy);
      const saved = (await session.control.call('POST', '/personas', file)) as { file: string };
      session.print({
        json: saved,
        text: `Written to ${saved.file}. Change it; the simulator reads it when you save it.\nUse it with -H 'X-Subject: ${slug}'.`,
      });
    });
}

const appendValue = (value: string, before: string[]): string[] => [...before, value];

type Members = Readonly<Record<string, unknown>>;

/** Words for common faults on the command line, and the settings of the fault that each stands for. */
export const SHORT_NAMES: Readonly<Record<string, Omit<SimulatedFault, 'upstream'>>> = {
  slow: { kind: 'latency', ms: { median: 900, sigma: 0.15 } },
  down: { kind: 'refused' },
  flaky: { kind: 'status', status: 503, probability: 0.3 },
};
const KIND_WORDS = ['off', ...Object.keys(SHORT_NAMES), ...Object.keys(FAULT_KINDS)];
const KINDS_TEXT = `a status from 400 to 599, or ${KIND_WORDS.join(', ')}; for ${SERVICE} also a problem code`;

/** `1500` ms, `200-900` ms (random between these), or `900~0.3` (lognormal: median in ms and sigma). */
function parseDelay(text: string): unknown {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (min !== undefined) return { min: Number(min), max: Number(max) };
  const [, median, sigma] = /^(\d+)~(\d+(?:\.\d+)?|\.\d+)$/.exec(text) ?? [];
  if (median !== undefined) return { median: Number(median), sigma: Number(sigma) };
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use 1500, 200-900, or 900~0.3 (median and sigma).');
}

function parseKind(target: string, word: string): Members {
  if (target === SERVICE && /^[a-z-]+$/.test(word) && !KIND_WORDS.includes(word))
    return { kind: 'problem', code: word };
  if (!/^\d+$/.test(word)) return SHORT_NAMES[parseOneOf(KIND_WORDS)(word)] ?? { kind: word };
  const status = Number(word);
  if (status >= 400 && status <= 599) return { kind: 'status', status };
  throw new InvalidArgumentError('A status that is a fault is 400 to 599.');
}

/** Removes the faults of an upstream (or of the service) in a world. Faults of a scenario stay. */
async function turnOff({ control, world }: Pick<Session, 'control' | 'world'>, upstream: string): Promise<void> {
  const { faults } = (await control.call('GET', world)) as z.output<typeof World>;
  for (const fault of faults)
    if (fault.scenario === null && fault.upstream === upstream)
      await control.call('DELETE', `${world}/faults/${fault.id}`);
}

export function addFaultCommands(program: Command, session: Session): void {
  program
    .command('scenario')
    .description('Turn a scenario on or off')
    .argument('<name>', 'scenario; the command scenarios lists them')
    .argument('[state]', 'on or off', parseOneOf(['on', 'off']), 'on')
    .action(async (name: string, state: 'on' | 'off') => {
      const method = state === 'off' ? 'DELETE' : 'PUT';
      const path = `${session.world}/scenarios/${encodeURIComponent(name)}`;
      session.print(toPrintedWorld(await session.control.call(method, path)));
    });
  program
    .command('fault')
    .description(
      'Turn a fault on; or off: `fault brp off` for one upstream, `fault off <id>` for one fault, `fault off` for all faults and scenarios',
    )
    .argument(
      '<upstream>',
      `${FAULT_TARGETS.join(', ')}; or off. ${SERVICE} is the service itself`,
      parseOneOf([...FAULT_TARGETS, 'off']),
    )
    .argument('[kind]', `${KINDS_TEXT}; after off, the id of a fault`)
    .option('--operation <name>', 'only this operation')
    .option('--ms <delay>', 'milliseconds: 1500, 200-900, or 900~0.3 (median and sigma)', parseDelay)
    .option('--status <status>', 'status to answer with', parseNumber)
    .option('--code <code>', `problem to answer with; with ${SERVICE} and problem`)
    .option('--persona <slug>', `only the requests of this person; with ${SERVICE}`)
    .option('--after <calls>', 'number of calls that succeed first', parseNumber)
    .option('--times <calls>', 'number of calls that fail then; later calls succeed', parseNumber)
    .option('--retry-after <seconds>', 'Retry-After to answer with', parseNumber)
    .option('--probability <p>', 'share of the calls that fail, from 0 to 1', parseNumber)
    .option('--seed <number>', 'the same seed fails the same calls', parseNumber)
    .action(async (upstream: string, kind: string | undefined, options: Members & { readonly persona?: string }) => {
      const { control } = session;
      const { persona = '' } = options;
      const world = session.worldOf(persona);
      const [slug] = persona.split('@');
      const chosen = { ...options, ...(slug && { persona: slug }) };
      if (upstream === 'off')
        await control.call('DELETE', `${world}/faults${kind === undefined ? '' : `/${encodeURIComponent(kind)}`}`);
      else if (kind === undefined) throw new InvalidArgumentError(`Say what goes wrong: ${KINDS_TEXT}.`);
      else if (upstream === SERVICE && kind === 'problem' && options.code === undefined)
        throw new InvalidArgumentError('A problem needs --code, such as --code overbelast.');
      else if (kind === 'off') await turnOff({ control, world }, upstream);
      else await control.call('POST', `${world}/faults`, { upstream, ...parseKind(upstream, kind), ...chosen });
      session.print(toPrintedWorld(await control.call('GET', world)));
    });
}

const MAX_OTHERS = 10;

/** `given` is the reference itself, or a persona: then the last zaak of that person that is decided or not. */
async function referentieOf(session: Session, given: string, isDecided = false): Promise<string> {
  if (/^[A-Z]{3}-/.test(given)) return given;
  const all = (await session.control.call('GET', `${session.worldOf(given)}/zaken`)) as z.output<typeof Zaak>[];
  const zaken = all.filter(({ status }) => (status === 'besloten') === isDecided);
  const [name] = given.split('@');
  const found = zaken.findLast(({ slug }) => slug === name);
  if (found === undefined) {
    const others = [...new Set(zaken.map(({ slug }) => slug))].slice(0, MAX_OTHERS).join(', ');
    throw new CliError(
      `${given} has no case that is ${isDecided ? 'decided' : 'undecided'}. ${others && `These people have one: ${others}. `}The command zaken lists all cases.`,
    );
  }
  return found.referentie;
}

const OUTCOMES = [...UITKOMSTEN, 'open'] as const;
const LETTER_TEMPLATES = LetterState.shape.templateId.unwrap().options;

export function addStoryCommands(program: Command, session: Session): void {
  program
    .command('decide')
    .description('Decide a case, or open it again')
    .argument('<case>', 'its reference, or the persona whose undecided case it is; with open, whose decided case')
    .argument('<outcome>', OUTCOMES.join(', '), parseOneOf(OUTCOMES))
    .argument('[reason...]', 'why it is decided so')
    .action(async (given: string, uitkomst: (typeof OUTCOMES)[number], reason: string[]) => {
      const referentie = await referentieOf(session, given, uitkomst === 'open');
      const path = `${session.worldOf(given)}/zaken/${encodeURIComponent(referentie)}/besluit`;
      const decision = { uitkomst, ...(reason.length > 0 && { reden: reason.join(' ') }) };
      const [method, body] = uitkomst === 'open' ? (['DELETE'] as const) : (['PUT', decision] as const);
      session.print(toMembers(await session.control.call(method, path, body)));
    });
  program
    .command('brief')
    .description('Show the letter, or bring it to a state')
    .argument('[state]', LetterTag.options.join(', '), parseOneOf(LetterTag.options))
    .option(
      '--about <case>',
      'begin a new letter about this case: its reference, or the persona whose undecided case it is',
    )
    .option('--template <id>', LETTER_TEMPLATES.join(', '), parseOneOf(LETTER_TEMPLATES))
    .option('--outcome <outcome>', UITKOMSTEN.join(', '), parseOneOf(UITKOMSTEN))
    .action(async (tag: string | undefined, options: { about?: string; template?: string; outcome?: string }) => {
      const { about, template, outcome } = options;
      const path = `${session.worldOf(about ?? '')}/brief`;
      const choice = {
        ...(about && { referentie: await referentieOf(session, about) }),
        ...(template && { templateId: template }),
        ...(outcome && { uitkomst: outcome }),
      };
      if (tag !== undefined || Object.keys(choice).length > 0) {
        return session.print(toMembers(await session.control.call('PUT', path, { tag: tag ?? 'draft', ...choice })));
      }
      const letter = await session.control.call('GET', path);
      session.print(letter === null ? { json: null, text: 'No letter yet: nobody has opened it.' } : toMembers(letter));
    });
}

export function addPostCommands(program: Command, session: Session): void {
  program
    .command('post')
    .description('List the letters that the register sent to a persona, or print one')
    .argument('<persona>', 'whose letters; burger-7 works too')
    .argument('[letter]', 'id of a letter')
    .option('--pdf <file>', 'write the letter to a file as PDF')
    .action(async (persona: string, letter: string | undefined, { pdf }: { pdf?: string }) => {
      const { control } = session;
      const mailbox = `${session.worldOf(persona)}/post/${encodeURIComponent(persona)}`;
      if (letter === undefined) {
        if (pdf !== undefined)
          throw new CliError('--pdf needs the id of a letter. Without an id the command lists them.');
        const letters = (await control.call('GET', mailbox)) as z.output<typeof SentLetterSummary>[];
        const rows = letters.map(({ date, channel, id, subject }) => ({ date, channel, id, subject }));
        return session.print({ ...toRows(rows, 'No letters yet.'), json: letters });
      }
      const path = `${mailbox}/${encodeURIComponent(letter)}`;
      if (pdf !== undefined) return session.print(writeBytes(pdf, await control.bytes(`${path}/pdf`)));
      const answer = (await control.call('GET', path)) as { readonly text: string };
      session.print({ json: answer, text: answer.text.trimEnd() });
    });
}

export function addSampleCommands(program: Command, session: Session): void {
  program
    .command('samples')
    .description('Write sample files for uploads to a folder: one for each category, and one for each refusal')
    .argument('<folder>', 'is made when it does not exist; files of the same name are replaced')
    .action(async (folder: string) => {
      const { SAMPLES } = await import('../samples/index.ts');
      const written = await writeSamples(folder, SAMPLES).catch((error: NodeJS.ErrnoException) => {
        throw new CliError(`${folder} cannot be written (${error.code}). Choose another folder.`);
      });
      session.print({
        json: SAMPLES.map(({ name, gives }) => ({ name, gives })),
        text: `${written} files and a README.md, which says what each gives, are in ${folder}.`,
      });
    });
}

async function writeSamples(folder: string, samples: readonly Sample[]): Promise<number> {
  makeFolder(folder);
  for (const { name, content } of samples) await writeFile(join(folder, name), content());
  await writeFile(join(folder, 'README.md'), readme(samples));
  return samples.length;
}

const readme = (samples: readonly Sample[]): string => `# Sample files for uploads

Made by \`npm run sim -- samples\`. Send each to \`POST /api/v1/uploads\`. All categories accept the same types and sizes.

| File | Upload gets | What it is |
| --- | --- | --- |
${samples.map(({ name, gives, what }) => `| ${name} | ${gives === null ? 'accepted' : `\`${gives}\``} | ${what} |`).join('\n')}

These answers need no file of their own. \`upload-anders\`: send another file with the same \`localId\`. \`upload-quotum\`: send the PDF of 10 MB
sixteen times, each with its own \`localId\`. \`te-veel-uploads\`, \`upload-bezig\` and others:
\`npm run sim -- fault dienst <code> --operation createUpload\`.
`;

/** The time in the Netherlands, as the console shows it. */
const TIME = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'medium', timeZone: 'Europe/Amsterdam' });

function entryText({ at, caller, request, response, ms, upstream, why, breach = [] }: RecordedRequest): string {
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

type JournalOptions = z.output<typeof JournalFilters> & {
  readonly limit?: number;
  readonly before?: number;
  readonly follow?: true;
  readonly har?: string;
};

export function addJournalCommand(program: Command, session: Session): void {
  const command = program
    .command('journal')
    .description(
      'List the calls in the world, with the time in the Netherlands, the upstreams that they called and the rules that were applied',
    )
    .option('--limit <n>', 'only the last n calls', parseNumber);
  for (const [name, { description = '' }] of Object.entries(JournalFilters.shape))
    command.addOption(new Option(`--${name} <${name}>`, inSentence(description)).conflicts('follow'));
  command
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
      const given = Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]);
      const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
      if (har !== undefined)
        return session.print(writeJson(har, await control.call('GET', `${world}/journal.har${query}`)));
      const entries = (await control.call('GET', `${world}/journal${query}`)) as RecordedRequest[];
      if (!follow)
        return session.print({ json: entries, text: entries.map(entryText).join('\n') || 'No calls to show.' });
      // One entry a line, so that another program can read them as they come.
      const write = (entry: RecordedRequest) => session.write(session.json ? JSON.stringify(entry) : entryText(entry));
      entries.forEach(write);
      // The stream begins after the last printed entry, so that an entry that arrives in between is not missed.
      const last = entries.at(-1)?.id ?? (limit === undefined ? 0 : null);
      const after = last === null ? '' : `?after=${last}`;
      for await (const entry of control.events(`${world}/journal/stream${after}`)) write(entry as RecordedRequest);
      if (!session.json) session.print(toText('The simulator stopped.'));
    });
}
