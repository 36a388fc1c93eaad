import dns, { type LookupAddress } from 'node:dns';
import { createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { type Credential, createHttpClient } from '../../adapters/http/client.ts';
import { createRegister } from '../../adapters/register/index.ts';
import { DeadlinePassed, newCall } from '../../src/ports/call.ts';
import { listOf } from '../../src/wire/primitives.ts';
import { keep, PATIENT, startService } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';
import { listen, type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

const as = 'sanne-de-wit';
const BSN = '999990007';
const REGISTRATIE = {
  registratieId: 'r1',
  registerNummer: '90000010130',
  naam: 'Sanne de Wit',
  beroepCode: '30',
  registratiedatum: '2010-11-01',
  status: { soort: 'geregistreerd' },
};

async function rawServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  return {
    url: await listen(server),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const OK_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

describe('an operation that calls an upstream', () => {
  it.each<[string, (socket: Socket) => void, number]>([
    ['closes the connection at once', (socket) => socket.destroy(), 503],
    ['does not speak HTTP', (socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')), 502],
    [
      'sends an answer of 100 MB',
      (socket) =>
        socket.once('data', () => socket.write(`${OK_HEAD}Content-Length: 104857600\r\n\r\n${'['.repeat(11_000_000)}`)),
      502,
    ],
  ])('answers $2 when the upstream $0', async (_, behave, status) => {
    const duo = keep(await rawServer(behave));
    const service = keep(await startService({ DUO_UPSTREAM: duo.url }));

    const reply = await service.get('/api/v1/duo/diplomas', { as });
    expect(reply.status).toBe(status);
    expect(reply.body.bron).toBe('duo');
    expect(reply.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
  });

  it.each([
    ['refuses connections', 'http://127.0.0.1:1'],
    ['does not exist', 'http://no-such-host.invalid'],
  ])('answers 503 when the upstream %s', async (_, url) => {
    const service = keep(await startService({ DUO_UPSTREAM: url, ALLOW_STAND_IN: 'yes' }));
    const { status, body } = await service.get('/api/v1/duo/diplomas', { as });
    expect({ status, bron: body.bron }).toEqual({ status: 503, bron: 'duo' });
  });
});

type Looked = (error: Error | null, addresses: LookupAddress[]) => void;
const systemError = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall });
const addresses = (...all: string[]): LookupAddress[] => all.map((address) => ({ address, family: 4 }));

describe('a call to an upstream', () => {
  it('shares the lookup of its host name with other calls, so that a name without an answer keeps one thread', async () => {
    const upstream = keep(await startScriptedServer((_, response) => sendJson(response, {})));
    const asked = Promise.withResolvers<(error: null, addresses: object[]) => void>();
    const hold = (_: string, __: object, callback: (error: null, addresses: object[]) => void) =>
      asked.resolve(callback);
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(hold as typeof dns.lookup);
    onTestFinished(() => lookup.mockRestore());
    const url = new URL(`http://duo.example:${new URL(upstream.url).port}`);
    const client = keep(createHttpClient({ upstream: 'duo', url, headers: {} }));
    const calls = [1, 2, 3].map(() => client.ask({ method: 'GET', schema: z.object({}) }, testCall()));
    const answer = await asked.promise;
    await setImmediate();
    answer(null, [{ address: '127.0.0.1', family: 4 }]);
    expect(await Promise.all(calls)).toEqual([{}, {}, {}]);
    expect(lookup).toHaveBeenCalledOnce();
  });

  it('fails with undone: true when its deadline passes while it waits for a credential, because it is not sent', async () => {
    const upstream = keep(await startScriptedServer((_, response) => sendJson(response, {})));
    const deadline = new AbortController();
    const waiting = Promise.withResolvers<void>();
    const credential: Credential = {
      authorization: (signal) => {
        waiting.resolve();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      isStale: () => false,
    };
    const client = keep(createHttpClient({ upstream: 'duo', url: new URL(upstream.url), headers: {}, credential }));
    const write = client.ask({ method: 'POST', body: {}, schema: z.object({}) }, testCall(deadline.signal));
    const failed = expect(write).rejects.toMatchObject({ fault: 'late', undone: true });
    await waiting.promise;
    deadline.abort(new DeadlinePassed('no answer within 8000 ms'));
    await failed;
    expect(upstream.received).toEqual([]);
  });

  it.each<[string, undone: boolean, (callback: Looked) => void]>([
    ['the name server refuses', true, (callback) => callback(systemError('EAI_FAIL', 'getaddrinfo'), [])],
    ['each address of the name refuses', true, (callback) => callback(null, addresses('127.0.0.2', '127.0.0.3'))],
    ['the connection is closed when it has arrived', false, (callback) => callback(null, addresses('127.0.0.1'))],
  ])('that may be made once fails, when %s, with undone: %s', async (_, undone, answer) => {
    const upstream = keep(await startScriptedServer((__, response) => response.destroy()));
    const find = (__: string, ___: object, callback: Looked) => answer(callback);
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(find as typeof dns.lookup);
    onTestFinished(() => lookup.mockRestore());
    const url = new URL(`http://register.example:${new URL(upstream.url).port}`);
    const client = keep(createHttpClient({ upstream: 'register', url, headers: {} }));
    const call = client.ask({ method: 'POST', body: {}, schema: z.object({}) }, testCall());
    await expect(call).rejects.toMatchObject({ fault: 'unavailable', undone });
    expect(upstream.received).toHaveLength(undone ? 0 : 1);
  });

  it('fails with late when it is not part of a request and its deadline passes', async () => {
    const silent = keep(await rawServer(() => undefined));
    const client = keep(createHttpClient({ upstream: 'register', url: new URL(silent.url), headers: {} }));
    const read = client.ask({ method: 'GET', schema: z.object({}) }, newCall(50));
    await expect(read).rejects.toMatchObject({ fault: 'late', message: 'register late: deadline of the request' });
  });

  it('is aborted when its request has been answered', async () => {
    let open = 0;
    const brp = keep(
      await rawServer((socket) => {
        open += 1;
        socket.once('close', () => {
          open -= 1;
        });
        socket.once('data', () => socket.write(`${OK_HEAD}Content-Length: 100\r\n\r\n`));
      }),
    );
    const register = keep(await startScriptedServer((_, r) => setTimeout(() => r.writeHead(500).end(), 50)));
    const service = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen`, REGISTER_UPSTREAM: register.url }));
    expect((await service.get('/api/v1/dashboard-view', { as })).status).toBe(503);
    await expect.poll(() => open).toBe(0);
  });

  it('makes the operation answer 502 without reading the items when its answer has 15,000 invalid items', async () => {
    const brp = keep(
      await startScriptedServer((_, response) =>
        response.end(`{"type":"RaadpleegMetBurgerservicenummer","personen":[0${',0'.repeat(15_000)}]}`),
      ),
    );
    const service = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen` }));
    expect((await service.get('/api/v1/brp/address', { as })).status).toBe(502);
    await expect
      .poll(() => service.log.find((line) => line.operation === 'brpAddress'))
      .toMatchObject({ error: { message: expect.stringMatching(/ at \/personen \([^,]+<=20 items\)$/) } });
  });
});

describe('the limits of an answer', () => {
  const persoon = (x: unknown) => JSON.stringify({ type: 'RaadpleegMetBurgerservicenummer', personen: [], y: [x] });
  const registratie = (x: unknown) => JSON.stringify([{ ...REGISTRATIE, x }]);
  const diplomas = (x: unknown) => JSON.stringify({ gevonden: true, diplomas: [], y: [x] });
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  /** The operation that calls each upstream, and its answer with a member `x` below two objects or lists. */
  const UPSTREAMS: readonly [variable: string, path: string, bron: string, answerWith: (x: unknown) => string][] = [
    ['REGISTER_UPSTREAM', '/api/v1/intake/policy', 'register', registratie],
    ['BRP_UPSTREAM', '/api/v1/brp/address', 'brp', persoon],
    ['DUO_UPSTREAM', '/api/v1/duo/diplomas', 'duo', diplomas],
  ];

  describe.each(UPSTREAMS)('of %s', (variable, path, bron, answerWith) => {
    const limits: [string, string, accepted: string | null, message: string][] = [
      ['33 levels', answerWith(nested(31)), answerWith(nested(30)), 'nested too deep, or too many values'],
      ['1,800,000 levels that do not end', '['.repeat(1_800_000), null, 'body: too long'],
      ['500,000 levels that do not end', '['.repeat(500_000), null, 'nested too deep, or too many values'],
      [
        'more than 20,000 values',
        answerWith(Array(20_000).fill(1)),
        answerWith(Array(19_000).fill(1)),
        'nested too deep, or too many values',
      ],
      ['more than 512 KiB', answerWith('x'.repeat(525_000)), answerWith('x'.repeat(520_000)), 'body: too long'],
    ];
    // The limits are of the client that all upstreams share.
    const tried = bron === 'register' ? limits : limits.slice(0, 1);
    it.each(tried)('make the operation answer 502 to %s, and 200 below it', async (_, refused, accepted, message) => {
      let answer = refused;
      const upstream = await startScriptedServer((__, response) =>
        response.setHeader('content-type', 'application/json').end(answer),
      );
      const service = await startService({
        [variable]: variable === 'BRP_UPSTREAM' ? `${upstream.url}/p` : upstream.url,
      });
      onTestFinished(async () => void (await Promise.all([service.close(), upstream.close()])));
      const body = { code: 'bron-antwoord-ongeldig', bron };
      expect(await service.get(path, { as: BSN })).toMatchObject({ status: 502, body });
      await expect
        .poll(() => service.log.find((line) => line.problem)?.error)
        .toMatchObject({ message: `${bron} unreadable: ${message}` });
      if (accepted === null) return;
      answer = accepted;
      expect((await service.get(path, { as: BSN })).status).toBe(200);
    });
  });

  it('let a list of 10,000 cases through, and refuse one of 10,001', async () => {
    const zaak = {
      kenmerk: 'b8a7b7a0-1e5c-4b8e-9a53-0c6b9f0a7c11',
      status: 'besloten',
      handmatig: false,
      besluit: { uitkomst: 'goedgekeurd', reden: null, datum: '2026-01-01' },
    };
    let count = 10_000;
    const server = await startScriptedServer((_, response) =>
      sendJson(
        response,
        Array.from({ length: count }, (__, n) => ({ referentie: `HER-2026-${String(n).padStart(6, '0')}`, ...zaak })),
      ),
    );
    const client = createHttpClient({ upstream: 'register', url: new URL(server.url), headers: {} });
    onTestFinished(async () => void (await Promise.all([client.close(), server.close()])));
    const register = createRegister(client);
    expect(await register.zaken({ bsn: BSN }, testCall())).toHaveLength(count);
    count += 1;
    await expect(register.zaken({ bsn: BSN }, testCall())).rejects.toMatchObject({ fault: 'unreadable' });
  });

  it('look at no more than 101 wrong items of a list', async () => {
    let checked = 0;
    const isRight = (): boolean => {
      checked += 1;
      return false;
    };
    const server = keep(await startScriptedServer((_, response) => sendJson(response, Array(1_000).fill('x'))));
    const client = keep(createHttpClient({ upstream: 'register', url: new URL(server.url), headers: {} }));
    const schema = listOf(z.string().refine(isRight));
    await expect(client.ask({ method: 'GET', schema }, testCall())).rejects.toMatchObject({ fault: 'unreadable' });
    expect(checked).toBe(101);
  });
});

describe('a refusal whose body does not end', () => {
  afterEach(() => vi.useRealTimers());

  /** Starts a register that sends the headers of a 500 and then one byte of its body every 5 ms. */
  async function drippingRegister() {
    const closed = Promise.withResolvers<void>();
    const register = await rawServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 60000\r\n\r\n');
        const drip = setInterval(() => socket.write(' '), 5);
        socket.once('close', () => {
          clearInterval(drip);
          closed.resolve();
        });
      });
    });
    const options = { upstream: 'register', url: new URL(register.url), headers: {}, downloads: 1 } as const;
    return { client: createHttpClient(options), register, closed: closed.promise };
  }

  it('has its connection closed after 1.5 s when nobody reads it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { client, register, closed } = await drippingRegister();
    const refused = { fault: 'unavailable', status: 500 };
    await expect(client.ask({ method: 'GET', schema: z.object({}) }, testCall())).rejects.toMatchObject(refused);
    expect(client.stats()).toMatchObject({ underway: 0, running: 1 });
    vi.advanceTimersByTime(1_500);
    await closed;
    await expect.poll(() => client.stats()).toMatchObject({ running: 0 });
    vi.useRealTimers();
    await Promise.all([client.close(), register.close()]);
  });

  it.each(['ask', 'open'] as const)('is given up after 1.5 s by `%s`, and counts by its status', async (method) => {
    const { client, register, closed } = await drippingRegister();
    const otherwise = (status: number, json: unknown) => ({ status, json });
    const request = { method: 'GET', otherwise } as const;
    const answer =
      method === 'ask' ? client.ask({ ...request, schema: z.never() }, testCall()) : client.open(request, testCall());
    expect(await answer).toEqual({ status: 500, json: undefined });
    await closed;
    await Promise.all([client.close(), register.close()]);
  });
});

