import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personasIndex } from '../scripts/personas-index.ts';
import { PAGES as GENERATED, withTables } from '../scripts/tables.ts';
import { createCli, runCli } from '../simulator/cli/index.ts';
import { variables } from '../src/config/variables.ts';
import { pdf } from './support/files.ts';
import { PAGES, type Page, pageNamed, root, TEXTS } from './support/pages.ts';
import { pasted } from './support/pasted.ts';
import { startService, type TestService } from './support/service.ts';

/** A reference to a page, as it is written in code, tests, documents and messages. */
interface Reference {
  readonly written: string;
  readonly page: string;
  /** Sections by number. */
  readonly numbers: readonly string[];
  readonly heading: string | undefined;
}

/** `domain.md 4.2, 4.3`, `uploads.md, "Checks"`, `domain.md 4.1, "Stand-in"`, `domain 4.2`. */
const REFERENCE = /(?<![\w./-])((?:[\w-]+\/)*[a-z\d][\w-]*\.md|domain(?= \d))((?:,? \d+(?:\.\d+)*)*)(?:, "([^"]+)")?/g;
/** References that this test could not follow: to a document without its name as a file, or to a heading without quotes. */
const UNCLEAR =
  /(?<![\w.-])(?:(?:README|DEPLOYMENT|specification), ["A-Z]\S*|[a-z][\w-]*\.md(?: [\d.]+)?, [A-Z]\S*|[a-z][\w-]*\.md,? section \d\S*)/g;

/** A text in which a comment, or a paragraph, is one line. Links are followed by another test. */
const joined = (text: string): string =>
  text.replaceAll(/\n\s*(?:\*|\/\/|#)?[ \t]*(?=\S)/g, ' ').replaceAll(/\]\([^)\s]+\)/g, ']');

const referencesIn = (text: string): Reference[] =>
  [...joined(text).matchAll(REFERENCE)].map(([written, page = '', numbers = '', heading]) => ({
    written,
    page: page === 'domain' ? 'domain.md' : page,
    numbers: numbers.match(/\d+(?:\.\d+)*/g) ?? [],
    heading,
  }));

/** What of a reference does not exist; null when all of it does. */
function missingIn({ page, numbers, heading, written }: Reference, from: string): string | null {
  const found = pageNamed(page, from);
  if (found === undefined) return existsSync(join(root, dirname(from), page)) ? null : `${written}: no such page`;
  const hasNumber = (number: string) => found.headings.some((title) => title.replace(/\.? .*$/, '') === number);
  const lost = numbers.find((number) => !hasNumber(number));
  if (lost !== undefined) return `${written}: no section ${lost}`;
  return heading === undefined || found.headings.includes(heading) ? null : `${written}: no such heading`;
}

describe('a reference to a document', () => {
  it('leads to a page and a heading that exist', () => {
    const references = [...TEXTS].flatMap(([path, text]) => referencesIn(text).map((one) => ({ path, one })));
    expect(references.length).toBeGreaterThan(150);
    const missing = references.flatMap(({ path, one }) => {
      const fault = missingIn(one, path);
      return fault === null ? [] : [`${path}: ${fault}`];
    });
    expect(missing).toEqual([]);
  });

  it('names a page as a file, and a heading between quotes', () => {
    const unclear = [...TEXTS].flatMap(([path, text]) =>
      [...joined(text).matchAll(UNCLEAR)].map(([written]) => `${path}: ${written}`),
    );
    expect(unclear).toEqual([]);
  });

  it('is noticed when it leads nowhere', () => {
    // In two parts, as this file is read as well.
    const faultsOf = (page: string, rest: string) =>
      referencesIn(page + rest).map((one) => missingIn(one, 'README.md'));
    expect(faultsOf('domain', ' 4.99')).toEqual([expect.stringMatching(/no section 4\.99$/)]);
    expect(faultsOf('uploads.md', ', "Chekcs"')).toEqual([expect.stringMatching(/no such heading$/)]);
    expect(faultsOf('nowhere', '.md')).toEqual([expect.stringMatching(/no such page$/)]);
    expect(faultsOf('domain.md', ' 4.1, "Stand-in"')).toEqual([null]);
    expect(['uploads.md', ', Checks; ', 'README', ', "Decisions"'].join('').match(UNCLEAR)).toHaveLength(2);
  });
});

/** A link that leads nowhere, as it is written. */
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

/** What looks like a path of the repository: it begins in a folder of it, or names a file of a kind that we keep. */
function pathsIn(code: string): string[] {
  return [...code.matchAll(/(?<![\w./@:~$*…{-])[\w.-]+(?:\/[\w.<>*@-]+)*\/?(?![\w(:])/g)]
    .map(([path]) => path)
    .filter((path) => {
      const [top = ''] = path.split('/');
      if (path.includes('/')) return TOP.includes(top) || /\.(ts|js|md|json|yaml|html|css|png)$/.test(path);
      return /^[\w-]+\.(js|md|yaml)$/.test(path);
    });
}

/** `<name>` in a path stands for any name. */
const isThere = (path: string): boolean =>
  path.includes('<')
    ? globSync(path.replaceAll(/<[^>]*>/g, '*'), { cwd: root }).length > 0
    : existsSync(join(root, path)) || existsSync(join(root, 'docs', path));

describe.each(PAGES.map((page): [string, Page] => [page.path, page]))('%s', (path, page) => {
  it('has links and anchors that lead somewhere', () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('names paths, commands and variables that exist', () => {
    expect(page.code.flatMap(pathsIn).filter((one) => !isThere(one))).toEqual([]);
    const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
    const named = [...page.text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
    const settings = page.code.filter((one) => /^(?:[A-Z]+_)+[A-Z]+$/.test(one));
    expect(settings.filter((name) => !Object.hasOwn(variables.shape, name))).toEqual([]);
  });

  it('has generated parts that are up to date (npm run generate)', () => {
    expect(withTables(path, page.text)).toBe(page.text);
  });
});

describe('the documents', () => {
  it('have a README of at most 150 lines, from which every page can be reached', () => {
    expect(TEXTS.get('README.md')?.split('\n').length).toBeLessThanOrEqual(151);
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const targets = PAGES.find((page) => page.path === path)?.links ?? [];
      for (const target of targets) reached.add(posix.join(dirname(path), target.split('#')[0] ?? ''));
    }
    expect(PAGES.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  it('have a page for everything that is generated', () => {
    expect(Object.keys(GENERATED).filter((path) => !TEXTS.has(path))).toEqual([]);
  });

  it('have decisions with a context, a decision and a consequence, on half a page each', () => {
    const decisions = PAGES.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
    expect(decisions.length).toBeGreaterThan(40);
    for (const { headings, text } of decisions) {
      expect(headings.slice(1)).toEqual(['Context', 'Decision', 'Consequence']);
      expect(text.split('\n').length).toBeLessThan(30);
    }
    const numbers = decisions.map(({ path }) => Number(/(\d{4})-/.exec(path)?.[1]));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('know every persona that has a file (npm run generate)', () => {
    expect(TEXTS.get('fixtures/personas/index.ts')).toBe(personasIndex());
  });
});

describe('a command that the documents show', () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'docs-'));
    service = await startService({ PERSONAS_DIR: folder });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const lines = (begin: string) => [
    ...new Set(PAGES.flatMap(({ commands }) => commands.filter((line) => line.startsWith(begin)))),
  ];

  // First these: one of them makes a person that a line for curl uses.
  it.each(lines('npm run sim -- '))('%s', async (line) => {
    const out: string[] = [];
    const words = [...line.replace('npm run sim -- ', '').matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    );
    const terminal = { out: (text: string) => out.push(text), url: service.url };
    expect([...createCli(terminal).commands.map((command) => command.name()), 'help']).toContain(words[0]);
    await runCli(words, terminal);
    expect(out.join('')).not.toBe('');
  });

  it.each(lines('curl '))('%s', async (line) => {
    expect(await statusOf(line.replace(/ > \S+$/, ''), service.url)).toBeLessThan(300);
  });
});

/** Makes the call of a curl line, to another address. */
async function statusOf(line: string, url: string): Promise<number> {
  const { args } = pasted(line);
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
  const answer = await fetch(to, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body && { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
}
