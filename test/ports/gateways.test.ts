/** What gateways and attackers between the service and the BRP send, over TLS. */
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf, serving } from '../support/certificates.ts';
import { startService, type TestService } from '../support/service.ts';
import { listenWith, type ScriptedServer } from '../support/upstream.ts';

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
const HTML = '<!doctype html><title>Onderhoud</title>';
const JSON_TYPE = { 'content-type': 'application/json' };
/** 64 MiB of spaces and then a good answer, in less than 100 kB. */
const BOMB = gzipSync(`${' '.repeat(64 * 1024 * 1024)}${ANSWER}`, { level: 1 });

let brp: ScriptedServer;
let elsewhere: ScriptedServer;
const services: TestService[] = [];
/** Bytes that an endless answer could send before its connection was closed. */
let poured = 0;
beforeAll(async () => {
  brp = await listenWith(() => undefined, serving('server'));
  elsewhere = await listenWith((_, response) => response.writeHead(200, JSON_TYPE).end(ANSWER));
});
afterAll(async () => {
  await Promise.all(services.map((one) => one.close()));
  await Promise.all([brp.close(), elsewhere.close()]);
});

/** A service whose circuit breaker no earlier test has opened. */
async function serve(url = brp.url): Promise<TestService> {
  const service = await startService({ BRP_UPSTREAM: `${url}/personen`, BRP_TLS_CA: pathOf('ca') });
  services.push(service);
  return service;
}

const address = async (from = serve()) => (await from).get('/api/v1/brp/address', { as: BSN });

/** Sends pieces until the connection is closed, or a gigabyte has been sent. */
const pour: (headers: Record<string, string>, status?: number) => ScriptedServer['answer'] =
  (headers, status = 200) =>
  (_, response) => {
    response.writeHead(status, headers);
    const piece = Buffer.alloc(1024 * 1024, '[');
    const more = (): void => {
      if (response.destroyed || poured >= 1024 * piece.length) return;
      poured += piece.length;
      response.write(piece, more);
    };
    more();
  };

describe('an answer of the BRP through a gateway', () => {
  it.each<[string, ScriptedServer['answer']]>([
    [
      'with a charset in its type',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(ANSWER),
    ],
    ['without a type', (_, r) => r.writeHead(200).end(ANSWER)],
    ['with a byte order mark', (_, r) => r.writeHead(200, JSON_TYPE).end(`\ufeff${ANSWER}`)],
    [
      'in many chunks, with a trailer',
      (_, r) => {
        r.writeHead(200, { ...JSON_TYPE, trailer: 'x-check' });
        for (const char of ANSWER) r.write(char);
        r.addTrailers({ 'x-check': '1' });
        r.end();
      },
    ],
    ['packed as gzip', (_, r) => r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(ANSWER))],
    [
      'with the content coding identity',
      (_, r) => r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'identity' }).end(ANSWER),
    ],
    [
      'after an early hint (103)',
      (_, r) => {
        r.writeEarlyHints({ link: '</style.css>; rel=preload' });
        r.writeHead(200, JSON_TYPE).end(ANSWER);
      },
    ],
  ])('%s gives 200 with the address', async (_, answer) => {
    brp.answer = answer;
    expect(await address()).toMatchObject({ status: 200, body: { gevonden: true, adres: { woonplaats: 'Utrecht' } } });
  });

  it.each<[string, number, ScriptedServer['answer']]>([
    ['that is a page with 200', 502, (_, r) => r.writeHead(200, { 'content-type': 'text/html' }).end(HTML)],
    ['in XML', 502, (_, r) => r.writeHead(200, { 'content-type': 'application/xml' }).end('<?xml version="1.0"?><a/>')],
    ['with 204', 502, (_, r) => r.writeHead(204).end()],
    [
      'packed with Brotli',
      502,
      (_, r) => r.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(ANSWER)),
    ],
    ['that says gzip and is not', 502, (_, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(ANSWER)],
    ['that unpacks to 64 MiB', 502, (_, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)],
    [
      'with 401 and a challenge',
      503,
      (_, r) => r.writeHead(401, { 'www-authenticate': 'Basic realm="gateway"' }).end(HTML),
    ],
    ['with 407', 503, (_, r) => r.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end(HTML)],
    ['with 429 and no Retry-After', 503, (_, r) => r.writeHead(429).end()],
    ['with 401 and a gzip bomb', 503, (_, r) => r.writeHead(401, { 'content-encoding': 'gzip' }).end(BOMB)],
    ['that has no end', 502, pour(JSON_TYPE)],
    ['with 500 that has no end', 503, pour(JSON_TYPE, 500)],
    [
      'that redirects to a link-local address',
      502,
      (_, r) => r.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    ],
    ['that redirects to another server', 502, (_, r) => r.writeHead(308, { location: elsewhere.url }).end()],
  ])('%s gives %i, without its content', async (_, status, answer) => {
    poured = 0;
    brp.answer = answer;
    const reply = await address();
    expect([reply.status, reply.body.bron]).toEqual([status, 'brp']);
    expect(JSON.stringify(reply)).not.toMatch(/doctype|challenge|realm|169\.254|Onderhoud/);
    if (status === 503) expect(reply.headers['retry-after']).toBe('5');
    expect(elsewhere.seen).toEqual([]);
    // What fits in the buffers of both sides, and not the gigabyte.
    expect(poured).toBeLessThan(64 * 1024 * 1024);
  });

  it('over HTTP/2 only (ALPN h2) gives 200 with the address', async () => {
    const server = createSecureServer({ ...serving('server'), allowHTTP1: false });
    server.on('stream', (stream) => {
      stream.respond({ ':status': 200, ...JSON_TYPE });
      stream.end(ANSWER);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    expect(await address(serve(url))).toMatchObject({ status: 200, body: { gevonden: true } });
    server.close();
  });
});
