import { decodeProtectedHeader } from 'jose';
import { request } from 'undici';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { controlOf } from '../support/control.ts';
import { CALLBACK, claimsOf, createLoginClient, LOA_PREFIX, type Tokens } from '../support/login.ts';
import { useService, whenReady } from '../support/service.ts';

const service = await useService({
  IDENTITY: 'simulated-oidc',
  OIDC_SIMULATED_PORT: '0',
  OIDC_SIMULATED_TOKEN_SECONDS: '120',
});
const [professional = '', staff = ''] = service.identity.match(/http:\S+[^\s,]/g) ?? [];
const issuers = { professional, staff };
beforeAll(() => whenReady(service));

const get = (path: string, { access_token: token }: Pick<Tokens, 'access_token'>, headers = {}) =>
  service.get(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });

describe('a login at the simulated issuer', () => {
  it('returns a token (RFC 9068) with which the service answers with the data of the persona', async () => {
    const tokens = await (await createLoginClient(issuers.professional)).logIn({ persona: 'ruben-smit' });
    expect(tokens.scope).toBe('openid profile');
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    expect(claimsOf(tokens.access_token)).toMatchObject({
      iss: issuers.professional,
      aud: 'zorgregister-bff',
      sub: 'ruben-smit',
      client_id: 'portal',
      acr: `${LOA_PREFIX}low`,
      auth_time: expect.any(Number),
      roles: [],
    });
    expect(claimsOf(tokens.id_token)).toMatchObject({
      aud: 'portal',
      sub: 'ruben-smit',
      name: 'Ruben Smit',
      acr: `${LOA_PREFIX}low`,
      auth_time: expect.any(Number),
    });
    expect((await get('/dashboard-view', tokens)).body.person.naam).toBe('Ruben Smit');
    const { body } = await get('/applications', tokens);
    expect(body.length ?? body.applications.length).toBeGreaterThan(2);
  });

  it('shows the personas in Dutch, each as a button, with the person of login_hint first', async () => {
    const { answer } = await (await createLoginClient(issuers.professional)).authorize({
      login_hint: 'wilma-dekker@demo',
    });
    const html = await answer.text();
    expect(html).toContain('<html lang="nl">');
    expect(/<button name="persona" value="([\w-]+)"/.exec(html)?.[1]).toBe('wilma-dekker');
    expect(html).toContain('name="world" value="demo"');
    expect(html.match(/<button name="persona" value="[\w-]+"/g)?.length).toBeGreaterThan(20);
    expect(html).not.toContain('behandelaar-bas');
  });

  it('is needed once: the next authorization request gets a code from the session', async () => {
    const issuer = await createLoginClient(issuers.professional);
    await issuer.logIn({ persona: 'sanne-de-wit' });
    const { answer, verifier } = await issuer.authorize({ prompt: 'none' });
    expect(claimsOf((await issuer.redeem(answer, verifier)).access_token).sub).toBe('sanne-de-wit');
  });

  it('in another world reads and writes data of that world only', async () => {
    const issuer = await createLoginClient(issuers.professional);
    const tokens = await issuer.logIn({ persona: 'sanne-de-wit', world: 'login' });
    const sent = await service.call('POST', '/api/v1/herregistraties', {
      headers: { authorization: `Bearer ${tokens.access_token}` },
      json: { uren: 2600 },
    });
    expect(sent.status).toBe(200);
    const here = await get('/dashboard-view', tokens);
    const elsewhere = await get(
      '/dashboard-view',
      await (await createLoginClient(issuers.professional)).logIn({ persona: 'sanne-de-wit' }),
    );
    expect(here.body).not.toEqual(elsewhere.body);
    const worlds = await (await fetch(`${service.url}/_simulator/worlds`)).json();
    expect(JSON.stringify(worlds)).toContain('"login"');
  });

  it('with the name of a generated citizen returns a token that is accepted with 200', async () => {
    const tokens = await (await createLoginClient(issuers.professional)).logIn({ persona: '', other: 'burger-12' });
    expect((await get('/dashboard-view', tokens)).status).toBe(200);
  });

  it.each([
    ['an unknown name', 'niemand'],
    ['the burgerservicenummer of a persona', '999990007'],
  ])('with %s is answered with 422 and the message “Deze persoon is er niet”', async (_, other) => {
    const issuer = await createLoginClient(issuers.professional);
    const { answer } = await issuer.authorize();
    const again = await issuer.visit(answer.url, { persona: '', other });
    expect([again.status, await again.text()]).toEqual([422, expect.stringContaining('Deze persoon is er niet')]);
  });

  it('that is cancelled redirects to the page with access_denied', async () => {
    const issuer = await createLoginClient(issuers.professional);
    const { answer } = await issuer.authorize();
    const back = await issuer.visit(answer.url, { cancel: 'yes' });
    expect(back.headers.get('location')).toMatch(/^http:\/\/localhost:5173\/terug\?error=access_denied/);
  });

  it.each([
    ['another origin', { redirect_uri: 'https://evil.example/terug' }, /redirect_uri/],
    ['an unknown client', { client_id: 'other' }, /client/],
  ])('for %s is refused with a page, not with a redirect', async (_, extra, why) => {
    const { answer } = await (await createLoginClient(issuers.professional)).authorize(extra);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(why)]);
  });

  it.each([
    ['localhost:4020', 200],
    ['LOCALHOST:4020', 200],
    ['[::1]:4020', 200],
    ['evil.example:4020', 421],
    ['localhost@evil.example', 421],
    ['localhost.evil.example', 421],
  ])('for the host %s is answered with %i', async (host, expected) => {
    const { statusCode, body } = await request(`${issuers.professional}/.well-known/openid-configuration`, {
      headers: { host },
    });
    await body.dump();
    expect(statusCode).toBe(expected);
  });

  it('is offered without what an access token of the service cannot do: userinfo and DPoP', async () => {
    const { metadata } = await createLoginClient(issuers.professional);
    expect(Object.keys(metadata).filter((name) => /userinfo|dpop/.test(name))).toEqual([]);
  });

  it('without PKCE is refused with invalid_request', async () => {
    const issuer = await createLoginClient(issuers.professional);
    const { answer } = await issuer.authorize({ code_challenge: '', code_challenge_method: '' });
    expect(answer.headers.get('location')).toMatch(/error=invalid_request/);
  });
});

