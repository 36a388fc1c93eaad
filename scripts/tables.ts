/**
 * The generated tables of the documentation, made from the code that they describe. `npm run docs` writes them; a test
 * fails when they are out of date.
 */
import { readdirSync, readFileSync } from 'node:fs';

import { BEROEP_BY_CODE } from '../adapters/register/wire.ts';
import type { Offset } from '../fixtures/offset.ts';
import type { Person, Persona } from '../fixtures/person.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';
import type { PersonRegistratie } from '../fixtures/registratie.ts';
import { createCli } from '../simulator/cli/index.ts';
import { burger } from '../simulator/people/burger.ts';
import { RARE } from '../simulator/search/burger-index.ts';
import { factsOf } from '../simulator/search/facts.ts';
import { SITUATIONS } from '../simulator/search/situations.ts';
import { SITUATION_NAMES, type Situation } from '../simulator/search/values.ts';
import { QUIRKS } from '../simulator/upstreams/documenten/quirks.ts';
import { FAULT_KINDS, type SimulatedFault as Failing, SERVICE_FAULT_KINDS } from '../simulator/worlds/faults.ts';
import { SCENARIOS } from '../simulator/worlds/scenarios.ts';
import { TRANSITIONS } from '../src/brief/transitions.ts';
import { variables } from '../src/config/variables.ts';
import { PROBLEMS } from '../src/problem-codes.ts';
import { ACTIVITIES } from '../src/processing/activities.ts';
import { BRIEF_TAGS } from '../src/wire/values.ts';
import { FAULTS, type Fault, promised, ROWS } from '../test/faults/table.ts';
import { MISTAKES } from '../test/startup/first-hour.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** Returns an offset from the first day of a world as text, such as `T+4 mo`. */
function when({ years = 0, months = 0, days = 0 }: Offset): string {
  const parts: [number, string][] = [
    [years, 'y'],
    [months, 'mo'],
    [days, 'd'],
  ];
  const text = parts
    .filter(([number]) => number !== 0)
    .map(([number, unit]) => `${number > 0 ? '+' : '−'}${Math.abs(number)} ${unit}`);
  return `T${text.join(' ')}`;
}

function registration(
  { status, uhd, nummer, specialistTot }: PersonRegistratie,
  aanvragen: Person['aanvragen'],
): string {
  const beroep = BEROEP_BY_CODE.get(nummer.slice(-2)) ?? '';
  const tag = status === undefined ? 'Geregistreerd' : status.soort === 'geschorst' ? 'Geschorst' : 'Doorgehaald';
  const since =
    status === undefined
      ? uhd === null
        ? ''
        : `, UHD ${when(uhd)}`
      : 'tot' in status && status.tot
        ? ` until ${when(status.tot)}`
        : ` ${when(status.op)}`;
  return `${beroep}: ${tag}${since}${aanvragen?.some(({ tag }) => tag === 'InBehandeling') ? ', request running' : ''}${specialistTot ? ', specialist' : ''}`;
}

function row(persona: Persona): string[] {
  if (persona.kind === 'staff')
    return [
      `\`X-Medewerker: ${persona.slug}\` \`X-Rollen: ${persona.rollen.join(',')}\``,
      persona.naam,
      '–',
      '–',
      '–',
      persona.shows,
    ];
  if (persona.kind === 'letter')
    return [`\`X-Subject: ${persona.slug}\` \`X-Role: ${persona.role}\``, persona.naam, '–', '–', '–', persona.shows];
  const { naam, registraties, verblijfplaats, bsn, geheim, diplomas, aanvragen } = persona.person;
  const place = verblijfplaats.soort === 'adres' ? verblijfplaats.woonplaats : verblijfplaats.soort;
  return [
    `\`X-Subject: ${persona.slug}\``,
    [naam.voornamen, naam.voorvoegsel, naam.geslachtsnaam].filter(Boolean).join(' '),
    registraties.map((one) => registration(one, aanvragen)).join('; ') || 'not registered',
    bsn === null ? 'unknown (no BSN)' : `${place}${geheim ? ', secret' : ''}`,
    diplomas.map(({ opleiding }) => opleiding.naam).join('; ') || 'none',
    persona.shows,
  ];
}

export const personasTable = (): string =>
  table(['Send', 'Who', 'Register', 'BRP', 'Diplomas', 'Shows'], PERSONAS.map(row));

