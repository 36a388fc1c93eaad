import { describe, expect, it } from 'vitest';
import { pdf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { use, useService, whenReady } from '../support/service.ts';
import { advanceDate } from '../support/time.ts';
import { epochSeconds, issuerVariables, signingKey, startIssuer } from '../support/upstreams/issuer.ts';
import { startUpstreamProxies } from '../support/upstreams/proxies.ts';

const SANNE = { sub: 'sanne', bsn: '999990007' };
const NAMESPACED = 'https://werk.example/rollen';

const issuer = await use(startIssuer([await signingKey('p')]));
const staff = await use(startIssuer([await signingKey('s')]));
const sources = await use(startUpstreamProxies());
const service = await useService({
  ...issuerVariables(issuer, staff),
  ...sources.env,
  OIDC_ROLES_CLAIM: 'realm_access.roles',
  OIDC_WORKSPACE_CLAIM: 'afdeling',
  OIDC_STAFF_ROLES_CLAIM: NAMESPACED,
  OIDC_STAFF_CLIENTS: 'intern, balie',
  OIDC_STAFF_SUBJECT_CLAIM: 'medewerker.nummer',
  OIDC_STAFF_WORKSPACE_CLAIM: 'afdeling',
});
await whenReady(service);

const professional = (claims: object = {}) => issuer.token({ ...SANNE, ...claims });
const inRoles = (...roles: string[]) => professional({ realm_access: { roles } });
const staffToken = (claims: object = {}) =>
  staff.token({ client_id: 'intern', medewerker: { nummer: 'm-1' }, ...claims });
const inRollen = (...rollen: string[]) => staffToken({ [NAMESPACED]: rollen });

const as = (token: string, headers: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...headers },
});

describe('access to operations by the roles in a token', () => {
  const CALLERS: Record<string, () => Promise<string>> = {
    professional: () => professional(),
    drafter: () => inRoles('drafter'),
    approver: () => inRoles('approver'),
    admin: () => inRoles('admin'),
    'drafter and approver': () => inRoles('drafter', 'approver'),
    'professional with the roles of staff': () => inRoles('behandelaar', 'teamlead', 'beheerder'),
    'professional with a role in capitals': () => inRoles('Admin', 'DRAFTER'),
    'professional with two roles in one string': () => professional({ realm_access: { roles: 'drafter admin' } }),
    'professional with one role as a string': () => professional({ realm_access: { roles: 'drafter' } }),
    'professional with roles in a claim that is not configured': () => professional({ roles: ['admin'] }),
    'staff without roles': () => staffToken(),
    behandelaar: () => inRollen('behandelaar'),
    teamlead: () => inRollen('teamlead'),
    beheerder: () => inRollen('beheerder'),
    'staff with the roles of professionals': () => inRollen('drafter', 'approver', 'admin'),
    'behandelaar and teamlead': () => inRollen('behandelaar', 'teamlead', 'unknown'),
  };
  const PROFESSIONALS = Object.keys(CALLERS).slice(0, 10);
  const DRAFTERS = [
    'drafter',
    'admin',
    'drafter and approver',
    'professional with one role as a string',
    'behandelaar',
    'behandelaar and teamlead',
  ];
  const APPROVERS = ['approver', 'admin', 'drafter and approver', 'teamlead', 'behandelaar and teamlead'];
  /** One operation of each group: test/rules/policy.test.ts has the group of each operation. */
  const OPERATIONS: [string, 'GET' | 'POST' | 'PUT' | 'DELETE', string, string[]][] = [
    ['reading the dashboard', 'GET', '/dashboard-view', PROFESSIONALS],
    ['deleting a document of another person', 'DELETE', '/admin/uploads/none', ['admin', 'beheerder']],
    ['reading the letter', 'GET', '/brief', [...new Set([...DRAFTERS, ...APPROVERS])]],
    ['writing a letter', 'PUT', '/brief', DRAFTERS],
    ['approving a letter', 'POST', '/brief/approve', APPROVERS],
  ];
  const CELLS = OPERATIONS.flatMap(([what, method, path, allowed]) =>
    Object.keys(CALLERS).map(
      (who) => [who, what, allowed.includes(who) ? 'is allowed' : 'is refused with 403', method, path] as const,
    ),
  );

  it.each(CELLS)('%s: %s %s', async (who, _, outcome, method, path) => {
    const token = await CALLERS[who]?.();
    const { status, body } = await service.call(method, `/api/v1${path}`, as(token ?? ''));
    if (outcome === 'is allowed') expect([401, 403]).not.toContain(status);
    else {
      expect(status).toBe(403);
      expect(path.startsWith('/admin') ? body : body.code).toBe(path.startsWith('/admin') ? '' : 'rol-ontbreekt');
    }
  });
});

