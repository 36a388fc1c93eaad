import type { ServerResponse } from 'node:http';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { type SigningKey, signingKey, startIssuer, type TestIssuer, trusting } from './support/issuer.ts';
import { startService, type TestService } from './support/service.ts';
import { type ScriptedServer, type Seen, sendJson } from './support/upstream.ts';

const SANNE = { sub: 'sanne', bsn: '999990007' };

/** What a test has to say when it is done: they run side by side. */
type Test = Pick<TestContext, 'onTestFinished'>;

async function issuers({ onTestFinished }: Test): Promise<[TestIssuer, TestIssuer]> {
  const [key, staffKey] = await Promise.all([signingKey('one'), signingKey('staff')]);
  const both = await Promise.all([startIssuer([key]), startIssuer([staffKey])]);
  for (const one of both) onTestFinished(() => one.close());
  return both;
}

async function serviceFor({ onTestFinished }: Test, issuer: TestIssuer, staff: TestIssuer): Promise<TestService> {
  const service = await startService(trusting(issuer, staff));
  onTestFinished(() => service.close());
  return service;
}

const ready = (service: TestService) =>
  vi.waitFor(async () => expect((await service.get('/health/ready')).status).toBe(200), {
    timeout: 8_000,
    interval: 50,
  });

async function started(test: Test) {
  const [issuer, staff] = await issuers(test);
  const service = await serviceFor(test, issuer, staff);
  await ready(service);
  return { issuer, staff, service };
}

const notes = (service: TestService, token: string) =>
  service.get('/api/v1/notes', { headers: { authorization: `Bearer ${token}` } });

type Failure = (normal: ScriptedServer['answer'], seen: Seen, response: ServerResponse) => unknown;
const onKeys =
  (answer: (response: ServerResponse) => unknown): Failure =>
  (normal, seen, response) =>
    seen.url === '/keys' ? answer(response) : normal(seen, response);

const FAILURES: [string, Failure][] = [
  ['cuts the connection', (_, __, response) => response.destroy()],
  ['does not answer', () => undefined],
  ['says 500', (_, __, response) => sendJson(response, {}, 500)],
  ['has no discovery document', (_, __, response) => sendJson(response, {}, 404)],
  ['answers with a page', onKeys((response) => response.end('<html>Onderhoud</html>'))],
  ['answers with half of its keys', onKeys((response) => response.end('{"keys": [{"kty": "EC", "ki'))],
  ['has no keys', onKeys((response) => sendJson(response, { keys: [] }))],
  ['answers with something else', onKeys((response) => sendJson(response, { error: 'none' }))],
  [
    'has keys that are secret',
    onKeys((response) => sendJson(response, { keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'one' }] })),
  ],
  [
    'has keys without content',
    onKeys((response) => sendJson(response, { keys: [{ kty: 'EC', crv: 'P-256', kid: 'one' }] })),
  ],
  ['sends us elsewhere', onKeys((response) => response.writeHead(302, { location: '/elsewhere' }).end())],
  ['never stops', onKeys((response) => response.end(`{"keys": [], "x": "${'x'.repeat(1_000_000)}"}`))],
  [
    'is another issuer by its own account',
    (normal, seen, response) =>
      seen.url === '/keys'
        ? normal(seen, response)
        : sendJson(response, { issuer: 'https://evil.example', jwks_uri: 'https://evil.example' }),
  ],
];

function fail(issuer: TestIssuer, failure: Failure): () => void {
  const normal = issuer.answer;
  issuer.answer = (seen, response) => failure(normal, seen, response);
  return () => {
    issuer.answer = normal;
  };
}

