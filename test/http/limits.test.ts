import type { ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { createLoadMonitor } from '../../src/http/middleware/load.ts';
import type { Operation } from '../../src/http/operation/operation.ts';
import { createRates } from '../../src/http/operation/rates.ts';
import { EVERY_CASE } from '../support/cases.ts';
import { startPostgres } from '../support/postgres.ts';
import { keep, type Reply, startService } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';
import { listen, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

describe('a person above the rate limit', () => {
  it('is refused with 429 te-veel-verzoeken and Retry-After; other persons and /health get 200', async () => {
    fakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:10Z') });
    const service = keep(await startService({ RATE_LIMIT_PER_MINUTE: '20' }));
    const path = '/api/v1/uploads/categories?wizardId=intake';
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await service.get(path, { as: 'sanne-de-wit' })).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429]);
    const reply = await service.get(path, { as: 'sanne-de-wit' });
    expect(reply).toMatchObject({ status: 429, body: { code: 'te-veel-verzoeken' }, headers: { 'retry-after': '50' } });
    expect((await service.get(path, { as: 'noor-bakker' })).status).toBe(200);
    expect((await service.get('/health')).status).toBe(200);
  });

  it('for operations that create data is refused only those operations, until the next minute', () => {
    fakeTimers({ now: new Date('2026-06-01T12:00:10Z') });
    const rates = createRates({ all: 100, submits: 2 });
    rates.take('a', MAKES);
    rates.take('a', MAKES);
    expect(() => rates.take('a', MAKES)).toThrow('te-veel-verzoeken');
    rates.take('a', READS);
    vi.setSystemTime(new Date('2026-06-01T12:01:00Z'));
    rates.take('a', MAKES);
  });

  it('stays refused when the clock is set back to the minute before, and not when it is set back an hour', () => {
    fakeTimers({ now: new Date('2026-06-01T12:00:00Z') });
    const rates = createRates({ all: 1, submits: 0 });
    rates.take('a', READS);
    for (const now of ['11:59:59.990', '12:00:00.010']) {
      vi.setSystemTime(new Date(`2026-06-01T${now}Z`));
      expect(() => rates.take('a', READS)).toThrow('te-veel-verzoeken');
      rates.take(`another person at ${now}`, READS);
    }
    vi.setSystemTime(new Date('2026-06-01T11:00:00Z'));
    rates.take('a', READS);
  });
});

const MAKES = { creates: true } as Operation;
const READS = {} as Operation;

it('a service with the maximum number of requests in progress answers the next request at once with 503 overbelast and Retry-After; requests that are still being sent do not count, and /health answers 200', async () => {
  const waiting: (() => void)[] = [];
  const slow = () =>
    startScriptedServer((_, response) => waiting.push(() => sendJson(response, { diplomas: [], personen: [] })));
  const [duo, brp] = [keep(await slow()), keep(await slow())];
  const env = { DUO_UPSTREAM: duo.url, BRP_UPSTREAM: `${brp.url}/personen`, REQUESTS_AT_ONCE: '4' };
  const service = keep(await startService({ ...env, MANAGEMENT_PORT: '0' }));
  const ask = (path = '/api/v1/duo/diplomas') => service.get(path, { as: 'sanne-de-wit' });
  await service.get('/health');
  // These have said that they will send something, and do not; they take no place.
  const { hostname, port } = new URL(service.url);
  const senders = Array.from({ length: 8 }, () => {
    const socket = keep(Object.assign(connect(Number(port), hostname), { close: () => socket.destroy() })) as Socket;
    socket.write(
      'POST /api/v1/intakes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nX-Subject: sanne-de-wit\r\n' +
        'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{',
    );
    return socket;
  });
  expect(senders).toHaveLength(8);
  // One upstream may have half of the places.
  const four = [1, 2].flatMap(() => [ask(), ask('/api/v1/brp/address')]);
  await expect.poll(() => waiting.length).toBe(4);
  // The four still wait: it is answered before any of them.
  const reply = await ask();
  expect(waiting).toHaveLength(4);
  expect(reply).toMatchObject({ status: 503, body: { code: 'overbelast', status: 503 } });
  expect(reply.headers['retry-after']).toBe('1');
  expect((await service.get('/api/v1/openapi.json')).status).toBe(503);
  expect((await service.get('/health')).status).toBe(200);
  expect((await service.get('/health/ready')).status).toBe(200);
  // A request whose body has arrived goes on, although all places are taken.
  const [sender] = senders;
  const answered = new Promise((resolve) => sender?.once('data', (data) => resolve(String(data).slice(0, 12))));
  sender?.write('"uren":"veel uren"}');
  expect(await answered).toBe('HTTP/1.1 400');
  expect(waiting).toHaveLength(4);
  for (const answer of waiting) answer();
  await Promise.all(four);
  expect((await service.get('/api/v1/uploads/categories?wizardId=intake', { as: 'sanne-de-wit' })).status).toBe(200);
});

