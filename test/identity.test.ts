import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PATH = '/api/v1/notes';
const BEARER = { authorization: 'Bearer dev' };
const get = (headers: Record<string, string>) => service.get(PATH, { headers });

/** Sends a request with these header lines as written, repeated ones included. Returns the response as text. */
const raw = (headers: readonly string[]): Promise<string> =>
  service.raw([`GET ${PATH} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n'));

describe('a caller without a usable token', () => {
  it.each([
    ['no Authorization', {}],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic c2FubmU6d2l0' }],
    ['a token of two words', { authorization: 'Bearer one two' }],
  ])('is refused with %s', async (_, headers) => {
    const { status, body, headers: sent } = await get({ 'x-subject': 'sanne-de-wit', ...headers });
    expect(status).toBe(401);
    expect(sent['www-authenticate']).toBe('Bearer');
    expect(body).toMatchObject({ code: 'niet-ingelogd', detail: expect.stringContaining('Authorization: Bearer') });
  });

  it('is refused with two Authorization headers', async () => {
    expect(await raw(['Authorization: Bearer a', 'Authorization: Bearer b', 'X-Subject: sanne-de-wit'])).toMatch(
      /^HTTP\/1.1 401 .*niet-ingelogd/s,
    );
  });

  it('is refused with the token in the query', async () => {
    expect((await service.get(`${PATH}?access_token=dev`, { headers: { 'x-subject': 'sanne-de-wit' } })).status).toBe(
      401,
    );
  });
});

describe('the stand-in answers 401', () => {
  it.each([
    ['no subject', {}, 'X-Subject'],
    ['an unknown persona', { 'x-subject': 'sane-de-wit' }, 'sanne-de-wit'],
    ['capitals', { 'x-subject': 'Sanne-de-Wit' }, 'sanne-de-wit'],
    ['a member of staff as a professional', { 'x-subject': 'behandelaar-bas' }, 'X-Medewerker: behandelaar-bas'],
    [
      'a professional as a member of staff',
      { 'x-medewerker': 'sanne-de-wit', 'x-rollen': 'behandelaar' },
      'X-Subject: sanne-de-wit',
    ],
    ['an unknown role', { 'x-subject': 'sanne-de-wit', 'x-role': 'root' }, 'drafter, approver, admin'],
    ['a role in capitals', { 'x-subject': 'sanne-de-wit', 'x-role': 'Admin' }, 'X-Role: admin'],
    ['two roles', { 'x-subject': 'sanne-de-wit', 'x-role': 'drafter,admin' }, 'X-Role'],
    ['an empty role', { 'x-subject': 'sanne-de-wit', 'x-role': '' }, 'X-Role'],
    [
      'both kinds',
      { 'x-subject': 'sanne-de-wit', 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'behandelaar' },
      'niet allebei',
    ],
    ['staff roles for a professional', { 'x-subject': 'sanne-de-wit', 'x-rollen': 'teamlead' }, 'X-Rollen'],
    [
      'a professional role for staff',
      { 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'behandelaar', 'x-role': 'admin' },
      'X-Role',
    ],
    ['staff without roles', { 'x-medewerker': 'behandelaar-bas' }, 'X-Rollen'],
    [
      'an unknown staff role',
      { 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'behandelaar,baas' },
      'behandelaar, teamlead, beheerder',
    ],
    ['an empty staff role', { 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'behandelaar,' }, 'X-Rollen'],
    ['a citizen number that does not exist', { 'x-subject': 'burger-0' }, 'burger-1'],
    ['a citizen number that is too high', { 'x-subject': 'burger-1000000' }, 'burger-999999'],
    ['a world with a wrong name', { 'x-subject': 'sanne-de-wit@Demo!' }, 'kleine letters'],
    ['a number that fails the 11-test', { 'x-subject': '999990008' }, 'elfproef'],
    ['a number in a world', { 'x-subject': '999990007@demo' }, 'persona'],
    ['a prototype member', { 'x-subject': '__proto__' }, 'Het dichtst bij'],
  ])('to %s', async (_, headers, says) => {
    const { status, body, headers: sent } = await get({ ...BEARER, ...headers });
    expect(status).toBe(401);
    expect(sent['www-authenticate']).toBe('Bearer');
    expect(body.code).toBe('identiteit-onbekend');
    expect(body.detail).toContain(says);
  });

  it.each(['X-Subject: sanne-de-wit', 'X-Role: drafter', 'X-Role: admin'])('to a repeated %s', async (line) => {
    expect(await raw(['Authorization: Bearer a', 'X-Subject: sanne-de-wit', 'X-Role: drafter', line])).toMatch(
      /^HTTP\/1.1 401 .*identiteit-onbekend/s,
    );
  });

  it('without repeating a number that was sent', async () => {
    expect(JSON.stringify((await get({ ...BEARER, 'x-subject': '123456789' })).body)).not.toContain('123456789');
  });
});

describe('the stand-in accepts', () => {
  it.each([
    ['a persona', { 'x-subject': 'sanne-de-wit' }],
    ['a persona in a role', { 'x-subject': 'approver-anna', 'x-role': 'approver' }],
    ['a made-up citizen', { 'x-subject': 'burger-999999' }],
    ['a persona in a world of its own', { 'x-subject': 'sanne-de-wit@demo-1' }],
    ['the person with a number', { 'x-subject': '999990007' }],
  ])('%s', async (_, headers) => {
    expect((await get({ ...BEARER, ...headers })).status).toBe(200);
  });

  it('a burgerservicenummer as the persona who has it', async () => {
    const { body } = await service.get('/api/v1/dashboard-view', { as: '999990007' });
    expect(body.person.naam).toBe('Sanne de Wit');
  });

  it('any other valid number as a person whom only an upstream may have', async () => {
    const { status, body } = await service.get('/api/v1/dashboard-view', { as: '123456782' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ registration: null, person: null });
  });
});

describe('staff', () => {
  it.each(['/dashboard-view', '/notes', '/brp/address', '/duo/diplomas', '/intake/policy'])(
    'may not see %s',
    async (path) => {
      const headers = { ...BEARER, 'x-medewerker': 'teamlead-tess', 'x-rollen': 'behandelaar,teamlead' };
      const { status, body } = await service.get(`/api/v1${path}`, { headers });
      expect(status).toBe(403);
      expect(body.code).toBe('rol-ontbreekt');
    },
  );
});