it.each<[string, (afdeling: string) => Promise<string>]>([
  ['an admin', (afdeling) => professional({ sub: 'ali', realm_access: { roles: ['admin'] }, afdeling })],
  ['a beheerder', (afdeling) => staffToken({ [NAMESPACED]: ['beheerder'], afdeling })],
])(
  'an administrator with a token (%s) gets 404 for deleting a document of another workspace, and 204 for one of their own',
  async (_, token) => {
    const owner = await professional({ afdeling: 'org-a' });
    const body = multipart(partsOf({ file: pdf() }));
    const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const sent = await service.call('POST', '/api/v1/uploads', { ...as(owner, type), body });
    expect(sent.status).toBe(201);
    const remove = async (afdeling: string) =>
      service.call('DELETE', `/api/v1/admin/uploads/${sent.body.documentId}`, as(await token(afdeling)));
    expect((await remove('org-b')).status).toBe(404);
    const read = await service.get(`/api/v1/uploads/${sent.body.documentId}/content`, as(owner));
    expect(read.status).toBe(200);
    expect((await remove('org-a')).status).toBe(204);
  },
);

describe('a caller with a token', () => {
  it('gets the data of the person with the burgerservicenummer in the token, and only that number is sent to the BRP', async () => {
    sources.brp.received.splice(0);
    const { body } = await service.get('/api/v1/dashboard-view', as(await professional()));
    expect(body.person.naam).toBe('Sanne de Wit');
    expect(sources.brp.received.map(({ body }) => JSON.parse(body).burgerservicenummer)).toEqual([['999990007']]);
  });

  it('sees the same applications with a new token of the same sub, and not with a token of another sub', async () => {
    const made = await service.call('POST', '/api/v1/applications', {
      ...as(await professional(), { 'content-type': 'application/json' }),
      body: '{"type":"intake"}',
    });
    const list = async (token: string): Promise<string[]> =>
      (await service.get('/api/v1/applications', as(token))).body.map(({ id }: { id: string }) => id);
    expect(await list(await professional({ jti: 'another' }))).toContain(made.body.id);
    expect(await list(await professional({ sub: 'other' }))).not.toContain(made.body.id);
  });

  it('has a burgerservicenummer that is in no letter and no log line, also when it is the sub of the token', async () => {
    await service.get('/api/v1/brief', as(await inRoles('drafter')));
    const { body } = await service.get(
      '/api/v1/brief',
      as(await professional({ sub: '999990007', realm_access: { roles: ['drafter'] } })),
    );
    expect(JSON.stringify(body)).not.toContain('999990007');
    expect(JSON.stringify(service.log)).not.toContain('999990007');
  });

  it('without a burgerservicenummer is looked up in the register by sub, which is hashed when it contains such a number', async () => {
    sources.register.received.splice(0);
    await service.get('/api/v1/notes', as(await professional({ bsn: null, sub: 'tomasz-wolski' })));
    await service.get('/api/v1/notes', as(await professional({ bsn: null, sub: 's00000000:123456782' })));
    const asked = sources.register.received.map(({ body }) => JSON.parse(body || '{}').loginId).filter(Boolean);
    expect(asked).toEqual(['tomasz-wolski', expect.stringMatching(/^sha256\.[\w-]{43}$/)]);
  });

  it('without a burgerservicenummer is never looked up as another person, also when their sub is the hash of the other sub', async () => {
    const lookUp = async (sub: string): Promise<string> => {
      sources.register.received.splice(0);
      await service.get('/api/v1/notes', as(await professional({ bsn: null, sub })));
      return JSON.parse(sources.register.received[0]?.body ?? '{}').loginId;
    };
    const loginId = await lookUp('tomasz wolski');
    expect(await lookUp(loginId)).not.toBe(loginId);
  });

  it.each([[''], ['a b'], [7], [['a']], ['x'.repeat(65)], ['../other']])(
    'in the invalid workspace %j is refused with 401 identiteit-onbekend',
    async (afdeling) => {
      const { status, body } = await service.get('/api/v1/notes', as(await professional({ afdeling })));
      expect(status).toBe(401);
      expect(body.code).toBe('identiteit-onbekend');
    },
  );

  it('of staff is accepted with a valid subject claim and an allowed client, and refused with 401 otherwise', async () => {
    for (const [claims, status] of [
      [{}, 200],
      [{ client_id: undefined, azp: 'balie' }, 200],
      [{ medewerker: undefined }, 401],
      [{ medewerker: { nummer: ' ' } }, 401],
      [{ medewerker: { nummer: 7 } }, 401],
      [{ medewerker: { nummer: 'n'.repeat(255) } }, 200],
      [{ medewerker: { nummer: 'n'.repeat(256) } }, 401],
      [{ client_id: 'portal' }, 401],
      [{ client_id: undefined }, 401],
      [{ client_id: ['intern'] }, 401],
      [{ azp: 'portal' }, 401],
    ] as const) {
      const token = await staffToken({ [NAMESPACED]: ['behandelaar'], ...claims });
      expect(await service.get('/api/v1/brief', as(token)), JSON.stringify(claims)).toMatchObject({ status });
    }
  });
});