it('one person with more requests than the maximum of a person has four of sixteen, and eight wait for these; one more is 429, and another person gets 200 at once', async () => {
  const held: ServerResponse[] = [];
  let isSlow = true;
  const answer = (response: ServerResponse) => sendJson(response, { gevonden: false, diplomas: [] });
  const duo = keep(
    await startScriptedServer((_, response) => {
      if (isSlow && held.length < 4) held.push(response);
      else answer(response);
    }),
  );
  const service = keep(await startService({ DUO_UPSTREAM: duo.url, REQUESTS_AT_ONCE: '16' }));
  const ask = (as: string) => service.get('/api/v1/duo/diplomas', { as });
  const burst = Array.from({ length: 16 }, () => ask('sanne-de-wit'));
  const told: Reply[] = [];
  for (const one of burst) void one.then((reply) => told.push(reply));
  await expect.poll(() => told.length).toBe(4);
  const refusal = { status: 429, body: { code: 'te-veel-verzoeken' }, headers: { 'retry-after': '1' } };
  for (const reply of told) expect(reply).toMatchObject(refusal);
  expect((await ask('noor-bakker')).status).toBe(200);
  expect(duo.received).toHaveLength(5);
  isSlow = false;
  held.forEach(answer);
  const statuses = (await Promise.all(burst)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(12).fill(200), ...Array(4).fill(429)]);
});

// These block the processor for seconds.
describe.runIf(EVERY_CASE)('a process with a blocked event loop', () => {
  const block = async (): Promise<void> => {
    const until = performance.now() + 600;
    while (performance.now() < until);
    await setTimeout(1);
  };

  it('refuses requests after two long delays in a row while eight are in progress, and admits them again afterwards', async () => {
    const load = keep(createLoadMonitor(256));
    await setTimeout(100);
    const places = Array.from({ length: 8 }, () => load.enter());
    await block();
    load.enter()?.leave();
    expect(places).not.toContain(null);
    // Two in a row, within two measurements: on a busy machine that can take another.
    await expect
      .poll(async () => {
        await block();
        await block();
        const place = load.enter();
        place?.leave();
        return place;
      })
      .toBeNull();
    places[0]?.leave();
    expect(load.enter()).not.toBeNull();
    await expect.poll(() => load.enter()).not.toBeNull();
  });

  it('refuses nothing with the simulator, which runs on the busy machine of a developer', async () => {
    const held: ServerResponse[] = [];
    const duo = keep(await startScriptedServer((_, response) => void held.push(response)));
    const service = keep(await startService({ DUO_UPSTREAM: duo.url }));
    const waiting = ['sanne-de-wit', 'noor-bakker', 'ruben-smit'].flatMap((as) =>
      Array.from({ length: 4 }, () => service.get('/api/v1/duo/diplomas', { as })),
    );
    await expect.poll(() => held.length).toBe(12);
    for (let turn = 0; turn < 2; turn += 1) {
      await block();
      await block();
      expect((await service.get('/_simulator/')).status).toBe(200);
    }
    for (const response of held) sendJson(response, {}, 500);
    await Promise.all(waiting);
  });
});