describe('a repeated call to an upstream', () => {
  it('is made once after a read that was answered with 503, after the seconds of its Retry-After', async () => {
    const brp: ScriptedServer = keep(
      await startScriptedServer((_, response) =>
        brp.received.length === 1
          ? response.writeHead(503, { 'retry-after': '1' }).end()
          : sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [] }),
      ),
    );
    const service = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen` }));
    expect((await service.get('/api/v1/brp/address', { as })).status).toBe(200);
    expect(brp.received).toHaveLength(2);
    await expect
      .poll(() => service.log.find((line) => line.operation === 'brpAddress'))
      .toMatchObject({ upstream: [{ outcome: 200, attempts: 2, ms: expect.toSatisfy((ms: number) => ms >= 1_000) }] });
  });

  it('is made once after a read that met the 408 with which the upstream closed an idle connection', async () => {
    const duo: ScriptedServer = keep(
      await startScriptedServer((_, response) =>
        duo.received.length === 1
          ? response.writeHead(408, { connection: 'close' }).end()
          : sendJson(response, { gevonden: false }),
      ),
    );
    const service = keep(await startService({ DUO_UPSTREAM: duo.url }));
    expect(await service.get('/api/v1/duo/diplomas', { as })).toMatchObject({ status: 200, body: { diplomas: [] } });
    expect(duo.received).toHaveLength(2);
  });

  it('is not made when Retry-After is longer than the budget', async () => {
    const brp = keep(await startScriptedServer((_, response) => response.writeHead(503, { 'retry-after': '2' }).end()));
    const service = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen` }));
    expect((await service.get('/api/v1/brp/address', { as })).headers['retry-after']).toBe('2');
    expect(brp.received).toHaveLength(1);
  });

  it('is made once for DUO too, and not after a 500', async () => {
    const duo: ScriptedServer = keep(
      await startScriptedServer((_, response) =>
        duo.received.length === 1
          ? response.writeHead(503).end()
          : sendJson(response, { gevonden: false, diplomas: [] }),
      ),
    );
    const brp = keep(await startScriptedServer((_, response) => response.writeHead(500).end()));
    const service = keep(await startService({ DUO_UPSTREAM: duo.url, BRP_UPSTREAM: `${brp.url}/personen` }));
    expect((await service.get('/api/v1/duo/diplomas', { as })).status).toBe(200);
    await service.get('/api/v1/brp/address', { as });
    expect([duo.received.length, brp.received.length]).toEqual([2, 1]);
  });

  it.each([
    ['a tenth of the calls and one more', { succeeded: 0, failing: 9, repeated: 1 }],
    ['five calls at once, after many that succeeded', { succeeded: 60, failing: 10, repeated: 5 }],
  ])('is made for at most %s', async (_, { succeeded, failing, repeated }) => {
    const brp: ScriptedServer = keep(
      await startScriptedServer((_, response) =>
        brp.received.length <= succeeded ? sendJson(response, {}) : response.writeHead(503).end(),
      ),
    );
    const client = keep(createHttpClient({ upstream: 'brp', url: new URL(brp.url), headers: {}, timing: PATIENT }));
    const ask = () => client.ask({ method: 'GET', path: '/', schema: z.object({}), retry: true }, testCall());
    await Promise.all(Array.from({ length: succeeded }, ask));
    await Promise.allSettled(Array.from({ length: failing }, ask));
    expect(brp.received).toHaveLength(succeeded + failing + repeated);
  });
});

