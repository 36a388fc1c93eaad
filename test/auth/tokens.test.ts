import { createHmac, KeyObject, sign, type webcrypto } from 'node:crypto';
import { CompactSign, type CryptoKey, EncryptJWT, exportSPKI, importJWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { keep, startService, use, useService, whenReady } from '../support/service.ts';
import { advanceDate } from '../support/time.ts';
import {
  AUDIENCE,
  assembleToken,
  base64urlOf,
  epochSeconds,
  issuerVariables,
  type SigningKey,
  signingKey,
  startIssuer,
  type TestIssuer,
} from '../support/upstreams/issuer.ts';
import { startScriptedServer } from '../support/upstreams/scripted-server.ts';

/** Claims of the persona Sanne de Wit. */
const SANNE = { sub: 'sanne', bsn: '999990007' };
const PATH = '/api/v1/notes';

const [rs, ps] = [await signingKey('rs', 'RS256'), await signingKey('ps', 'PS256')];
const [es, stranger] = [await signingKey('es'), await signingKey('es')];
/** Keys that the issuer publishes for algorithms that are not allowed. */
const [es384, ed] = [await signingKey('es384', 'ES384'), await signingKey('ed', 'EdDSA')];
const issuer = await use(startIssuer([rs, ps, es, es384, ed]));
const staff = await use(startIssuer([await signingKey('staff')]));
/** A server named in forged tokens: the tests fail when the service calls it. */
const trap = await use(startScriptedServer((_, response) => response.end('{}')));
const service = await useService(issuerVariables(issuer, staff));
await whenReady(service);
afterAll(() => expect(trap.received).toEqual([]));

const get = (token: string, headers: Record<string, string> = {}) =>
  service.get(PATH, { headers: { authorization: `Bearer ${token}`, ...headers } });

it.each<[string, () => Promise<string>]>([
  ['signed with RS256', () => issuer.token(SANNE, {}, rs)],
  ['signed with PS256', () => issuer.token(SANNE, {}, ps)],
  ['signed with ES256', () => issuer.token(SANNE, {}, es)],
  ['made without a library', async () => assembled(header(), payload())],
  ['of type application/at+jwt', () => issuer.token(SANNE, { typ: 'application/at+jwt' })],
  ['of type AT+JWT', () => issuer.token(SANNE, { typ: 'AT+JWT' })],
  ['for this service and another', () => issuer.token({ ...SANNE, aud: ['https://other.example', AUDIENCE] })],
  ['for this service alone, in a list', () => issuer.token({ ...SANNE, aud: [AUDIENCE] })],
  ['that expired half a minute ago (clock skew)', () => issuer.token({ ...SANNE, exp: epochSeconds(-30) })],
  ['that becomes valid in half a minute (clock skew)', () => issuer.token({ ...SANNE, nbf: epochSeconds(30) })],
  ['issued half a minute from now (clock skew)', () => issuer.token({ ...SANNE, iat: epochSeconds(30) })],
  ['without iat', () => without('iat')],
  ['that lives a day', () => living(DAY)],
  ['that lives a day and has no iat', () => withoutIat(DAY)],
  ['with a fractional exp', () => issuer.token({ ...SANNE, exp: epochSeconds(60) + 0.5 })],
  ['without a burgerservicenummer', () => issuer.token({ sub: 'tomasz' })],
  ['with null as burgerservicenummer', () => issuer.token({ sub: 'tomasz', bsn: null })],
  ['with a sub of 255 characters', () => issuer.token({ ...SANNE, sub: 'x'.repeat(255) })],
  ['with a space in its sub', () => issuer.token({ ...SANNE, sub: 'CN=Sanne de Wit' })],
  ['that is bound to a client certificate', () => issuer.token({ ...SANNE, cnf: { 'x5t#S256': 'x' } })],
  ['with unknown roles', () => issuer.token({ ...SANNE, roles: ['offline_access'] })],
  ['with an object instead of a list of roles', () => issuer.token({ ...SANNE, roles: { admin: true } })],
  ['with a URL of its key (jku), which is not called,', () => issuer.token(SANNE, { jku: `${trap.url}/jwks` })],
  ['with a URL of its certificate (x5u), which is not called,', () => issuer.token(SANNE, { x5u: `${trap.url}/cert` })],
  ['with another key in its header (jwk)', () => issuer.token(SANNE, { jwk: stranger?.jwk ?? {} })],
  ['with a certificate in its header (x5c)', () => issuer.token(SANNE, { x5c: ['MIIB'] })],
  [
    'with a claim typ and token_use that is an object',
    () => issuer.token({ ...SANNE, typ: { toString: 1 }, token_use: { toString: 1 } }),
  ],
  ['with unknown claims', () => issuer.token({ ...SANNE, scope: 'openid', cnf: {}, __proto__: null })],
])('a valid token %s is accepted with 200', async (_, make) => {
  expect((await get(await make())).status).toBe(200);
});

/** Returns a validly signed token with any text as payload, also text that a JWT library would refuse to sign. */
const signed = (payload: string, header: Record<string, unknown> = {}) =>
  new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'ES256', kid: 'es', typ: 'at+jwt', ...header })
    .sign((es as SigningKey).privateKey);