/** Returns the table of personas for the README: the headers to send, and what each persona demonstrates. */
const whoTable = (): string =>
  table(
    ['Send', 'Shows'],
    PERSONAS.map(row).map(([send = '', , , , , shows = '']) => [send, shows]),
  );

/** Returns the table of situations. Each row has the personas in that situation, and one generated citizen. */
function situationsTable(): string {
  const day = { firstDay: '2026-06-01', today: '2026-06-01' };
  const isIn = (person: Person, bsn: string | null, value: Situation) =>
    factsOf(person, bsn, day).some(({ situaties }) => situaties.includes(value));
  const first = Array.from({ length: 100 }, (_, index) => `burger-${index + 1}`);
  const common = (value: Situation) =>
    first.find((slug) => {
      const person = burger(slug, day.firstDay);
      return person !== null && isIn(person, '', value);
    });
  return table(
    ['`situatie=`', 'The person', 'Personas', 'First generated citizen'],
    SITUATION_NAMES.map((value) => {
      const personas = PERSONAS.flatMap((one) =>
        one.kind === 'professional' && isIn(one.person, one.person.bsn, value) ? [`\`${one.slug}\``] : [],
      );
      const rare = RARE[`situatie=${value}`];
      const citizen = rare === undefined ? common(value) : rare && `burger-${rare.split(' ')[0]}`;
      return [`\`${value}\``, SITUATIONS[value][0], personas.join(', ') || 'none', citizen ? `\`${citizen}\`` : 'none'];
    }),
  );
}

/** Returns the table of file names that switch on a fault of the simulated document store. */
const quirksTable = (): string =>
  table(
    ['File name', 'What happens'],
    Object.entries(QUIRKS).map(([name, text]) => [`\`${name}.pdf\``, text]),
  );

const configurationTable = (): string =>
  table(
    ['Variable', 'Default', 'What it does'],
    Object.entries(variables.shape).map(([name, schema]) => {
      const standard = schema.safeParse(undefined).data;
      const shown =
        standard === undefined || (Array.isArray(standard) && standard.length === 0) ? '' : `\`${standard}\``;
      return [`\`${name}\``, shown, schema.description ?? ''];
    }),
  );

const problemsTable = (): string =>
  table(
    ['Status', 'Code', 'Title', 'What to do'],
    Object.entries(PROBLEMS).map(([code, { status, title, remedy }]) => [String(status), `\`${code}\``, title, remedy]),
  );

const WHO = {
  letter: 'anyone who works on letters',
  letterDrafter: '`drafter`, `admin`, `behandelaar`',
  letterApprover: '`approver`, `admin`, `teamlead`',
} as const;

const briefTable = (): string =>
  table(
    ['Action', 'From', 'To', 'Who', 'Refused with'],
    Object.entries(TRANSITIONS).map(([action, { from, to, who, fourEyes, refusals }]) => [
      `\`${action}\``,
      from === BRIEF_TAGS ? 'any' : from.join(', '),
      to,
      `${WHO[who]}${fourEyes ? '; not its drafter, nor who submitted it' : ''}`,
      refusals.map((code) => `${PROBLEMS[code].status} \`${code}\``).join(', ') || '–',
    ]),
  );

const FAULT_IDS = Object.keys(FAULTS) as Fault[];

/**
 * Returns two tables: the faults, and the status of each operation under each fault. A dot means the same status as in
 * the first row.
 */
function faultsTable(): string {
  const faults = table(
    ['Fault', 'The upstream'],
    FAULT_IDS.map((fault) => [fault, FAULTS[fault][0]]),
  );
  const rows = ROWS.map((row) => [
    `\`${row.operation}\``,
    `${row.source}${row.handed ? ', when the request is handed in' : ''}`,
    ...FAULT_IDS.map((fault) => {
      const told = promised(fault, row);
      if (told === null) return '–';
      return told === FAULTS[fault][1] ? '·' : String(told);
    }),
    row.note,
  ]);
  const general = ['*in general*', '', ...FAULT_IDS.map((fault) => String(FAULTS[fault][1])), ''];
  return `${faults}\n\n${table(['Operation', 'Upstream', ...FAULT_IDS, ''], [general, ...rows])}`;
}

/** Returns the table of common mistakes in the first hour of use, with the messages of the service. */
const firstHourTable = (): string =>
  table(
    ['Mistake', 'What you read', 'Where'],
    MISTAKES.map(({ mistake, line, where }) => [mistake, line, where]),
  );