describe('the register adapter', () => {
  it('searches by burgerservicenummer or login in the body of a POST, and reads 404 as no registration', async () => {
    const register = keep(await startScriptedServer((_, response) => response.writeHead(404).end()));
    const service = keep(await startService({ REGISTER_UPSTREAM: `${register.url}/api/v1/` }));
    expect((await service.get('/api/v1/notes', { as })).body).toEqual([]);
    await service.get('/api/v1/notes', { as: 'tomasz-wolski' });
    expect(register.received.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ['POST', '/api/v1/registraties/zoek', { burgerservicenummer: '999990007' }],
      ['POST', '/api/v1/registraties/zoek', { loginId: 'tomasz-wolski' }],
    ]);
  });

  it('has a 404 that is read as no registration in the log as 404, at level info, and in the metrics as ok', async () => {
    const page = { 'content-type': 'text/html' };
    const register = keep(await startScriptedServer((_, r) => r.writeHead(404, page).end('<html>Not found</html>')));
    const service = keep(await startService({ REGISTER_UPSTREAM: register.url, MANAGEMENT_PORT: '0' }));
    expect((await service.get('/api/v1/notes', { as })).body).toEqual([]);
    const line = service.log.findLast(({ operation }) => operation === 'notes');
    expect(line).toMatchObject({ level: 30, upstream: [{ bron: 'register', outcome: 404 }] });
    const metrics = await fetch(`${service.managementUrl}/metrics`);
    expect(await metrics.text()).toMatch(/^upstream_duration_seconds_count\{bron="register",outcome="ok"\} 1$/m);
  });

  it.each([
    ['..', '/registraties/%2E%2E/aantekeningen'],
    ['a/b?c#d', '/registraties/a%2Fb%3Fc%23d/aantekeningen'],
  ])('sends the id %s as one path segment', async (registratieId, url) => {
    const register = keep(
      await startScriptedServer((request, response) =>
        sendJson(response, request.method === 'POST' ? [{ ...REGISTRATIE, registratieId }] : []),
      ),
    );
    const service = keep(await startService({ REGISTER_UPSTREAM: register.url }));
    expect((await service.get('/api/v1/notes', { as })).status).toBe(200);
    expect(register.received[1]?.url).toBe(url);
  });

  it('leaves out an unknown profession, and reads profession code 18 as arts', async () => {
    const register = keep(
      await startScriptedServer((_, response) =>
        sendJson(response, [
          { ...REGISTRATIE, beroepCode: '89' },
          { ...REGISTRATIE, beroepCode: '18', added: 'later' },
        ]),
      ),
    );
    const service = keep(await startService({ REGISTER_UPSTREAM: register.url }));
    expect((await service.get('/api/v1/dashboard-view', { as })).body.registration.beroep).toBe('arts');
  });
});

