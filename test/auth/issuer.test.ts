import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest';
import type { Timing } from '../../src/ports/timing.ts';
import { startService, type TestService, together, whenReady } from '../support/service.ts';
import { WAIT_MS } from '../support/time.ts';
import {
  issuerVariables,
  type SigningKey,
  signingKey,
  startIssuer,
  type TestIssuer,
} from '../support/upstreams/issuer.ts';
import { type ReceivedRequest, type ScriptedServer, sendJson } from '../support/upstreams/scripted-server.ts';

const SANNE = { sub: 'sanne', bsn: '999990007' };

/** Context of one test, to close its servers when it ends: the tests run concurrently. */
type Test = Pick<TestContext, 'onTestFinished'>;

async function issuers({ onTestFinished }: Test): Promise<[TestIssuer, TestIssuer]> {
  const [key, staffKey] = await Promise.all([signingKey('one'), signingKey('staff')]);
  const both = await Promise.all([startIssuer([key]), startIssuer([staffKey])]);
  for (const one of both) onTestFinished(() => one.close());
  return both;
}

async function serviceFor(
  { onTestFinished }: Test,
  issuer: TestIssuer,
  staff: TestIssuer,
  variables: Readonly<Record<string, string>> = {},
  changes: Partial<Timing> = {},
): Promise<TestService> {
  const service = await startService({ ...issuerVariables(issuer, staff), ...variables }, undefined, {}, {}, changes);
  onTestFinished(() => service.close());
  return service;
}

async function started(test: Test) {
  const [issuer, staff] = await issuers(test);
  const service = await serviceFor(test, issuer, staff);
  await whenReady(service);
  return { issuer, staff, service };
}

const notes = (service: TestService, token: string) =>
  service.get('/api/v1/notes', { headers: { authorization: `Bearer ${token}` } });

type Failure = (normal: ScriptedServer['answer'], request: ReceivedRequest, response: ServerResponse) => unknown;
const onKeys =
  (answer: (response: ServerResponse) => unknown): Failure =>
  (normal, request, response) =>
    request.url === '/keys' ? answer(response) : normal(request, response);

const FAILURES: [string, Failure][] = [
  ['cuts the connection', (_, __, response) => response.destroy()],
  ['does not answer', () => undefined],
  ['answers 500', (_, __, response) => sendJson(response, {}, 500)],
  ['has no discovery document', (_, __, response) => sendJson(response, {}, 404)],
  ['answers the request for its keys with an HTML page', onKeys((response) => response.end('<html>Onderhoud</html>'))],
  ['answers for its keys with truncated JSON', onKeys((response) => response.end('{"keys": [{"kty": "EC", "ki'))],
  ['publishes an empty key set', onKeys((response) => sendJson(response, { keys: [] }))],
  ['publishes JSON without keys', onKeys((response) => sendJson(response, { error: 'none' }))],
  ['publishes a symmetric key', onKeys((r) => sendJson(r, { keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'one' }] }))],
  ['publishes a key without x and y', onKeys((r) => sendJson(r, { keys: [{ kty: 'EC', crv: 'P-256', kid: 'one' }] }))],
  ['redirects a request for its keys', onKeys((response) => response.writeHead(302, { location: '/elsewhere' }).end())],
  ['publishes a key set of 1 MB', onKeys((response) => response.end(`{"keys": [], "x": "${'x'.repeat(1_000_000)}"}`))],
  [
    'names another issuer in its discovery document',
    (normal, request, response) =>
      request.url === '/keys'
        ? normal(request, response)
        : sendJson(response, { issuer: 'https://evil.example', jwks_uri: 'https://evil.example' }),
  ],
];

function fail(issuer: TestIssuer, failure: Failure): () => void {
  const normal = issuer.answer;
  issuer.answer = (request, response) => failure(normal, request, response);
  return () => {
    issuer.answer = normal;
  };
}

describe.concurrent.each(FAILURES)('an issuer that %s', (_, failure) => {
  it('at startup makes requests with its tokens fail with 503 bron-niet-beschikbaar until it recovers', async (test) => {
    const [issuer, staff] = await issuers(test);
    const restore = fail(issuer, failure);
    const service = await serviceFor(test, issuer, staff, {}, { issuer: 500 });
    const token = await issuer.token(SANNE);
    const { status, body, headers } = await notes(service, token);
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'bron-niet-beschikbaar',
      bron: 'identiteit',
      detail: 'De inlogdienst is nu niet bereikbaar. Probeer het later opnieuw.',
    });
    expect(headers['retry-after']).toBeDefined();
    const { why } = service.log.find((line) => line.identity === 'keys-unavailable') ?? {};
    expect(why).toMatch(/^(discovery|keys): \w/);
    expect((await service.get('/health/ready')).status).toBe(503);
    expect((await service.get('/health')).status).toBe(200);
    const ofStaff = await staff.token({});
    await vi.waitFor(async () => expect(await notes(service, ofStaff)).toMatchObject({ status: 403 }), WAIT_MS);
    restore();
    await whenReady(service);
    expect((await notes(service, token)).status).toBe(200);
  });

  it('after startup does not affect requests with tokens that are signed with known keys: they get 200', async (test) => {
    const { issuer, service } = await started(test);
    service.timing.issuer = 500;
    fail(issuer, failure);
    const unknown = await issuer.token(SANNE, {}, await signingKey('two'));
    expect((await notes(service, unknown)).status).toBe(401);
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    expect((await service.get('/health/ready')).status).toBe(200);
    expect(service.log.filter((line) => line.identity === 'keys-unavailable').length).toBeLessThanOrEqual(1);
  });
});

