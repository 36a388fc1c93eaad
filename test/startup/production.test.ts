import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { buildArtefact } from '../support/artefact.ts';
import { spawnStartForTest, until } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { sendRaw, use } from '../support/service.ts';
import { certificatePath, REQUIRE_CLIENT_CERTIFICATE, tlsOptionsOf } from '../support/upstreams/certificates.ts';
import { AUDIENCE, signingKey, startIssuer } from '../support/upstreams/issuer.ts';
import { REGISTRATIE } from '../support/upstreams/register.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

const TLS = tlsOptionsOf('server');
const secrets = temporaryFolder('secrets');
const secret = (name: string, content: string): string => {
  writeFileSync(join(secrets, name), content);
  return join(secrets, name);
};

/** A server for register, BRP and DUO, which answers only requests with a client certificate. */
const sources: ScriptedServer['answer'] = ({ url, method }, response) => {
  if (url === '/token') return sendJson(response, { access_token: 'brp-token', token_type: 'Bearer', expires_in: 300 });
  if (url === '/brp/personen') return sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [] });
  if (url === '/register/registraties/zoek' && method === 'POST') return sendJson(response, [REGISTRATIE]);
  return sendJson(response, [], 404);
};

const dist = await buildArtefact();
const issuer = await use(startIssuer([await signingKey('one', 'PS256')], TLS));
const staff = await use(startIssuer([await signingKey('staff')], TLS));
const mutual = { ...TLS, ...REQUIRE_CLIENT_CERTIFICATE };
const upstream = await use(startScriptedServer(sources, mutual, { speaksHttp2: true }));
const access = ['REGISTER', 'BRP', 'DUO', 'DOCUMENTS'].flatMap((name) => [
  [`${name}_TLS_CERT`, certificatePath('client')],
  [`${name}_TLS_KEY`, certificatePath('client', 'key')],
  [`${name}_TLS_CA`, certificatePath('ca')],
]);
const env: Record<string, string> = {
  DEPLOYMENT: 'production',
  PORT: '0',
  DATA_DIR: join(secrets, 'data'),
  LOG_FORMAT: 'json',
  IDENTITY: 'oidc',
  OIDC_ISSUER: issuer.url,
  OIDC_AUDIENCE: AUDIENCE,
  OIDC_STEP_UP_ACR: 'hoog',
  OIDC_TLS_CA: certificatePath('ca'),
  OIDC_STAFF_ISSUER: staff.url,
  OIDC_STAFF_AUDIENCE: AUDIENCE,
  OIDC_STAFF_TLS_CA: certificatePath('ca'),
  REGISTER_UPSTREAM: `${upstream.url}/register`,
  REGISTER_API_KEY_FILE: secret('register-key', 'key-of-the-register\n'),
  BRP_UPSTREAM: `${upstream.url}/brp/personen`,
  BRP_OAUTH_TOKEN_URL: `${upstream.url}/token`,
  BRP_OAUTH_CLIENT_ID: 'bff',
  BRP_OAUTH_CLIENT_SECRET_FILE: secret('brp-secret', 'a-secret-that-is-long\n'),
  DUO_UPSTREAM: `${upstream.url}/duo`,
  DOCUMENTS_UPSTREAM: `${upstream.url}/documenten`,
  DOCUMENTS_CLIENT_ID: 'bff',
  DOCUMENTS_SECRET_FILE: secret('documents-secret', 'x'.repeat(32)),
  DOCUMENTS_RSIN: '159351741',
  DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://catalogi.example/informatieobjecttypen/1',
  SCANNER: 'none',
  PROCESSING_LOG_KEY_FILE: secret('processing-log-key', 'k'.repeat(40)),
  ...Object.fromEntries(access),
};

