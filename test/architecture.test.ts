import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Who may import whom, by the longest prefix that fits (architecture.md, "Directions"). What is not listed is not allowed. */
const MAY: readonly (readonly [from: string, to: readonly string[]])[] = [
  ['src/main.ts', ['src/', 'adapters/']],
  ['src/startup/', ['src/', 'adapters/']],
  [
    'src/development/',
    [
      'src/',
      'adapters/store/index.ts',
      'adapters/store/archive.ts',
      'simulator/index.ts',
      'simulator/control/',
      'simulator/cli/',
      'simulator/console/',
      'simulator/journal.ts',
      'simulator/curl.ts',
      'fixtures/',
    ],
  ],
  ['src/app.ts', ['src/']],
  ['src/rooms.ts', ['src/*/routes.ts', 'src/*/deps.ts', 'src/http/', 'src/ports/', 'src/wire/']],
  [
    'src/config.ts',
    [
      'src/config-',
      'src/variables.ts',
      'src/secret-files.ts',
      'src/contradictions.ts',
      'src/sources.ts',
      'src/uploads/limits.ts',
    ],
  ],
  ['src/config-', ['src/variables.ts', 'src/sources.ts']],
  ['src/contradictions.ts', ['src/config', 'src/sources.ts', 'src/variables.ts']],
  ['src/variables', ['src/variables-', 'src/uploads/limits.ts']],
  ['src/secret-files.ts', ['src/variables-kinds.ts']],
  ['src/sources.ts', []],
  ['src/problem.ts', []],
  ['src/how-to-run.ts', []],
  ['src/domain/', ['src/domain/', 'src/ports/', 'src/wire/', 'src/problem.ts']],
  ['src/wire/', ['src/wire/', 'src/ports/']],
  ['src/ports/', ['src/wire/', 'src/ports/']],
  ['src/auth/', ['src/auth/', 'src/problem.ts', 'src/wire/']],
  ['src/http/', ['src/http/', 'src/auth/', 'src/ports/', 'src/processing/', 'src/problem.ts', 'src/wire/']],
  ['src/processing/', ['src/auth/policy.ts']],
  ['src/*/rules.ts', ['src/*/schema.ts', 'src/*/rules.ts', 'src/ports/', 'src/wire/', 'src/problem.ts']],
  ['src/*/schema.ts', ['src/wire/']],
  ['src/uploads/rules.ts', ['src/uploads/categories.ts', 'src/ports/', 'src/wire/', 'src/problem.ts']],
  [
    'src/uploads/',
    ['src/uploads/', 'src/processing/', 'src/http/', 'src/auth/', 'src/ports/', 'src/wire/', 'src/problem.ts'],
  ],
  ['src/brief/transitions.ts', ['src/auth/policy.ts', 'src/ports/', 'src/wire/', 'src/problem.ts']],
  ['src/brief/placeholders.ts', ['src/lookups/rules.ts', 'src/ports/', 'src/wire/']],
  ['src/brief/rich-text.ts', ['src/brief/schema.ts', 'src/wire/', 'src/problem.ts']],
  [
    'src/brief/content.ts',
    [
      'src/brief/rich-text.ts',
      'src/brief/rules.ts',
      'src/brief/schema.ts',
      'src/ports/',
      'src/wire/',
      'src/problem.ts',
    ],
  ],
  [
    'src/brief/',
    [
      'src/brief/',
      'src/*/rules.ts',
      'src/submission/sending.ts',
      'src/http/',
      'src/auth/',
      'src/ports/',
      'src/wire/',
      'src/problem.ts',
    ],
  ],
  [
    'src/applications/',
    [
      'src/applications/',
      'src/submission/',
      'src/uploads/leftovers.ts',
      'src/*/rules.ts',
      'src/http/',
      'src/auth/',
      'src/ports/',
      'src/wire/',
      'src/problem.ts',
    ],
  ],
  [
    'src/submission/',
    ['src/submission/', 'src/*/rules.ts', 'src/http/', 'src/auth/', 'src/ports/', 'src/wire/', 'src/problem.ts'],
  ],
  [
    'src/',
    [
      'src/*/schema.ts',
      'src/*/rules.ts',
      'src/openapi/',
      'src/applications/present.ts',
      'src/submission/',
      'src/http/',
      'src/auth/',
      'src/ports/',
      'src/wire/',
      'src/problem.ts',
    ],
  ],
  ['adapters/', ['adapters/', 'src/ports/', 'src/wire/']],
  [
    'adapters/oidc/',
    [
      'adapters/oidc/',
      'adapters/fetch-json.ts',
      'src/auth/bearer.ts',
      'src/auth/identity.ts',
      'src/ports/',
      'src/wire/',
      'src/problem.ts',
    ],
  ],
  ['fixtures/', ['fixtures/', 'src/auth/stand-in.ts']],
  [
    'simulator/',
    ['simulator/', 'fixtures/', 'adapters/*/wire.ts', 'adapters/register/brieven/wire.ts', 'src/ports/', 'src/wire/'],
  ],
  [
    'simulator/control/',
    ['simulator/', 'fixtures/', 'adapters/register/map.ts', 'src/dashboard/rules.ts', 'src/ports/', 'src/wire/'],
  ],
  ['simulator/state-schema.ts', ['simulator/', 'adapters/store/migrations.ts', 'adapters/store/node-sqlite.ts']],
  ['simulator/cli/', ['simulator/cli/', 'simulator/faults.ts', 'src/how-to-run.ts']],
  [
    'browser/',
    [
      'browser/',
      'simulator/',
      'fixtures/',
      'adapters/brp/index.ts',
      'adapters/duo/index.ts',
      'adapters/memory-store/index.ts',
      'adapters/register/index.ts',
      'adapters/register/brieven/index.ts',
      'adapters/upstream-failure.ts',
      'adapters/gate.ts',
      'adapters/question.ts',
      'src/rooms.ts',
      'src/auth/stand-in.ts',
      'src/http/',
      'src/ports/',
      'src/uploads/',
      'src/wire/',
      'src/problem.ts',
    ],
  ],
  ['client/', ['client/']],
  ['testing/', ['testing/', 'client/index.ts', 'index.ts']],
  ['index.ts', ['src/config.ts', 'src/main.ts', 'src/startup/', 'src/development/index.ts']],
  ['scripts/', ['']],
];

