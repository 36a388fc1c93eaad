import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/run-folder.ts';
import { callAndLog, type Reply, startService, whenReady } from '../support/service.ts';
import { textOf } from '../support/snippets.ts';
import { epochSeconds, type SigningKey, signingKey, startIssuer } from '../support/upstreams/issuer.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

/** Each block of settings in docs/guides/identity-providers.md, against an issuer of the shape of that product. */

type Settings = Readonly<Record<string, string>>;

/** What an issuer of a product publishes, and how its tokens look. `iss` and the audience are in the settings. */
interface Product {
  /** The documents of the issuer, keyed by path. */
  documents(origin: string, keys: readonly JWK[]): Readonly<Record<string, unknown>>;
  readonly alg?: string;
  header(key: SigningKey): Partial<JWTHeaderParameters>;
  /** The claims of an access token of a person without a role, without `iss`, `iat` and `exp`. */
  readonly claims: JWTPayload;
  /** The claims that give a role: `drafter` or `behandelaar`. */
  readonly role: JWTPayload;
  /** The claims that give another service's role, or none that is known here. */
  readonly otherRole: JWTPayload;
  /** The claims of a recent strong login; null when the product has no step-up. */
  strong: (() => JWTPayload) | null;
  /** Members of the claims that make it a token for another service. */
  readonly elsewhere: JWTPayload;
  /** The claims by which an ID token of the product differs. Absent for opaque tokens. */
  readonly idToken?: JWTPayload;
}

const TENANT = '11111111-2222-4333-8444-555555555555';
const [API, CLIENT] = ['aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', '99999999-8888-4777-8666-555555555555'];
const GUID = 'cccccccc-0000-4000-8000-000000000001';
const BSN = '999990007';
const MFA = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor';

const discovery =
  (path: string, issuer: string, keysPath: string, more: object = {}) =>
  (origin: string, keys: readonly JWK[]) => ({
    [`${path}/.well-known/openid-configuration`]: {
      issuer: issuer.replace('$', origin),
      jwks_uri: origin + keysPath,
      ...more,
    },
    [keysPath]: { keys },
  });
const isoTime = () => new Date(Date.now() - 5_000).toISOString();

const keycloak: Product = {
  documents: discovery('/realms/zorg', '$/realms/zorg', '/realms/zorg/protocol/openid-connect/certs'),
  alg: 'RS256',
  header: ({ kid }) => ({ typ: 'JWT', kid }),
  claims: {
    jti: 'onrtac:1',
    aud: ['zorgregister-bff', 'account'],
    sub: GUID,
    typ: 'Bearer',
    azp: 'portal',
    sid: 'session',
    acr: 'laag',
    auth_time: 1,
    scope: 'openid profile',
    realm_access: { roles: ['offline_access', 'uma_authorization'] },
    bsn: BSN,
  },
  role: { resource_access: { 'zorgregister-bff': { roles: ['drafter'] }, account: { roles: ['manage-account'] } } },
  otherRole: { resource_access: { account: { roles: ['drafter'] } } },
  strong: () => ({ acr: 'hoog', auth_time: epochSeconds(-5) }),
  elsewhere: { aud: 'account' },
  idToken: { typ: 'ID', at_hash: 'x' },
};

const entra2: Product = {
  documents: (origin, keys) => ({
    ...discovery(`/${TENANT}/v2.0`, `$/${TENANT}/v2.0`, `/${TENANT}/discovery/v2.0/keys`)(origin, keys),
    // With a signing key of the registration: the same document, at a URL with a query.
    [`/${TENANT}/v2.0/.well-known/openid-configuration?appid=${API}`]: {
      issuer: `https://login.microsoftonline.com/${TENANT}/v2.0`,
      jwks_uri: `${origin}/${TENANT}/discovery/v2.0/keys?appid=${API}`,
    },
    [`/${TENANT}/discovery/v2.0/keys?appid=${API}`]: { keys },
  }),
  alg: 'RS256',
  header: ({ kid }) => ({ typ: 'JWT', kid }),
  claims: {
    aud: API,
    azp: CLIENT,
    azpacr: '0',
    oid: GUID,
    scp: 'access',
    sub: 'pairwise',
    tid: TENANT,
    ver: '2.0',
    auth_time: 1,
  },
  role: { roles: ['behandelaar'] },
  otherRole: { roles: ['User.Read'] },
  strong: () => ({ acrs: ['c1', 'p1'], auth_time: epochSeconds(-5) }),
  elsewhere: { aud: '00000003-0000-0000-c000-000000000000' },
  idToken: { aud: CLIENT },
};

