import { createHmac } from 'node:crypto';
import { CompactSign, type CryptoKey, EncryptJWT, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  AUDIENCE,
  assembled,
  encoded,
  type SigningKey,
  seconds,
  signingKey,
  startIssuer,
  type TestIssuer,
  trusting,
} from './support/issuer.ts';
import { startService, type TestService } from './support/service.ts';
import { later } from './support/time.ts';
import { listenWith, type ScriptedServer } from './support/upstream.ts';

/** Claims of the persona Sanne de Wit. */
const SANNE = { sub: 'sanne', bsn: '999990007' };
const PATH = '/api/v1/notes';

let issuer: TestIssuer;
let staff: TestIssuer;
let service: TestService;
/** A server that the service may never call for a key. */
let trap: ScriptedServer;
let [rs, ps, es, stranger]: SigningKey[] = [];

beforeAll(async () => {
  [rs, ps, es, stranger] = await Promise.all([
    signingKey('rs', 'RS256'),
    signingKey('ps', 'PS256'),
    signingKey('es'),
    signingKey('es'),
  ]);
  const keys = [rs, ps, es] as SigningKey[];
  [issuer, staff, trap] = await Promise.all([
    startIssuer(keys),
    startIssuer([await signingKey('staff')]),
    listenWith((_, response) => response.end('{}')),
  ]);
  service = await startService(trusting(issuer, staff));
  await vi.waitFor(async () => expect((await service.get('/health/ready')).status).toBe(200), {
    timeout: 10_000,
  });
});
afterAll(async () => {
  expect(trap.seen).toEqual([]);
  await Promise.all([service.close(), issuer.close(), staff.close(), trap.close()]);
});

const get = (token: string, headers: Record<string, string> = {}) =>
  service.get(PATH, { headers: { authorization: `Bearer ${token}`, ...headers } });

describe('a valid token', () => {
  it.each<[string, () => Promise<string>]>([
    ['signed with RS256', () => issuer.token(SANNE, {}, rs)],
    ['signed with PS256', () => issuer.token(SANNE, {}, ps)],
    ['signed with ES256', () => issuer.token(SANNE, {}, es)],
    ['of type application/at+jwt', () => issuer.token(SANNE, { typ: 'application/at+jwt' })],
    ['of type AT+JWT', () => issuer.token(SANNE, { typ: 'AT+JWT' })],
    ['for this service and another', () => issuer.token({ ...SANNE, aud: ['https://other.example', AUDIENCE] })],
    ['for this service alone, in a list', () => issuer.token({ ...SANNE, aud: [AUDIENCE] })],
    ['that expired half a minute ago (clock skew)', () => issuer.token({ ...SANNE, exp: seconds(-30) })],
    ['that becomes valid in half a minute (clock skew)', () => issuer.token({ ...SANNE, nbf: seconds(30) })],
    ['issued half a minute from now (clock skew)', () => issuer.token({ ...SANNE, iat: seconds(30) })],
    ['without iat', () => without('iat')],
    ['with a fractional exp', () => issuer.token({ ...SANNE, exp: seconds(60) + 0.5 })],
    ['of a person without a number', () => issuer.token({ sub: 'tomasz' })],
    ['with null for a number', () => issuer.token({ sub: 'tomasz', bsn: null })],
    ['of a subject of 255 characters', () => issuer.token({ ...SANNE, sub: 'x'.repeat(255) })],
    ['of a subject with a space in it', () => issuer.token({ ...SANNE, sub: 'CN=Sanne de Wit' })],
    ['with unknown roles', () => issuer.token({ ...SANNE, roles: ['offline_access'] })],
    ['with roles of another shape', () => issuer.token({ ...SANNE, roles: { admin: true } })],
    ['that says where its key is (jku)', () => issuer.token(SANNE, { jku: `${trap.url}/jwks` })],
    ['that says where its certificate is (x5u)', () => issuer.token(SANNE, { x5u: `${trap.url}/cert` })],
    ['that carries another key (jwk)', () => issuer.token(SANNE, { jwk: stranger?.jwk ?? {} })],
    ['that carries a certificate (x5c)', () => issuer.token(SANNE, { x5c: ['MIIB'] })],
    ['with unknown members', () => issuer.token({ ...SANNE, scope: 'openid', cnf: {}, __proto__: null })],
  ])('%s is accepted', async (_, make) => {
    expect((await get(await make())).status).toBe(200);
  });
});

