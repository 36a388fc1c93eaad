import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { jwtVerify } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Timing } from '../../src/ports/timing.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startService } from '../support/service.ts';
import { fakeTimers, stopClocks } from '../support/time.ts';
import { certificatePath, REQUIRE_CLIENT_CERTIFICATE, tlsOptionsOf } from '../support/upstreams/certificates.ts';
import {
  type ReceivedRequest,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from '../support/upstreams/scripted-server.ts';

const BSN = '123456782';
const TOKEN = 'token-of-our-own';
const SECRET = 'a secret with / and : in it';
const persoon = {
  burgerservicenummer: BSN,
  verblijfplaats: { type: 'Adres', verblijfadres: { korteStraatnaam: 'Lindelaan', huisnummer: 3 } },
  gemeenteVanInschrijving: { code: '0344', omschrijving: 'Utrecht' },
};
const right: ScriptedServer['answer'] = (_, response) =>
  sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [persoon] });

afterEach(() => {
  vi.unstubAllEnvs();
});

const listen = async (answer: ScriptedServer['answer'], tls?: ServerOptions) =>
  keep(await startScriptedServer(answer, tls));

async function serviceWith(brp: ScriptedServer, env: Record<string, string>, changes: Partial<Timing> = {}) {
  const service = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen`, ...env }, undefined, {}, {}, changes));
  const address = () => service.get('/api/v1/brp/address', { as: BSN });
  return { service, address };
}

const US = { BRP_TLS_CERT: certificatePath('client'), BRP_TLS_KEY: certificatePath('client', 'key') };
const OURS = { BRP_TLS_CA: certificatePath('ca') };
const OTHERS = { BRP_TLS_CA: certificatePath('other-ca') };
const [STRANGER, STRANGER_KEY] = [certificatePath('client-stranger'), certificatePath('client-stranger', 'key')];
/** A server that requires a client certificate. */
const STRICT = { ...tlsOptionsOf('server'), ...REQUIRE_CLIENT_CERTIFICATE };

describe('an upstream with TLS', () => {
  it('is called when its certificate is trusted, with our client certificate', async () => {
    const { address } = await serviceWith(await listen(right, STRICT), { ...US, ...OURS });
    expect(await address()).toMatchObject({ status: 200, body: { gevonden: true } });
  });

  it.each<[string, ServerOptions, Record<string, string>, code: string]>([
    ['its certificate is signed by an untrusted CA', tlsOptionsOf('stranger'), OURS, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['its CA is not public and no CA is configured', tlsOptionsOf('server'), {}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['another CA is configured', tlsOptionsOf('server'), OTHERS, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['its certificate has expired', tlsOptionsOf('expired'), OURS, 'CERT_HAS_EXPIRED'],
    ['its certificate is for another host', tlsOptionsOf('elsewhere'), OURS, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['it requires a client certificate, and has none', STRICT, OURS, 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    [
      'it does not trust the CA of our client certificate',
      STRICT,
      { ...OURS, BRP_TLS_CERT: STRANGER, BRP_TLS_KEY: STRANGER_KEY },
      // Node's server closes the connection and does not say why.
      'UND_ERR_SOCKET',
    ],
    [
      'it supports only TLS 1.1 and older',
      { ...tlsOptionsOf('server'), minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      OURS,
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    ],
  ])('gets no request, and the operation answers 503 and logs why, when %s', async (_, tls, env, code) => {
    const brp = await listen(right, tls);
    const { service, address } = await serviceWith(brp, env);
    expect(await address()).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar', bron: 'brp' } });
    expect(brp.received).toEqual([]);
    const message = `brp unavailable: ${code}`;
    await expect.poll(() => service.log.find((line) => line.problem)?.error).toMatchObject({ message });
  });

  it('is asked again when it ended TLS because the first request arrived damaged', async () => {
    const brp = await listen(right, tlsOptionsOf('server'));
    let connections = 0;
    const between = createServer((socket) => {
      const isFirst = ++connections === 1;
      let chunks = 0;
      const upstream = connect(Number(new URL(brp.url).port), '127.0.0.1');
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          // The handshake begins in the first chunk, and the second has the request.
          chunks += 1;
          if (isFirst && chunks > 1) bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
          upstream.write(bytes);
        });
      upstream.on('error', () => undefined).pipe(socket);
    });
    await once(between.listen(0, '127.0.0.1'), 'listening');
    keep(between);
    const url = new URL(brp.url);
    url.port = String((between.address() as AddressInfo).port);
    const { service, address } = await serviceWith({ ...brp, url: url.origin }, OURS);
    const reply = await address();
    expect([reply.status, connections], JSON.stringify(service.log.slice(-3))).toEqual([200, 2]);
  });

  // The test certificate is valid from 2020 to 2120.
  it.each([
    ['is not valid yet', '2019-12-31', { variable: 'BRP_TLS_CERT', validFrom: '2020-01-01T00:00:00.000Z' }],
    ['has expired', '2120-01-02', { variable: 'BRP_TLS_CERT', expired: '2120-01-01T00:00:00.000Z' }],
  ])('is reported in the log at the start when our client certificate %s', async (_, today, certificate) => {
    fakeTimers({ toFake: ['Date'], now: new Date(today) });
    const { service } = await serviceWith(await listen(right), US);
    expect(service.log.filter((line) => line.certificate)).toMatchObject([{ certificate }]);
  });

  it('refuses a client certificate whose file lacks the intermediate one; with it the file is right', async () => {
    const brp = await listen(right, {
      ...tlsOptionsOf('server'),
      ...REQUIRE_CLIENT_CERTIFICATE,
      ca: readFileSync(certificatePath('root')),
    });
    const key = { ...OURS, BRP_TLS_KEY: certificatePath('client-of-intermediate', 'key') };
    const alone = await serviceWith(brp, { ...key, BRP_TLS_CERT: certificatePath('client-of-intermediate') });
    expect((await alone.address()).status).toBe(503);
    const folder = temporaryFolder('chain');
    const chain = join(folder, 'chain.pem');
    const files = ['client-of-intermediate', 'intermediate', 'root'] as const;
    writeFileSync(chain, files.map((name) => readFileSync(certificatePath(name), 'utf8')).join(''));
    const whole = await serviceWith(brp, { ...key, BRP_TLS_CERT: chain });
    expect((await whole.address()).status).toBe(200);
  });

  it('is verified also with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const brp = await listen(right, tlsOptionsOf('stranger'));
    const { address } = await serviceWith(brp, OURS);
    expect((await address()).status).toBe(503);
  });
});

const token = (response: Parameters<typeof sendJson>[0], members: object = {}) =>
  sendJson(response, { access_token: TOKEN, token_type: 'Bearer', expires_in: 300, ...members });

const oauth = (endpoint: ScriptedServer) => ({
  BRP_OAUTH_TOKEN_URL: `${endpoint.url}/token`,
  BRP_OAUTH_CLIENT_ID: 'bff',
  BRP_OAUTH_CLIENT_SECRET: SECRET,
  BRP_OAUTH_SCOPE: '000000099000000080000-00000001',
  BRP_OAUTH_PARAMETERS: 'resourceServer=ResourceServer01',
});

const formOf = ({ body }: Pick<ReceivedRequest, 'body'>) => Object.fromEntries(new URLSearchParams(body));

describe('an OAuth token for an upstream', () => {
  it('is requested once for twenty calls, with the configured parameters, and sent with each call', async () => {
    const endpoint = await listen((_, response) => token(response));
    const brp = await listen(right);
    const { address } = await serviceWith(brp, oauth(endpoint));
    const answers = await Promise.all(Array.from({ length: 20 }, address));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await address();
    expect(endpoint.received).toHaveLength(1);
    expect(endpoint.received[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(formOf(endpoint.received[0] ?? { body: '' })).toEqual({
      grant_type: 'client_credentials',
      client_id: 'bff',
      client_secret: SECRET,
      scope: '000000099000000080000-00000001',
      resourceServer: 'ResourceServer01',
    });
    expect(brp.received.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
  });

  it('is requested again when it expires', async () => {
    stopClocks();
    const endpoint = await listen((_, response) => token(response, { access_token: `t${endpoint.received.length}` }));
    const brp = await listen(right);
    const { address } = await serviceWith(brp, oauth(endpoint));
    await address();
    vi.advanceTimersByTime(300_000);
    await address();
    expect(brp.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('is missing when the token endpoint does not answer: the log says so, and the operation answers 503', async () => {
    const { service, address } = await serviceWith(await listen(right), oauth(await listen(() => undefined)), {
      issuer: 200,
    });
    expect(await address()).toMatchObject({ status: 503, body: { bron: 'brp' } });
    const message = 'brp unavailable: token endpoint: no answer';
    await expect.poll(() => service.log.find((line) => line.problem)?.error).toMatchObject({ message });
  });

  it.each<[string, string, (response: ServerResponse) => unknown]>([
    ['401 and an error', 'status 401: invalid_client', (r) => sendJson(r, { error: 'invalid_client' }, 401)],
    ['200 and an error', 'no token in the answer: invalid_scope', (r) => sendJson(r, { error: 'invalid_scope' })],
    ['400 and an error with a secret', 'status 400', (r) => sendJson(r, { error: SECRET }, 400)],
    ['a page', 'no token in the answer at / (expected object, received undefined)', (r) => r.end('<html>')],
    [
      'a token without a type',
      'no token in the answer at /token_type (expected string, received undefined)',
      (r) => token(r, { token_type: undefined }),
    ],
    [
      'a token that is too long',
      'no token in the answer at /access_token (Too big: expected string to have <=8192 characters)',
      (r) => token(r, { access_token: 'x'.repeat(8_193) }),
    ],
  ])('is missing when the token endpoint answers with %s: the log says "%s"', async (_, why, answer) => {
    const { service, address } = await serviceWith(await listen(right), oauth(await listen((__, r) => answer(r))));
    expect(await address()).toMatchObject({ status: 503, body: { bron: 'brp' } });
    const message = `brp unavailable: token endpoint: ${why}`;
    await expect.poll(() => service.log.find((line) => line.problem)?.error).toMatchObject({ message });
    expect(JSON.stringify(service.log)).not.toContain(SECRET);
  });

  it('is used until it expires while the token endpoint does not answer', async () => {
    stopClocks();
    const endpoint = await listen((_, response) => token(response));
    const { address } = await serviceWith(await listen(right), oauth(endpoint));
    await address();
    endpoint.answer = () => undefined;
    vi.advanceTimersByTime(280_000);
    expect((await address()).status).toBe(200);
    await expect.poll(() => endpoint.received).toHaveLength(2);
  });

  /**
   * Starts an issuer of the tokens t1, t2 and so on, and a BRP that answers 401 to every token but one: t1, until the test
   * sets `accepted.token`. Returns them when a first request has been answered and two seconds have passed.
   */
  async function withOneToken() {
    const endpoint = await listen((_, response) => token(response, { access_token: `t${endpoint.received.length}` }));
    const accepted = { token: 't1' };
    const brp = await listen((request, response) =>
      request.headers.authorization === `Bearer ${accepted.token}`
        ? right(request, response)
        : sendJson(response, {}, 401),
    );
    const { address } = await serviceWith(brp, oauth(endpoint));
    expect((await address()).status).toBe(200);
    vi.advanceTimersByTime(2_000);
    return { endpoint, accepted, address };
  }

  it('is requested again when the upstream answers 401 after the clock was set back', async () => {
    stopClocks();
    const { endpoint, accepted, address } = await withOneToken();
    vi.setSystemTime(Date.now() - 3_600_000);
    accepted.token = 't2';
    expect((await address()).status).toBe(200);
    expect(endpoint.received).toHaveLength(2);
  });

  it('is requested again once when the upstream answers 401', async () => {
    stopClocks();
    const { endpoint, accepted, address } = await withOneToken();
    accepted.token = 't2';
    const answers = await Promise.all(Array.from({ length: 10 }, address));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(endpoint.received).toHaveLength(2);
    accepted.token = 'none';
    expect(await address()).toMatchObject({ status: 503, body: { bron: 'brp' } });
  });

  it.each<[string, ScriptedServer['answer']]>([
    ['answers 500', (_, response) => sendJson(response, {}, 500)],
    ['answers invalid_client', (_, response) => sendJson(response, { error: 'invalid_client' }, 401)],
    ['closes the connection', (_, response) => response.destroy()],
    ['answers with HTML', (_, response) => response.end('<html>')],
    ['answers without a token', (_, response) => sendJson(response, { token_type: 'Bearer' })],
    ['answers with another token type', (_, response) => token(response, { token_type: 'mac' })],
    ['answers with a token with a line break', (_, response) => token(response, { access_token: 'a\r\nb' })],
    ['answers in 33 levels of JSON', (_, r) => token(r, { x: JSON.parse(`${'['.repeat(32)}${']'.repeat(32)}`) })],
    ['answers with levels of JSON that do not end', (_, response) => response.end('['.repeat(500_000))],
    ['redirects', (_, response) => response.writeHead(307, { location: '/other' }).end()],
    ['does not answer', () => undefined],
  ])('is missing when the endpoint %s: the answer is 503 and the upstream gets no request', async (how, answer) => {
    stopClocks();
    const endpoint = await listen(answer);
    const brp = await listen(right);
    const { service, address } = await serviceWith(brp, oauth(endpoint));
    const { issuer } = service.timing;
    if (how === 'does not answer') service.timing.issuer = 200;
    expect(await address()).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar', bron: 'brp' } });
    expect((await address()).status).toBe(503);
    expect(endpoint.received.length).toBe(1);
    expect(brp.received).toEqual([]);
    service.timing.issuer = issuer;
    endpoint.answer = (_seen, response) => token(response);
    vi.advanceTimersByTime(999);
    expect((await address()).status).toBe(503);
    vi.advanceTimersByTime(1);
    expect((await address()).status).toBe(200);
    const log = JSON.stringify(service.log);
    expect(log).not.toContain(SECRET);
    expect(log).not.toContain(TOKEN);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['its lifetime is a text', (response) => token(response, { expires_in: '300' })],
    ['its lifetime is absent', (response) => token(response, { expires_in: undefined })],
    ['its lifetime is null', (response) => token(response, { expires_in: null })],
    ['its lifetime is zero', (response) => token(response, { expires_in: 0 })],
    ['it has characters that only some issuers use', (r) => token(r, { access_token: '12|aB:c!{d}' })],
    ['its type is in lower case', (response) => token(response, { token_type: 'bearer' })],
    ['the answer has a refresh token and other members', (response) => token(response, { refresh_token: 'x', x: {} })],
    ['the answer has 32 levels of JSON', (r) => token(r, { x: JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`) })],
    [
      'a gateway compresses the answer',
      (response) =>
        response
          .setHeader('content-encoding', 'gzip')
          .end(gzipSync(JSON.stringify({ access_token: TOKEN, token_type: 'Bearer', expires_in: 300 }))),
    ],
    ['its clock is 5 minutes behind', (r) => token(r.setHeader('date', new Date(Date.now() - 300_000).toUTCString()))],
    ['the answer has the type text/plain', (r) => r.setHeader('content-type', 'text/plain') && token(r)],
  ])('is used for two calls when %s', async (_, answer) => {
    const endpoint = await listen((__, response) => answer(response));
    const { address } = await serviceWith(await listen(right), oauth(endpoint));
    expect([(await address()).status, (await address()).status]).toEqual([200, 200]);
    expect(endpoint.received).toHaveLength(1);
  });

  it.each([
    ['Bearer realm="x", error="insufficient_scope", scope="brp"', 'status 403: insufficient_scope'],
    [`Bearer error="${SECRET}"`, 'status 403'],
    ['Basic realm="x"', 'status 403'],
  ])('is refused with WWW-Authenticate %s: the log says "%s"', async (challenge, why) => {
    const brp = await listen((_, r) => r.writeHead(403, { 'www-authenticate': challenge }).end());
    const { service, address } = await serviceWith(brp, oauth(await listen((_, r) => token(r))));
    expect((await address()).status).toBe(503);
    const message = `brp unavailable: ${why}`;
    await expect.poll(() => service.log.find((line) => line.problem)?.error).toMatchObject({ message });
  });

  it('is requested with client id and secret in Authorization when BRP_OAUTH_CLIENT_AUTH is basic', async () => {
    const endpoint = await listen((_, response) => token(response));
    const { address } = await serviceWith(await listen(right), { ...oauth(endpoint), BRP_OAUTH_CLIENT_AUTH: 'basic' });
    expect((await address()).status).toBe(200);
    const [seen] = endpoint.received;
    const pair = Buffer.from(String(seen?.headers.authorization).replace('Basic ', ''), 'base64').toString();
    expect(pair).toBe('bff:a+secret+with+%2F+and+%3A+in+it');
    expect(seen?.body).not.toContain('secret');
  });

  it('is requested with a client certificate instead of a secret', async () => {
    const endpoint = await listen((_, response) => token(response), STRICT);
    const brp = await listen(right, tlsOptionsOf('server'));
    const { BRP_OAUTH_CLIENT_SECRET: _, ...rest } = oauth(endpoint);
    const { address } = await serviceWith(brp, { ...rest, ...US, ...OURS });
    expect((await address()).status).toBe(200);
    expect(formOf(endpoint.received[0] ?? { body: '' })).not.toHaveProperty('client_secret');
  });

  /** A private key that identifies the service, as a file of each kind, and its public key at the token endpoint. */
  const clientKeys = {
    'a JWK with a name and an algorithm': () => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'bff-1', alg: 'PS256', use: 'sig' };
      return { content: JSON.stringify(jwk), publicKey, header: { alg: 'PS256', kid: 'bff-1', typ: 'JWT' } };
    },
    'a JWK of Ed25519': () => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'Ed25519' };
      return { content: JSON.stringify(jwk), publicKey, header: { alg: 'Ed25519', typ: 'JWT' } };
    },
    'PEM of RSA': () => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const content = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      return { content, publicKey, header: { alg: 'RS256', typ: 'JWT' } };
    },
    'PEM with a certificate': () => {
      const certificate = new X509Certificate(readFileSync(certificatePath('client')));
      const content =
        readFileSync(certificatePath('client'), 'utf8') + readFileSync(certificatePath('client', 'key'), 'utf8');
      const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url');
      return {
        content,
        publicKey: certificate.publicKey,
        header: { alg: 'ES256', 'x5t#S256': thumbprint, typ: 'JWT' },
      };
    },
  };

  it.each(Object.entries(clientKeys))('is requested with a signed JWT (private_key_jwt): %s', async (_, make) => {
    stopClocks();
    const { content, publicKey, header } = make();
    const path = join(temporaryFolder('client-key'), 'key');
    writeFileSync(path, content);
    const seen = new Set<unknown>();
    // A strict endpoint, whose clock is 20 s behind or ahead.
    let clock = -20_000;
    const endpoint = await listen(async ({ body }, response) => {
      const { client_assertion: assertion = '', ...form } = formOf({ body });
      const currentDate = new Date(Date.now() + clock);
      const { payload, protectedHeader } = await jwtVerify(assertion, publicKey, {
        issuer: 'bff',
        subject: 'bff',
        audience: `${endpoint.url}/token`,
        maxTokenAge: 60,
        currentDate,
        requiredClaims: ['exp', 'jti'],
      });
      expect(protectedHeader).toEqual(header);
      expect(seen).not.toContain(payload.jti);
      seen.add(payload.jti);
      expect(form).toEqual({
        grant_type: 'client_credentials',
        client_id: 'bff',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
      token(response);
    });
    const { address } = await serviceWith(await listen(right), {
      BRP_OAUTH_TOKEN_URL: `${endpoint.url}/token`,
      BRP_OAUTH_CLIENT_ID: 'bff',
      BRP_OAUTH_CLIENT_KEY: path,
    });
    expect((await address()).status).toBe(200);
    vi.advanceTimersByTime(300_000);
    clock = 20_000;
    expect((await address()).status).toBe(200);
    expect(seen.size).toBe(2);
  });
});