const entra1: Product = {
  ...entra2,
  documents: discovery(`/${TENANT}`, `https://sts.windows.net/${TENANT}/`, '/common/discovery/keys'),
  header: ({ kid }) => ({ typ: 'JWT', kid, x5t: kid }),
  claims: {
    aud: `api://${API}`,
    appid: CLIENT,
    appidacr: '0',
    acr: '1',
    amr: ['pwd'],
    oid: GUID,
    scp: 'access',
    sub: 'pairwise',
    ver: '1.0',
    auth_time: 1,
  },
  strong: () => ({ amr: ['pwd', 'mfa'], auth_time: epochSeconds(-5) }),
  elsewhere: { appid: 'another' },
};

const adfs: Product = {
  documents: discovery('/adfs', '$/adfs', '/adfs/discovery/keys', {
    access_token_issuer: 'http://adfs.example/adfs/services/trust',
  }),
  alg: 'RS256',
  header: ({ kid }) => ({ typ: 'JWT', kid, x5t: kid }),
  claims: {
    aud: 'https://bff.example',
    apptype: 'Public',
    appid: CLIENT,
    upn: 'bas@register.example',
    authmethod: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    auth_time: '2020-01-01T00:00:00.000Z',
    ver: '1.0',
    scp: 'openid',
  },
  role: { group: 'REGISTER\\Behandelaars' },
  otherRole: { group: ['behandelaar', 'REGISTER\\Domain Users'] },
  strong: () => ({
    authmethod: ['urn:password', 'http://schemas.microsoft.com/claims/multipleauthn'],
    auth_time: isoTime(),
  }),
  elsewhere: { aud: 'microsoft:identityserver:other' },
  idToken: { aud: CLIENT, c_hash: 'x' },
};

const auth0: Product = {
  documents: discovery('', '$/', '/.well-known/jwks.json'),
  alg: 'RS256',
  header: ({ kid }) => ({ typ: 'JWT', kid }),
  claims: {
    'https://bff.example/bsn': BSN,
    sub: 'auth0|5f7c',
    aud: ['https://bff.example', 'https://zorg.eu.auth0.com/userinfo'],
    azp: '8Hq1portalCLIENTid',
    scope: 'openid profile',
  },
  role: { 'https://bff.example/roles': ['drafter'] },
  otherRole: { roles: ['drafter'] },
  strong: () => ({ 'https://bff.example/acr': MFA, 'https://bff.example/auth_time': isoTime() }),
  elsewhere: { aud: ['https://zorg.eu.auth0.com/userinfo'] },
  idToken: { aud: '8Hq1portalCLIENTid', nonce: 'x' },
};

const okta: Product = {
  documents: discovery(
    '/oauth2/aus1exampleSERVERid',
    '$/oauth2/aus1exampleSERVERid',
    '/oauth2/aus1exampleSERVERid/v1/keys',
  ),
  alg: 'RS256',
  header: ({ kid }) => ({ kid }),
  claims: {
    ver: 1,
    jti: 'AT.1',
    aud: 'api://zorgregister-bff',
    cid: '0oa1examplePORTALid',
    uid: '00u1',
    scp: ['openid', 'profile'],
    sub: 'bas@register.example',
    auth_time: 1,
  },
  role: { groups: ['Everyone', 'Register behandelaars'] },
  otherRole: { groups: ['Everyone', 'behandelaar'] },
  strong: () => ({ acr: 'urn:okta:loa:2fa:any', auth_time: epochSeconds(-5) }),
  elsewhere: { cid: '0oaOther' },
  idToken: { aud: '0oa1examplePORTALid', at_hash: 'x' },
};

