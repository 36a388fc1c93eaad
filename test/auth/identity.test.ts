import { describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';

const service = await useService();

const PATH = '/api/v1/notes';
const BEARER = { authorization: 'Bearer dev' };
const get = (headers: Record<string, string>) => service.get(PATH, { headers });

/** Sends a request with these header lines unchanged, so that a header can occur twice. Returns the response as text. */
const raw = (headers: readonly string[]): Promise<string> =>
  service.raw([`GET ${PATH} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n'));

describe('a caller without a usable token', () => {
  it.each([
    ['no Authorization header', {}],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic c2FubmU6d2l0' }],
    ['a token of two words', { authorization: 'Bearer one two' }],
  ])('is refused with 401 niet-ingelogd: %s', async (_, headers) => {
    const { status, body, headers: sent } = await get({ 'x-subject': 'sanne-de-wit', ...headers });
    expect(status).toBe(401);
    expect(sent['www-authenticate']).toBe('Bearer');
    expect(body).toMatchObject({ code: 'niet-ingelogd', detail: expect.stringContaining('Authorization: Bearer') });
  });

  it('is refused with 401 niet-ingelogd: two Authorization headers', async () => {
    expect(await raw(['Authorization: Bearer a', 'Authorization: Bearer b', 'X-Subject: sanne-de-wit'])).toMatch(
      /^HTTP\/1.1 401 .*niet-ingelogd/s,
    );
  });

  it('is refused with 401: a token in the query string', async () => {
    expect((await service.get(`${PATH}?access_token=x`, { headers: { 'x-subject': 'noor-bakker' } })).status).toBe(401);
  });
});

describe('the stand-in refuses with 401 identiteit-onbekend', () => {
  const sanne = (headers: Record<string, string>) => ({ 'x-subject': 'sanne-de-wit', ...headers });
  const staff = (rollen: string, slug = 'behandelaar-bas') => ({ 'x-medewerker': slug, 'x-rollen': rollen });
  it.each([
    ['neither X-Subject nor X-Medewerker', {}, 'X-Subject'],
    ['an unknown persona', { 'x-subject': 'sane-de-wit' }, 'sanne-de-wit'],
    ['a persona in capitals', { 'x-subject': 'Sanne-de-Wit' }, 'sanne-de-wit'],
    ['a member of staff in X-Subject', { 'x-subject': 'behandelaar-bas' }, 'X-Medewerker: behandelaar-bas'],
    ['a professional in X-Medewerker', staff('behandelaar', 'sanne-de-wit'), 'X-Subject: sanne-de-wit'],
    ['an unknown role', sanne({ 'x-role': 'root' }), 'drafter, approver, admin'],
    ['a role in capitals', sanne({ 'x-role': 'Admin' }), 'X-Role: admin'],
    ['a role in a header with another name', sanne({ 'x-roles': 'admin' }), 'Stuur X-Role'],
    ['two roles', sanne({ 'x-role': 'drafter,admin' }), 'X-Role'],
    ['an empty role', sanne({ 'x-role': '' }), 'X-Role'],
    ['a professional and a member of staff at once', sanne(staff('behandelaar')), 'niet allebei'],
    ['staff roles for a professional', sanne({ 'x-rollen': 'teamlead' }), 'X-Rollen'],
    ['a professional role for staff', { ...staff('behandelaar'), 'x-role': 'admin' }, 'X-Role'],
    ['staff without roles', { 'x-medewerker': 'behandelaar-bas' }, 'X-Rollen'],
    ['an unknown staff role', staff('behandelaar,baas'), 'behandelaar, teamlead, beheerder'],
    ['an empty staff role', staff('behandelaar,'), 'X-Rollen'],
    ['the generated citizen burger-0', { 'x-subject': 'burger-0' }, 'burger-1'],
    ['a generated citizen above burger-999999', { 'x-subject': 'burger-1000000' }, 'burger-999999'],
    ['an invalid world name', { 'x-subject': 'sanne-de-wit@Demo!' }, 'kleine letters'],
    ['a burgerservicenummer that fails the 11-test', { 'x-subject': '999990008' }, 'elfproef'],
    ['a burgerservicenummer with a world', { 'x-subject': '999990007@demo' }, 'persona'],
    ['the name of no value', { 'x-subject': 'undefined' }, 'Kreeg de variabele een waarde'],
    ['the name of no value in a world', { 'x-subject': 'null@demo' }, 'Kreeg de variabele een waarde'],
    ['a world of no value', { 'x-subject': 'sanne-de-wit@undefined' }, 'als undefined werd verzonden'],
    ['a world of no value as staff', staff('teamlead', 'behandelaar-bas@null'), 'als null werd'],
    ['an object as text', { 'x-subject': '[object Object]' }, 'Dit is een object als tekst'],
    ['a variable that is not filled in', { 'x-subject': '{{persona}}' }, 'Is de naam van een variabele verzonden'],
    ['a variable of a shell', { 'x-subject': '$PERSONA' }, 'Is de naam van een variabele verzonden'],
    ['no value as staff', staff('teamlead', 'undefined'), 'behandelaar-bas'],
    ['no value as role', sanne({ 'x-role': 'undefined' }), 'Kreeg de variabele een waarde'],
    ['no value as staff role', staff('undefined'), 'Kreeg de variabele een waarde'],
    ['a part of the name of a persona', { 'x-subject': 'maria' }, 'Het dichtst bij: maria-de-graaf, of burger-1'],
    ['the surname of two personas', { 'x-subject': 'oma-visser' }, 'bij: ingrid-visser, truus-visser, of burger-1'],
    ['__proto__ as persona', { 'x-subject': '__proto__' }, 'geen bekende naam. Een naam is bijvoorbeeld sanne-de-wit.'],
  ])('a request with %s', async (_, headers, says) => {
    const { status, body, headers: sent } = await get({ ...BEARER, ...headers });
    expect(status).toBe(401);
    expect(sent['www-authenticate']).toBe('Bearer');
    expect(body.code).toBe('identiteit-onbekend');
    expect(body.detail).toContain(says);
  });

  it.each(['X-Subject: sanne-de-wit', 'X-Role: drafter', 'X-Role: admin'])('a request with also %s', async (line) => {
    expect(await raw(['Authorization: Bearer a', 'X-Subject: sanne-de-wit', 'X-Role: drafter', line])).toMatch(
      /^HTTP\/1.1 401 .*identiteit-onbekend/s,
    );
  });

  it('a number in X-Subject without repeating that number in the response', async () => {
    expect(JSON.stringify((await get({ ...BEARER, 'x-subject': '123456789' })).body)).not.toContain('123456789');
  });
});

describe('the stand-in accepts with 200', () => {
  it.each([
    ['a persona', { 'x-subject': 'sanne-de-wit' }],
    ['a persona with a role', { 'x-subject': 'approver-anna', 'x-role': 'approver' }],
    ['a generated citizen', { 'x-subject': 'burger-999999' }],
    ['a persona with a world', { 'x-subject': 'sanne-de-wit@demo-1' }],
    ['the burgerservicenummer of a persona', { 'x-subject': '999990007' }],
  ])('%s', async (_, headers) => {
    expect((await get({ ...BEARER, ...headers })).status).toBe(200);
  });

  it('a burgerservicenummer as the persona who has it', async () => {
    const { body } = await service.get('/api/v1/dashboard-view', { as: '999990007' });
    expect(body.person.naam).toBe('Sanne de Wit');
  });

  it('a valid burgerservicenummer of no persona, as a person without registration and BRP data', async () => {
    const { status, body } = await service.get('/api/v1/dashboard-view', { as: '123456782' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ registration: null, person: null });
  });
});

it.each(['/dashboard-view', '/notes', '/brp/address', '/duo/diplomas', '/intake/policy'])(
  'a member of staff is refused with 403 rol-ontbreekt on GET %s',
  async (path) => {
    const headers = { ...BEARER, 'x-medewerker': 'teamlead-tess', 'x-rollen': 'behandelaar,teamlead' };
    const { status, body } = await service.get(`/api/v1${path}`, { headers });
    expect(status).toBe(403);
    expect(body.code).toBe('rol-ontbreekt');
    expect(body.detail).toContain('U bent ingelogd als medewerker; log in als zorgprofessional.');
  },
);