/** Returns a token of these parts with a valid signature, also of a header that no JWT library would sign. */
const assembled = (head: unknown, body: unknown, key = es, hash = 'sha256') =>
  sealed(`${base64urlOf(head)}.${base64urlOf(body)}`, key, hash);

/** Returns a text with its signature, as the last part of a token. */
function sealed(text: string, key = es, hash = 'sha256', dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): string {
  const privateKey = KeyObject.from((key as SigningKey).privateKey as webcrypto.CryptoKey);
  return `${text}.${sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding }).toString('base64url')}`;
}

/** Returns a payload in base64url with padding. */
const padded = () =>
  ['', 'a']
    .map((x) => Buffer.from(JSON.stringify(payload({ x }))).toString('base64'))
    .find((text) => text.endsWith('='))
    ?.replaceAll('+', '-')
    .replaceAll('/', '_');

const payload = (claims: object = {}) => ({
  iss: issuer.url,
  aud: AUDIENCE,
  iat: epochSeconds(),
  exp: epochSeconds(300),
  ...SANNE,
  ...claims,
});
const header = (members: object = {}) => ({ alg: 'ES256', kid: 'es', typ: 'at+jwt', ...members });
const DAY = 24 * 60 * 60;
/** Returns a token of which `exp` is this number of seconds after `iat`, which was a minute ago. */
const living = (seconds: number, from = issuer) => {
  const iat = epochSeconds(-60);
  return from.token({ ...SANNE, iat, exp: iat + seconds });
};
const withoutIat = (seconds: number) => issuer.token({ ...SANNE, iat: undefined, exp: epochSeconds(seconds) } as never);
const without = (claim: string) => issuer.token({ ...SANNE, [claim]: undefined });

/** Returns a token signed with the public key as HMAC secret: an algorithm confusion attack (RFC 8725, 2.1). */
const signedWithPublicKey = async (alg: 'HS256' | 'HS384' | 'HS512'): Promise<string> =>
  signedWithSecret(
    alg,
    await exportSPKI((await importJWK((rs as SigningKey).jwk, 'RS256', { extractable: true })) as CryptoKey),
  );

function signedWithSecret(alg: 'HS256' | 'HS384' | 'HS512', secret: string): string {
  const text = `${base64urlOf(header({ alg, kid: 'rs' }))}.${base64urlOf(payload())}`;
  return `${text}.${createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url')}`;
}

/** Returns a signature of ES256 with other bits after its last byte: the same bytes in another spelling. */
const withUnusedBits = (signature: string): string =>
  signature.replace(/.$/, (last) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[last] ?? '');

async function tampered(change: (parts: [string, string, string]) => string[]): Promise<string> {
  return change((await issuer.token(SANNE)).split('.') as [string, string, string]).join('.');
}

