import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../src/problem-codes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders and files that each folder with operations may import (docs/architecture.md, "Directions"). */
const KERNEL = 'src/auth src/domain src/http src/ports src/problem-codes.ts src/problem.ts src/wire';
const ADAPTER = 'adapters/http src/domain src/ports src/wire';

/**
 * The folders and files that the files of a folder may import, keyed by that folder. A folder may always import its own
 * files.
 */
const TABLE: Readonly<Record<string, string>> = {
  'src/problem-codes.ts': '',
  'src/problem.ts': 'src/problem-codes.ts',
  'src/wire': '',
  'src/ports': 'src/wire',
  'src/domain': 'src/ports src/problem.ts src/wire',
  'src/auth': 'src/problem.ts src/wire',
  'src/http': KERNEL,
  'src/dashboard': KERNEL,
  'src/lookups': KERNEL,
  'src/health': KERNEL,
  'src/brief': KERNEL,
  'src/openapi': `${KERNEL} src/uploads`,
  'src/uploads': KERNEL,
  'src/requests': `${KERNEL} src/uploads`,
  'src/applications': `${KERNEL} src/requests src/uploads`,
  'src/config': 'src/auth src/domain src/ports src/wire/values.ts',
  src: '',
  'src/startup': 'adapters src',
  adapters: ADAPTER,
  'adapters/processing-log': `${ADAPTER} adapters/store/files.ts`,
  'adapters/oidc': `${ADAPTER} src/auth src/problem.ts`,
  fixtures: 'src/wire',
  'simulator/people': 'fixtures simulator/text.ts src/auth src/domain src/problem.ts src/wire',
  'simulator/worlds':
    'adapters/register adapters/store fixtures simulator/people simulator/words.ts src/domain src/ports',
  'simulator/transport': 'simulator/people simulator/worlds src/domain src/ports',
  'simulator/upstreams':
    'adapters fixtures simulator/letters simulator/people simulator/transport simulator/worlds src/domain src/wire',
  'simulator/letters': 'adapters/register fixtures simulator/ui simulator/text.ts src/wire',
  'simulator/correspondence': 'adapters/register fixtures simulator src/domain src/wire',
  'simulator/persona-files':
    'adapters/duo adapters/register fixtures simulator/people simulator/text.ts src/domain src/http src/uploads src/wire',
  'simulator/service': 'simulator/people simulator/worlds src',
  'simulator/search': 'adapters/register fixtures simulator src/domain src/problem.ts src/wire',
  'simulator/control':
    'adapters/register fixtures simulator src/domain src/ports src/problem.ts src/uploads/inspection/inspect.ts src/wire',
  'simulator/reasons': 'src/domain src/ports src/requests src/wire',
  'simulator/samples': 'simulator/people simulator/upstreams src/problem-codes.ts src/uploads',
  'simulator/cli':
    'adapters/register adapters/store/files.ts simulator/control simulator/persona-files simulator/samples simulator/search simulator/text.ts simulator/worlds src/startup',
  'simulator/mcp': 'simulator src',
  'simulator/ui': 'simulator src/domain/specialismen.ts src/problem-codes.ts src/startup src/wire testing/types.ts',
  'simulator/issuer': 'fixtures simulator/text.ts simulator/people src/domain',
  'simulator/host': 'adapters/register adapters/store fixtures simulator src',
  simulator: 'src/ports src/problem.ts',
  browser: 'adapters client fixtures simulator src testing',
  client: '',
  testing: 'client index.ts simulator/persona-files',
  'index.ts': 'simulator/host simulator/persona-files src',
};
const MAY = new Map(Object.entries(TABLE).map(([folder, may]) => [folder, may.split(' ')]));

const files = [
  'index.ts',
  ...['src', 'adapters', 'fixtures', 'simulator', 'browser', 'client', 'testing'].flatMap((folder) => filesIn(folder)),
];

function filesIn(folder: string, end = '.ts'): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, target = '']) =>
    relative(root, resolve(root, dirname(file), target)),
  );