const POOL = '/eu-central-1_Example12';
const cognito: Product = {
  documents: discovery(POOL, `$${POOL}`, `${POOL}/.well-known/jwks.json`),
  alg: 'RS256',
  header: ({ kid }) => ({ kid }),
  claims: {
    sub: GUID,
    client_id: '1example2client3id4portal5',
    origin_jti: 'o',
    event_id: 'e',
    token_use: 'access',
    scope: 'openid profile',
    auth_time: 1,
    username: 'sanne',
    bsn: BSN,
  },
  role: { 'cognito:groups': ['opstellers'] },
  otherRole: { 'cognito:groups': ['drafter'] },
  strong: null,
  elsewhere: { client_id: 'another' },
  idToken: { token_use: 'id', aud: '1example2client3id4portal5' },
};

const ping: Product = {
  documents: (_, keys) => ({ '/ext/zorgregister/jwks': { keys: keys.map(({ kid, ...key }) => key) } }),
  header: () => ({}),
  claims: {
    aud: 'zorgregister-bff',
    client_id: 'portal',
    scope: ['openid'],
    Username: 'b',
    acr: 'low',
    auth_time: '1',
  },
  role: { memberOf: 'CN=Behandelaars,OU=Register,DC=example' },
  otherRole: { memberOf: ['behandelaar', 'CN=Teamleads,OU=Elders,DC=example'] },
  strong: () => ({ acr: 'urn:register:mfa', auth_time: String(epochSeconds(-5)) }),
  elsewhere: { aud: 'other' },
  idToken: { aud: 'portal', at_hash: 'x' },
};

const digid: Product = {
  documents: discovery('/auth/open', '$/auth/open', '/auth/open/.well-known/jwks'),
  alg: 'PS256',
  header: ({ kid }) => ({ typ: 'at+jwt', kid }),
  claims: {
    aud: ['zorgregister-bff'],
    client_id: 'portal',
    sub: 'WcTZ1pseudonym',
    scope: 'openid nin',
    nin: BSN,
    acr: 'http://eidas.europa.eu/LoA/low',
    auth_time: 1,
    idp: 'digid',
  },
  role: { roles: 'drafter' },
  otherRole: { roles: 'user' },
  strong: () => ({ acr: 'http://eidas.europa.eu/LoA/high', auth_time: epochSeconds(-5) }),
  elsewhere: { aud: ['other'] },
};

/** The product of each block of settings: by its heading, and by the comment in the block for a variant. */
const PRODUCTS: Readonly<Record<string, Product>> = {
  Keycloak: keycloak,
  'Keycloak: Roles of the realm': {
    ...keycloak,
    role: { realm_access: { roles: ['offline_access', 'drafter'] } },
    otherRole: keycloak.role,
  },
  'Keycloak: Groups, with a mapper "Group Membership" for the claim groups, full path': {
    ...keycloak,
    role: { groups: ['/iedereen', '/register/opstellers'] },
    otherRole: { groups: ['/drafter', 'drafter'] },
  },
  'Keycloak: The service reaches Keycloak by another name than the browser': keycloak,
  'Entra ID, tokens of version 2': entra2,
  'Entra ID, tokens of version 2: Groups, by their object ids: group claims of the registration, in the access token': {
    ...entra2,
    role: { groups: ['0a0a0a0a-1111-4222-8333-444444444444'] },
    otherRole: { groups: ['0c0c0c0c-1111-4222-8333-444444444444'], roles: ['behandelaar'] },
  },
  'Entra ID, tokens of version 2: A registration with mapped claims, which has a signing key of its own': entra2,
  'Entra ID, tokens of version 1': entra1,
  ADFS: adfs,
  Auth0: auth0,
  Okta: okta,
  Cognito: cognito,
  'Cognito: Scopes of a resource server zorgregister-bff instead of groups': {
    ...cognito,
    role: { scope: 'openid zorgregister-bff/drafter' },
    otherRole: { scope: 'openid drafter', 'cognito:groups': ['opstellers'] },
  },
  PingFederate: ping,
  'PingFederate: Reference tokens, which are opaque': ping,
  'Signicat, and other brokers for DigiD': digid,
  'Signicat, and other brokers for DigiD: Signed tokens': { ...digid, idToken: { at_hash: 'x' } },
};