describe('an invalid token:', () => {
  it.each<[string, () => string | Promise<string>]>([
    // Shape
    ['one word', () => 'token'],
    ['two parts', () => tampered(([a, b]) => [a, b])],
    ['four parts', () => tampered((parts) => [...parts, 'x'])],
    ['an empty signature', () => tampered(([a, b]) => [a, b, ''])],
    ['an empty payload', () => sealed(`${base64urlOf(header())}.`)],
    ['an empty header', () => sealed(`.${base64urlOf(payload())}`)],
    ['only dots', () => '..'],
    ['a header that is no JSON', () => assembled('{alg', payload())],
    ['a header that is a list', () => assembled([header()], payload())],
    ['a payload that is no JSON', () => signed('sub=sanne')],
    ['a payload that is a list', () => signed(JSON.stringify([payload()]))],
    ['a payload that is null', () => signed('null')],
    ['a payload that is text', () => signed('"sanne"')],
    ['a payload in base64 with padding', () => sealed(`${base64urlOf(header())}.${padded()}`)],
    [
      'an encrypted token (JWE)',
      async () =>
        new EncryptJWT(payload()).setProtectedHeader({ alg: 'dir', enc: 'A128GCM' }).encrypt(new Uint8Array(16)),
    ],
    // Algorithm
    ['alg none, unsigned', () => assembleToken(header({ alg: 'none' }), payload())],
    ['alg NONE, unsigned', () => assembleToken(header({ alg: 'NONE' }), payload())],
    ['alg nOnE with a signature', () => assembled(header({ alg: 'nOnE' }), payload())],
    ['an empty alg', () => assembled(header({ alg: '' }), payload())],
    ['no alg', () => assembled(header({ alg: undefined }), payload())],
    ['a list as alg', () => assembled(header({ alg: ['ES256'] }), payload())],
    ['alg null', () => assembled(header({ alg: null }), payload())],
    ['alg in lower case', () => assembled(header({ alg: 'es256' }), payload())],
    ['HS256 with the public key', () => signedWithPublicKey('HS256')],
    ['HS384 with the public key', () => signedWithPublicKey('HS384')],
    ['HS512 with the public key', () => signedWithPublicKey('HS512')],
    ['HS256 with an empty secret', () => signedWithSecret('HS256', '')],
    ['RS512, which is not allowed', () => assembled(header({ alg: 'RS512', kid: 'rs' }), payload(), rs, 'sha512')],
    ['ES384, which is not allowed', () => issuer.token(SANNE, {}, es384)],
    ['EdDSA, which is not allowed', () => issuer.token(SANNE, {}, ed)],
    ['another algorithm than its key', () => assembled(header({ alg: 'RS256', kid: 'ps' }), payload(), ps)],
    // Key
    ['an unknown key under a known kid', () => issuer.token(SANNE, {}, stranger)],
    ['an unknown key in the header (jwk)', () => issuer.token(SANNE, { jwk: stranger?.jwk ?? {} }, stranger)],
    ['an unknown key with its URL (jku)', () => issuer.token(SANNE, { jku: `${trap.url}/jwks` }, stranger)],
    ['an unknown key with its certificate URL (x5u)', () => issuer.token(SANNE, { x5u: `${trap.url}/x` }, stranger)],
    ['an unknown key with its certificate in the header (x5c)', () => issuer.token(SANNE, { x5c: ['MIIB'] }, stranger)],
    ['a signature by the key of the staff issuer', () => issuer.token(SANNE, {}, staff.keys[0])],
    ['no kid', () => issuer.token(SANNE, { kid: undefined } as never)],
    ['an empty kid', () => issuer.token(SANNE, { kid: '' })],
    ['a list as kid', () => signed(JSON.stringify(payload()), { kid: ['es'] })],
    ['a number as kid', () => signed(JSON.stringify(payload()), { kid: 1 })],
    ['a path as kid', () => issuer.token(SANNE, { kid: '../../../../dev/null' })],
    ['a kid with a line break', () => issuer.token(SANNE, { kid: 'es\r\nX: y' })],
    ['an SQL injection as kid', () => issuer.token(SANNE, { kid: "' or 1=1 --" })],
    ['__proto__ as kid', () => issuer.token(SANNE, { kid: '__proto__' })],
    ['a kid in capitals', () => issuer.token(SANNE, { kid: 'ES' })],
    ['the kid of another key', () => issuer.token(SANNE, { kid: 'ps' }, rs)],
    // Signature
    ['a changed payload', () => tampered(([a, , c]) => [a, base64urlOf(payload({ sub: 'other' })), c])],
    ['a changed header', () => tampered(([, b, c]) => [base64urlOf(header({ alg: 'RS256', kid: 'rs', x: 1 })), b, c])],
    ['a truncated signature', () => tampered(([a, b, c]) => [a, b, c.slice(0, -4)])],
    ['a signature of zeros', () => assembleToken(header(), payload(), base64urlOf('\0'.repeat(64)))],
    ['an ECDSA signature in DER', () => sealed([header(), payload()].map(base64urlOf).join('.'), es, 'sha256', 'der')],
    ['a signature in reverse', () => tampered(([a, b, c]) => [a, b, c.split('').reverse().join('')])],
    ['a signature with padding', () => tampered(([a, b, c]) => [a, b, `${c}==`])],
    ['a signature with unused bits', () => tampered(([a, b, c]) => [a, b, withUnusedBits(c)])],
    // Type and critical members
    ['no typ', () => issuer.token(SANNE, { typ: undefined } as never)],
    ['typ JWT', () => issuer.token(SANNE, { typ: 'JWT' })],
    ['the typ of a logout token', () => issuer.token(SANNE, { typ: 'logout+jwt' })],
    ['the typ of a DPoP proof', () => issuer.token(SANNE, { typ: 'dpop+jwt' })],
    ['the typ of a client assertion', () => issuer.token(SANNE, { typ: 'client-authentication+jwt' })],
    ['a list as typ', () => signed(JSON.stringify(payload()), { typ: ['at+jwt'] })],
    ['a typ with a trailing space', () => issuer.token(SANNE, { typ: 'at+jwt ' })],
    ['crit with an unknown extension', () => assembled(header({ crit: ['exp'], exp: 1 }), payload())],
    ['crit with b64', () => assembled(header({ crit: ['b64'], b64: false }), payload())],
    ['b64 without crit', () => signed(JSON.stringify(payload()), { b64: true })],
    ['an empty crit', () => assembled(header({ crit: [] }), payload())],
    // Issuer
    ['no iss', () => without('iss')],
    ['an unknown iss', () => issuer.token({ ...SANNE, iss: 'https://evil.example' })],
    ['an iss with a trailing slash', () => issuer.token({ ...SANNE, iss: `${issuer.url}/` })],
    ['an iss in capitals', () => issuer.token({ ...SANNE, iss: issuer.url.toUpperCase() })],
    ['an iss with a suffix', () => issuer.token({ ...SANNE, iss: `${issuer.url}.evil.example` })],
    ['a list as iss', () => issuer.token({ ...SANNE, iss: [issuer.url] } as never)],
    ['an empty iss', () => issuer.token({ ...SANNE, iss: '' })],
    ['the iss of staff with a signature of the professional issuer', () => issuer.token({ ...SANNE, iss: staff.url })],
    ['the URL of another server as iss', () => issuer.token({ ...SANNE, iss: trap.url })],
    // Audience
    ['no aud', () => without('aud')],
    ['the aud of another service', () => issuer.token({ ...SANNE, aud: 'https://other.example' })],
    ['an aud of two other services', () => issuer.token({ ...SANNE, aud: ['a', 'b'] })],
    ['an aud with a trailing slash', () => issuer.token({ ...SANNE, aud: `${AUDIENCE}/` })],
    ['an aud that begins with the right one', () => issuer.token({ ...SANNE, aud: `${AUDIENCE}.evil.example` })],
    ['an empty aud', () => issuer.token({ ...SANNE, aud: '' })],
    ['an empty list as aud', () => issuer.token({ ...SANNE, aud: [] })],
    ['an object as aud', () => issuer.token({ ...SANNE, aud: { [AUDIENCE]: true } } as never)],
    ['two audiences in one string', () => issuer.token({ ...SANNE, aud: `${AUDIENCE} other` })],
    // Time
    ['no exp', () => without('exp')],
    ['an exp two minutes ago', () => issuer.token({ ...SANNE, exp: epochSeconds(-120) })],
    ['exp 0', () => issuer.token({ ...SANNE, exp: 0 })],
    ['a negative exp', () => issuer.token({ ...SANNE, exp: -1 })],
    ['a string as exp', () => issuer.token({ ...SANNE, exp: String(epochSeconds(300)) } as never)],
    ['exp null', () => issuer.token({ ...SANNE, exp: null } as never)],
    ['a list as exp', () => issuer.token({ ...SANNE, exp: [epochSeconds(300)] } as never)],
    ['an infinite exp', () => signed(JSON.stringify(payload()).replace(/"exp":\d+/, '"exp":1e999'))],
    ['exp true', () => issuer.token({ ...SANNE, exp: true } as never)],
    ['a lifetime of a day and a second', () => living(DAY + 1)],
    ['an exp in the year 9999', () => issuer.token({ ...SANNE, exp: 253_402_300_799 })],
    ['an exp of 1e300', () => signed(JSON.stringify(payload()).replace(/"exp":\d+/, '"exp":1e300'))],
    ['no iat and an exp in two days', () => withoutIat(2 * DAY)],
    ['an iat two days ago', () => issuer.token({ ...SANNE, iat: epochSeconds(-2 * DAY) })],
    ['an iat of -1e300', () => signed(JSON.stringify(payload()).replace(/"iat":\d+/, '"iat":-1e300'))],
    ['an nbf two minutes ahead', () => issuer.token({ ...SANNE, nbf: epochSeconds(120) })],
    ['text as nbf', () => issuer.token({ ...SANNE, nbf: 'now' } as never)],
    ['an infinite nbf', () => signed(JSON.stringify({ ...payload(), nbf: 1 }).replace('"nbf":1', '"nbf":1e999'))],
    ['an iat an hour ahead', () => issuer.token({ ...SANNE, iat: epochSeconds(3_600) })],
    ['a numeric string as iat', () => issuer.token({ ...SANNE, iat: String(epochSeconds()) } as never)],
    ['text as iat', () => issuer.token({ ...SANNE, iat: 'now' } as never)],
    ['the key of DPoP to which it is bound', () => issuer.token({ ...SANNE, cnf: { jkt: 'x' } })],
    // Subject
    ['no sub', () => without('sub')],
    ['an empty sub', () => issuer.token({ ...SANNE, sub: '' })],
    ['a space as sub', () => issuer.token({ ...SANNE, sub: ' ' })],
    ['a tab as sub', () => issuer.token({ ...SANNE, sub: '\t' })],
    ['a zero-width space as sub', () => issuer.token({ ...SANNE, sub: '\u200b' })],
    ['a sub with a leading space', () => issuer.token({ ...SANNE, sub: ' sanne' })],
    ['a sub with a line break', () => issuer.token({ ...SANNE, sub: 'sanne\nroot' })],
    ['a sub with a NUL character', () => issuer.token({ ...SANNE, sub: 'sanne\0' })],
    ['a sub with a Cyrillic letter', () => issuer.token({ ...SANNE, sub: 'sаnne' })],
    ['a sub of 256 characters', () => issuer.token({ ...SANNE, sub: 'x'.repeat(256) })],
    ...[null, 0, 9, true, [], ['sanne'], {}].map((sub): [string, () => Promise<string>] => [
      `sub ${JSON.stringify(sub)}`,
      () => issuer.token({ ...SANNE, sub } as never),
    ]),
  ])('%s is refused with 401 niet-ingelogd', async (_, make) => {
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
    ['only zeros', '000000000'],
    ['an empty string', ''],
    ['padded with a space', ' 999990007'],
    ['a list', ['999990007']],
    ['an object', {}],
    ['false', false],
  ])('a burgerservicenummer that is %s is refused with 401 identiteit-onbekend', async (_, bsn) => {
    const { status, body } = await get(await issuer.token({ sub: 'sanne', bsn }));
    expect(status).toBe(401);
    expect(body.code).toBe('identiteit-onbekend');
  });
});

