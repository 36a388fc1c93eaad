/** Tests with answers as gateways and attackers can send them, from upstreams and from the BRP over TLS. */
import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { createSecureServer, constants as http2, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { keep, startService, type TestService, use } from '../support/service.ts';
import { certificatePath, tlsOptionsOf } from '../support/upstreams/certificates.ts';
import { startRegister } from '../support/upstreams/register.ts';
import { type ScriptedServer, startScriptedServer } from '../support/upstreams/scripted-server.ts';

const BSN = '123456782';
const ANSWER = JSON.stringify({
  type: 'RaadpleegMetBurgerservicenummer',
  personen: [
    {
      burgerservicenummer: BSN,
      verblijfplaats: { type: 'Adres', verblijfadres: { korteStraatnaam: 'Lindelaan', huisnummer: 3 } },
      gemeenteVanInschrijving: { code: '0344', omschrijving: 'Utrecht' },
    },
  ],
});
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const HTML = '<!doctype html><title>Onderhoud</title>';
const JSON_TYPE = { 'content-type': 'application/json' };
/** 64 MiB of spaces and a valid answer, compressed to less than 100 kB. */
const UNPACKED = `${' '.repeat(64 * 1024 * 1024)}${ANSWER}`;
const BOMB = gzipSync(UNPACKED, { level: 1 });
const DEFLATE_BOMB = deflateSync(UNPACKED, { level: 1 });
const BROTLI_BOMB = brotliCompressSync(UNPACKED, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

const brp = await use(startScriptedServer(() => undefined, tlsOptionsOf('server')));
const elsewhere = await use(startScriptedServer((_, response) => response.writeHead(200, JSON_TYPE).end(ANSWER)));
/** Number of bytes of an endless answer that were sent before its connection was closed. */
let poured = 0;

/** Returns a new service, whose circuit breaker no earlier test has opened. */
const serve = async (url = brp.url): Promise<TestService> =>
  keep(await startService({ BRP_UPSTREAM: `${url}/personen`, BRP_TLS_CA: certificatePath('ca') }));

async function serveOverHttp2(answer: (stream: ServerHttp2Stream) => void): Promise<TestService> {
  const server = keep(createSecureServer({ ...tlsOptionsOf('server'), allowHTTP1: false }).on('stream', answer));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return serve(`https://localhost:${(server.address() as AddressInfo).port}`);
}

const address = async (from = serve()) => (await from).get('/api/v1/brp/address', { as: BSN });

/** Returns a frame of HTTP/2 (RFC 9113, 4.1). */
function frame({ type, flags = 0, stream = 0, payload = Buffer.alloc(0) }: Frame): Buffer {
  const head = Buffer.from([0, 0, 0, type, flags, 0, 0, 0, stream]);
  head.writeUIntBE(payload.length, 0, 3);
  return Buffer.concat([head, payload]);
}
interface Frame {
  readonly type: number;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Buffer;
}

/** Sends pieces until the connection is closed, or a gigabyte has been sent. */
const pour: (headers: OutgoingHttpHeaders, status?: number) => ScriptedServer['answer'] =
  (headers, status = 200) =>
  (_, response) => {
    response.writeHead(status, headers);
    const piece = Buffer.alloc(1024 * 1024, '[');
    const more = (error?: Error | null): void => {
      if (error || response.destroyed || poured >= 1024 * piece.length) return;
      poured += piece.length;
      response.write(piece, more);
    };
    more();
  };

type Answer = ScriptedServer['answer'];
const send =
  (headers: OutgoingHttpHeaders, body: string | Buffer = ANSWER, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const json = (headers: OutgoingHttpHeaders, body?: string | Buffer) => send({ ...JSON_TYPE, ...headers }, body);
const coded = (coding: string, body: string | Buffer) => json({ 'content-encoding': coding }, body);
const raw =
  (text: string): Answer =>
  (_, response) =>
    response.socket?.end(text);
/** Writes an answer with these header lines, character by character as they are. */
const lines = (head: string, body = ANSWER) => raw(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
const LENGTH = `Content-Length: ${ANSWER.length}`;
const HINT = { link: '</style.css>; rel=preload' };

describe('an answer of the BRP through a gateway', () => {
  it.each<[string, Answer]>([
    ['with a charset in its type', send({ 'content-type': 'application/json; charset=utf-8' })],
    ['without a type', send({})],
    ['with a byte order mark', json({}, `\ufeff${ANSWER}`)],
    [
      'in many chunks, with a trailer',
      (_, r) => {
        r.writeHead(200, { ...JSON_TYPE, trailer: 'x-check' });
        for (const char of ANSWER) r.write(char);
        r.addTrailers({ 'x-check': '1' });
        r.end();
      },
    ],
    ['packed as gzip', coded('gzip', gzipSync(ANSWER))],
    ['packed with Brotli', coded('br', brotliCompressSync(ANSWER))],
    ['packed with deflate', coded('deflate', deflateSync(ANSWER))],
    ['packed with deflate without the header of zlib', coded('Deflate', deflateRawSync(ANSWER))],
    ['packed by two gateways, with gzip and then with Brotli', coded('gzip, br', brotliCompressSync(gzipSync(ANSWER)))],
    ['with an empty content coding', coded('', ANSWER)],
    [
      'after a 100 Continue that was not asked for',
      (request, r) => {
        r.writeContinue();
        json({})(request, r);
      },
    ],
    [
      'after 100 Continue twice, with headers, and an early hint (103)',
      (request, r) => {
        r.socket?.write('HTTP/1.1 100 Continue\r\nServer: gateway\r\nDate: now\r\n\r\nHTTP/1.1 100\r\n\r\n');
        r.writeEarlyHints(HINT);
        json({})(request, r);
      },
    ],
    [
      'after a 100 Continue of which each byte is a packet',
      async (request, r) => {
        for (const byte of Buffer.from('HTTP/1.1 100 Continue\r\n\r\n')) {
          r.socket?.write(Buffer.of(byte));
          await setImmediate();
        }
        json({})(request, r);
      },
    ],
    [
      'after an early hint (103) and 102, each before a 100 Continue',
      (request, r) => {
        r.writeEarlyHints(HINT);
        r.writeContinue();
        r.writeProcessing();
        r.writeContinue();
        json({})(request, r);
      },
    ],
    ['that has the text of a 100 Continue in it', json({ 'x-a': 'HTTP/1.1 100 Continue' })],
    ['with the content coding identity', coded('identity', ANSWER)],
    [
      'after an early hint (103)',
      (request, r) => {
        r.writeEarlyHints(HINT);
        json({})(request, r);
      },
    ],
    ['of a server that closes every connection', send({ connection: 'close' })],
    ['in HTTP/1.0, without a length', raw(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${ANSWER}`)],
    ['without a reason phrase', raw(`HTTP/1.1 200 \r\n${LENGTH}\r\n\r\n${ANSWER}`)],
    [
      'with chunk extensions',
      lines('Transfer-Encoding: chunked', `${ANSWER.length.toString(16)};a=b\r\n${ANSWER}\r\n0\r\n\r\n`),
    ],
    [
      'with the headers of five proxies, a cookie and 8 kB of policy',
      json({
        via: '1.1 a, 1.1 b, 1.0 c',
        'x-cache': ['MISS', 'HIT'],
        'set-cookie': ['BIGipServer=1; path=/', 'TS01=2'],
        'content-security-policy': 'x'.repeat(8_192),
        'x-forwarded-for': '10.0.0.1',
        warning: '214 - "Transformation applied"',
      }),
    ],
    ['as hal+json', send({ 'content-type': 'application/hal+json' })],
    [
      'with two headers of the same type and two of a cache',
      lines(`${'Content-Type: application/json\r\n'.repeat(2)}Age: 0\r\nAge: 3\r\n${LENGTH}`),
    ],
    ['followed by bytes that belong to no answer', lines(LENGTH, `${ANSWER}\r\n\r\nHTTP`)],
    ['with a header without a value', lines(`X-A:\r\n${LENGTH}`)],
    [
      'packed as x-gzip, in chunks',
      (_, r) => {
        r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'x-gzip' });
        for (const byte of gzipSync(ANSWER)) r.write(Buffer.of(byte));
        r.end();
      },
    ],
  ])('%s gives 200 with the address', async (_, answer) => {
    brp.answer = answer;
    expect(await address()).toMatchObject({ status: 200, body: { gevonden: true, adres: { woonplaats: 'Utrecht' } } });
  });

  it.each<[string, number, Answer]>([
    ['that is a page with 200', 502, send({ 'content-type': 'text/html' }, HTML)],
    ['in XML', 502, send({ 'content-type': 'application/xml' }, '<?xml version="1.0"?><a/>')],
    ['with 204', 502, send({}, '', 204)],
    ['packed with a coding that nobody knows', 502, send({ 'content-encoding': 'zip' }, 'PK')],
    ['packed three times', 502, send({ 'content-encoding': 'gzip, gzip, gzip' }, gzipSync(gzipSync(gzipSync(ANSWER))))],
    ['that unpacks to 64 MiB with Brotli', 502, send({ 'content-encoding': 'br' }, BROTLI_BOMB)],
    ['that unpacks to 64 MiB with deflate', 502, send({ 'content-encoding': 'deflate' }, DEFLATE_BOMB)],
    ['that says gzip and is not', 502, send({ 'content-encoding': 'gzip' })],
    ['that unpacks to 64 MiB', 502, send({ 'content-encoding': 'gzip' }, BOMB)],
    ['with 401 and a challenge', 503, send({ 'www-authenticate': 'Basic realm="gateway"' }, HTML, 401)],
    ['with 203 of a proxy that changed it', 502, send(JSON_TYPE, ANSWER, 203)],
    ['with 205', 502, send({}, '', 205)],
    ['with 206, one part of it', 502, send(JSON_TYPE, ANSWER.slice(0, 20), 206)],
    ['with 200 and nothing', 502, json({ 'content-length': 0 }, '')],
    ['followed by a line of a debugger in its body', 502, json({}, `${ANSWER}\n<!-- 12 ms -->`)],
    [
      'in ISO 8859-1',
      502,
      send(
        { 'content-type': 'application/json; charset=iso-8859-1' },
        Buffer.from(ANSWER.replace('Lindelaan', 'Curaçaostraat'), 'latin1'),
      ),
    ],
    ['in UTF-16', 502, json({}, Buffer.from(ANSWER, 'utf16le'))],
    ['whose length is one too small', 502, lines(`Content-Length: ${ANSWER.length - 1}`)],
    ['whose length is one too large', 502, lines(`Content-Length: ${ANSWER.length + 1}`)],
    ['with two lengths', 503, lines(`${LENGTH}\r\nContent-Length: 2`)],
    ['with a header on two lines', 502, lines(`X-A: b\r\n c\r\n${LENGTH}`)],
    ['with a space in the name of a header', 502, lines(`X A: b\r\n${LENGTH}`)],
    [
      'with 502 and a problem of the gateway',
      503,
      send({ 'content-type': 'application/problem+json' }, '{"title":"Onderhoud","realm":"gateway"}', 502),
    ],
    ['with 431, because the gateway takes fewer headers', 503, send({}, '', 431)],
    ['with 407', 503, send({ 'proxy-authenticate': 'Basic realm="proxy"' }, HTML, 407)],
    ['with 429 and no Retry-After', 503, send({}, '', 429)],
    ['with 401 and a gzip bomb', 503, send({ 'content-encoding': 'gzip' }, BOMB, 401)],
    ['that has no end', 502, pour(JSON_TYPE)],
    ['with 500 that has no end', 503, pour(JSON_TYPE, 500)],
    ['that redirects to a link-local address', 502, send({ location: 'http://169.254.169.254/latest/' }, '', 307)],
    [
      'that redirects to a login page',
      502,
      send({ location: `${elsewhere.url}?realm=gateway`, 'set-cookie': 's=1' }, HTML, 302),
    ],
    ['with 511 and a login page', 503, send({ 'content-type': 'text/html' }, HTML, 511)],
    [
      'after a 100 Continue with 20 kB of headers',
      502,
      (_, r) => {
        r.socket?.write(`HTTP/1.1 100 Continue\r\nX-A: ${'x'.repeat(20_000)}`);
        r.socket?.end();
      },
    ],
    ['of another protocol', 503, raw('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')],
    ['with a length and chunks', 503, lines('Content-Length: 2\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n')],
    ['with 100 kB of headers', 502, lines(`X-A: ${'x'.repeat(100_000)}`, '')],

    ['that redirects to another server', 502, send({ location: elsewhere.url }, '', 308)],
  ])('%s gives %i, without its content', async (_, status, answer) => {
    poured = 0;
    brp.answer = answer;
    const reply = await address();
    const code = status === 502 ? 'bron-antwoord-ongeldig' : 'bron-niet-beschikbaar';
    expect(reply).toMatchObject({ status, body: { code, bron: 'brp' } });
    expect(JSON.stringify(reply)).not.toMatch(/doctype|challenge|realm|169\.254|Onderhoud|123456782/);
    if (status === 503) expect(reply.headers['retry-after']).toBe('5');
    expect(elsewhere.received).toEqual([]);
    // What fits in the buffers of both sides, and not the gigabyte.
    expect(poured).toBeLessThan(64 * 1024 * 1024);
  });

  it.each<[string, (stream: ServerHttp2Stream) => void]>([
    ['', (stream) => stream.end(ANSWER)],
    [', and closes every session (GOAWAY)', (stream) => stream.end(ANSWER, () => stream.session?.close())],
  ])('over HTTP/2 only (ALPN h2)%s gives 200 with the address, three times in a row', async (_, answer) => {
    const service = serveOverHttp2((stream) => {
      stream.respond({ ':status': 200, ...JSON_TYPE });
      answer(stream);
    });
    for (let time = 1; time <= 3; time += 1)
      expect(await address(service)).toMatchObject({ status: 200, body: { gevonden: true } });
  });

  it('over HTTP/2 that arrives together with the end of its connection gives 200 with the address, three times in a row', async () => {
    // Node's own server does not send both at once, as nginx does after the last request of a connection.
    const goaway = frame({ type: 7, payload: Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]) });
    const headers = frame({ type: 1, flags: 4, stream: 1, payload: Buffer.from([0x88]) });
    const data = frame({ type: 0, flags: 1, stream: 1, payload: Buffer.from(ANSWER) });
    const last = Buffer.concat([goaway, headers, data]);
    const server = createTlsServer({ ...tlsOptionsOf('server'), ALPNProtocols: ['h2'] }, (socket) => {
      let received = '';
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          received += bytes;
          if (received.includes(BSN) && socket.writable) socket.end(last);
        });
      socket.write(frame({ type: 4 }));
    });
    await once(keep(server).listen(0, '127.0.0.1'), 'listening');
    const service = serve(`https://localhost:${(server.address() as AddressInfo).port}`);
    for (let time = 1; time <= 3; time += 1)
      expect(await address(service)).toMatchObject({ status: 200, body: { gevonden: true } });
  });

  it.each<[string, (stream: ServerHttp2Stream) => void]>([
    ['resets the stream with an error', (stream) => stream.close(http2.NGHTTP2_INTERNAL_ERROR)],
    ['resets the stream without an error', (stream) => stream.close(http2.NGHTTP2_NO_ERROR)],
    ['ends the session (GOAWAY)', (stream) => stream.session?.destroy(undefined, http2.NGHTTP2_INTERNAL_ERROR)],
  ])('over HTTP/2 that %s at first gives 200, because the request is sent once more', async (_, fail) => {
    let asked = 0;
    const service = serveOverHttp2((stream) => {
      stream.on('error', () => undefined);
      asked += 1;
      if (asked === 1) fail(stream);
      else {
        stream.respond({ ':status': 200, ...JSON_TYPE });
        stream.end(ANSWER);
      }
    });
    expect(await address(service)).toMatchObject({ status: 200, body: { gevonden: true } });
    expect(asked).toBe(2);
  });

  it.each<[string, () => string, number]>([
    ['after two seconds', () => '2', 2],
    ['after an hour', () => '3600', 3_600],
    ['after a day', () => '86400', 3_600],
    ['at an HTTP-date in 400 seconds', () => new Date(Date.now() + 400_000).toUTCString(), 400],
    ['at an HTTP-date that is past', () => new Date(Date.now() - 40_000).toUTCString(), 1],
    ['at a moment that it does not say', () => 'soon', 5],
  ])('with 429 or 503 that asks for a retry %s gives 503 with Retry-After', async (_, after, expected) => {
    for (const status of [429, 503]) {
      brp.answer = (__, r) => r.writeHead(status, { 'retry-after': after() }).end();
      const reply = await address();
      expect(reply.status).toBe(503);
      expect(Math.abs(Number(reply.headers['retry-after']) - expected)).toBeLessThan(expected === 400 ? 30 : 1);
    }
  });

  it('of a proxy that closes each connection after three answers without Connection: close gives 200 thirty times', async () => {
    const service = serve();
    const answers = new WeakMap<object, number>();
    brp.answer = (_, response) => {
      const { socket } = response;
      const count = (answers.get(socket ?? response) ?? 0) + 1;
      if (socket !== null) answers.set(socket, count);
      response.writeHead(200, JSON_TYPE).end(ANSWER, () => count === 3 && socket?.end());
    };
    for (let time = 1; time <= 30; time += 1)
      expect(await address(service)).toMatchObject({ status: 200, body: { gevonden: true } });
  });

  it('after a 100 Continue on one connection gives 200 three times in a row', async () => {
    const service = serve();
    const sockets = new Set<unknown>();
    brp.answer = (_, response) => {
      sockets.add(response.socket);
      response.writeContinue();
      response.writeHead(200, JSON_TYPE).end(ANSWER);
    };
    for (let time = 1; time <= 3; time += 1)
      expect(await address(service)).toMatchObject({ status: 200, body: { gevonden: true } });
    expect(sockets.size).toBe(1);
  });

  it('of a register whose connection is closed during the first request gives 200, because the request is sent once more', async () => {
    const upstream = keep(await startRegister());
    const { answer } = upstream;
    upstream.answer = (request, response) => {
      if (upstream.received.length > 1) answer(request, response);
      else response.socket?.destroy();
    };
    const service = keep(await startService({ REGISTER_UPSTREAM: upstream.url }));
    expect((await service.get('/api/v1/dashboard-view', { as: BSN })).status).toBe(200);
    expect(upstream.received.map(({ url }) => url)).toEqual(['/registraties/zoek', '/registraties/zoek']);
  });

  it('gets less than 1 kB of headers, whatever the caller sends', async () => {
    const service = await serve();
    let sent = 0;
    brp.answer = ({ headers }, response) => {
      sent = JSON.stringify(headers).length;
      response.writeHead(200, JSON_TYPE).end(ANSWER);
    };
    const headers = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: `a=${'x'.repeat(250)},b=${'y'.repeat(250)}`,
      baggage: 'z'.repeat(4_000),
      cookie: 'c=1; '.repeat(500),
    };
    expect((await service.get('/api/v1/brp/address', { as: BSN, headers })).status).toBe(200);
    expect(sent).toBeGreaterThan(500);
    expect(sent).toBeLessThan(1_024);
  });

  it.skipIf(!hasIpv6)('on an IPv6 address only gives 200 with the address', async () => {
    const server = createServer((_, response) => response.writeHead(200, JSON_TYPE).end(ANSWER));
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
    const url = `http://[::1]:${(server.address() as AddressInfo).port}`;
    expect(await address(serve(url))).toMatchObject({ status: 200, body: { gevonden: true } });
    server.close();
  });
});
