import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SigningKey, seconds, signingKey, startIssuer, type TestIssuer, trusting } from './support/issuer.ts';
import { startService, type TestService } from './support/service.ts';
import { startSources } from './support/sources.ts';
import { later } from './support/time.ts';

const SANNE = { sub: 'sanne', bsn: '999990007' };
const NAMESPACED = 'https://werk.example/rollen';

let issuer: TestIssuer;
let staff: TestIssuer;
let sources: Awaited<ReturnType<typeof startSources>>;
let service: TestService;

beforeAll(async () => {
  const keys = await Promise.all([signingKey('p'), signingKey('s')]);
  [issuer, staff, sources] = await Promise.all([
    startIssuer([keys[0]] as SigningKey[]),
    startIssuer([keys[1]] as SigningKey[]),
    startSources(),
  ]);
  service = await startService({
    ...trusting(issuer, staff),
    ...sources.env,
    OIDC_ROLES_CLAIM: 'realm_access.roles',
    OIDC_WORKSPACE_CLAIM: 'afdeling',
    OIDC_STAFF_ROLES_CLAIM: NAMESPACED,
    OIDC_STAFF_CLIENTS: 'intern, balie',
    OIDC_STAFF_SUBJECT_CLAIM: 'medewerker.nummer',
    OIDC_STAFF_WORKSPACE_CLAIM: 'afdeling',
  });
  await vi.waitFor(async () => expect((await service.get('/health/ready')).status).toBe(200));
});
afterAll(() => Promise.all([service.close(), issuer.close(), staff.close(), sources.close()]));

const professional = (claims: object = {}) => issuer.token({ ...SANNE, ...claims });
const inRoles = (...roles: string[]) => professional({ realm_access: { roles } });
const employee = (claims: object = {}) =>
  staff.token({ client_id: 'intern', medewerker: { nummer: 'm-1' }, ...claims });
const inRollen = (...rollen: string[]) => employee({ [NAMESPACED]: rollen });

const as = (token: string, headers: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...headers },
});

describe('who may do what, by token', () => {
  const CALLERS: Record<string, () => Promise<string>> = {
    professional: () => professional(),
    drafter: () => inRoles('drafter'),
    approver: () => inRoles('approver'),
    admin: () => inRoles('admin'),
    'drafter and approver': () => inRoles('drafter', 'approver'),
    'professional with the roles of staff': () => inRoles('behandelaar', 'teamlead', 'beheerder'),
    'professional with a role in capitals': () => inRoles('Admin', 'DRAFTER'),
    'professional with roles in one text': () => professional({ realm_access: { roles: 'drafter admin' } }),
    'professional with one role as text': () => professional({ realm_access: { roles: 'drafter' } }),
    'professional with roles where they do not count': () => professional({ roles: ['admin'] }),
    'staff without roles': () => employee(),
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
    'professional with one role as text',
    'behandelaar',
    'behandelaar and teamlead',
  ];
  const APPROVERS = ['approver', 'admin', 'drafter and approver', 'teamlead', 'behandelaar and teamlead'];
  const OPERATIONS: [string, 'GET' | 'POST' | 'PUT' | 'DELETE', string, string[]][] = [
    ['the dashboard', 'GET', '/dashboard-view', PROFESSIONALS],
    ['notes', 'GET', '/notes', PROFESSIONALS],
    ['the address', 'GET', '/brp/address', PROFESSIONALS],
    ['applications', 'GET', '/applications', PROFESSIONALS],
    ['a request', 'POST', '/herregistraties', PROFESSIONALS],
    ['categories of documents', 'GET', '/uploads/categories?wizardId=registratie', PROFESSIONALS],
    ['deleting somebody’s document', 'DELETE', '/admin/uploads/none', ['admin', 'beheerder']],
    ['the letter', 'GET', '/brief', [...new Set([...DRAFTERS, ...APPROVERS])]],
    ['writing a letter', 'PUT', '/brief', DRAFTERS],
    ['submitting a letter', 'POST', '/brief/submit', DRAFTERS],
    ['approving a letter', 'POST', '/brief/approve', APPROVERS],
  ];
  const CELLS = OPERATIONS.flatMap(([what, method, path, allowed]) =>
    Object.keys(CALLERS).map((who) => [who, what, allowed.includes(who), method, path] as const),
  );

  it.each(CELLS)('%s, %s: %s', async (who, _, allowed, method, path) => {
    const token = await CALLERS[who]?.();
    const { status, body } = await service.call(method, `/api/v1${path}`, as(token ?? ''));
    if (allowed) expect([401, 403]).not.toContain(status);
    else {
      expect(status).toBe(403);
      expect(path.startsWith('/admin') ? body : body.code).toBe(path.startsWith('/admin') ? '' : 'rol-ontbreekt');
    }
  });
});