it('an issuer that does not answer keeps at most 16 requests with an unknown key waiting: one with a known key gets 200', async (test) => {
  const [issuer, staff] = await issuers(test);
  const service = await serviceFor(test, issuer, staff, { REQUESTS_AT_ONCE: '20' });
  await whenReady(service);
  const held: ServerResponse[] = [];
  const restore = fail(issuer, (_, __, response) => held.push(response));
  const unknown = await issuer.token(SANNE, {}, await signingKey('two'));
  const refused: unknown[] = [];
  const answers = Array.from({ length: 40 }, () => notes(service, unknown).then((answer) => refused.push(answer)));
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(20);
  const early = [...refused];
  expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
  expect(early).toContainEqual(
    expect.objectContaining({
      status: 503,
      headers: expect.objectContaining({ 'retry-after': '1' }),
      body: expect.objectContaining({ bron: 'identiteit' }),
    }),
  );
  restore();
  for (const response of held) response.destroy();
  await Promise.all(answers);
});

describe('signing keys of an issuer', () => {
  it('can be added: tokens signed with the old or the new key get 200', async (test) => {
    const { issuer, service } = await started(test);
    const [old] = issuer.keys as [SigningKey];
    const next = await signingKey('two');
    issuer.keys = [old, next];
    expect((await notes(service, await issuer.token(SANNE, {}, next))).status).toBe(200);
    expect((await notes(service, await issuer.token(SANNE, {}, old))).status).toBe(200);
  });

  it.each([
    [32, 200],
    [33, 401],
  ])('in a key set with %i levels of JSON: tokens signed with a new one get %i', async (depth, status) => {
    const { issuer, service } = await started({ onTestFinished });
    const normal = issuer.answer;
    const keys = [...issuer.keys, await signingKey('two')];
    const inner = depth - 1;
    const x = JSON.parse(`${'['.repeat(inner)}${']'.repeat(inner)}`);
    issuer.answer = (request, response) =>
      request.url === '/keys' ? sendJson(response, { keys: keys.map(({ jwk }) => jwk), x }) : normal(request, response);
    const token = await issuer.token(SANNE, {}, keys.at(-1));
    expect((await notes(service, token)).status).toBe(status);
  });

  it('can be replaced: tokens signed with the old key are refused with 401, also those that were accepted before', async (test) => {
    const { issuer, service } = await started(test);
    const [old] = issuer.keys as [SigningKey];
    const remembered = await issuer.token(SANNE);
    expect((await notes(service, remembered)).status).toBe(200);
    issuer.keys = [await signingKey('two', 'PS256')];
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    expect((await notes(service, remembered)).status).toBe(401);
    expect((await notes(service, await issuer.token(SANNE, {}, old))).status).toBe(401);
  });

  it('can be replaced twice in a row: tokens signed with each new key get 200', async (test) => {
    const { issuer, service } = await started(test);
    for (const kid of ['two', 'three']) {
      issuer.keys = [await signingKey(kid)];
      expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    }
  });

  it.each<[string, (keys: readonly SigningKey[]) => [unknown, number]]>([
    ['answers 410', () => [{}, 410]],
    ['still has the old key', (keys) => [{ keys: keys.map(({ jwk }) => jwk) }, 200]],
  ])('can move to another URL while the old URL %s: tokens signed with the new key get 200', async (_, answer) => {
    const { issuer, service } = await started({ onTestFinished });
    const normal = issuer.answer;
    const old = issuer.keys;
    issuer.keys = [await signingKey('two')];
    issuer.answer = (request, response) => {
      if (request.url === '/keys') return sendJson(response, ...answer(old));
      if (request.url === '/moved') return normal({ ...request, url: '/keys' }, response);
      return sendJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/moved` });
    };
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
  });

  it('can change under the same kid: tokens signed with the new key get 401 until the keys are fetched again', async (test) => {
    const { issuer, service } = await started(test);
    issuer.keys = [await signingKey('one')];
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(401);
    await notes(service, await issuer.token(SANNE, {}, await signingKey('other')));
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
  });

  it('can be published twice under one kid: tokens signed with the key get 200', async (test) => {
    const [issuer, staff] = await issuers(test);
    const [key] = issuer.keys as [SigningKey];
    issuer.keys = [key, key];
    const service = await serviceFor(test, issuer, staff);
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    expect((await notes(service, await issuer.token({ ...SANNE, exp: 1 }))).status).toBe(401);
  });

  it('can share one kid: tokens signed with either key get 200, and with a third key 401', async (test) => {
    const [issuer, staff] = await issuers(test);
    const [key] = issuer.keys as [SigningKey];
    const other = await signingKey(key.kid);
    issuer.keys = [key, other];
    const service = await serviceFor(test, issuer, staff);
    expect((await notes(service, await issuer.token(SANNE, {}, key))).status).toBe(200);
    expect((await notes(service, await issuer.token(SANNE, {}, other))).status).toBe(200);
    expect((await notes(service, await issuer.token(SANNE, {}, await signingKey(key.kid)))).status).toBe(401);
  });

  it('can share one kid up to the sixteenth: tokens signed with that get 200, and with the next 401', async (test) => {
    const [issuer, staff] = await issuers(test);
    const [key] = issuer.keys as [SigningKey];
    issuer.keys = [key, ...(await together(16, () => signingKey(key.kid)))];
    const service = await serviceFor(test, issuer, staff);
    const statuses = [];
    for (const signing of issuer.keys.slice(-2))
      statuses.push((await notes(service, await issuer.token(SANNE, {}, signing))).status);
    expect(statuses).toEqual([200, 401]);
  });

  it('are requested at most three times for 200 tokens with different unknown kids', async (test) => {
    const { issuer, service } = await started(test);
    const key = await signingKey('flood');
    const tokens = await together(200, (n) => issuer.token(SANNE, { kid: `f${n}` }, key));
    const answers = await Promise.all(tokens.map((token) => notes(service, token)));
    expect(answers.every(({ status }) => status === 401 || status === 503)).toBe(true);
    expect(answers.some(({ status }) => status === 401)).toBe(true);
    expect(issuer.fetches()).toBeLessThanOrEqual(3);
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
  });

  it('are not requested for a token with an invalid typ, algorithm or issuer', async (test) => {
    const { issuer, service } = await started(test);
    const before = issuer.fetches();
    const key = await signingKey('x');
    for (const token of [
      await issuer.token(SANNE, { typ: 'JWT' }, key),
      await issuer.token(SANNE, {}, await signingKey('y', 'ES384')),
      await issuer.token({ ...SANNE, iss: 'https://evil.example' }, {}, key),
    ])
      expect((await notes(service, token)).status).toBe(401);
    expect(issuer.fetches()).toBe(before);
  });

  it('can be published without alg and use, among keys of unknown types: tokens signed with them get 200', async (test) => {
    const [issuer, staff] = await issuers(test);
    const right = await signingKey('one', 'RS256');
    const { alg, use, ...bare } = right.jwk;
    const stranger = { kty: 'AKP', alg: 'ML-DSA-65', pub: 'AAAA', kid: 'pq' };
    const published = [{ ...bare, x5c: ['AAAA'], x5t: 'AAAA', key_ops: ['verify'], vendor: 1 }];
    const others = [stranger, { kty: 'unheard-of', kid: 'x' }, null, 'text', { ...bare, use: 'enc' }];
    issuer.keys = [right];
    fail(
      issuer,
      onKeys((response) => sendJson(response, { keys: [...others, ...published], vendor: true })),
    );
    const service = await serviceFor(test, issuer, staff);
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    expect([alg, use]).toEqual(['RS256', 'sig']);
  });

  it('can be many: a token signed with one of 301 gets 200', async (test) => {
    const [issuer, staff] = await issuers(test);
    const [key] = issuer.keys as [SigningKey];
    const others = Array.from({ length: 300 }, (_, n) => ({ ...key.jwk, kid: `other-${n}` }));
    fail(
      issuer,
      onKeys((response) => sendJson(response, { keys: [...others, key.jwk] })),
    );
    const service = await serviceFor(test, issuer, staff);
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
  });

  it('with use "enc" are ignored: a token signed with one is answered with 503', async (test) => {
    const [issuer, staff] = await issuers(test);
    const [right] = issuer.keys as [SigningKey];
    const forEncryption = { ...right, jwk: { ...right.jwk, use: 'enc' } };
    issuer.keys = [forEncryption];
    const service = await serviceFor(test, issuer, staff);
    expect((await notes(service, await issuer.token(SANNE, {}, right))).status).toBe(503);
  });
});