const rules = files.filter((file) => /^src\/(domain\/.*|[^/]+\/rules)\.ts$/.test(file));

const EXPORTED_TYPE = /^export (?:interface|type|class) (\w+)/gm;

const isIn = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);
/** Returns the longest key of `TABLE` to which a file belongs. */
const rowOf = (file: string): string =>
  [...MAY.keys()].filter((folder) => isIn(folder, file)).sort((a, b) => b.length - a.length)[0] ?? '';

/** The folder whose files a file may always import: that of its row, but of `adapters` the folder of one adapter. */
const ownFolderOf = (file: string, row: string): string => (row === 'adapters' ? file.split('/', 2).join('/') : row);

describe('imports', () => {
  it('of each file are of files in its own folder or in folders that the table allows', () => {
    const strays = files.flatMap((file) => {
      const row = rowOf(file);
      const allowed = [ownFolderOf(file, row), ...(MAY.get(row) ?? [])];
      return importsOf(file)
        .filter((target) => !allowed.some((folder) => isIn(folder, target)))
        .map((target) => `${file} imports ${target}`);
    });
    expect(strays, 'not allowed by docs/architecture.md, "Directions"').toEqual([]);
  });

  it('of every folder of src are in a row of the table', () => {
    const folders = new Set(files.flatMap((file) => /^src\/[^/]+(?=\/)/.exec(file)?.[0] ?? []));
    expect([...folders].filter((folder) => !MAY.has(folder))).toEqual([]);
  });

  it.each([
    ['the sources', files],
    ['the pages of the simulator', [...filesIn('simulator/ui', '.ts'), ...filesIn('simulator/ui', '.tsx')]],
  ])('of %s form no cycle, also when type-only imports count', (_, starts) => {
    const done = new Set<string>();
    const path: string[] = [];
    function walk(file: string): void {
      if (path.includes(file)) throw new Error([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file)) return;
      path.push(file);
      for (const target of importsOf(file)) if (starts.includes(target)) walk(target);
      path.pop();
      done.add(file);
    }
    for (const file of starts) walk(file);
    expect(done.size).toBeGreaterThan(50);
  });

  it('of rules contain no file of src/http or src/auth', () => {
    const strays = rules.flatMap(importsOf).filter((target) => /^src\/(http|auth)\//.test(target));
    expect(strays).toEqual([]);
  });
});

it('rules read no clock and no random number: `today` is a fact', () => {
  const impure = rules.filter((file) =>
    /\b(Date\.now|new Date|Math\.random)\(\)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(impure).toEqual([]);
});

it('the names of exported types are unique, except those that the client and the test package repeat', () => {
  // The client and the test package repeat types under the same name, so that they import nothing of the service.
  const names = files
    .filter((file) => !/^(client|testing)\/|\.d\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(EXPORTED_TYPE)].map(([, name = '']) => name),
    );
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('the artefact', () => {
  const reached = new Set(['production.js']);
  for (const file of reached) for (const target of importsOf(file)) reached.add(target);

  it('imports nothing from the folders simulator, fixtures and browser, directly or indirectly', () => {
    expect([...reached].filter((file) => /^(simulator|fixtures|browser)\//.test(file))).toEqual([]);
  });

  it('imports every file of src and adapters', () => {
    const others = files.filter((file) => /^(src|adapters)\//.test(file) && !reached.has(file));
    expect(others).toEqual([]);
  });
});

describe('the sources', () => {
  it('read process.env in src/main.ts only', () => {
    const readers = files.filter((file) => /[\s(]process\.env[),.[]/.test(readFileSync(join(root, file), 'utf8')));
    expect(readers).toEqual(['src/main.ts']);
  });

  it('throw every problem of the list', () => {
    const thrown = files
      .filter((file) => /^src\/(?!problem-codes)/.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join();
    expect(Object.keys(PROBLEMS).filter((code) => !thrown.includes(`'${code}'`))).toEqual([]);
  });

  it('never use the host or origin that Koa reads from a request, and never redirect', () => {
    for (const file of files)
      expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/ctx\.(redirect|hostname|host|origin)\b/);
  });
});