const PAGE = 'docs/guides/identity-providers.md';

/** The settings of the page, keyed by heading, and by heading and comment for a variant, which has those of the first block too. */
const SETTINGS = new Map<string, Settings>(
  textOf(PAGE)
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [title = ''] = section.split('\n');
      const blocks = [...section.matchAll(/^```env\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
        text.trim().split('\n'),
      );
      const settingsIn = (lines: readonly string[] = []): Settings =>
        Object.fromEntries(
          lines.filter((line) => !line.startsWith('#')).map((line) => line.split(/=(.*)/s).slice(0, 2)),
        );
      return blocks.map((lines): [string, Settings] => [
        lines[0]?.startsWith('# ') ? `${title}: ${lines[0].slice(2)}` : title,
        { ...settingsIn(blocks[0]), ...settingsIn(lines) },
      ]);
    }),
);

it('the page has settings for exactly the products of this test', () => {
  expect([...SETTINGS.keys()]).toEqual(Object.keys(PRODUCTS));
});

const folder = temporaryFolder('identity-providers');
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, 'secret-of-the-introspection\n');

/** An issuer of a product, the service with the settings of the page, and a function that makes tokens. */
async function connect(product: Product, page: Settings) {
  const key = await signingKey('key-1', product.alg ?? 'ES256');
  const { alg, ...jwk } = key.jwk;
  const opaque = new Map<string, JWTPayload>();
  const issuer: ScriptedServer = await startScriptedServer((request, response) => {
    if (request.method === 'POST') {
      const token = new URLSearchParams(request.body).get('token') ?? '';
      const { iss, ...claims } = opaque.get(token) ?? {};
      return sendJson(
        response,
        opaque.has(token) ? { active: true, token_type: 'Bearer', ...claims } : { active: false },
      );
    }
    const document = product.documents(issuer.url, [jwk])[request.url];
    return sendJson(response, document ?? {}, document === undefined ? 404 : 200);
  });
  const other = await startIssuer([await signingKey('other')]);
  const isStaff = Object.keys(page).some((name) => name.startsWith('OIDC_STAFF_'));
  const prefix = isStaff ? 'OIDC_STAFF' : 'OIDC';
  const of = (name: string): string => page[`${prefix}_${name}`] ?? '';
  const isOpaque = of('TYP') === 'opaque';
  const isAddress = of('DISCOVERY_URL') === '' && of('JWKS_URL') === '' && !isOpaque;
  const here = (url: string) => issuer.url + url.slice(new URL(url).origin.length);
  const settings = Object.fromEntries(
    Object.entries(page).map(([name, value]) => {
      if (value === '') return [name, ''];
      if (/_(DISCOVERY|JWKS|INTROSPECTION)_URL$/.test(name) || (isAddress && name === `${prefix}_ISSUER`))
        return [name, here(value)];
      return [name, name.endsWith('_FILE') ? secretFile : value];
    }),
  );
  const service = await startService({
    ...(isStaff
      ? { IDENTITY: 'oidc', OIDC_ISSUER: other.url, OIDC_AUDIENCE: 'other' }
      : { IDENTITY: 'oidc', OIDC_STAFF_ISSUER: other.url, OIDC_STAFF_AUDIENCE: 'other' }),
    ...settings,
  });
  await whenReady(service);

  let made = 0;
  async function token(...more: JWTPayload[]): Promise<string> {
    const times = { iat: epochSeconds(), exp: epochSeconds(300) };
    const claims = Object.assign({ iss: settings[`${prefix}_ISSUER`] }, times, product.claims, ...more);
    if (isOpaque) {
      made += 1;
      opaque.set(`opaque-${made}`, claims);
      return `opaque-${made}`;
    }
    const header = { alg: key.alg, ...product.header(key) } as JWTHeaderParameters;
    return new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey);
  }
  let line: Record<string, unknown> = {};
  async function get(path: string, bearer: string, headers: Record<string, string> = {}): Promise<Reply> {
    const sent = { headers: { authorization: `Bearer ${bearer}`, ...headers } };
    const called = await callAndLog(service, 'GET', `/api/v1${path}`, sent);
    line = called.line;
    return called.reply;
  }
  const logged = () => line;
  const close = () => Promise.all([service.close(), issuer.close(), other.close()]);
  return { service, token, get, logged, isStaff, acr: of('STEP_UP_ACR'), close };
}

describe.each(Object.entries(PRODUCTS))('an issuer as %s, with the settings of the page,', (name, product) => {
  let connected: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    connected = await connect(product, SETTINGS.get(name) ?? {});
  });
  afterAll(() => connected?.close());

  it('gives access by its tokens, with the role that they name', async () => {
    const { token, get, isStaff } = connected;
    expect((await get('/brief', await token(product.role))).status).toBe(200);
    const dashboard = await get('/dashboard-view', await token());
    if (isStaff) expect(dashboard.status).toBe(403);
    else expect(dashboard.body.person.naam).toBe('Sanne de Wit');
  });

  it('gives no role by a name that is not mapped or in another claim: 403, and the log says what the token has', async () => {
    const { token, get, logged } = connected;
    expect((await get('/brief', await token(product.otherRole))).status).toBe(403);
    const [claim = ''] = Object.keys(product.otherRole);
    expect(logged()).toMatchObject({ reason: 'no role', found: expect.stringContaining(claim) });
  });

  it('gives no access by a token for another service, or by an ID token: 401', async () => {
    const { token, get, logged } = connected;
    const [claim = ''] = Object.keys(product.elsewhere);
    expect((await get('/brief', await token(product.role, product.elsewhere))).status).toBe(401);
    const [reason] = [claim === 'aud' ? 'aud' : 'client'];
    expect(logged()).toMatchObject({ reason, found: expect.stringMatching(new RegExp(`\\b${claim} (text|list of)`)) });
    if (product.idToken === undefined) return;
    expect((await get('/brief', await token(product.role, product.idToken))).status).toBe(401);
  });

  it('gives a step-up by a strong login, and asks for one otherwise', async () => {
    const { token, get, logged, isStaff, acr } = connected;
    const path = isStaff ? '/brief' : '/dashboard-view';
    const stepUp = async (...more: JWTPayload[]) => get(path, await token(product.role, ...more), { 'x-step-up': '1' });
    const weak = await stepUp();
    if (product.strong === null) {
      expect([weak.status, weak.body.code, acr]).toEqual([403, 'rol-ontbreekt', 'none']);
      expect(weak.body.detail).toContain('uitgeschakeld');
      return;
    }
    expect([weak.status, weak.body.code]).toEqual([401, 'step-up-nodig']);
    expect(weak.headers['www-authenticate']).toContain(`acr_values="${acr.replaceAll(',', ' ')}"`);
    expect(logged()).toMatchObject({ reason: 'login too weak', found: expect.stringContaining('text') });
    const strong = product.strong();
    expect((await stepUp(strong)).status).toBe(200);
    const [time = ''] = Object.keys(strong).filter((claim) => claim.endsWith('auth_time'));
    const old =
      typeof strong[time] === 'number' ? 1 : String(strong[time]).includes('T') ? '2020-01-01T00:00:00Z' : '1';
    expect((await stepUp(strong, { [time]: old })).status).toBe(401);
    expect(logged()).toMatchObject({ reason: 'login too old' });
  });
});
