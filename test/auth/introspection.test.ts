import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refusalOf, type TestService, use, useService, whenReady } from '../support/service.ts';
import { stopClocks } from '../support/time.ts';
import { epochSeconds, issuerVariables, signingKey, startIssuer } from '../support/upstreams/issuer.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

const ACTIVE = { status: 200, body: { active: true } };
/** The answer of the introspection endpoint; a test may replace it. */
let answer: { status: number; body: unknown } = ACTIVE;
const issuer = await use(startIssuer([await signingKey('professional')]));
const staff = await use(startIssuer([await signingKey('staff')]));
const usual: ScriptedServer['answer'] = (_, response) => sendJson(response, answer.body, answer.status);
const endpoint = await use(startScriptedServer(usual));
const settings = (cache: string): Record<string, string> => ({
  ...issuerVariables(issuer, staff),
  OIDC_INTROSPECTION_URL: `${endpoint.url}/introspect`,
  OIDC_INTROSPECTION_CLIENT_ID: 'bff',
  OIDC_INTROSPECTION_CLIENT_SECRET: 'geheim: ja&nee',
  OIDC_TOKEN_CACHE_SECONDS: cache,
});

/** A service that checks each token at the introspection endpoint at every request. */
const service = await useService({ ...settings('0'), REQUESTS_AT_ONCE: '40' });
/** A service that checks each token at most once a minute. */
const caching = await useService(settings('60'));
for (const one of [service, caching]) await whenReady(one);
afterEach(() => {
  answer = ACTIVE;
  endpoint.answer = usual;
});

const SANNE = { sub: 'sanne', bsn: '999990007' };
const token = () => issuer.token(SANNE);
/** Lets this number of seconds pass, and sets the clock of the system back by an hour. */
function setBackAfter(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1_000);
  vi.setSystemTime(Date.now() - 3_600_000);
}
const notes = (at: TestService, bearer: string) =>
  at.get('/api/v1/notes', { headers: { authorization: `Bearer ${bearer}` } });

describe('a valid token', () => {
  it('is accepted while the introspection endpoint says that it is active', async () => {
    const bearer = await token();
    const from = endpoint.received.length;
    expect((await notes(service, bearer)).status).toBe(200);
    const [asked] = endpoint.received.slice(from);
    expect([asked?.method, asked?.url]).toEqual(['POST', '/introspect']);
    // RFC 6749, section 2.3.1: id and secret are form-encoded before they are joined.
    const credentials = String(asked?.headers.authorization).replace('Basic ', '');
    expect(Buffer.from(credentials, 'base64').toString()).toBe('bff:geheim%3A+ja%26nee');
    expect(new URLSearchParams(asked?.body).get('token')).toBe(bearer);
  });

  it('is refused with 401 niet-ingelogd from the moment that it was revoked', async () => {
    const bearer = await token();
    expect((await notes(service, bearer)).status).toBe(200);
    answer = { status: 200, body: { active: false } };
    expect(await refusalOf(notes(service, bearer))).toEqual([401, 'niet-ingelogd']);
    expect(service.log.findLast((line) => line.operation === 'notes')).toMatchObject({ reason: 'inactive' });
  });

  it('is checked at the introspection endpoint once in OIDC_TOKEN_CACHE_SECONDS', async () => {
    const bearer = await token();
    const from = endpoint.received.length;
    for (let n = 0; n < 3; n += 1) expect((await notes(caching, bearer)).status).toBe(200);
    expect(endpoint.received.length - from).toBe(1);
  });

  it('that was revoked is refused after OIDC_TOKEN_CACHE_SECONDS, also when the clock was set back', async () => {
    stopClocks();
    const bearer = await issuer.token({ ...SANNE, iat: epochSeconds(-7_200) });
    expect((await notes(caching, bearer)).status).toBe(200);
    answer = { status: 200, body: { active: false } };
    setBackAfter(60);
    expect((await notes(caching, bearer)).status).toBe(401);
    expect(caching.log.findLast((line) => line.operation === 'notes')).toMatchObject({ reason: 'inactive' });
  });

  it('with an unknown kid has the keys fetched again after 30 seconds, also when the clock was set back', async () => {
    stopClocks();
    const key = await signingKey('unknown');
    const fetchesFor = async (kids: readonly string[]): Promise<number> => {
      const before = issuer.fetches();
      for (const kid of kids) await notes(service, await issuer.token(SANNE, { kid }, key));
      return issuer.fetches() - before;
    };
    expect(await fetchesFor(['a', 'b', 'c'])).toBe(2);
    setBackAfter(30);
    expect(await fetchesFor(['d', 'e'])).toBe(1);
  });

  it.each([
    ['answers 500', { status: 500, body: {} }],
    ['refuses the client of this service', { status: 401, body: { error: 'invalid_client' } }],
    ['answers without the member active', { status: 200, body: {} }],
    ['answers with active as text', { status: 200, body: { active: 'true' } }],
  ])('is refused with 503 when the endpoint %s', async (_, bad) => {
    answer = bad;
    const { status, body, headers } = await notes(service, await token());
    expect([status, body.code, typeof headers['retry-after']]).toEqual([503, 'bron-niet-beschikbaar', 'string']);
  });

  it('of staff is accepted without introspection, which is configured for professionals only', async () => {
    const from = endpoint.received.length;
    const bearer = await staff.token({ sub: 'bas', roles: ['behandelaar'] });
    const { status } = await service.get('/api/v1/brief', { headers: { authorization: `Bearer ${bearer}` } });
    expect([status, endpoint.received.length - from]).toEqual([200, 0]);
  });
});