it.each<[string, (sub: string) => Promise<string>]>([
  ['staff', (nummer) => staffToken({ medewerker: { nummer }, [NAMESPACED]: ['teamlead'], afdeling: 'team' })],
  ['a professional', (sub) => professional({ sub, realm_access: { roles: ['approver'] }, afdeling: 'team' })],
])(
  'a caller whom the register names as the drafter of a letter (%s) cannot approve it: 403 vier-ogen; another person with the same role gets 409',
  async (_, token) => {
    const approve = async (sub: string) =>
      (await service.call('POST', '/api/v1/brief/approve', as(await token(sub)))).body.code;
    const { brief } = (await service.get('/api/v1/brief', as(await token('tess')))).body;
    expect([await approve(brief.drafterId), await approve('tess')]).toEqual(['vier-ogen', 'brief-status']);
  },
);

describe('the stand-in headers, when the service uses tokens,', () => {
  const HEADERS = { 'x-subject': 'wilma', 'x-role': 'admin', 'x-medewerker': 'teamlead-tess', 'x-rollen': 'beheerder' };

  it('do not authenticate: a request without a valid token is refused with 401', async () => {
    for (const [name, value] of Object.entries(HEADERS))
      expect((await service.get('/api/v1/notes', { headers: { [name]: value } })).status).toBe(401);
    expect((await service.get('/api/v1/notes', as('dev', HEADERS))).status).toBe(401);
  });

  it.each(Object.entries(HEADERS))('change nothing, and are not sent to the register: %s', async (name, value) => {
    sources.register.received.splice(0);
    for (const path of ['/dashboard-view', '/notes', '/applications', '/brief', '/duo/diplomas', '/brp/address']) {
      const token = await professional();
      const plain = await service.get(`/api/v1${path}`, as(token));
      const dressed = await service.get(`/api/v1${path}`, as(token, { [name]: value }));
      expect(dressed.status).toBe(plain.status);
      if (plain.status === 200) expect(dressed.body).toEqual(plain.body);
    }
    expect(sources.register.received.length).toBeGreaterThan(0);
    expect(sources.register.received.every(({ headers }) => headers[name] === undefined)).toBe(true);
    expect(sources.register.received.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('are logged once, without their values', async () => {
    await service.get('/api/v1/notes', as(await professional(), HEADERS));
    await service.get('/api/v1/notes', as(await professional(), HEADERS));
    expect(service.log.filter((line) => line.identity === 'stand-in-headers')).toHaveLength(1);
    expect(JSON.stringify(service.log)).not.toContain('teamlead-tess');
  });
});

describe('X-Step-Up with a token', () => {
  const nummer = async (claims: object, headers: Record<string, string> = { 'x-step-up': '1' }) => {
    const {
      status,
      body,
      headers: sent,
    } = await service.get('/api/v1/dashboard-view', as(await professional(claims), headers));
    return { status, code: body.code, challenge: sent['www-authenticate'], nummer: body.registration?.registerNummer };
  };

  it.each([
    ['acr hoog and a login 10 seconds ago', () => ({ acr: 'hoog', auth_time: epochSeconds(-10) })],
    ['acr substantieel and a login 290 seconds ago', () => ({ acr: 'substantieel', auth_time: epochSeconds(-290) })],
    ['acr hoog and a login 30 seconds ahead (clock skew)', () => ({ acr: 'hoog', auth_time: epochSeconds(30) })],
  ])('shows the full register number for %s', async (_, claims) => {
    expect(await nummer(claims())).toMatchObject({ status: 200, nummer: '90000010130' });
  });

  it('is needed for the full register number: without the header the number is masked, also after a recent login with acr hoog', async () => {
    expect(await nummer({ acr: 'hoog', auth_time: epochSeconds() }, {})).toMatchObject({
      status: 200,
      nummer: '*********30',
    });
  });

  it.each<[string, object]>([
    ['no acr', { auth_time: epochSeconds() }],
    ['a lower acr', { acr: 'basis', auth_time: epochSeconds() }],
    ['an unknown acr', { acr: 'superhoog', auth_time: epochSeconds() }],
    ['an acr in capitals', { acr: 'HOOG', auth_time: epochSeconds() }],
    ['a list as acr', { acr: ['hoog'], auth_time: epochSeconds() }],
    ['an empty acr', { acr: '', auth_time: epochSeconds() }],
    ['the acr value of staff', { acr: 'mfa', auth_time: epochSeconds() }],
    ['two values in one acr', { acr: 'substantieel hoog', auth_time: epochSeconds() }],
    ['no auth_time', { acr: 'hoog' }],
    ['an auth_time 310 seconds ago', { acr: 'hoog', auth_time: epochSeconds(-310) }],
    ['an auth_time an hour ahead', { acr: 'hoog', auth_time: epochSeconds(3_600) }],
    ['a string as auth_time', { acr: 'hoog', auth_time: String(epochSeconds()) }],
    ['auth_time null', { acr: 'hoog', auth_time: null }],
    ['auth_time 0', { acr: 'hoog', auth_time: 0 }],
  ])('is refused with 401 step-up-nodig, the acr and max_age (RFC 9470) for a token with %s', async (_, claims) => {
    expect(await nummer(claims)).toEqual({
      status: 401,
      code: 'step-up-nodig',
      challenge: 'Bearer error="insufficient_user_authentication", acr_values="substantieel hoog", max_age=300',
      nummer: undefined,
    });
  });

  it('requires acr mfa of staff who read the letter: 401 step-up-nodig without it, 200 with it', async () => {
    const claims = { [NAMESPACED]: ['behandelaar'] };
    const refused = await service.get('/api/v1/brief', as(await staffToken(claims), { 'x-step-up': '1' }));
    expect(refused).toMatchObject({
      status: 401,
      body: {
        code: 'step-up-nodig',
        detail: 'Log opnieuw in met een sterk inlogmiddel om het registratienummer te zien.',
      },
    });
    expect(refused.headers['www-authenticate']).toContain('acr_values="mfa"');
    const strong = await staffToken({ ...claims, acr: 'mfa', auth_time: epochSeconds() });
    expect((await service.get('/api/v1/brief', as(strong, { 'x-step-up': '1' }))).status).toBe(200);
  });

  it('is checked after the roles: a professional without a role who reads the letter is refused with 403', async () => {
    expect((await service.get('/api/v1/brief', as(await professional(), { 'x-step-up': '1' }))).status).toBe(403);
  });

  it('has no effect on an operation without masked values: GET /notes answers 200', async () => {
    expect((await service.get('/api/v1/notes', as(await professional(), { 'x-step-up': '1' }))).status).toBe(200);
  });

  it('is checked at every request: one token gets 200, and 401 when its login is older than five minutes', async () => {
    const token = await professional({ acr: 'hoog', auth_time: epochSeconds(-260) });
    const ask = async () => (await service.get('/api/v1/dashboard-view', as(token, { 'x-step-up': '1' }))).status;
    expect(await ask()).toBe(200);
    advanceDate(50);
    expect(await ask()).toBe(401);
  });
});
