import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { type Call, ClientDisconnected } from '../../src/ports/call.ts';
import { startService } from '../support/service.ts';
import { listenWith, type ScriptedServer, sendJson } from '../support/upstream.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** As promised, but for an opening that is short enough to wait for. */
const BREAKER = { openMs: 200 };

async function source(answer: ScriptedServer['answer']) {
  const server = await listenWith(answer);
  const client = createHttpClient({ upstream: 'duo', url: new URL(server.url), headers: {}, breaker: BREAKER });
  open.push(client, server);
  return { server, client };
}

const callWith = (signal = new AbortController().signal): Call => ({
  signal,
  traceId: '0'.repeat(32),
  workspace: 'default',
  traceFlags: '01',
  record: () => undefined,
});

/** What became of one call, in a word. */
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

describe('a breaker', () => {
  it('opens when half of twenty calls failed, and then nobody is asked', async () => {
    const { server, client } = await source((seen, response) =>
      (server.seen.length % 2 ? works : fails)(seen, response),
    );
    expect(await askTimes(client, 19)).not.toContain(OPEN);
    expect(client.stats().breaker).toBe('closed');
    await ask(client);
    expect(client.stats().breaker).toBe('open');
    const start = performance.now();
    expect(await ask(client)).toBe(OPEN);
    expect(performance.now() - start).toBeLessThan(20);
    expect(server.seen).toHaveLength(20);
  });

  it('stays closed when fewer than half fail, or fewer than twenty were asked', async () => {
    const { server, client } = await source((seen, response) =>
      (server.seen.length % 3 ? works : fails)(seen, response),
    );
    expect(await askTimes(client, 40)).not.toContain(OPEN);
    const { client: other } = await source(fails);
    expect(await askTimes(other, 19)).not.toContain(OPEN);
  });

  it('lets one call try after a rest, refuses all others meanwhile, and closes when it succeeds', async () => {
    const { server, client } = await source(fails);
    await askTimes(client, 20);
    expect(await ask(client)).toBe(OPEN);
    await setTimeout(BREAKER.openMs + 20);
    server.answer = async (seen, response) => {
      await setTimeout(100);
      works(seen, response);
    };
    const told = await Promise.all([ask(client), ask(client), ask(client)]);
    expect(told).toEqual(['ok', OPEN, OPEN]);
    expect(server.seen).toHaveLength(21);
    expect(client.stats().breaker).toBe('closed');
    expect(await askTimes(client, 3)).toEqual(['ok', 'ok', 'ok']);
  });

  it('rests again when that one call fails, and lets the next try when whoever asked has left', async () => {
    const { server, client } = await source(fails);
    await askTimes(client, 20);
    await setTimeout(BREAKER.openMs + 20);
    expect(await ask(client)).toBe('duo unavailable: status 500');
    expect(await ask(client)).toBe(OPEN);
    await setTimeout(BREAKER.openMs + 20);
    server.answer = () => undefined;
    const leaving = new AbortController();
    const left = ask(client, leaving.signal);
    await expect.poll(() => server.seen.length).toBe(22);
    leaving.abort(new ClientDisconnected('gone'));
    expect(await left).toBe('gone');
    server.answer = works;
    expect(await ask(client)).toBe('ok');
  });

  it.each<[string, ScriptedServer['answer'], boolean]>([
    ['whose credential is refused', (_, response) => sendJson(response, {}, 401), true],
    ['that has had enough of us', (_, response) => sendJson(response, {}, 429), true],
    ['that answers with a page', (_, response) => response.end('<html>'), true],
    ['that refuses one question', (_, response) => sendJson(response, {}, 400), false],
    ['that does not know whom it is about', (_, response) => sendJson(response, {}, 404), false],
    ['with one record of another shape', (_, response) => sendJson(response, ['x']), false],
  ])('is for a source %s', async (_, answer, opens) => {
    const { client } = await source(answer);
    expect((await askTimes(client, 21)).at(-1) === OPEN).toBe(opens);
  });

  it('makes a 503 of its own, with the seconds that it still rests, and nothing was handed in', async () => {
    const register = await listenWith(fails);
    const service = await startService({ REGISTER_UPSTREAM: register.url });
    open.push(service, register);
    const as = 'sanne-de-wit';
    for (let n = 0; n < 20; n += 1) await service.get('/api/v1/intake/policy', { as });
    const asked = register.seen.length;
    const reply = await service.post('/api/v1/herregistraties', as, { uren: 2_600 });
    expect(reply).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar', bron: 'register' } });
    expect(['4', '5']).toContain(reply.headers['retry-after']);
    expect(register.seen).toHaveLength(asked);
    expect((await service.get('/api/v1/applications', { as })).body).toEqual([]);
  });
});