describe('a person', () => {
  it('is whose number is in the token, and the sources hear no other', async () => {
    sources.brp.seen.splice(0);
    const { body } = await service.get('/api/v1/dashboard-view', as(await professional()));
    expect(body.person.naam).toBe('Sanne de Wit');
    expect(sources.brp.seen.map((seen) => JSON.parse(seen.body).burgerservicenummer)).toEqual([['999990007']]);
  });

  it('keeps what is theirs with another token, and not with that of another', async () => {
    const made = await service.call('POST', '/api/v1/applications', {
      ...as(await professional(), { 'content-type': 'application/json' }),
      body: '{"type":"intake"}',
    });
    const list = async (token: string): Promise<string[]> =>
      (await service.get('/api/v1/applications', as(token))).body.map(({ id }: { id: string }) => id);
    expect(await list(await professional({ jti: 'another' }))).toContain(made.body.id);
    expect(await list(await professional({ sub: 'other' }))).not.toContain(made.body.id);
  });

  it('is never kept under a number, not even where the issuer uses it for a name', async () => {
    await service.get('/api/v1/brief', as(await inRoles('drafter')));
    const { body } = await service.get(
      '/api/v1/brief',
      as(await professional({ sub: '999990007', realm_access: { roles: ['drafter'] } })),
    );
    expect(JSON.stringify(body)).not.toContain('999990007');
    expect(JSON.stringify(service.log)).not.toContain('999990007');
  });

  it('without a number is asked for at the register by the name that the issuer uses, if it tells no number', async () => {
    sources.register.seen.splice(0);
    await service.get('/api/v1/notes', as(await professional({ bsn: null, sub: 'tomasz-wolski' })));
    await service.get('/api/v1/notes', as(await professional({ bsn: null, sub: 's00000000:123456782' })));
    const asked = sources.register.seen.map(({ body }) => JSON.parse(body || '{}').loginId).filter(Boolean);
    expect(asked).toEqual(['tomasz-wolski', expect.stringMatching(/^sha256\.[\w-]{43}$/)]);
  });

  it.each([[''], ['a b'], [7], [['a']], ['x'.repeat(65)], ['../other']])(
    'in workspace %j is nobody',
    async (afdeling) => {
      const { status, body } = await service.get('/api/v1/notes', as(await professional({ afdeling })));
      expect(status).toBe(401);
      expect(body.code).toBe('identiteit-onbekend');
    },
  );

  it('of staff is named by the claim that says so, and by an allowed client', async () => {
    for (const [claims, status] of [
      [{}, 200],
      [{ client_id: undefined, azp: 'balie' }, 200],
      [{ medewerker: undefined }, 401],
      [{ medewerker: { nummer: ' ' } }, 401],
      [{ medewerker: { nummer: 7 } }, 401],
      [{ client_id: 'portal' }, 401],
      [{ client_id: undefined }, 401],
      [{ client_id: ['intern'] }, 401],
      [{ azp: 'portal' }, 401],
    ] as const) {
      const token = await employee({ [NAMESPACED]: ['behandelaar'], ...claims });
      expect(await service.get('/api/v1/brief', as(token)), JSON.stringify(claims)).toMatchObject({ status });
    }
  });
});