describe('a revoked token', () => {
  const asksAbout = (bearer: string) =>
    endpoint.received.filter(({ body }) => new URLSearchParams(body).get('token') === bearer).length;

  it('is refused without a new question to the introspection endpoint for OIDC_TOKEN_CACHE_SECONDS', async () => {
    const bearer = await token();
    answer = { status: 200, body: { active: false } };
    for (let n = 0; n < 3; n += 1) expect((await notes(caching, bearer)).status).toBe(401);
    expect(asksAbout(bearer)).toBe(1);
    expect(caching.log.findLast((line) => line.operation === 'notes')).toMatchObject({ reason: 'inactive' });
  });

  it('that is repeated many times at once is asked about once, so that other callers get 200', async () => {
    const [revoked, valid] = await Promise.all([token(), token()]);
    const held: ServerResponse[] = [];
    endpoint.answer = (request, response) => {
      if (new URLSearchParams(request.body).get('token') === revoked) held.push(response);
      else sendJson(response, { active: true });
    };
    const repeated = Array.from({ length: 12 }, () => notes(caching, revoked));
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect((await notes(caching, valid)).status).toBe(200);
    for (const response of held) sendJson(response, { active: false });
    expect((await Promise.all(repeated)).map(({ status }) => status)).toEqual(repeated.map(() => 401));
    expect(asksAbout(revoked)).toBe(1);
  });
});

it('an introspection endpoint that does not answer keeps at most half of REQUESTS_AT_ONCE waiting, so that staff, whose tokens are not asked about, get 200', async () => {
  const held: ServerResponse[] = [];
  endpoint.answer = (_, response) => held.push(response);
  const [bearer, ofStaff] = await Promise.all([token(), staff.token({ sub: 'bas', roles: ['behandelaar'] })]);
  const answered: unknown[] = [];
  const replies = Array.from({ length: 80 }, () => notes(service, bearer).then((reply) => answered.push(reply)));
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(40);
  expect((await service.get('/api/v1/brief', { headers: { authorization: `Bearer ${ofStaff}` } })).status).toBe(200);
  expect(answered).toContainEqual(
    expect.objectContaining({
      status: 503,
      headers: expect.objectContaining({ 'retry-after': '1' }),
      body: expect.objectContaining({ bron: 'identiteit' }),
    }),
  );
  for (const response of held) sendJson(response, { active: true });
  await Promise.all(replies);
});

it('one person with many tokens has at most two questions at a slow introspection endpoint: the token of another person is asked about', async () => {
  const held: ServerResponse[] = [];
  endpoint.answer = (_, response) => held.push(response);
  const from = endpoint.received.length;
  const many = await Promise.all(Array.from({ length: 10 }, token));
  const told: unknown[] = [];
  const replies = many.map(async (bearer) => told.push(await notes(service, bearer)));
  await expect.poll(() => told.length).toBe(8);
  for (const reply of told)
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: { bron: 'identiteit' } });
  const other = notes(service, await issuer.token({ sub: 'noor', bsn: '999990019' }));
  await expect.poll(() => endpoint.received.length - from).toBe(3);
  for (const response of held) sendJson(response, { active: true });
  expect((await other).status).not.toBe(503);
  await Promise.all(replies);
  expect(told.slice(8)).toMatchObject([{ status: 200 }, { status: 200 }]);
});

it('an invalid token is refused with 401 without a call to the introspection endpoint', async () => {
  const from = endpoint.received.length;
  const bearer = await issuer.token({ sub: 'sanne', exp: 1 });
  expect((await notes(service, bearer)).status).toBe(401);
  expect(endpoint.received.length).toBe(from);
});