/** Returns a signed token with a payload that a JWT library would refuse to make. */
const signed = (payload: string, header: Record<string, unknown> = {}) =>
  new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'ES256', kid: 'es', typ: 'at+jwt', ...header })
    .sign((es as SigningKey).privateKey);

const payload = (claims: object = {}) => ({
  iss: issuer.url,
  aud: AUDIENCE,
  iat: seconds(),
  exp: seconds(300),
  ...SANNE,
  ...claims,
});
const header = (members: object = {}) => ({ alg: 'ES256', kid: 'es', typ: 'at+jwt', ...members });
const without = (claim: string) => issuer.token({ ...SANNE, [claim]: undefined });

/** Returns a token signed with the public key as HMAC secret: an algorithm confusion attack (RFC 8725, 2.1). */
async function signedWithPublicKey(alg: 'HS256' | 'HS384' | 'HS512'): Promise<string> {
  const spki = await exportSPKI((await importJWK((rs as SigningKey).jwk, 'RS256', { extractable: true })) as CryptoKey);
  const text = `${encoded(header({ alg, kid: 'rs' }))}.${encoded(payload())}`;
  return `${text}.${createHmac(alg.replace('HS', 'sha'), spki).update(text).digest('base64url')}`;
}

async function tampered(change: (parts: [string, string, string]) => string[]): Promise<string> {
  return change((await issuer.token(SANNE)).split('.') as [string, string, string]).join('.');
}