/** Starts to send an application, and resets the connection when the service waits for the body. */
async function resetDuringBody(url: string, authorization: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const headers = ['Host: localhost', `Authorization: ${authorization}`, 'Content-Type: application/json'];
  const body = ['Content-Length: 100', 'Expect: 100-continue'];
  socket.write(`POST /api/v1/applications HTTP/1.1\r\n${[...headers, ...body].join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.resetAndDestroy();
}

describe('a production-like start', () => {
  it.each([
    ['production', 'the artefact'],
    ['production', 'this repository'],
    ['acceptance', 'this repository'],
  ])('in %s serves requests, without stand-in or secrets in its output, from %s', async (deployment, from) => {
    const started = spawnStartForTest(
      { ...env, DEPLOYMENT: deployment },
      [],
      [],
      from === 'the artefact' ? dist : undefined,
    );
    await until(started, /"listening":"http\S+?"/);
    const [, url = ''] = /"listening":"(http\S+?)"/.exec(started.output()) ?? [];
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const { statusCode: status, headers: sent, body } = await request(url + path, { headers });
      return { status, headers: sent, body: await body.text() };
    };
    await expect.poll(async () => (await get('/health/ready')).status).toBe(200);

    const token = await issuer.token({ sub: 'sanne', bsn: '999990007' });
    const authorization = `Bearer ${token}`;
    const dashboard = await get('/api/v1/dashboard-view', { authorization });
    expect(dashboard.status).toBe(200);
    expect(JSON.parse(dashboard.body).registration.registerNummer).toBe('*********30');
    expect(dashboard.headers['strict-transport-security']).toMatch(/max-age=\d+/);
    expect(dashboard.headers['x-simulated']).toBeUndefined();

    const asked = Object.fromEntries(upstream.received.map((request) => [request.url, request.headers]));
    expect(asked['/register/registraties/zoek']).toMatchObject({ 'x-api-key': 'key-of-the-register' });
    expect(upstream.received.find(({ url }) => url === '/brp/personen')?.version).toBe('2.0');
    expect(asked['/brp/personen']).toMatchObject({ authorization: 'Bearer brp-token' });

    expect(
      (await get('/api/v1/dashboard-view', { authorization: 'Bearer dev', 'x-subject': 'sanne-de-wit' })).status,
    ).toBe(401);
    const unknown = await get('/docs', { 'accept-language': 'en' });
    const { link, 'content-language': language } = unknown.headers;
    expect([unknown.status, link, language]).toEqual([404, undefined, undefined]);
    expect(JSON.parse(unknown.body).detail).toMatch(/^De paden staan in /);
    for (const path of ['/llms.txt', '/_simulator/mcp', '/docs/problems/pad-onbekend', '/docs/guides/agents.md'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/api/v1/brief/pdf', { authorization })).status).toBe(404);
    for (const target of ['http://localhost:80x/999990007', '*'])
      expect(await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 40[04] /,
      );
    await resetDuringBody(url, authorization);
    await until(started, /"operation":"createApplication".+"status":499.+"code":"ECONNRESET"/);
    const output = started.output();
    expect(output).not.toMatch(/docs|Try:|X-Subject|sanne/);
    for (const hidden of [token, 'a-secret-that-is-long', 'key-of-the-register', '999990007'])
      expect(output).not.toContain(hidden);
    expect(output).toMatch(/"log":"processing".+"name":"dashboardView"/);
    expect(started.child.kill('SIGTERM')).toBe(true);
    expect(await started.exit).toBe(0);
    const lines = started
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [first, ...others] = lines.filter(({ started: what }) => what !== undefined);
    const { build } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'));
    expect([first.build, others]).toEqual([from === 'the artefact' ? build : undefined, []]);
    expect(build).toMatch(/^[0-9a-f]{12}$/);
    expect(lines.filter(({ operation }) => /^health/.test(operation))).toEqual([]);
  });

  it('loads no module of the stand-in, the simulator, the fixtures or OpenTelemetry', async () => {
    const tell = 'load(url, context, next) { console.error("loads", url); return next(url, context); }';
    const hooks = `data:text/javascript,import{registerHooks}from"node:module";registerHooks({${tell}})`;
    // From the sources, as with tsx: the files of a bundle have other names.
    const started = spawnStartForTest(env, [], ['--title=tsx', '--import', hooks]);
    await until(started, /"listening":"http\S+?"/);
    expect(started.output()).toMatch(/loads file:.+adapters\/oidc\/index\.ts/);
    expect(started.output()).not.toMatch(
      /loads file:.+\/(stand-in|fixtures|simulator|msw|faker|swagger|docs\/page|otlp|@opentelemetry|@modelcontextprotocol)/,
    );
  });

  const introspection = (url: string, secret: string) => ({
    OIDC_INTROSPECTION_URL: url,
    OIDC_INTROSPECTION_CLIENT_ID: 'bff',
    OIDC_INTROSPECTION_CLIENT_SECRET: secret,
  });
  const wrong: [string, Record<string, string>, RegExp][] = [
    ['the stand-in', { IDENTITY: 'stand-in' }, /IDENTITY: the stand-in identity is not allowed/],
    ['no identity', { IDENTITY: '' }, /IDENTITY: the stand-in identity is not allowed/],
    ['a simulator', { DUO_UPSTREAM: 'simulator' }, /DUO_UPSTREAM: .+ not a simulator/],
    ['an upstream left out', { BRP_UPSTREAM: '' }, /BRP_UPSTREAM: .+ not a simulator/],
    ['an upstream without TLS', { BRP_UPSTREAM: 'http://brp.example' }, /BRP_UPSTREAM: .+ https/],
    ['upstreams that are not verified', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /NODE_TLS_REJECT_UNAUTHORIZED/],
    ['an issuer without TLS', { OIDC_ISSUER: 'http://login.example' }, /OIDC_ISSUER: .+ https/],
    ['an issuer of staff without TLS', { OIDC_STAFF_ISSUER: 'http://sso.example' }, /OIDC_STAFF_ISSUER: .+ https/],
    ['introspection without TLS', introspection('http://login.example', 'x'.repeat(16)), /INTROSPECTION_URL: .+ https/],
    ['a short secret there', introspection('https://login.example', 'short'), /INTROSPECTION_CLIENT_SECRET: must/],
    ['a token endpoint without TLS', { BRP_OAUTH_TOKEN_URL: 'http://login.example' }, /BRP_OAUTH_TOKEN_URL: .+ https/],
    ['no scanner', { SCANNER: '' }, /SCANNER/],
    ['a simulated scanner', { SCANNER: 'simulator' }, /SCANNER/],
    ['a short one', { DOCUMENTS_SECRET_FILE: '', DOCUMENTS_SECRET: 'short' }, /DOCUMENTS_SECRET: must have at least/],
    ['a short API key', { DUO_API_KEY: 'short' }, /DUO_API_KEY: must have at least/],
    [
      'a short client secret',
      { BRP_OAUTH_CLIENT_SECRET_FILE: '', BRP_OAUTH_CLIENT_SECRET: 'short' },
      /BRP_OAUTH_CLIENT_SECRET: must have at least/,
    ],
    ['an unknown variable', { OIDC_ISUER: 'x' }, /OIDC_ISUER: no such variable; did you mean OIDC_ISSUER\?/],
    ['time that stands still', { SIMULATOR_TODAY: '2026-06-01' }, /SIMULATOR_TODAY/],
    [
      'a store that is not verified',
      { DATABASE_URL: 'postgres://db.example/bff?sslmode=no-verify' },
      /DATABASE_URL: the TLS certificate must be verified/,
    ],
    ['a store without TLS', { DATABASE_URL: 'postgres://db.example/bff' }, /DATABASE_URL: .+ add sslmode=verify-full/],
    ['uploads that are removed at once', { UPLOADS_ORPHAN_HOURS: '0' }, /UPLOADS_ORPHAN_HOURS: must be 1 or more/],
    ['no room for a large upload', { UPLOADS_SPOOL_MB: '24' }, /UPLOADS_SPOOL_MB: must be 25 or more/],
    ['no audience', { OIDC_AUDIENCE: '' }, /OIDC_AUDIENCE/],
    ['no level for a step-up', { OIDC_STEP_UP_ACR: '' }, /OIDC_STEP_UP_ACR: required in production: .+ or "none"/],
    ['a discovery URL without TLS', { OIDC_DISCOVERY_URL: 'http://login.example' }, /OIDC_DISCOVERY_URL: .+ https/],
    ['keys of staff without TLS', { OIDC_STAFF_JWKS_URL: 'http://sso.example' }, /OIDC_STAFF_JWKS_URL: .+ https/],
    ['one issuer for both', { OIDC_STAFF_ISSUER: '$OIDC_ISSUER' }, /OIDC_STAFF_ISSUER: must differ/],
  ];
  const resolved = (more: Record<string, string>) =>
    Object.fromEntries(Object.entries(more).map(([name, value]) => [name, env[value.replace(/^\$/, '')] ?? value]));

  it.each(wrong)('is refused with %s', (_, more, says) => {
    expect(() => readConfig({ ...env, ...resolved(more) })).toThrow(
      expect.objectContaining({ faults: [expect.stringMatching(says)] }),
    );
  });

  it.each<[string, Record<string, string>]>([
    ['a step-up that is switched off', { OIDC_STEP_UP_ACR: 'none' }],
    [
      'the http URL of an issuer to which no connection is made',
      { OIDC_STAFF_ISSUER: 'http://adfs.example/trust', OIDC_STAFF_DISCOVERY_URL: 'https://adfs.example/d' },
    ],
  ])('is accepted with %s', (_, more) => {
    expect(readConfig({ ...env, ...more }).productionLike).toBe(true);
  });

  it('migrates with the command migrate, and says so in one line of JSON', async () => {
    const started = spawnStartForTest({ ...env, DATA_DIR: join(secrets, 'migrated') }, ['migrate'], [], dist);
    expect(await started.exit).toBe(0);
    expect(JSON.parse(started.output())).toMatchObject({ level: 30, migrated: 'The schema is up to date.' });
  });

  it('without its PostgreSQL exits with code 1 and one line that names DATABASE_URL and not the password', async () => {
    const started = spawnStartForTest({ ...env, DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/bff' }, [], [], dist);
    expect(await started.exit).toBe(1);
    expect(started.output()).toBe(
      'DATABASE_URL: no PostgreSQL answers at 127.0.0.1:1. Start it, or correct its address (ECONNREFUSED).\n',
    );
  });

  it('exits with code 1 and lists all wrong variables at once', async () => {
    const all = Object.assign({}, ...wrong.map(([, more]) => resolved(more)), {
      IDENTITY: 'oidc',
      OIDC_STAFF_ISSUER: 'http://staff.example',
      OIDC_DISCOVERY_URL: '',
      OIDC_STAFF_JWKS_URL: '',
      PORT: 'x',
    });
    const { output, exit } = spawnStartForTest({ ...env, ...all, NODE_NO_WARNINGS: '1' });
    expect(await exit).toBe(1);
    for (const name of [
      'OIDC_ISUER',
      'PORT',
      'OIDC_ISSUER',
      'OIDC_STAFF_ISSUER',
      'BRP_UPSTREAM',
      'DUO_UPSTREAM',
      'BRP_OAUTH_TOKEN_URL',
      'BRP_OAUTH_CLIENT_SECRET',
      'SCANNER',
      'DOCUMENTS_SECRET',
      'SIMULATOR_TODAY',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'OIDC_AUDIENCE',
    ])
      expect(output()).toMatch(new RegExp(`\\n {2}- ${name}:`));
  });
});
