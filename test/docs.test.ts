import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { tableNames } from '../adapters/store/schema.ts';
import { personasIndex } from '../scripts/personas-index.ts';
import { llmsText } from '../scripts/tables/llms.ts';
import { PAGES as GENERATED, withTables } from '../scripts/tables/pages.ts';
import { createCli, runCli } from '../simulator/cli/index.ts';
import { SECRET_FILES } from '../src/config/variable-names.ts';
import { variables } from '../src/config/variables.ts';
import { BLOCK_TYPES, BRIEF_TAGS, LISTS, MARKS, NODE_TYPES } from '../src/wire/values.ts';
import { curlCallOf } from './support/curl.ts';
import { pdf } from './support/files.ts';
import { OPERATIONS, successesOf } from './support/operations.ts';
import { PAGES, type Page, pageNamed, root, TEXTS } from './support/pages.ts';
import { temporaryFolder } from './support/run-folder.ts';
import { useService } from './support/service.ts';

/** A reference to a page of the documentation, found in code, tests, documents or messages. */
interface Reference {
  readonly written: string;
  readonly page: string;
  /** Numbers of the sections, such as `4.2`. */
  readonly numbers: readonly string[];
  readonly heading: string | undefined;
}

/** `domain.md 4.2, 4.3`, `uploads.md, "Checks"`, `domain.md 4.1, "Stand-in"`. */
const REFERENCE = /(?<![\w./:-])((?:[\w-]+\/)*[a-z\d][\w-]*\.md)((?:,? \d+(?:\.\d+)*)*)(?:, "([^"]+)")?/g;
/** References in a form that `REFERENCE` does not match: a page without its file name, or a heading without quotes. */
const UNCLEAR =
  /(?<![\w.-])(?:(?:README|DEPLOYMENT|specification), ["A-Z]\S*|[a-z][\w-]*\.md(?: [\d.]+)?, [A-Z]\S*|[a-z][\w-]*\.md,? section \d\S*|(?<!\[)domain \d\S*)/g;

/** Returns a text with each comment or paragraph on one line, and without the targets of its links. */
const joined = (text: string): string =>
  text.replaceAll(/\n\s*(?:\*|\/\/|#)?[ \t]*(?=\S)/g, ' ').replaceAll(/\]\([^)\s]+\)/g, ']');

const referencesIn = (text: string): Reference[] =>
  [...joined(text).matchAll(REFERENCE)].map(([written, page = '', numbers = '', heading]) => ({
    written,
    page,
    numbers: numbers.match(/\d+(?:\.\d+)*/g) ?? [],
    heading,
  }));

/** Returns the part of a reference that does not exist; null when all parts exist. */
function missingIn({ page, numbers, heading, written }: Reference, from: string): string | null {
  const found = pageNamed(page, from);
  if (found === undefined) return existsSync(join(root, dirname(from), page)) ? null : `${written}: no such page`;
  const hasNumber = (number: string) => found.headings.some((title) => title.replace(/\.? .*$/, '') === number);
  const lost = numbers.find((number) => !hasNumber(number));
  if (lost !== undefined) return `${written}: no section ${lost}`;
  return heading === undefined || found.headings.includes(heading) ? null : `${written}: no such heading`;
}

describe('a reference to a document', () => {
  it('names a page, sections and a heading that exist', () => {
    const references = [...TEXTS].flatMap(([path, text]) => referencesIn(text).map((one) => ({ path, one })));
    expect(references.length).toBeGreaterThan(150);
    const missing = references.flatMap(({ path, one }) => {
      const fault = missingIn(one, path);
      return fault === null ? [] : [`${path}: ${fault}`];
    });
    expect(missing).toEqual([]);
  });

  it('of a running service names a page that it serves', () => {
    const served = [...(TEXTS.get('llms.txt') ?? '').matchAll(/\]\((\S+)\)/g)].map(([, path]) => path);
    const named = [...TEXTS.values()].flatMap((text) =>
      [...text.matchAll(/127\.0\.0\.1:3000\/(docs\/[\w/-]+\.md)/g)].map(([, path]) => path),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !served.includes(path))).toEqual([]);
  });

  it('names a decision that exists, also when it has only the number', () => {
    const known = PAGES.flatMap(({ path }) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []);
    const missing = [...TEXTS].flatMap(([path, text]) =>
      [...text.matchAll(/decisions\/(\d{4})\b/g)].flatMap(([, number = '']) =>
        known.includes(number) ? [] : [`${path}: ${number}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('has the file name of the page, and a heading between quotes', () => {
    const unclear = [...TEXTS].flatMap(([path, text]) =>
      [...joined(text).matchAll(UNCLEAR)].map(([written]) => `${path}: ${written}`),
    );
    expect(unclear).toEqual([]);
  });

  it('to an unknown page, section or heading is reported', () => {
    // In two parts, as this file is read as well.
    const faultsOf = (page: string, rest: string) =>
      referencesIn(page + rest).map((one) => missingIn(one, 'README.md'));
    expect(faultsOf('domain.md', ' 4.99')).toEqual([expect.stringMatching(/no section 4\.99$/)]);
    expect(faultsOf('uploads.md', ', "Chekcs"')).toEqual([expect.stringMatching(/no such heading$/)]);
    expect(faultsOf('nowhere', '.md')).toEqual([expect.stringMatching(/no such page$/)]);
    expect(faultsOf('domain.md', ' 4.1, "Stand-in"')).toEqual([null]);
    expect(['uploads.md', ', Checks; ', 'README', ', "Decisions"'].join('').match(UNCLEAR)).toHaveLength(2);
  });
});

function brokenLinks({ path, links }: Page): string[] {
  return links.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : posix.join(dirname(path), file);
    if (!existsSync(join(root, to))) return true;
    return anchor !== undefined && !PAGES.find((page) => page.path === to)?.anchors.has(anchor);
  });
}

const TOP = readdirSync(root);

/** Returns the words that look like a path in the repository: they begin with one of its folders or end in a known extension. */
function pathsIn(code: string): string[] {
  return [...code.matchAll(/(?<![\w./@:~$*…{-])[\w.-]+(?:\/[\w.<>*@-]+)*\/?(?![\w(:])/g)]
    .map(([path]) => path)
    .filter((path) => {
      const [top = ''] = path.split('/');
      if (path.includes('/')) return TOP.includes(top) || /\.(ts|js|md|json|yaml|html|css|png)$/.test(path);
      return /^[\w-]+\.(js|md|yaml)$/.test(path);
    });
}

/** True when a path exists; `<name>` in it matches any name. */
const pathExists = (path: string): boolean =>
  path.includes('<')
    ? globSync(path.replaceAll(/<[^>]*>/g, '*'), { cwd: root }).length > 0
    : existsSync(join(root, path)) || existsSync(join(root, 'docs', path));

describe.each(PAGES.map((page): [string, Page] => [page.path, page]))('%s', (path, page) => {
  it('has only links and anchors that exist', () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('names only paths, commands and variables that exist', () => {
    expect(page.code.flatMap(pathsIn).filter((one) => !pathExists(one))).toEqual([]);
    const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
    const named = [...page.text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
    const settings = page.code.filter((one) => /^(?:[A-Z]+_)+[A-Z]+$/.test(one));
    expect(settings.filter((name) => !Object.hasOwn(variables.shape, name))).toEqual([]);
  });

  it('is up to date in its generated parts (npm run generate)', () => {
    expect(withTables(path, page.text)).toBe(page.text);
  });
});

/** The values of the interface that are English words. */
const ENGLISH = new Set<string>([...BRIEF_TAGS, ...BLOCK_TYPES, ...NODE_TYPES, ...MARKS, ...LISTS]);
for (const word of ['physician assistant', 'digital', 'post', 'uploaded', 'pending', 'rejected', 'unknown', 'global'])
  ENGLISH.add(word);

/** Returns the texts that a JSON Schema allows by name. */
function valuesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { const: only, enum: list = [] } = schema as { const?: unknown; enum?: unknown[] };
  const named = [only, ...list].filter((value) => typeof value === 'string');
  return [...named, ...Object.values(schema).flatMap(valuesIn)];
}

it('llms.txt is up to date (npm run docs), and has a sentence of the page itself for each page', () => {
  const text = TEXTS.get('llms.txt') ?? '';
  expect(text).toBe(llmsText());
  const listed = [...text.matchAll(/^- \[.+\]\((\S+)\): .+[.]$/gm)].map(([, path]) => path);
  expect(listed.sort()).toEqual(
    PAGES.map(({ path }) => path).filter((path) => /^docs\/(guides\/|reference\/)?[^/]+$/.test(path)),
  );
});

describe('the documentation', () => {
  it('has a README of at most 150 lines, from which links lead to every page', () => {
    expect(TEXTS.get('README.md')?.split('\n').length).toBeLessThanOrEqual(151);
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const targets = PAGES.find((page) => page.path === path)?.links ?? [];
      for (const target of targets) reached.add(posix.join(dirname(path), target.split('#')[0] ?? ''));
    }
    expect(PAGES.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  it('has a page for each generated table', () => {
    expect(Object.keys(GENERATED).filter((path) => !TEXTS.has(path))).toEqual([]);
  });

  it('says for every table of the store how long its rows are kept', () => {
    const rows = TEXTS.get('docs/guides/backup.md')?.matchAll(/^\| `(\w+)`.* \| /gm) ?? [];
    const told = [...rows].map(([, table]) => table);
    const missing = tableNames().filter((table) => !told.includes(table));
    expect(missing, 'tables without a row in docs/guides/backup.md, "Retention"').toEqual([]);
  });

  it('says of every folder and file at the top of test/ what it tests', () => {
    const page = TEXTS.get('docs/guides/tests.md') ?? '';
    const rows = [...page.matchAll(/^\| (`test\/.*?) \| .+ \|$/gm)].flatMap(([, cell = '']) =>
      cell.match(/test\/[\w.]+/g),
    );
    const top = readdirSync(join(root, 'test')).map((name) => `test/${name}`);
    expect(top.filter((path) => !rows.includes(path))).toEqual([]);
  });

  it('says for every secret to whom it belongs, and what happens when it changes', () => {
    const [, section = ''] = (TEXTS.get('docs/guides/production.md') ?? '').split('\n## Secrets\n');
    const [table = ''] = section.split('\n\n').filter((part) => part.includes('| Secret |'));
    const told = [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w*]+/g) ?? []);
    const isTold = (name: string) => told.some((one) => posix.matchesGlob(name, one));
    expect(SECRET_FILES.map((file) => file.replace(/_FILE$/, '')).filter((name) => !isTold(name))).toEqual([]);
  });

  it('says in English what each Dutch value of the interface means', () => {
    const values = OPERATIONS.flatMap((operation) => [
      ...Object.values(operation.query ?? {}).flatMap((parameter) => parameter.values ?? []),
      ...[operation.body ?? [], successesOf(operation)].flat().flatMap((schema) => valuesIn(z.toJSONSchema(schema))),
    ]);
    const page = TEXTS.get('docs/reference/words.md') ?? '';
    const dutch = new Set(values.filter((value) => !/\//.test(value) && !ENGLISH.has(value)));
    expect([...dutch].filter((value) => !page.includes(`\`${value}\``))).toEqual([]);
    const [, rows = ''] = page.split(/^## (?:Values|Members)$/m);
    const told = [...rows.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[^`, ][^`,]*/g) ?? []);
    expect(told.filter((value) => !dutch.has(value))).toEqual([]);
  });

  it('names for a contributor every command that CI runs', () => {
    const commands = readFileSync(join(root, '.ci/run'), 'utf8').match(/npm run [\w:]+/g) ?? [];
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((command) => !TEXTS.get('docs/contributing.md')?.includes(`\`${command}\``))).toEqual([]);
  });

  it('has numbered decisions with a Context, Decision and Consequence in less than 45 lines', () => {
    const decisions = PAGES.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
    expect(decisions.length).toBeGreaterThan(40);
    for (const { headings, text } of decisions) {
      expect(headings.slice(1)).toEqual(['Context', 'Decision', 'Consequence']);
      expect(text.split('\n').length).toBeLessThan(45);
    }
    const numbers = decisions.map(({ path }) => Number(/(\d{4})-/.exec(path)?.[1]));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('has an up-to-date index of the persona files (npm run generate)', () => {
    expect(TEXTS.get('fixtures/personas/index.ts')).toBe(personasIndex());
  });
});

const SIM_COMMAND = 'npm run sim -- ';

describe('a command in the documentation', async () => {
  const folder = temporaryFolder('docs');
  const service = await useService({ PERSONAS_DIR: folder });
  beforeAll(async () => {
    // Other commands use the persona that these make.
    for (const line of lines(`${SIM_COMMAND}persona new`)) printed.set(line, await print(line));
  });

  const lines = (begin: string) => [
    ...new Set(PAGES.flatMap(({ commands }) => commands.filter((line) => line.startsWith(begin)))),
  ];

  it('is in the table of functions of the simulator, as is every path of the control API, and nothing else', async () => {
    const rows =
      TEXTS.get('docs/reference/simulator.md')?.matchAll(/^\| .* \| `([\w-]+).*` \| `([A-Z]+ .*)` \|$/gm) ?? [];
    const [commands, paths] = [new Set<string>(), new Set<string>()];
    for (const [, command = '', path = ''] of rows) {
      commands.add(command);
      paths.add(path);
    }
    const known = createCli({ out: () => undefined, url: '' }).commands.map((command) => command.name());
    expect([...commands].sort(), 'commands in docs/reference/simulator.md').toEqual([...known, 'help'].sort());
    const document = (await service.get('/_simulator/openapi.json')).body as { paths: Record<string, object> };
    const served = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...paths].sort(), 'paths in docs/reference/simulator.md').toEqual(served.sort());
  });

  const printed = new Map<string, string>();
  async function print(line: string): Promise<string> {
    const out: string[] = [];
    const words = [...line.replace(SIM_COMMAND, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    );
    const terminal = { out: (text: string) => out.push(text), url: service.url };
    expect([...createCli(terminal).commands.map((command) => command.name()), 'help']).toContain(words[0]);
    await runCli(words, terminal);
    return out.join('');
  }

  it.each(lines(SIM_COMMAND))('prints output and succeeds: %s', async (line) => {
    expect(printed.get(line) ?? (await print(line))).not.toBe('');
  });

  it.each(lines('curl '))('gets a status below 300: %s', async (line) => {
    expect(await statusOf(line.replace(/ > \S+$/, ''), service.url)).toBeLessThan(300);
  });
});

/** Makes the request of a curl command to `url` instead of 127.0.0.1:3000. Returns the status. */
async function statusOf(line: string, url: string): Promise<number> {
  const { args } = curlCallOf(line);
  const headers = new Headers();
  const form = new FormData();
  let [method, body, to]: [string | undefined, string | FormData | undefined, string] = [undefined, undefined, ''];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-s') continue;
    if (!arg.startsWith('-')) {
      to = arg.replace('http://127.0.0.1:3000', url);
      continue;
    }
    at += 1;
    const value = args[at] ?? '';
    if (arg === '-X') method = value;
    else if (arg === '-d') body = value;
    else if (arg === '-H') headers.append(value.split(': ')[0] ?? '', value.split(': ')[1] ?? '');
    else if (arg === '-F') {
      const [name = '', content = ''] = value.split('=');
      if (content.startsWith('@')) form.append(name, new File([pdf()], content.slice(1), { type: 'application/pdf' }));
      else form.append(name, content);
      body = form;
    } else throw new Error(`curl ${arg}: this test does not know that option`);
  }
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  for (let times = 1; ; times += 1) {
    const answer = await fetch(to, { method: verb, headers, ...(body && { body }) });
    await answer.arrayBuffer();
    // On a busy machine a simulated upstream can be too late for the service, which says with 504 to try again.
    if (answer.status !== 504 || verb !== 'GET' || times === 5) return answer.status;
  }
}