it('a refresh returns new tokens to a page on localhost, and refuses a refresh token that was used before', async () => {
  const issuer = await createLoginClient(issuers.professional);
  const first = await issuer.logIn({ persona: 'sanne-de-wit' });
  const again = await issuer.token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
  expect([again.status, again.cors]).toEqual([200, new URL(CALLBACK).origin]);
  expect(claimsOf(again.json.access_token)).toMatchObject({ sub: 'sanne-de-wit', acr: `${LOA_PREFIX}low` });
  expect((await get('/dashboard-view', again.json)).status).toBe(200);
  const reused = await issuer.token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
  expect([reused.status, reused.json.error]).toEqual([400, 'invalid_grant']);
});

it('an ID token has the nonce of its login, and that of a refresh has none', async () => {
  const issuer = await createLoginClient(issuers.professional);
  let tokens = await issuer.logIn({ persona: 'sanne-de-wit' }, { nonce: 'eenmalig' });
  expect(claimsOf(tokens.id_token)).toMatchObject({ nonce: 'eenmalig', name: 'Sanne de Wit' });
  for (const _ of ['first', 'second']) {
    tokens = (await issuer.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).json;
    expect(claimsOf(tokens.id_token)).toMatchObject({ name: 'Sanne de Wit' });
    expect(claimsOf(tokens.id_token)).not.toHaveProperty('nonce');
  }
});

it('an access token is accepted for OIDC_SIMULATED_TOKEN_SECONDS, and then refused with 401', async () => {
  const tokens = await (await createLoginClient(issuers.professional)).logIn({ persona: 'sanne-de-wit' });
  expect(tokens.expires_in).toBe(120);
  const { iat = 0, exp = 0 } = claimsOf(tokens.access_token);
  const statusAt = async (seconds: number) => {
    vi.setSystemTime((iat + seconds) * 1_000);
    return (await get('/notes', tokens)).status;
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    expect([exp - iat, await statusAt(118), await statusAt(121)]).toEqual([120, 200, 401]);
  } finally {
    vi.useRealTimers();
  }
});

