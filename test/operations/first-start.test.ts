import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ConfigError, readConfig } from '../../src/config/index.ts';
import { buildArtefact } from '../support/artefact.ts';
import { root, TEXTS } from '../support/pages.ts';
import { startPostgres } from '../support/postgres.ts';
import { spawnStartForTest, until } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { use } from '../support/service.ts';
import { certificatePath, tlsOptionsOf } from '../support/upstreams/certificates.ts';
import { signingKey, startIssuer } from '../support/upstreams/issuer.ts';
import { sendJson } from '../support/upstreams/scripted-server.ts';

/** A first start with the variables of compose.yaml and of ops/kubernetes, and with the files that they name. */

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
type Environment = Readonly<Record<string, string>>;

const IMAGE = Object.fromEntries(
  [...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, text = '']) =>
    text.split(' ').map((one) => one.split('=')),
  ),
) as Environment;

const compose = parse(read('compose.yaml'), { merge: true });
const ENVIRONMENTS: Readonly<Record<string, Environment>> = {
  'compose.yaml': compose.services.bff.environment,
  'ops/kubernetes/settings.env': Object.fromEntries(
    read('ops/kubernetes/settings.env')
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ),
};
/** Matches the path of a secret file in a container. */
const SECRET = /^\/run\/secrets\//;

const folder = temporaryFolder('first-start');
const dist = await buildArtefact();
const postgres = await use(startPostgres('server'));
const key = await signingKey('one');
const issuer = await use(startIssuer([key], tlsOptionsOf('server')));
// The two issuers of the files are at two paths of one host.
issuer.answer = ({ url }, response) => {
  const at = /^\/(professionals|staff)(?=\/\.well-known\/openid-configuration$)/.exec(url)?.[0];
  if (at !== undefined) return sendJson(response, { issuer: issuer.url + at, jwks_uri: `${issuer.url}/keys` });
  return sendJson(response, { keys: [key.jwk] }, url === '/keys' ? 200 : 404);
};

/**
 * Returns an environment of a file, with what only a test has: files with fake contents, free ports, and an issuer and a
 * PostgreSQL of its own. Upstreams and scanner stay the examples that they are, which cannot be reached.
 */
async function fillIn(name: string): Promise<Record<string, string>> {
  const secrets = mkdtempSync(join(folder, 'secrets-'));
  const url = await postgres.database();
  const { DATABASE_TLS_CA } = ENVIRONMENTS[name] ?? {};
  const contents: Environment = {
    'database-url':
      DATABASE_TLS_CA === undefined ? url : `${url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full`,
    'database-ca.pem': readFileSync(certificatePath('ca'), 'utf8'),
  };
  const own = Object.entries({ ...IMAGE, ...ENVIRONMENTS[name] }).map(([variable, value]) => {
    if (/^(MANAGEMENT_)?PORT$/.test(variable)) return [variable, '0'];
    if (!SECRET.test(value)) return [variable, value.replace('https://issuer.example', issuer.url)];
    const path = join(secrets, basename(value));
    writeFileSync(path, contents[basename(value)] ?? 'x'.repeat(48));
    return [variable, path];
  });
  return { ...Object.fromEntries(own), NODE_EXTRA_CA_CERTS: certificatePath('ca') };
}

describe.each(Object.keys(ENVIRONMENTS))('%s', (name) => {
  it('names every variable and file that a start needs: the artefact migrates, starts and becomes ready', async () => {
    const env = await fillIn(name);
    const migrated = spawnStartForTest(env, ['migrate'], [], dist);
    expect([await migrated.exit, migrated.output()]).toEqual([0, expect.stringContaining('"migrated"')]);
    const started = spawnStartForTest(env, [], [], dist);
    await until(started, /"listening":"http\S+?"/);
    const [, port = ''] = /"listening":"http:\/\/[^"]*?:(\d+)"/.exec(started.output()) ?? [];
    const [host = ''] = (env.ALLOWED_HOSTS ?? '').split(',');
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await request(`http://127.0.0.1:${port}${path}`, { headers: { host, ...headers } });
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    };
    await expect.poll(async () => (await get('/health/ready')).status).toBe(200);

    // A step-up can be reached: the challenge names a level.
    const token = await issuer.token({
      iss: `${issuer.url}/professionals`,
      aud: env.OIDC_AUDIENCE ?? '',
      sub: 'sanne',
      bsn: '999990007',
    });
    expect(await get('/api/v1/dashboard-view', { authorization: `Bearer ${token}`, 'x-step-up': '1' })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringMatching(/acr_values="http\S+/) },
    });
    // The only thing that does not work is what cannot be reached here.
    const other = await get('/api/v1/dashboard-view', { authorization: `Bearer ${token}` });
    expect(JSON.parse(other.body)).toMatchObject({ code: expect.stringMatching(/^bron-/), bron: 'register' });
    started.child.kill('SIGTERM');
    expect(await started.exit).toBe(0);
  });

  it('names no variable of which the value is refused, and each file is in the table of the production guide', async () => {
    const env = await fillIn(name);
    expect(readConfig(env, { needsDeployment: true }).productionLike).toBe(true);
    const without = (variable: string): readonly string[] => {
      try {
        readConfig({ ...env, [variable]: '' }, { needsDeployment: true });
        return [];
      } catch (error) {
        return error instanceof ConfigError ? error.faults : [String(error)];
      }
    };
    for (const variable of ['OIDC_ISSUER', 'OIDC_STEP_UP_ACR', 'REGISTER_UPSTREAM', 'SCANNER', 'DOCUMENTS_RSIN'])
      expect(without(variable)).toContainEqual(expect.stringMatching(new RegExp(`^${variable}: `)));
  });
});

it('the production guide lists exactly the secret files of compose.yaml and of Kubernetes', () => {
  const [, section = ''] = (TEXTS.get('docs/guides/production.md') ?? '').split('\n## Files\n');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`.+?`) \| .+ \| (Both|Compose|Kubernetes) \|$/gm)];
  const listed = (where: string) =>
    rows
      .flatMap(([, names = '', place]) => (place === where || place === 'Both' ? (names.match(/[\w.-]+/g) ?? []) : []))
      .sort();
  const named = Object.values(ENVIRONMENTS['ops/kubernetes/settings.env'] ?? {}).filter((value) => SECRET.test(value));
  expect(listed('Kubernetes')).toEqual(named.map((path) => basename(path)).sort());
  expect(listed('Compose')).toEqual(Object.keys(compose.secrets).sort());
  for (const [secret, { file }] of Object.entries<{ file: string }>(compose.secrets))
    expect(file).toBe(`./secrets/${secret}`);
});