describe('an invalid token', () => {
  it.each<[string, () => string | Promise<string>]>([
    // Shape
    ['one word', () => 'token'],
    ['two parts', () => tampered(([a, b]) => [a, b])],
    ['four parts', () => tampered((parts) => [...parts, 'x'])],
    ['an empty signature', () => tampered(([a, b]) => [a, b, ''])],
    ['an empty payload', () => tampered(([a, , c]) => [a, '', c])],
    ['an empty header', () => tampered(([, b, c]) => ['', b, c])],
    ['only dots', () => '..'],
    ['a header that is no JSON', () => tampered(([, b, c]) => [encoded('{alg'), b, c])],
    ['a header that is a list', () => tampered(([, b, c]) => [encoded([]), b, c])],
    ['a payload that is no JSON', () => signed('sub=sanne')],
    ['a payload that is a list', () => signed(JSON.stringify([payload()]))],
    ['a payload that is null', () => signed('null')],
    ['a payload that is text', () => signed('"sanne"')],
    ['a payload in other base64', () => tampered(([a, b, c]) => [a, `${b}=`, c])],
    [
      'an encrypted one',
      async () =>
        new EncryptJWT(payload()).setProtectedHeader({ alg: 'dir', enc: 'A128GCM' }).encrypt(new Uint8Array(16)),
    ],
    // Algorithm
    ['alg none, unsigned', () => assembled(header({ alg: 'none' }), payload())],
    ['alg NONE, unsigned', () => assembled(header({ alg: 'NONE' }), payload())],
    ['alg nOnE with a signature', () => tampered(([, b, c]) => [encoded(header({ alg: 'nOnE' })), b, c])],
    ['alg empty', () => assembled(header({ alg: '' }), payload(), 'x')],
    ['no alg', () => assembled(header({ alg: undefined }), payload(), 'x')],
    ['alg a list', () => assembled(header({ alg: ['ES256'] }), payload(), 'x')],
    ['alg null', () => assembled(header({ alg: null }), payload(), 'x')],
    ['alg in lower case', () => assembled(header({ alg: 'es256' }), payload(), 'x')],
    ['HS256 with the public key', () => signedWithPublicKey('HS256')],
    ['HS384 with the public key', () => signedWithPublicKey('HS384')],
    ['HS512 with the public key', () => signedWithPublicKey('HS512')],
    [
      'HS256 with an empty secret',
      () => assembled(header({ alg: 'HS256' }), payload(), createHmac('sha256', '').update('').digest('base64url')),
    ],
    [
      'RS512, which is not on the list',
      async () =>
        new SignJWT(payload())
          .setProtectedHeader({ alg: 'RS512', kid: 'rs', typ: 'at+jwt' })
          .sign((await generateKeyPair('RS512')).privateKey),
    ],
    [
      'ES384, which is not on the list',
      async () =>
        new SignJWT(payload())
          .setProtectedHeader({ alg: 'ES384', kid: 'es', typ: 'at+jwt' })
          .sign((await generateKeyPair('ES384')).privateKey),
    ],
    [
      'EdDSA, which is not on the list',
      async () =>
        new SignJWT(payload())
          .setProtectedHeader({ alg: 'EdDSA', kid: 'es', typ: 'at+jwt' })
          .sign((await generateKeyPair('EdDSA')).privateKey),
    ],
    [
      'an algorithm that is not that of its key',
      () => tampered(([, b, c]) => [encoded(header({ alg: 'RS256' })), b, c]),
    ],
    // Key
    ['signed by a stranger under a known kid', () => issuer.token(SANNE, {}, stranger)],
    [
      'signed by a stranger who brings the key along (jwk)',
      () => issuer.token(SANNE, { jwk: stranger?.jwk ?? {} }, stranger),
    ],
    [
      'signed by a stranger who tells where the key is (jku)',
      () => issuer.token(SANNE, { jku: `${trap.url}/jwks` }, stranger),
    ],
    [
      'signed by a stranger who tells where the certificate is (x5u)',
      () => issuer.token(SANNE, { x5u: `${trap.url}/x` }, stranger),
    ],
    ['signed by a stranger with a certificate along (x5c)', () => issuer.token(SANNE, { x5c: ['MIIB'] }, stranger)],
    ['signed by the issuer of staff', () => issuer.token(SANNE, {}, staff.keys[0])],
    ['no kid', () => issuer.token(SANNE, { kid: undefined } as never)],
    ['an empty kid', () => issuer.token(SANNE, { kid: '' })],
    ['kid a list', () => signed(JSON.stringify(payload()), { kid: ['es'] })],
    ['kid a number', () => signed(JSON.stringify(payload()), { kid: 1 })],
    ['kid a path', () => issuer.token(SANNE, { kid: '../../../../dev/null' })],
    ['kid with a line break', () => issuer.token(SANNE, { kid: 'es\r\nX: y' })],
    ['kid a query', () => issuer.token(SANNE, { kid: "' or 1=1 --" })],
    ['kid of a prototype', () => issuer.token(SANNE, { kid: '__proto__' })],
    ['kid in capitals', () => issuer.token(SANNE, { kid: 'ES' })],
    ['the kid of another key', () => issuer.token(SANNE, { kid: 'ps' }, rs)],
    // Signature
    ['a changed payload', () => tampered(([a, , c]) => [a, encoded(payload({ sub: 'other' })), c])],
    ['a changed header', () => tampered(([, b, c]) => [encoded(header({ alg: 'RS256', kid: 'rs', x: 1 })), b, c])],
    ['a truncated signature', () => tampered(([a, b, c]) => [a, b, c.slice(0, -4)])],
    ['a signature of zeros', () => assembled(header(), payload(), encoded('\0'.repeat(64)))],
    ['a signature in DER', () => assembled(header(), payload(), encoded('0\x06\x02\x01\x01\x02\x01\x01'))],
    ['the signature of another token', () => tampered(([a, b, c]) => [a, b, c.split('').reverse().join('')])],
    // Type and critical members
    ['no typ', () => issuer.token(SANNE, { typ: undefined } as never)],
    ['typ JWT', () => issuer.token(SANNE, { typ: 'JWT' })],
    ['typ of a logout token', () => issuer.token(SANNE, { typ: 'logout+jwt' })],
    ['typ of a DPoP proof', () => issuer.token(SANNE, { typ: 'dpop+jwt' })],
    ['typ of a client assertion', () => issuer.token(SANNE, { typ: 'client-authentication+jwt' })],
    ['typ a list', () => signed(JSON.stringify(payload()), { typ: ['at+jwt'] })],
    ['typ with a trailing space', () => issuer.token(SANNE, { typ: 'at+jwt ' })],
    ['crit with an unknown extension', () => assembled(header({ crit: ['exp'], exp: 1 }), payload(), 'x')],
    ['crit b64', () => assembled(header({ crit: ['b64'], b64: false }), payload(), 'x')],
    ['b64 alone', () => signed(JSON.stringify(payload()), { b64: true })],
    ['crit empty', () => assembled(header({ crit: [] }), payload(), 'x')],
    // Issuer
    ['no iss', () => without('iss')],
    ['an unknown iss', () => issuer.token({ ...SANNE, iss: 'https://evil.example' })],
    ['iss with a slash', () => issuer.token({ ...SANNE, iss: `${issuer.url}/` })],
    ['iss in capitals', () => issuer.token({ ...SANNE, iss: issuer.url.toUpperCase() })],
    ['iss with a suffix', () => issuer.token({ ...SANNE, iss: `${issuer.url}.evil.example` })],
    ['iss a list', () => issuer.token({ ...SANNE, iss: [issuer.url] } as never)],
    ['iss empty', () => issuer.token({ ...SANNE, iss: '' })],
    ['iss of staff, signed by the other', () => issuer.token({ ...SANNE, iss: staff.url })],
    ['iss of the trap', () => issuer.token({ ...SANNE, iss: trap.url })],
    // Audience
    ['no aud', () => without('aud')],
    ['aud of another', () => issuer.token({ ...SANNE, aud: 'https://other.example' })],
    ['aud of others', () => issuer.token({ ...SANNE, aud: ['a', 'b'] })],
    ['aud with a slash', () => issuer.token({ ...SANNE, aud: `${AUDIENCE}/` })],
    ['aud with ours as prefix', () => issuer.token({ ...SANNE, aud: `${AUDIENCE}.evil.example` })],
    ['aud empty', () => issuer.token({ ...SANNE, aud: '' })],
    ['aud an empty list', () => issuer.token({ ...SANNE, aud: [] })],
    ['aud a record', () => issuer.token({ ...SANNE, aud: { [AUDIENCE]: true } } as never)],
    ['aud two in one', () => issuer.token({ ...SANNE, aud: `${AUDIENCE} other` })],
    // Time
    ['no exp', () => without('exp')],
    ['exp two minutes ago', () => issuer.token({ ...SANNE, exp: seconds(-120) })],
    ['exp 0', () => issuer.token({ ...SANNE, exp: 0 })],
    ['exp below 0', () => issuer.token({ ...SANNE, exp: -1 })],
    ['exp text', () => issuer.token({ ...SANNE, exp: String(seconds(300)) } as never)],
    ['exp null', () => issuer.token({ ...SANNE, exp: null } as never)],
    ['exp a list', () => issuer.token({ ...SANNE, exp: [seconds(300)] } as never)],
    ['exp infinite', () => signed(JSON.stringify(payload()).replace(/"exp":\d+/, '"exp":1e999'))],
    ['exp true', () => issuer.token({ ...SANNE, exp: true } as never)],
    ['nbf in two minutes', () => issuer.token({ ...SANNE, nbf: seconds(120) })],
    ['nbf text', () => issuer.token({ ...SANNE, nbf: 'now' } as never)],
    ['nbf infinite', () => signed(JSON.stringify({ ...payload(), nbf: 1 }).replace('"nbf":1', '"nbf":1e999'))],
    ['iat in an hour', () => issuer.token({ ...SANNE, iat: seconds(3_600) })],
    ['iat a number as text', () => issuer.token({ ...SANNE, iat: String(seconds()) } as never)],
    ['iat text', () => issuer.token({ ...SANNE, iat: 'now' } as never)],
    // Subject
    ['no sub', () => without('sub')],
    ['sub empty', () => issuer.token({ ...SANNE, sub: '' })],
    ['sub a space', () => issuer.token({ ...SANNE, sub: ' ' })],
    ['sub a tab', () => issuer.token({ ...SANNE, sub: '\t' })],
    ['sub a zero-width space', () => issuer.token({ ...SANNE, sub: '\u200b' })],
    ['sub with a leading space', () => issuer.token({ ...SANNE, sub: ' sanne' })],
    ['sub with a line break', () => issuer.token({ ...SANNE, sub: 'sanne\nroot' })],
    ['sub with NUL', () => issuer.token({ ...SANNE, sub: 'sanne\0' })],
    ['sub with letters that look alike', () => issuer.token({ ...SANNE, sub: 'sаnne' })],
    ['sub too long', () => issuer.token({ ...SANNE, sub: 'x'.repeat(256) })],
    ...[null, 0, 9, true, [], ['sanne'], {}].map((sub): [string, () => Promise<string>] => [
      `sub ${JSON.stringify(sub)}`,
      () => issuer.token({ ...SANNE, sub } as never),
    ]),
  ])('%s is refused', async (_, make) => {
    const { status, body, headers } = await get(await make());
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
    expect(body.code).toBe('niet-ingelogd');
    expect(body.detail).not.toMatch(/kid|alg|exp\b|jose/);
  });

  it.each<[string, unknown]>([
    ['a number', 999990007],
    ['eight digits', '99999000'],
    ['digits that fail the 11-test', '999990008'],
    ['nothing but zeros', '000000000'],
    ['text', ''],
    ['padded with a space', ' 999990007'],
    ['a list', ['999990007']],
    ['a record', {}],
    ['false', false],
  ])('a token with a burgerservicenummer that is %s is refused', async (_, bsn) => {
    const { status, body } = await get(await issuer.token({ sub: 'sanne', bsn }));
    expect(status).toBe(401);
    expect(body.code).toBe('identiteit-onbekend');
  });

  it('an accepted token stays valid until its exp plus one minute of clock skew', async () => {
    const token = await issuer.token({ ...SANNE, exp: seconds(30) });
    const statuses: number[] = [];
    for (const pause of [0, 10, 40, 45]) {
      later(pause);
      statuses.push((await get(token)).status);
    }
    vi.useRealTimers();
    expect(statuses).toEqual([200, 200, 200, 401]);
  });

  it('a token longer than the header limit is refused with 431', async () => {
    const token = await issuer.token({ ...SANNE, filler: 'x'.repeat(48_000) });
    const lines = [`GET ${PATH} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, 'Connection: close'];
    expect(await service.raw([...lines, '', ''].join('\r\n'))).toMatch(/^HTTP\/1.1 431 .*kop-te-groot/s);
  });

  it('a token outside the Authorization header is ignored', async () => {
    const token = await issuer.token(SANNE);
    expect((await service.get(`${PATH}?access_token=${token}`)).status).toBe(401);
    expect((await service.get(PATH, { headers: { cookie: `access_token=${token}` } })).status).toBe(401);
    expect((await service.get(PATH, { headers: { authorization: `DPoP ${token}` } })).status).toBe(401);
  });

  it('no part of a token is in the log', async () => {
    const token = await issuer.token({ ...SANNE, sub: 'a-subject-to-look-for', given_name: 'Sannetje' });
    expect((await get(token)).status).toBe(200);
    expect((await get(`${token}x`)).status).toBe(401);
    const log = JSON.stringify(service.log);
    for (const secret of [token.slice(-20), 'a-subject-to-look-for', 'Sannetje', SANNE.bsn])
      expect(log).not.toContain(secret);
    expect(log).toMatch(/"reason":"(exp|iss|aud|kid|sub|typ|alg|ERR_JW[ST]_[A-Z_]+|expired|no JWT|kid unknown)"/);
  });
});
