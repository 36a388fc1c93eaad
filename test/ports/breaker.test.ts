import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createBreaker } from '../../adapters/http/breaker.ts';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { UpstreamFailure } from '../../adapters/http/upstream-failure.ts';
import { type Call, ClientDisconnected, DeadlinePassed } from '../../src/ports/call.ts';
import { keep, startService } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

/** The settings of production, but with an open time in ms that is short enough for a test. */
const BREAKER = { openMs: 200 };

async function source(answer: ScriptedServer['answer']) {
  const server = keep(await startScriptedServer(answer));
  const client = keep(createHttpClient({ upstream: 'duo', url: new URL(server.url), headers: {}, breaker: BREAKER }));
  return { server, client };
}

const callWith = (signal = new AbortController().signal): Call => ({
  stop: signal,
  signal,
  traceId: '0'.repeat(32),
  workspace: 'default',
  traceFlags: '01',
  record: () => undefined,
});

/** Makes one call. Returns 'ok' or the message of the error. */
const ask = (client: HttpClient, signal?: AbortSignal): Promise<string> =>
  client.ask({ method: 'GET', path: '/getallen', schema: z.array(z.number()) }, callWith(signal)).then(
    () => 'ok',
    (error: Error) => error.message,
  );
const askTimes = async (client: HttpClient, times: number): Promise<string[]> => {
  const told: string[] = [];
  for (let n = 0; n < times; n += 1) told.push(await ask(client));
  return told;
};

const fails: ScriptedServer['answer'] = (_, response) => sendJson(response, {}, 500);
const works: ScriptedServer['answer'] = (_, response) => sendJson(response, [1]);
const OPEN = 'duo unavailable: breaker open';

describe('the circuit breaker of an upstream', () => {
  it('opens when half of twenty calls failed, and then fails at once, without calling the upstream', async () => {
    const { server, client } = await source((request, response) =>
      (server.received.length % 2 ? works : fails)(request, response),
    );
    expect(await askTimes(client, 19)).not.toContain(OPEN);
    expect(client.stats().breaker).toBe('closed');
    await ask(client);
    expect(client.stats().breaker).toBe('open');
    // A timer or a socket would be later than this.
    const later = new Promise((resolve) => setImmediate(resolve, 'later'));
    expect(await Promise.race([ask(client), later])).toBe(OPEN);
    expect(server.received).toHaveLength(20);
  });

  it('stays closed when fewer than half of the calls fail, or fewer than twenty were made', async () => {
    const { server, client } = await source((request, response) =>
      (server.received.length % 3 ? works : fails)(request, response),
    );
    expect(await askTimes(client, 40)).not.toContain(OPEN);
    const { client: other } = await source(fails);
    expect(await askTimes(other, 19)).not.toContain(OPEN);
  });

  it('ignores calls whose deadline has passed before they begin: they are not sent, and fail with undone: true', async () => {
    const { server, client } = await source(works);
    const late = AbortSignal.abort(new DeadlinePassed('no answer within 8000 ms'));
    for (let n = 0; n < 25; n += 1) expect(await ask(client, late)).toBe('duo late: deadline of the request');
    const write = client.ask({ method: 'POST', body: {}, schema: z.object({}) }, callWith(late));
    await expect(write).rejects.toMatchObject({ fault: 'late', undone: true, lost: false });
    const upload = client.open({ method: 'POST', body: {} }, callWith(late));
    await expect(upload).rejects.toMatchObject({ fault: 'late', undone: true, lost: false });
    expect([client.stats().breaker, server.received.length]).toEqual(['closed', 0]);
    expect(await ask(client)).toBe('ok');
  });

  it('makes one trial call after its open time, refuses the others meanwhile, and closes when that call succeeds', async () => {
    const { server, client } = await source(fails);
    await askTimes(client, 20);
    expect(await ask(client)).toBe(OPEN);
    await setTimeout(BREAKER.openMs + 20);
    server.answer = async (request, response) => {
      await setTimeout(100);
      works(request, response);
    };
    const told = await Promise.all([ask(client), ask(client), ask(client)]);
    expect(told).toEqual(['ok', OPEN, OPEN]);
    expect(server.received).toHaveLength(21);
    expect(client.stats().breaker).toBe('closed');
    expect(await askTimes(client, 3)).toEqual(['ok', 'ok', 'ok']);
  });

  it('does not count calls that began before it opened: they neither keep it open nor open it again', () => {
    fakeTimers({ toFake: ['performance'] });
    const breaker = createBreaker('duo', { minCalls: 2, openMs: 1_000 });
    const ends = Array.from({ length: 6 }, () => breaker.enter());
    const failTwo = () => {
      for (const end of ends.splice(0, 2)) end(new UpstreamFailure('duo', 'unavailable', 'status 500'));
    };
    failTwo();
    vi.advanceTimersByTime(900);
    expect(breaker.state).toBe('open');
    failTwo();
    vi.advanceTimersByTime(100);
    breaker.enter()();
    expect(breaker.state).toBe('closed');
    failTwo();
    expect(breaker.state).toBe('closed');
  });

  it('stays open when the trial call fails, and makes another trial call when the client of the first one disconnected', async () => {
    const { server, client } = await source(fails);
    await askTimes(client, 20);
    await setTimeout(BREAKER.openMs + 20);
    expect(await ask(client)).toBe('duo unavailable: status 500');
    expect(await ask(client)).toBe(OPEN);
    await setTimeout(BREAKER.openMs + 20);
    server.answer = () => undefined;
    const leaving = new AbortController();
    const left = ask(client, leaving.signal);
    await expect.poll(() => server.received.length).toBe(22);
    leaving.abort(new ClientDisconnected('gone'));
    expect(await left).toBe('gone');
    server.answer = works;
    expect(await ask(client)).toBe('ok');
  });

  it.each<[string, ScriptedServer['answer'], 'opens' | 'stays closed']>([
    ['answers with HTML', (_, response) => response.end('<html>'), 'opens'],
    ['answers 404', (_, response) => sendJson(response, {}, 404), 'stays closed'],
    ['answers with an invalid record', (_, response) => sendJson(response, ['x']), 'stays closed'],
  ])('$2 after 20 calls when the upstream $0', async (_, answer, outcome) => {
    const { client } = await source(answer);
    expect((await askTimes(client, 21)).at(-1) === OPEN).toBe(outcome === 'opens');
  });

  it('makes a submission answer 503 with Retry-After while it is open, without a call to the register and without a stored application', async () => {
    const register = keep(await startScriptedServer(fails));
    const service = keep(await startService({ REGISTER_UPSTREAM: register.url }));
    const as = 'sanne-de-wit';
    for (let n = 0; n < 20; n += 1) await service.get('/api/v1/intake/policy', { as });
    const asked = register.received.length;
    const reply = await service.post('/api/v1/herregistraties', as, { uren: 2_600 });
    expect(reply).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar', bron: 'register' } });
    // The whole seconds that are left of the five.
    expect(reply.headers['retry-after']).toMatch(/^[1-5]$/);
    expect(register.received).toHaveLength(asked);
    expect((await service.get('/api/v1/applications', { as })).body).toEqual([]);
  });
});