describe('the DUO adapter', () => {
  const diploma = (over: object = {}) => ({
    diplomaId: 'd1',
    opleiding: { naam: 'Verpleegkunde', code: 'hbo-verpleegkunde', taal: 'nl' },
    instelling: { naam: 'Hogeschool Utrecht' },
    behaaldOp: '2024-07-01',
    status: 'passed',
    ...over,
  });

  it('sends the purpose (X-Doelbinding), and returns only diplomas that were passed for a known profession', async () => {
    const duo = keep(
      await startScriptedServer((_, response) =>
        sendJson(response, {
          gevonden: true,
          diplomas: [
            diploma(),
            diploma({ status: 'failed' }),
            diploma({ status: 'in-progress', behaaldOp: null }),
            diploma({ status: 'in-progress' }),
            diploma({ opleiding: { naam: 'X', code: 'constructor', taal: 'nl' } }),
          ],
        }),
      ),
    );
    const service = keep(await startService({ DUO_UPSTREAM: duo.url }));
    const { body } = await service.get('/api/v1/duo/diplomas', { as });
    expect(body.diplomas).toEqual([
      {
        id: 'd1',
        naam: 'Verpleegkunde',
        instelling: 'Hogeschool Utrecht',
        jaar: 2024,
        beroep: 'verpleegkundige',
        policyQuestions: [],
      },
    ]);
    expect(duo.received[0]).toMatchObject({
      url: '/diplomas/raadplegen',
      headers: { 'x-doelbinding': 'registratie-zorgprofessional' },
    });
  });

  it.each([
    ['a passed diploma without a date', { gevonden: true, diplomas: [diploma({ behaaldOp: null })] }],
    ['diplomas with gevonden: false', { gevonden: false, diplomas: [diploma()] }],
  ])('makes the operation answer 502 when DUO returns %s', async (_, answer) => {
    const duo = keep(await startScriptedServer((__, response) => sendJson(response, answer)));
    const service = keep(await startService({ DUO_UPSTREAM: duo.url }));
    expect((await service.get('/api/v1/duo/diplomas', { as })).status).toBe(502);
  });
});