describe.concurrent.each(FAILURES)('an issuer that %s', (_, failure) => {
  it('lets nobody in at first, and everybody when it is well again', async (test) => {
    const [issuer, staff] = await issuers(test);
    const restore = fail(issuer, failure);
    const service = await serviceFor(test, issuer, staff);
    const token = await issuer.token(SANNE);
    const { status, body, headers } = await notes(service, token);
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'bron-niet-beschikbaar', bron: 'identiteit' });
    expect(headers['retry-after']).toBeDefined();
    expect((await service.get('/health/ready')).status).toBe(503);
    expect((await service.get('/health')).status).toBe(200);
    expect(await staff.token({}).then((one) => notes(service, one))).toMatchObject({ status: 403 });
    restore();
    await ready(service);
    expect((await notes(service, token)).status).toBe(200);
  });

  it('changes nothing once its keys are known', async (test) => {
    const { issuer, service } = await started(test);
    fail(issuer, failure);
    const unknown = await issuer.token(SANNE, {}, await signingKey('two'));
    expect((await notes(service, unknown)).status).toBe(401);
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    expect((await service.get('/health/ready')).status).toBe(200);
    expect(service.log.filter((line) => line.identity === 'keys-unavailable').length).toBeLessThanOrEqual(1);
  });
});

describe('keys', () => {
  it('may be joined by the next: both count', async (test) => {
    const { issuer, service } = await started(test);
    const [old] = issuer.keys as [SigningKey];
    const next = await signingKey('two');
    issuer.keys = [old, next];
    expect((await notes(service, await issuer.token(SANNE, {}, next))).status).toBe(200);
    expect((await notes(service, await issuer.token(SANNE, {}, old))).status).toBe(200);
  });

  it('may be replaced: the old one counts no more, also for who was let in with it', async (test) => {
    const { issuer, service } = await started(test);
    const [old] = issuer.keys as [SigningKey];
    const remembered = await issuer.token(SANNE);
    expect((await notes(service, remembered)).status).toBe(200);
    issuer.keys = [await signingKey('two', 'PS256')];
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    expect((await notes(service, remembered)).status).toBe(401);
    expect((await notes(service, await issuer.token(SANNE, {}, old))).status).toBe(401);
  });

  it('may be replaced twice in a row', async (test) => {
    const { issuer, service } = await started(test);
    for (const kid of ['two', 'three']) {
      issuer.keys = [await signingKey(kid)];
      expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
    }
  });

  it('may move: they are looked for again where the issuer says', async (test) => {
    const { issuer, service } = await started(test);
    const normal = issuer.answer;
    issuer.keys = [await signingKey('two')];
    issuer.answer = (seen, response) => {
      if (seen.url === '/keys') return sendJson(response, {}, 410);
      if (seen.url === '/moved') return normal({ ...seen, url: '/keys' }, response);
      return sendJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/moved` });
    };
    const token = await issuer.token(SANNE);
    expect((await notes(service, token)).status).toBe(401);
    await vi.waitFor(async () => expect((await notes(service, token)).status).toBe(200), {
      timeout: 5_000,
      interval: 200,
    });
  });

  it('may get other content under the same name: with the next look', async (test) => {
    const { issuer, service } = await started(test);
    issuer.keys = [await signingKey('one')];
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(401);
    await notes(service, await issuer.token(SANNE, {}, await signingKey('other')));
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
  });

  it('that nobody knows make us ask three times at most, however many there are', async (test) => {
    const { issuer, service } = await started(test);
    const key = await signingKey('flood');
    const tokens = await Promise.all(
      Array.from({ length: 200 }, (_, n) => issuer.token(SANNE, { kid: `flood-${n}` }, key)),
    );
    const answers = await Promise.all(tokens.map((token) => notes(service, token)));
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect(issuer.fetches()).toBeLessThanOrEqual(3);
    expect((await notes(service, await issuer.token(SANNE))).status).toBe(200);
  });

  it('are not asked for at all for a token that could not count anyway', async (test) => {
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

  it('that are too short or for something else are no keys', async (test) => {
    const [issuer, staff] = await issuers(test);
    const [right] = issuer.keys as [SigningKey];
    const forEncryption = { ...right, jwk: { ...right.jwk, use: 'enc' } };
    issuer.keys = [forEncryption];
    const service = await serviceFor(test, issuer, staff);
    expect((await notes(service, await issuer.token(SANNE, {}, right))).status).toBe(503);
  });
});