/** Rules that rooms share. */
const SHARED = 'src/domain/';

const pattern = (glob: string): RegExp => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}`);

const FOLDERS = ['src', 'adapters', 'fixtures', 'simulator', 'browser', 'client', 'testing', 'scripts'];
const files = [
  'index.ts',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  ),
];

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    relative(root, resolve(root, dirname(file), target)),
  );

describe('imports go one way', () => {
  it.each(files)('in %s', (file) => {
    const rule = MAY.filter(([from]) => pattern(from).test(file)).sort(([a], [b]) => b.length - a.length)[0];
    const strays = importsOf(file).filter(
      (target) => ![SHARED, ...(rule?.[1] ?? [])].some((allowed) => pattern(allowed).test(target)),
    );
    expect(strays).toEqual([]);
  });
});

describe('what is built', () => {
  it('reaches nothing that stands in for something real', () => {
    const reached = new Set(['production.js']);
    for (const file of reached) for (const target of importsOf(file)) reached.add(target);
    expect(reached.size).toBeGreaterThan(100);
    const strays = [...reached].filter((file) =>
      /^(src\/development|simulator|fixtures|browser)\/|stand-in/.test(file),
    );
    expect(strays).toEqual([]);
  });
});

describe('the house', () => {
  it('reads its environment in one place', () => {
    const readers = files.filter((file) =>
      /\(process\.env\)|process\.env[.[]/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(readers.sort()).toEqual(['scripts/conformance.ts', 'src/main.ts']);
  });

  it('never asks Koa whose host it is, and never redirects', () => {
    for (const file of files)
      expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/ctx\.(redirect|hostname|host|origin)\b/);
  });
});