it('a step-up is required by the service with 401, done by a stronger login, and then shows the whole register number', async () => {
  const issuer = await createLoginClient(issuers.professional);
  const weak = await issuer.logIn({ persona: 'sanne-de-wit' });
  const refused = await get('/dashboard-view', weak, { 'x-step-up': '1' });
  const challenge = String(refused.headers['www-authenticate']);
  const [, acrValues = ''] = /acr_values="([^"]+)"/.exec(challenge) ?? [];
  const [, maxAge = ''] = /max_age=(\d+)/.exec(challenge) ?? [];
  expect([refused.status, acrValues]).toEqual([401, `${LOA_PREFIX}substantial ${LOA_PREFIX}high`]);
  const { answer, verifier } = await issuer.authorize({ acr_values: acrValues, max_age: maxAge });
  const html = await answer.text();
  expect(html).toContain('U bent al ingelogd als Sanne de Wit');
  expect(html).not.toContain(`value="${LOA_PREFIX}low"`);
  const back = await issuer.visit(answer.url, { persona: 'sanne-de-wit', acr: `${LOA_PREFIX}substantial` });
  const strong = await issuer.redeem(back, verifier);
  expect(claimsOf(strong.access_token).acr).toBe(`${LOA_PREFIX}substantial`);
  const shown = await get('/dashboard-view', strong, { 'x-step-up': '1' });
  expect([shown.status, JSON.stringify(shown.body)]).toEqual([200, expect.stringContaining('90000010130')]);
});

it.each([
  ['ends the session and its refresh tokens', {}, 400],
  [
    'ends the session, and leaves refresh tokens valid after a login with offline_access and prompt=consent',
    { scope: 'openid profile offline_access', prompt: 'consent' },
    200,
  ],
])('a logout redirects to the page, and %s', async (_, extra, refreshed) => {
  const issuer = await createLoginClient(issuers.professional);
  const tokens = await issuer.logIn({ persona: 'sanne-de-wit' }, extra);
  const query = new URLSearchParams({
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: CALLBACK,
    state: 'weg',
  });
  const asked = await (await issuer.visit(`${issuer.metadata.end_session_endpoint}?${query}`)).text();
  const [, action = ''] = /action="([^"]+)"/.exec(asked) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(asked) ?? [];
  const back = await issuer.visit(action, { xsrf, logout: 'yes' });
  expect(back.headers.get('location')).toBe(`${CALLBACK}?state=weg`);
  const late = await issuer.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  expect(late.status).toBe(refreshed);
  const { answer } = await issuer.authorize({ prompt: 'none' });
  expect(answer.headers.get('location')).toMatch(/error=login_required/);
});

it('the issuer of staff returns a token with the roles of the persona, and refuses a professional with 422', async () => {
  const issuer = await createLoginClient(issuers.staff);
  const tokens = await issuer.logIn({ persona: 'teamlead-tess' });
  expect(claimsOf(tokens.access_token)).toMatchObject({ iss: issuers.staff, roles: ['behandelaar', 'teamlead'] });
  expect((await get('/brief', tokens)).status).toBe(200);
  expect((await get('/dashboard-view', tokens)).status).toBe(403);
  const { answer } = await issuer.authorize({ prompt: 'login' });
  expect((await issuer.visit(answer.url, { persona: 'sanne-de-wit' })).status).toBe(422);
});

describe('the service with the simulated issuers', () => {
  it('has a letter that the control API brings to each state, such as sent', async () => {
    const { status, body } = await controlOf(service).in('brief').put('/brief', { tag: 'sent' });
    expect([status, body.tag, body.drafterId]).toEqual([200, 'sent', 'drafter-dana@brief']);
  });

  it('accepts the headers and the curl command of a step of a demonstration, also of a generated citizen', async () => {
    const path = '/api/v1/dashboard-view';
    for (const persona of ['ruben-smit', 'burger-7']) {
      const { body } = await controlOf(service).in('stap').post('/step', { title: 'Kijk', persona, path });
      expect((await service.get(path, { headers: body.headers })).status).toBe(200);
      expect(body.curl).toContain(body.headers.Authorization);
    }
  });

  it('has a start page without Mijn register and demonstrations, which only work with the stand-in headers', async () => {
    const { body } = await service.get('/', { headers: { accept: 'text/html' } });
    const paths = [...body.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, path]) => path);
    expect(paths).toEqual(['/_simulator/', '/_simulator/?links=zoeken', '/docs', '/docs/documents']);
  });

  it('ignores the stand-in headers and answers 401', async () => {
    expect((await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' })).status).toBe(401);
  });
});