describe('the headers of the stand-in', () => {
  const HEADERS = {
    'x-subject': 'joost-van-buren',
    'x-role': 'admin',
    'x-medewerker': 'teamlead-tess',
    'x-rollen': 'beheerder',
  };

  it('are nothing without a token', async () => {
    for (const [name, value] of Object.entries(HEADERS))
      expect((await service.get('/api/v1/notes', { headers: { [name]: value } })).status).toBe(401);
    expect((await service.get('/api/v1/notes', as('dev', HEADERS))).status).toBe(401);
  });

  it.each(Object.entries(HEADERS))('change nothing, and go no further: %s', async (name, value) => {
    sources.register.seen.splice(0);
    for (const path of ['/dashboard-view', '/notes', '/applications', '/brief', '/duo/diplomas', '/brp/address']) {
      const token = await professional();
      const plain = await service.get(`/api/v1${path}`, as(token));
      const dressed = await service.get(`/api/v1${path}`, as(token, { [name]: value }));
      expect(dressed.status).toBe(plain.status);
      if (plain.status === 200) expect(dressed.body).toEqual(plain.body);
    }
    expect(sources.register.seen.every(({ headers }) => headers[name] === undefined)).toBe(true);
    expect(sources.register.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('are told of once, without what was in them', async () => {
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
    ['as strong and as late as asked', () => ({ acr: 'hoog', auth_time: seconds(-10) })],
    ['nearly five minutes ago', () => ({ acr: 'substantieel', auth_time: seconds(-290) })],
    ['just now by a clock that is ahead', () => ({ acr: 'hoog', auth_time: seconds(30) })],
  ])('shows the number to who logged in %s', async (_, claims) => {
    expect(await nummer(claims())).toMatchObject({ status: 200, nummer: '90000010130' });
  });

  it('is asked for: without it the number is masked, however strong the token', async () => {
    expect(await nummer({ acr: 'hoog', auth_time: seconds() }, {})).toMatchObject({
      status: 200,
      nummer: '*********30',
    });
  });

  it.each<[string, object]>([
    ['no acr', { auth_time: seconds() }],
    ['a lower acr', { acr: 'basis', auth_time: seconds() }],
    ['an unknown acr', { acr: 'superhoog', auth_time: seconds() }],
    ['acr in capitals', { acr: 'HOOG', auth_time: seconds() }],
    ['acr a list', { acr: ['hoog'], auth_time: seconds() }],
    ['acr empty', { acr: '', auth_time: seconds() }],
    ['the acr of staff', { acr: 'mfa', auth_time: seconds() }],
    ['two in one acr', { acr: 'substantieel hoog', auth_time: seconds() }],
    ['no auth_time', { acr: 'hoog' }],
    ['auth_time too long ago', { acr: 'hoog', auth_time: seconds(-310) }],
    ['auth_time in an hour', { acr: 'hoog', auth_time: seconds(3_600) }],
    ['auth_time text', { acr: 'hoog', auth_time: String(seconds()) }],
    ['auth_time null', { acr: 'hoog', auth_time: null }],
    ['auth_time 0', { acr: 'hoog', auth_time: 0 }],
  ])('says how to log in with %s (RFC 9470)', async (_, claims) => {
    expect(await nummer(claims)).toEqual({
      status: 401,
      code: 'step-up-nodig',
      challenge: 'Bearer error="insufficient_user_authentication", acr_values="substantieel hoog", max_age=300',
      nummer: undefined,
    });
  });

  it('goes for the letter too, by the rules of staff for staff', async () => {
    const claims = { [NAMESPACED]: ['behandelaar'] };
    const refused = await service.get('/api/v1/brief', as(await employee(claims), { 'x-step-up': '1' }));
    expect(refused).toMatchObject({ status: 401, body: { code: 'step-up-nodig' } });
    expect(refused.headers['www-authenticate']).toContain('acr_values="mfa"');
    const strong = await employee({ ...claims, acr: 'mfa', auth_time: seconds() });
    expect((await service.get('/api/v1/brief', as(strong, { 'x-step-up': '1' }))).status).toBe(200);
  });

  it('comes after the question whether one may be there at all', async () => {
    expect((await service.get('/api/v1/brief', as(await professional(), { 'x-step-up': '1' }))).status).toBe(403);
  });

  it('means nothing where nothing is hidden', async () => {
    expect((await service.get('/api/v1/notes', as(await professional(), { 'x-step-up': '1' }))).status).toBe(200);
  });

  it('is measured anew at every call, also for a token that is remembered', async () => {
    const token = await professional({ acr: 'hoog', auth_time: seconds(-260) });
    const ask = async () => (await service.get('/api/v1/dashboard-view', as(token, { 'x-step-up': '1' }))).status;
    expect(await ask()).toBe(200);
    later(50);
    const then = await ask();
    vi.useRealTimers();
    expect(then).toBe(401);
  });
});
