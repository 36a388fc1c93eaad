/** The generated tables of the documentation. `npm run docs` writes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { FAULT_KINDS, SERVICE_FAULT_KINDS } from '../../simulator/worlds/faults.ts';
import { faultsTable, firstHourTable, kindsTable, quirksTable, scenariosTable, shortNamesTable } from './faults.ts';
import {
  activitiesTable,
  briefTable,
  cliTable,
  configurationTable,
  faultCodesTable,
  functionsTable,
  membersTable,
  notInHandlersTable,
  problemsTable,
} from './interface.ts';
import { table } from './markdown.ts';
import { personasTable, situationsTable, whoTable } from './people.ts';

const DECISIONS = new URL('../../docs/decisions/', import.meta.url);

function decisionsTable(): string {
  const pages = readdirSync(DECISIONS)
    .filter((name) => /^\d{4}-/.test(name))
    .sort();
  return table(['Number', 'Decision'], pages, (name) => {
    const [, title = ''] = /^# (.+)/.exec(readFileSync(new URL(name, DECISIONS), 'utf8')) ?? [];
    return [name.slice(0, 4), `[${title}](${name})`];
  });
}

/** For each page, the functions that make its generated parts, keyed by the name in the comment `<!-- name -->`. */
export const PAGES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'README.md': { who: whoTable },
  'docs/decisions/README.md': { decisions: decisionsTable },
  'docs/guides/tests.md': { 'not-in-handlers': notInHandlersTable },
  'docs/reference/cli.md': { sim: cliTable },
  'docs/reference/configuration.md': { configuration: configurationTable },
  'docs/reference/faults.md': { faults: faultsTable },
  'docs/reference/first-mistakes.md': { 'first-hour': firstHourTable },
  'docs/reference/letter.md': { brief: briefTable },
  'docs/reference/logs.md': { activities: activitiesTable },
  'docs/reference/personas.md': { personas: personasTable, situations: situationsTable },
  'docs/reference/problems.md': { problems: problemsTable, 'fault-codes': faultCodesTable },
  'docs/reference/scenarios.md': {
    scenarios: scenariosTable,
    kinds: () => kindsTable('The upstream', FAULT_KINDS),
    'short-names': shortNamesTable,
    'service-kinds': () => kindsTable('The service', SERVICE_FAULT_KINDS),
    quirks: quirksTable,
  },
  'docs/reference/simulator.md': { functions: functionsTable },
  'docs/reference/words.md': { members: membersTable },
};

/** Generates the parts between `<!-- name -->` and `<!-- /name -->`. Throws when the page lacks one. */
export function withTables(page: string, text: string): string {
  return Object.entries(PAGES[page] ?? {}).reduce((result, [name, make]) => {
    const open = `<!-- ${name} -->\n`;
    const start = result.indexOf(open) + open.length;
    const end = result.indexOf(`<!-- /${name} -->`, start);
    if (start < open.length || end < 0) throw new Error(`${page} has no part <!-- ${name} -->`);
    return `${result.slice(0, start)}${make()}\n${result.slice(end)}`;
  }, text);
}