it('a token that lives longer than OIDC_MAX_LIFETIME is refused with the reason lifetime in the log, and one that lives as long is accepted; also of staff', async () => {
  const own = keep(await startService({ ...issuerVariables(issuer, staff), OIDC_MAX_LIFETIME: '600' }));
  await whenReady(own);
  const statusOf = async (from: TestIssuer, seconds: number) => {
    const headers = { authorization: `Bearer ${await living(seconds, from)}` };
    return (await own.get('/api/v1/brief', { headers })).status;
  };
  for (const from of [issuer, staff]) {
    expect(await statusOf(from, 601)).toBe(401);
    await expect.poll(() => own.log.at(-1)).toMatchObject({ status: 401, reason: 'lifetime' });
    // Without a role there is no letter for this caller.
    expect(await statusOf(from, 600)).toBe(403);
  }
});

describe('a token', () => {
  it('that was accepted stays valid until its exp plus one minute of clock skew', async () => {
    const token = await issuer.token({ ...SANNE, exp: epochSeconds(30) });
    const statuses: number[] = [];
    for (const pause of [0, 10, 40, 45]) {
      advanceDate(pause);
      statuses.push((await get(token)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 401]);
  });

  it('longer than the header limit is refused with 431 kop-te-groot', async () => {
    const token = await issuer.token({ ...SANNE, filler: 'x'.repeat(48_000) });
    const lines = [`GET ${PATH} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, 'Connection: close'];
    expect(await service.raw([...lines, '', ''].join('\r\n'))).toMatch(/^HTTP\/1.1 431 .*kop-te-groot/s);
  });

  it('in the query string, in a cookie or with the scheme DPoP is refused with 401', async () => {
    const token = await issuer.token(SANNE);
    expect((await service.get(`${PATH}?access_token=${token}`)).status).toBe(401);
    expect((await service.get(PATH, { headers: { cookie: `access_token=${token}` } })).status).toBe(401);
    expect((await service.get(PATH, { headers: { authorization: `DPoP ${token}` } })).status).toBe(401);
  });

  it('leaves none of its claims or characters in the log', async () => {
    const token = await issuer.token({ ...SANNE, sub: 'a-subject-to-look-for', given_name: 'Sannetje' });
    expect((await get(token)).status).toBe(200);
    expect((await get(`${token}x`)).status).toBe(401);
    const log = JSON.stringify(service.log);
    for (const secret of [token.slice(-20), 'a-subject-to-look-for', 'Sannetje', SANNE.bsn])
      expect(log).not.toContain(secret);
    expect(log).toContain('"reason":"spelling"');
  });
});