it('the management port serves metrics without personal data, and readiness; other paths answer 404, and so does /metrics on the public port', async () => {
  const duo = keep(await startScriptedServer((_, response) => response.writeHead(500).end()));
  const service = keep(await startService({ DUO_UPSTREAM: duo.url, MANAGEMENT_PORT: '0' }));
  await service.get('/api/v1/duo/diplomas', { as: 'sanne-de-wit' });
  await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
  await service.get('/api/v1/bestaat-niet', { as: 'sanne-de-wit' });
  await expect.poll(() => service.log.length).toBeGreaterThanOrEqual(3);
  const ask = (path: string) => request(service.managementUrl + path);
  const answer = await ask('/metrics');
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=/);
  const text = await answer.body.text();
  for (const line of [
    /^http_request_duration_seconds_count\{operation="duoDiplomas",method="GET",status="503"\} 1$/m,
    /^http_request_duration_seconds_count\{operation="none",method="GET",status="404"\} 1$/m,
    /^upstream_duration_seconds_count\{bron="duo",outcome="500"\} 1$/m,
    /^upstream_duration_seconds_count\{bron="brp",outcome="ok"\} 1$/m,
    /^upstream_breaker_state\{bron="duo",state="closed"\} 1$/m,
    /^upstream_calls\{bron="register",what="connected"\} \d+$/m,
    /^http_requests_in_flight 0$/m,
    /^store_ping_seconds 0\.\d+/m,
    /^process_resident_memory_bytes \d+$/m,
  ])
    expect(text).toMatch(line);
  // A measured value may have nine digits as well.
  const measured = / [\d.e+-]+$/gm;
  expect(text.replace(measured, '')).not.toMatch(/sanne|bestaat-niet|\b9\d{8}\b/i);
  expect((await ask('/health/ready')).statusCode).toBe(200);
  // As some load balancers ask.
  expect((await request(`${service.managementUrl}/health/ready`, { method: 'HEAD' })).statusCode).toBe(200);
  expect((await request(`${service.managementUrl}/health/ready`, { method: 'POST' })).statusCode).toBe(404);
  expect((await ask('/api/v1/openapi.json')).statusCode).toBe(404);
  expect((await service.get('/metrics', { as: 'sanne-de-wit' })).status).toBe(404);
});

it.runIf(EVERY_CASE)(
  'a PostgreSQL that stops answering makes a list of applications fail with 503 overbelast, and succeed when PostgreSQL answers again',
  async () => {
    const postgres = keep(await startPostgres());
    const target = new URL(await postgres.database());
    const behind = Number(target.port);
    let silent = false;
    const sockets = new Set<Socket>();
    const line = createServer((socket) => {
      const far = connect(behind, '127.0.0.1');
      for (const one of [socket, far]) sockets.add(one.on('error', () => undefined));
      socket.on('data', (chunk) => silent || far.write(chunk));
      far.on('data', (chunk) => socket.write(chunk));
      socket.on('close', () => far.destroy());
    });
    target.port = new URL(await listen(line)).port;
    const service = await startService({ DATABASE_URL: target.href }, undefined, {}, {}, { statementAnswer: 2_500 });
    const list = () => service.get('/api/v1/applications', { as: 'sanne-de-wit' });
    await Promise.all([list(), list(), list()]);
    silent = true;
    const replies = await Promise.all([list(), list(), list()]);
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([503, 'overbelast']));
    silent = false;
    // The connections that never got their answer are dead for good; new ones are not.
    expect((await list()).status).toBe(200);
    await service.close();
    for (const socket of sockets) socket.destroy();
    line.close();
  },
);
