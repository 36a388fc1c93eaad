import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { callAndLog, keep, startService, type TestService, together, whenReady } from '../support/service.ts';
import { stopClocks } from '../support/time.ts';
import {
  AUDIENCE,
  assembleToken,
  epochSeconds,
  issuerVariables,
  type SigningKey,
  signingKey,
  startIssuer,
  type TestIssuer,
} from '../support/upstreams/issuer.ts';
import {
  type ReceivedRequest,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from '../support/upstreams/scripted-server.ts';

/** The settings with which an issuer may differ from RFC 9068. Each has a token that it lets in, and those that it does not. */

const SANNE = { sub: 'sanne', bsn: '999990007' };

/** Starts two issuers, and the service with these variables. Waits for the keys, unless they cannot come. */
async function started(
  variables: Record<string, string> | ((issuer: TestIssuer) => Record<string, string>) = {},
  keys?: SigningKey[],
  { keysCome = true, closing = keep } = {},
) {
  const issuer = closing(await startIssuer(keys ?? [await signingKey('one')]));
  const staff = closing(await startIssuer([await signingKey('staff')]));
  const given = typeof variables === 'function' ? variables(issuer) : variables;
  const service = closing(await startService({ ...issuerVariables(issuer, staff), ...given }));
  if (keysCome) await whenReady(service);
  return { issuer, staff, service };
}

const shared = new Map<string, ReturnType<typeof started>>();
const toClose: { close(): unknown }[] = [];
afterAll(async () => {
  for (const one of toClose.reverse()) await one.close();
});
const closeAtEnd: typeof keep = (one) => {
  toClose.push(one);
  return one;
};

/** Returns what `started` does, once for all tests with these variables: for a test that only sends tokens. */
function startedOnce(variables: Record<string, string> = {}): ReturnType<typeof started> {
  const key = JSON.stringify(variables);
  const starting = shared.get(key) ?? started(variables, undefined, { closing: closeAtEnd });
  shared.set(key, starting);
  return starting;
}

/** The log line of the last request that `outcome` or `send` made. */
let line: Record<string, unknown> = {};

async function send(
  service: TestService,
  token: string,
  path: string,
  headers = {},
  method: 'GET' | 'POST' | 'DELETE' = 'GET',
) {
  const sent = { authorization: `Bearer ${token}`, ...headers };
  const called = await callAndLog(service, method, `/api/v1${path}`, { headers: sent });
  line = called.line;
  return called.reply;
}

/** An operation for professionals that calls no upstream. */
const CATEGORIES = '/uploads/categories?wizardId=registratie';

/** Returns the status of a request with this token, and the reason in the log when it was refused. */
async function outcome(service: TestService, token: string, path = CATEGORIES): Promise<string> {
  const { status } = await send(service, token, path);
  return status === 200 ? '200' : `${status} ${line.reason}`;
}

/** Returns this key as an issuer publishes it that gives it no name. */
const unnamed = ({ jwk: { kid, ...jwk }, ...key }: SigningKey): SigningKey => ({ ...key, jwk });
const NO_KID = { kid: undefined } as unknown as Partial<JWTHeaderParameters>;

describe('OIDC_TYP', () => {
  it('names the accepted values of typ: a token of each gets 200, and of another one 401', async () => {
    const { issuer, service } = await started({ OIDC_TYP: 'at+jwt, JWT' });
    const typed = (typ: string | undefined) => issuer.token(SANNE, { typ } as never);
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT', 'jwt'])
      expect(await outcome(service, await typed(typ))).toBe('200');
    for (const typ of [undefined, 'logout+jwt', 'none', ''])
      expect(await outcome(service, await typed(typ)), String(typ)).toBe('401 typ');
    expect(line.found).toBe('alg ES256, typ empty text, kid text');
  });

  it('with none lets in tokens without typ, and no others', async () => {
    const { issuer, service } = await started({ OIDC_TYP: 'none' });
    expect(await outcome(service, await issuer.token(SANNE, { typ: undefined } as never))).toBe('200');
    for (const typ of ['JWT', 'at+jwt', 'none'])
      expect(await outcome(service, await issuer.token(SANNE, { typ })), typ).toBe('401 typ');
  });

  it.each([
    ['an ID token of Keycloak', { typ: 'ID' }],
    ['a refresh token of Keycloak', { typ: 'Refresh' }],
    ['an ID token of Cognito', { token_use: 'id' }],
    ['an ID token with the hash of an access token', { at_hash: 'x' }],
    ['an ID token with the hash of a code', { c_hash: 'x' }],
  ])('with JWT does not let in %s: 401', async (_, claims) => {
    const { issuer, service } = await startedOnce({ OIDC_TYP: 'JWT' });
    const token = (more: JWTPayload) => issuer.token({ ...SANNE, ...more }, { typ: 'JWT' });
    expect(await outcome(service, await token(claims))).toBe('401 not an access token');
    expect(await outcome(service, await token({ typ: 'Bearer', token_use: 'access' }))).toBe('200');
  });
});

describe('OIDC_KID=optional', () => {
  const optional = { OIDC_KID: 'optional' };

  it('lets in tokens without kid of each key, and tokens with an unknown kid of a key without a name', async () => {
    const [named, bare, stranger] = await Promise.all([signingKey('named'), signingKey('bare'), signingKey('strange')]);
    const { issuer, service } = await started(optional, [named, unnamed(bare)]);
    expect(await outcome(service, await issuer.token(SANNE, {}, named))).toBe('200');
    expect(await outcome(service, await issuer.token(SANNE, NO_KID, named))).toBe('200');
    expect(await outcome(service, await issuer.token(SANNE, NO_KID, bare))).toBe('200');
    expect(await outcome(service, await issuer.token(SANNE, { kid: 'other' }, bare))).toBe('200');
    for (const header of [NO_KID, { kid: 'other' }, { kid: 'named' }])
      expect(await outcome(service, await issuer.token(SANNE, header, stranger))).toMatch(/^401 ERR_JWS_SIGNATURE/);
    expect(await outcome(service, await issuer.token(SANNE, { kid: 'new' }, named))).toMatch(/^401 ERR_JWS_SIGNATURE/);
    expect(await outcome(service, await issuer.token(SANNE, { kid: '' }, bare))).toBe('401 kid');
  });

  it('with keys that all have a name refuses a token with an unknown kid', async () => {
    const { issuer, service } = await started(optional);
    expect(await outcome(service, await issuer.token(SANNE, { kid: 'other' }))).toBe('401 kid unknown');
    expect(await outcome(service, await issuer.token(SANNE, NO_KID))).toBe('200');
  });

  it.each<[string, Partial<JWTHeaderParameters>]>([
    ['without kid', NO_KID],
    ['with a kid that no key has', { kid: 'other' }],
  ])('lets in tokens %s of a key that replaced another, and no longer those of the other', async (_, header) => {
    const [old, next] = await Promise.all([signingKey('old'), signingKey('next', 'PS256')]);
    const { issuer, service } = await started(optional, [unnamed(old)]);
    const remembered = await issuer.token(SANNE, header, old);
    expect(await outcome(service, remembered)).toBe('200');
    issuer.keys = [unnamed(next)];
    expect(await outcome(service, await issuer.token(SANNE, header, next))).toBe('200');
    expect(await outcome(service, remembered)).toMatch(/^401 ERR_JWKS_NO_MATCHING_KEY/);
  });

  it('fetches the keys at most three times for 200 tokens without kid that no key signed', async () => {
    const { issuer, service } = await started(optional);
    const key = await signingKey('flood');
    const tokens = await together(200, () => issuer.token(SANNE, NO_KID, key));
    const statuses = await Promise.all(tokens.map((token) => outcome(service, token)));
    expect(statuses.every((one) => /^(401|503)/.test(one))).toBe(true);
    expect(issuer.fetches()).toBeLessThanOrEqual(3);
    expect(await outcome(service, await issuer.token(SANNE, NO_KID))).toBe('200');
  });

  it('is needed for such tokens and keys: by default they get 401, and a set of only a key without a name 503', async () => {
    const [named, bare] = await Promise.all([signingKey('named'), signingKey('bare')]);
    const { issuer, service } = await started({}, [named, unnamed(bare)]);
    expect(await outcome(service, await issuer.token(SANNE, {}, named))).toBe('200');
    expect(await outcome(service, await issuer.token(SANNE, NO_KID, bare))).toBe('401 kid');
    expect(await outcome(service, await issuer.token(SANNE, {}, bare))).toBe('401 kid unknown');
    const alone = await started({}, [unnamed(bare)], { keysCome: false });
    expect(await outcome(alone.service, await alone.issuer.token(SANNE))).toMatch(/^503/);
    expect(alone.service.log).toContainEqual(expect.objectContaining({ why: 'keys: none with a kid' }));
  });
});

describe('the place of the keys', () => {
  const elsewhere = 'https://issuer.example/name';

  it('is read from the document at OIDC_DISCOVERY_URL, whose issuer may differ from that of the tokens', async () => {
    const { issuer, service } = await started(({ url }) => ({
      OIDC_ISSUER: elsewhere,
      OIDC_DISCOVERY_URL: `${url}/.well-known/openid-configuration`,
    }));
    expect(await outcome(service, await issuer.token({ ...SANNE, iss: elsewhere }))).toBe('200');
    expect(await outcome(service, await issuer.token(SANNE))).toBe('401 iss');
    expect(line.found).toBe('iss with another host');
  });

  it('is OIDC_JWKS_URL, and then no discovery document is read', async () => {
    const { issuer, service } = await started(({ url }) => ({
      OIDC_ISSUER: 'urn:issuer',
      OIDC_JWKS_URL: `${url}/keys`,
    }));
    expect(await outcome(service, await issuer.token({ ...SANNE, iss: 'urn:issuer' }))).toBe('200');
    expect(issuer.received.map(({ url }) => url)).toEqual(['/keys']);
  });

  it('is in the document below the issuer by default, which is not used when it names another issuer', async () => {
    const { issuer, service } = await started(({ url }) => ({ OIDC_ISSUER: `${url}/` }), undefined, {
      keysCome: false,
    });
    expect(await outcome(service, await issuer.token({ ...SANNE, iss: `${issuer.url}/` }))).toMatch(/^503/);
    expect(service.log).toContainEqual(expect.objectContaining({ why: 'discovery: of another issuer' }));
  });

  it.each<[string, (url: string) => string]>([
    ['iss that differs in the slash at its end', (url) => `${url}/`],
    ['iss with the host of a configured issuer, and another scheme or path', (url) => `${url}/v2.0`],
    ['iss with another host', () => 'https://elsewhere.example'],
    ['iss empty text', () => ''],
  ])('a token of another issuer is refused, and the log says how it differs: %s', async (found, iss) => {
    const { issuer, service } = await startedOnce();
    expect(await outcome(service, await issuer.token({ ...SANNE, iss: iss(issuer.url) }))).toBe('401 iss');
    expect(line.found).toBe(found);
  });
});

describe('OIDC_ALGORITHMS', () => {
  it.each([
    ['Ed25519', 'Ed25519'],
    ['Ed25519', 'EdDSA'],
    ['EdDSA', 'Ed25519'],
  ])('with %s lets in tokens of that name, with a key that is published as %s', async (alg, published) => {
    const key = await signingKey('ed', alg);
    const other = alg === 'Ed25519' ? 'EdDSA' : 'Ed25519';
    const { issuer, service } = await started({ OIDC_ALGORITHMS: alg }, [
      { ...key, jwk: { ...key.jwk, alg: published } },
    ]);
    expect(await outcome(service, await issuer.token(SANNE))).toBe('200');
    expect(await outcome(service, await issuer.token(SANNE, { alg: other }))).toBe('401 alg');
    expect(line.found).toBe(`alg ${other}, typ at+jwt, kid text`);
  });

  it('has no Ed25519 by default: 401', async () => {
    const { issuer, service } = await started({}, [await signingKey('ed', 'Ed25519')]);
    expect(await outcome(service, await issuer.token(SANNE))).toBe('401 alg');
  });
});

it('OIDC_AUDIENCE=none lets in tokens without aud of a client in OIDC_CLIENTS, and no others', async () => {
  const { issuer, service } = await started({ OIDC_AUDIENCE: 'none', OIDC_CLIENTS: 'portal' });
  const token = (claims: JWTPayload) => issuer.token({ ...SANNE, aud: undefined, ...claims } as JWTPayload);
  expect(await outcome(service, await token({}))).toBe('200');
  expect(await outcome(service, await token({ aud: 'portal' }))).toBe('401 aud');
  expect(await outcome(service, await token({ aud: [] }))).toBe('401 aud');
  expect(await outcome(service, await token({ client_id: 'other' }))).toBe('401 client');
  expect(await outcome(service, await token({ client_id: undefined }))).toBe('401 client');
});

it.each(['azp', 'client_id', 'appid', 'cid'])(
  'OIDC_CLIENTS finds the client in %s, and refuses another one there',
  async (claim) => {
    const { issuer, service } = await startedOnce({ OIDC_CLIENTS: 'portal,balie' });
    const token = (claims: JWTPayload) => issuer.token({ ...SANNE, client_id: undefined, ...claims } as JWTPayload);
    expect(await outcome(service, await token({ [claim]: 'portal' }))).toBe('200');
    expect(await outcome(service, await token({ [claim]: 'other' }))).toBe('401 client');
    expect(await outcome(service, await token({ azp: 'portal', [claim]: 'other' }))).toBe('401 client');
    expect(await outcome(service, await token({}))).toBe('401 client');
  },
);

describe('a claim', () => {
  const roles = async (path: string, claims: JWTPayload, map?: object) => {
    const { issuer, service } = await startedOnce({
      OIDC_ROLES_CLAIM: path,
      ...(map && { OIDC_ROLES_MAP: JSON.stringify(map) }),
    });
    return outcome(service, await issuer.token({ ...SANNE, ...claims }), '/brief');
  };

  it.each<[string, JWTPayload]>([
    ['https://werk.example/rollen', { 'https://werk.example/rollen': ['drafter'] }],
    ['realm_access.roles', { realm_access: { roles: ['drafter'] } }],
    ['resource_access["bff.example/x"].roles', { resource_access: { 'bff.example/x': { roles: ['drafter'] } } }],
    ['["https://werk.example/claims"].rollen', { 'https://werk.example/claims': { rollen: 'drafter' } }],
    ['["cognito:groups"]', { 'cognito:groups': ['drafter'] }],
    ['scope', { scope: 'openid drafter' }],
    ['scp', { scp: ['openid', 'drafter'] }],
    ['resource_access["bff.example"].scope', { resource_access: { 'bff.example': { scope: 'openid drafter' } } }],
  ])('is found at %s', async (path, claims) => {
    expect(await roles(path, claims)).toBe('200');
    expect(await roles(path, { roles: ['drafter'] })).toBe('403 no role');
  });

  it('is not found in a part of its name, in an inherited member or in a list', async () => {
    expect(
      await roles('resource_access.bff.example.roles', { resource_access: { 'bff.example': { roles: ['drafter'] } } }),
    ).toMatch(/^403/);
    expect(await roles('constructor.name', {})).toMatch(/^403/);
    expect(await roles('groups.0', { groups: ['drafter'] })).toMatch(/^403/);
    expect(await roles('roles', { roles: 'drafter admin' })).toMatch(/^403/);
    expect(await roles('scope.roles', { scope: { roles: 'drafter admin' } })).toMatch(/^403/);
  });

  it('with roles has only names that OIDC_ROLES_MAP has, when there is one', async () => {
    const map = { 'CN=Opstellers,OU=x': 'drafter', beide: ['drafter', 'approver'] };
    expect(await roles('roles', { roles: ['CN=Opstellers,OU=x'] }, map)).toBe('200');
    expect(await roles('roles', { roles: 'beide' }, map)).toBe('200');
    for (const name of ['drafter', 'admin', '__proto__', 'constructor', 'CN=Opstellers'])
      expect(await roles('roles', { roles: [name] }, map), name).toBe('403 no role');
  });

  it('other than sub identifies the person in a token without sub, or with one of another form', async () => {
    const endpoint = keep(await startScriptedServer((_, response) => sendJson(response, { active: true })));
    const { issuer, service } = await started({
      OIDC_SUBJECT_CLAIM: 'oid',
      OIDC_INTROSPECTION_URL: endpoint.url,
      OIDC_INTROSPECTION_CLIENT_ID: 'bff',
      OIDC_INTROSPECTION_CLIENT_SECRET: 'secret',
    });
    const token = (claims: object) => issuer.token({ bsn: SANNE.bsn, sub: undefined, ...claims } as never);
    for (const claims of [{ oid: 'x' }, { oid: '🩺' }, { oid: 'x', sub: 7 }])
      expect(await outcome(service, await token(claims))).toBe('200');
    expect(await outcome(service, await token({ sub: 'sanne' }))).toBe('401 subject claim');
    for (const oid of ['', '\ud800', { toString: 1 }])
      expect(await outcome(service, await token({ oid }))).toBe('401 subject claim');
  });
});

describe('X-Step-Up', () => {
  const stepUp = (service: TestService, token: string, path = '/dashboard-view') =>
    send(service, token, path, { 'x-step-up': '1' });

  it.each<[string, Record<string, string>]>([
    ['is none', { OIDC_STEP_UP_ACR: 'none' }],
    ['is absent in development', { OIDC_STEP_UP_ACR: '' }],
  ])('is answered with 403 that says that it is switched off when OIDC_STEP_UP_ACR %s', async (_, variables) => {
    const { issuer, service } = await started(variables);
    const token = await issuer.token({ ...SANNE, acr: 'none', auth_time: epochSeconds() });
    const { status, body, headers } = await stepUp(service, token);
    expect([status, body.code, headers['www-authenticate']]).toEqual([403, 'rol-ontbreekt', undefined]);
    expect(body.detail).toMatch(/step-up is uitgeschakeld\. Laat X-Step-Up weg\.$/);
    expect(line).toMatchObject({ reason: 'step-up is switched off' });
    expect(await outcome(service, token, '/dashboard-view')).toBe('200');
  });

  it('without OIDC_STAFF_STEP_UP_ACR is answered with 403 for staff, and for professionals as configured', async () => {
    const { issuer, staff, service } = await started({ OIDC_STAFF_STEP_UP_ACR: '' });
    const strong = { acr: 'hoog', auth_time: epochSeconds() };
    const bas = await staff.token({ sub: 'bas', roles: ['behandelaar'], ...strong });
    expect((await stepUp(service, bas, '/brief')).status).toBe(403);
    expect((await stepUp(service, await issuer.token({ ...SANNE, ...strong }))).status).toBe(200);
  });

  it.each<[string, unknown, number]>([
    ['a text', '2', 200],
    ['a number', 2, 200],
    ['a list', ['1', '2'], 200],
    ['a list of numbers', [1, 2], 200],
    ['another number', 3, 401],
    ['a list without it', ['1'], 401],
    ['a list in a list', [['2']], 401],
    ['two values in one text', '1 2', 401],
    ['true', true, 401],
    ['absent', undefined, 401],
  ])('looks for the level in the claim that OIDC_STEP_UP_CLAIM names: %s', async (_, level, status) => {
    const { issuer, service } = await startedOnce({ OIDC_STEP_UP_CLAIM: 'login["x/loa"]', OIDC_STEP_UP_ACR: '2' });
    const claims = { ...SANNE, acr: '2', login: { 'x/loa': level }, auth_time: epochSeconds() };
    expect((await stepUp(service, await issuer.token(claims))).status).toBe(status);
  });

  it.each<[string, () => unknown, number]>([
    ['a number', () => epochSeconds(-5), 200],
    ['a number as text', () => String(epochSeconds(-5)), 200],
    ['a time of ISO 8601', () => new Date(Date.now() - 5_000).toISOString(), 200],
    ['a time with a zone', () => new Date(Date.now() - 5_000 + 7_200_000).toISOString().replace('Z', '+02:00'), 200],
    ['an old number as text', () => String(epochSeconds(-600)), 401],
    ['an old time', () => '2026-01-01T00:00:00Z', 401],
    ['a time without a zone', () => new Date().toISOString().replace('Z', ''), 401],
    ['a day', () => '2026-06-01', 401],
    ['a text', () => 'now', 401],
    ['a list', () => [epochSeconds()], 401],
  ])('reads the time of the login as text when OIDC_AUTH_TIME_CLAIM names the claim: %s', async (_, time, status) => {
    const { issuer, service } = await startedOnce({ OIDC_AUTH_TIME_CLAIM: 'auth_time' });
    const reply = await stepUp(service, await issuer.token({ ...SANNE, acr: 'hoog', auth_time: time() }));
    expect(reply.status).toBe(status);
  });

  it('names in the log what a weak or old login has, and counts it as no refused token', async () => {
    const { issuer, service } = await startedOnce({ MANAGEMENT_PORT: '0' });
    expect((await stepUp(service, await issuer.token({ ...SANNE, acr: 'laag' }))).status).toBe(401);
    expect(line).toMatchObject({ reason: 'login too weak', found: expect.stringContaining('acr text') });
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
    expect(metrics).not.toMatch(/^token_refusals_total\{/m);
  });
});

describe('an opaque token', () => {
  const ACTIVE = { active: true, aud: AUDIENCE, client_id: 'portal', token_type: 'Bearer', ...SANNE };
  const about = ({ body }: Pick<ReceivedRequest, 'body'>) => new URLSearchParams(body).get('token') ?? '';

  /** Starts a service whose professionals have opaque tokens. `answers` has the answer about each token. */
  async function withOpaque(
    answers: Record<string, object | number>,
    variables: Record<string, string> = {},
    closing = keep,
  ) {
    const endpoint: ScriptedServer = await startScriptedServer((request, response) => {
      const answer = answers[about(request)] ?? { active: false };
      if (typeof answer === 'number') sendJson(response, {}, answer);
      else sendJson(response, answer);
    });
    closing(endpoint);
    const settings = { OIDC_TYP: 'opaque', OIDC_CLIENTS: 'portal', ...introspection('OIDC', endpoint), ...variables };
    const started_ = await started(settings, undefined, { closing });
    const asked = (token: string) => endpoint.received.filter((request) => about(request) === token).length;
    return { ...started_, endpoint, asked };
  }
  const introspection = (prefix: string, { url }: ScriptedServer) => ({
    [`${prefix}_INTROSPECTION_URL`]: `${url}/introspect`,
    [`${prefix}_INTROSPECTION_CLIENT_ID`]: 'bff',
    [`${prefix}_INTROSPECTION_CLIENT_SECRET`]: 'secret',
  });

  it('gives access by what the introspection endpoint says of it, without keys of the issuer', async () => {
    const { issuer, service, endpoint } = await withOpaque({
      abc: { ...ACTIVE, roles: ['drafter'], exp: epochSeconds(300) },
    });
    expect(await outcome(service, 'abc')).toBe('200');
    expect(await outcome(service, 'abc', '/brief')).toBe('200');
    expect(issuer.received).toEqual([]);
    expect(endpoint.received[0]?.headers.authorization).toBe(`Basic ${btoa('bff:secret')}`);
  });

  const REFUSED: readonly (readonly [string, object, string])[] = [
    ['inactive', { active: false, ...SANNE }, '401 inactive'],
    ['of another issuer', { ...ACTIVE, iss: 'https://evil.example' }, '401 iss'],
    ['for another audience', { ...ACTIVE, aud: ['other'] }, '401 aud'],
    ['without an audience', { ...ACTIVE, aud: undefined }, '401 aud'],
    ['of another client', { ...ACTIVE, client_id: 'other' }, '401 client'],
    ['expired', { ...ACTIVE, exp: 1 }, '401 expired'],
    ['with a text as exp', { ...ACTIVE, exp: '9999999999' }, '401 exp'],
    ['not valid yet', { ...ACTIVE, nbf: epochSeconds(3_600) }, '401 nbf'],
    ['issued in the future', { ...ACTIVE, iat: epochSeconds(3_600) }, '401 iat'],
    ['without a subject', { ...ACTIVE, sub: undefined }, '401 sub'],
    ['with a wrong number', { ...ACTIVE, bsn: '999990008' }, '401 bsn claim'],
    ['of the type DPoP', { ...ACTIVE, token_type: 'DPoP' }, '401 token_type'],
    ['a refresh token', { ...ACTIVE, typ: 'Refresh' }, '401 not an access token'],
  ];
  let refusing: ReturnType<typeof withOpaque> | undefined;
  const tokenOf = (what: string) => what.replaceAll(' ', '-');
  it.each(REFUSED)('is refused when it is %s', async (what, _, expected) => {
    const answers = Object.fromEntries(REFUSED.map(([of, answer]) => [tokenOf(of), answer]));
    refusing ??= withOpaque({ ...answers, good: ACTIVE }, {}, closeAtEnd);
    const { service } = await refusing;
    expect(await outcome(service, tokenOf(what))).toBe(expected);
    expect(await outcome(service, 'good')).toBe('200');
  });

  it('is asked about once a minute, and no longer than until it expires', async () => {
    stopClocks();
    const answers = {
      long: { ...ACTIVE, exp: epochSeconds(3_600) },
      short: { ...ACTIVE, exp: epochSeconds(30) },
      none: ACTIVE,
    };
    const { service, asked } = await withOpaque(answers, { OIDC_TOKEN_CACHE_SECONDS: '300' });
    const all = async () => {
      for (const token of Object.keys(answers)) await outcome(service, token);
      return Object.keys(answers).map(asked);
    };
    expect(await all()).toEqual([1, 1, 1]);
    vi.advanceTimersByTime(31_000);
    expect(await all()).toEqual([1, 2, 1]);
    vi.advanceTimersByTime(30_000);
    expect(await all()).toEqual([2, 3, 2]);
  });

  it('is not shown to the endpoint when it is a JWT of an issuer that is not configured, or of one with keys', async () => {
    const { issuer, staff, service, endpoint } = await withOpaque({});
    expect(await outcome(service, await issuer.token({ ...SANNE, iss: 'https://evil.example' }))).toBe('401 iss');
    expect(await outcome(service, await staff.token({ sub: 'bas', roles: ['behandelaar'] }), '/brief')).toBe('200');
    expect(endpoint.received).toEqual([]);
    expect(await outcome(service, await issuer.token(SANNE))).toBe('401 inactive');
    expect(endpoint.received).toHaveLength(1);
  });

  it('can come from both issuers, with endpoints on one host: that of professionals is asked first', async () => {
    const answers: Record<string, object> = { sanne: ACTIVE };
    const forStaff = await startScriptedServer((request, response) =>
      sendJson(
        response,
        about(request) === 'bas' ? { ...ACTIVE, sub: 'bas', roles: ['behandelaar'] } : { active: false },
      ),
    );
    keep(forStaff);
    const { service, endpoint } = await withOpaque(answers, {
      OIDC_STAFF_TYP: 'opaque',
      ...introspection('OIDC_STAFF', forStaff),
    });
    expect(await outcome(service, 'sanne')).toBe('200');
    expect(forStaff.received).toEqual([]);
    expect(await outcome(service, 'bas', '/brief')).toBe('200');
    expect(await outcome(service, 'bas')).toBe('403 kind of caller');
    expect(await outcome(service, 'nobody')).toBe('401 inactive');
    expect(endpoint.received.map(about)).toEqual(['sanne', 'bas', 'nobody']);
  });

  it('of an issuer with JWTs too is let in beside them', async () => {
    const { issuer, service, endpoint } = await withOpaque({ abc: ACTIVE }, { OIDC_TYP: 'at+jwt,opaque' });
    expect(await outcome(service, 'abc')).toBe('200');
    expect(await outcome(service, await issuer.token(SANNE, {}, await signingKey('one')))).toMatch(/^401 ERR_JWS/);
    expect(endpoint.received).toHaveLength(1);
    // Of a JWT the endpoint is asked whether it is still active.
    expect(await outcome(service, await issuer.token(SANNE))).toBe('401 inactive');
  });

  it('is refused with 401 by default, and the log says that it is no JWT', async () => {
    const { service } = await startedOnce();
    expect(await outcome(service, 'abc')).toBe('401 no JWT');
    expect(line.found).toBe('text without dots');
  });
});

describe('the log of a refused token', () => {
  it('has the names of the claims when the signature is right, and never a value or a name with a number', async () => {
    const { issuer, service } = await startedOnce();
    const claims = {
      ...SANNE,
      aud: 'https://other.example',
      given_name: 'Sannetje',
      'https://werk.example/x': { a: '1' },
      mandates: { '999990007': ['all'], 'a.b': { c: { d: 1 } } },
      'name with spaces': true,
      empty: {},
      none: null,
    };
    expect(await outcome(service, await issuer.token(claims))).toBe('401 aud');
    const { found } = line;
    expect(found).toBe(
      'iss text, aud text, sub text, client_id text, iat number, exp number, jti text, bsn text, given_name text, ' +
        '["https://werk.example/x"].a text, mandates.… list of 1, mandates["a.b"].c object, … boolean, empty object, none null',
    );
    expect(JSON.stringify(service.log)).not.toMatch(/Sannetje|999990007|other\.example/);
  });

  it('has nothing of the claims when the signature is wrong', async () => {
    const { issuer, service } = await startedOnce();
    const stranger = await signingKey('one');
    expect(await outcome(service, await issuer.token({ chosen_by_a_client: 1 }, {}, stranger))).toMatch(/^401 ERR_JWS/);
    expect(line.found).toBe('alg ES256, typ at+jwt, kid text');
    const text = { alg: 'x999990007', typ: '999990007', kid: '999990007' };
    expect(await outcome(service, assembleToken(text, { iss: issuer.url }, 'x'))).toBe('401 alg');
    expect(line.found).toBe('alg text, typ text, kid text');
    expect(JSON.stringify(service.log)).not.toMatch(/chosen_by_a_client|999990007/);
  });

  it('has at most forty claims', async () => {
    const { issuer, service } = await startedOnce();
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`c${n}`, n]));
    expect(await outcome(service, await issuer.token({ ...many, aud: 'x' }))).toBe('401 aud');
    expect(String(line.found)).toMatch(/c32 number, and 17 more$/);
  });

  it('says of a request without a token whether the header is absent or unusable, and counts no refused token', async () => {
    const { service } = await startedOnce({ MANAGEMENT_PORT: '0' });
    ({ line } = await callAndLog(service, 'GET', '/api/v1/notes'));
    expect(line).toMatchObject({ reason: 'no Authorization' });
    ({ line } = await callAndLog(service, 'GET', '/api/v1/notes', { headers: { authorization: 'Basic x' } }));
    expect(line).toMatchObject({ reason: 'unusable Authorization' });
    expect(line).not.toHaveProperty('found');
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
    expect(metrics).not.toMatch(/^token_refusals_total\{/m);
  });

  it('has the role of a caller whose role is not enough, and the kind of caller where that decides', async () => {
    const { issuer, service } = await startedOnce();
    const drafter = await issuer.token({ ...SANNE, roles: ['drafter'] });
    expect((await send(service, drafter, '/brief/approve', {}, 'POST')).status).toBe(403);
    expect(line).toMatchObject({ reason: 'role: only drafter', found: expect.stringContaining('roles list of 1') });
    expect((await send(service, drafter, '/admin/uploads/none', {}, 'DELETE')).status).toBe(403);
    expect(line).toMatchObject({ operation: 'adminDeleteUpload', reason: 'role: only drafter' });
  });
});