/** Returns a fault as text, such as `register zaken-indienen: lost`. */
const failing = ({ upstream, operation, kind, code, ms, status, probability }: Failing): string =>
  [
    `${upstream}${operation === undefined ? '' : ` ${operation}`}: ${code ?? kind}`,
    status,
    ms === undefined || typeof ms === 'number' ? ms : 'min' in ms ? `${ms.min}–${ms.max} ms` : `about ${ms.median} ms`,
    probability === undefined ? undefined : `${probability * 100} %`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');

const scenariosTable = (): string =>
  table(
    ['Scenario', 'Shows', 'Faults'],
    Object.entries(SCENARIOS).map(([name, { toont, faults }]) => [
      `\`${name}\``,
      toont,
      faults.length > 4 ? 'all upstreams: latency' : faults.map((fault) => failing(fault)).join('; '),
    ]),
  );

/**
 * Returns the table of kinds of fault of an upstream, or of the service. `who` is the title of the column that says
 * what happens.
 */
const kindsTable = (who: string, kinds: Readonly<Record<string, string>>): string =>
  table(
    ['Kind', who],
    Object.entries(kinds).map(([kind, does]) => [`\`${kind}\``, does]),
  );

/** Returns the table of simulator commands, with the texts of `npm run sim -- help <command>`. */
function cliTable(): string {
  const program = createCli({ out: () => undefined, url: '' });
  const help = program.createHelp();
  return table(
    ['`npm run sim -- …`', 'Does', 'Options'],
    program.commands.map((command) => [
      `\`${help.subcommandTerm(command).replace(' [options]', '')}\``,
      command.description(),
      command.options.map(({ flags, description }) => `\`${flags}\` ${description}`).join('; '),
    ]),
  );
}

/** Returns the table of processing activities, for the record of processing activities (GDPR, article 30). */
const activitiesTable = (): string =>
  table(
    ['Activity', 'What for'],
    Object.entries(ACTIVITIES).map(([name, text]) => [`\`${name}\``, text]),
  );

const DECISIONS = new URL('../docs/decisions/', import.meta.url);

/** Returns the table of decisions, sorted by number, with the title of each page. */
function decisionsTable(): string {
  const pages = readdirSync(DECISIONS)
    .filter((name) => /^\d{4}-/.test(name))
    .sort();
  return table(
    ['Number', 'Decision'],
    pages.map((name) => {
      const [, title = ''] = /^# (.+)/.exec(readFileSync(new URL(name, DECISIONS), 'utf8')) ?? [];
      return [name.slice(0, 4), `[${title}](${name})`];
    }),
  );
}

/**
 * For each page, the functions that make its generated parts. The key of a function is the name in the comment `<!--
 * name -->` on the page.
 */
export const PAGES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'README.md': { who: whoTable },
  'docs/decisions/README.md': { decisions: decisionsTable },
  'docs/reference/cli.md': { sim: cliTable },
  'docs/reference/configuration.md': { configuration: configurationTable },
  'docs/reference/faults.md': { faults: faultsTable },
  'docs/reference/first-mistakes.md': { 'first-hour': firstHourTable },
  'docs/reference/letter.md': { brief: briefTable },
  'docs/reference/logs.md': { activities: activitiesTable },
  'docs/reference/personas.md': { personas: personasTable, situations: situationsTable },
  'docs/reference/problems.md': { problems: problemsTable },
  'docs/reference/scenarios.md': {
    scenarios: scenariosTable,
    kinds: () => kindsTable('The upstream', FAULT_KINDS),
    'service-kinds': () => kindsTable('The service', SERVICE_FAULT_KINDS),
    quirks: quirksTable,
  },
};

/**
 * Returns the text of a page in which each part between `<!-- name -->` and `<!-- /name -->` is generated again. Throws
 * when the page lacks such a part.
 */
export function withTables(page: string, text: string): string {
  return Object.entries(PAGES[page] ?? {}).reduce((result, [name, make]) => {
    const open = `<!-- ${name} -->\n`;
    const start = result.indexOf(open) + open.length;
    const end = result.indexOf(`<!-- /${name} -->`, start);
    if (start < open.length || end < 0) throw new Error(`${page} has no part <!-- ${name} -->`);
    return `${result.slice(0, start)}${make()}\n${result.slice(end)}`;
  }, text);
}
