import { errors } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../../adapters/http/client.ts';
import { UpstreamFailure } from '../../adapters/http/upstream-failure.ts';
import { FAULT_KINDS, type FaultKind, type SimulatedFault } from '../../simulator/worlds/faults.ts';
import { DEFAULT_SETTINGS } from '../../simulator/worlds/settings.ts';
import { useSimulators } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';

const TRANSPORTS = ['in-process', 'loopback'] as const;
type Transport = (typeof TRANSPORTS)[number];

const running = {
  'in-process': await useSimulators(['register'], { transport: 'in-process' }),
  loopback: await useSimulators(['register'], { transport: 'loopback' }),
};
const clients: HttpClient[] = [];
afterAll(() => Promise.all(clients.map((one) => one.close())));

/** Returns a client of the register in one world, which uses this transport (a socket, or calls within the process). */
function clientIn(transport: Transport, world: string, more: Partial<HttpClientOptions> = {}): HttpClient {
  const { urls, pools } = running[transport].accessIn(world);
  const url = new URL(urls.register ?? '');
  const own = pools.register && { createPool: pools.register };
  const client = createHttpClient({ upstream: 'register', url, headers: {}, ...own, ...more });
  clients.push(client);
  return client;
}

function failIn(transport: Transport, world: string, fault: Omit<SimulatedFault, 'upstream'>): void {
  const faults = [{ id: 'f1', upstream: 'register', ...fault } as const];
  running[transport].worlds.changeSettings(world, { ...DEFAULT_SETTINGS, faults });
}

const ask = (client: HttpClient, call = testCall()) =>
  client.ask(
    {
      method: 'POST',
      path: '/registraties/zoek',
      body: { burgerservicenummer: '999990007' },
      schema: z.array(z.object({ naam: z.string() })),
      retry: true,
    },
    call,
  );

/** Makes a call, and returns its outcome and its record, which is all that the service can observe. */
async function seen(client: HttpClient) {
  const call = testCall();
  const answer = await ask(client, call).catch((error: unknown) => {
    if (!(error instanceof UpstreamFailure)) throw error;
    const { fault, message, status, retryable, requestOnly, undone, lost, retryAfter } = error;
    return { fault, message, status, retryable, requestOnly, undone, lost, retryAfter };
  });
  const { breaker, running: inFlight } = client.stats();
  return { answer, calls: call.records.map(({ outcome, attempts }) => ({ outcome, attempts })), breaker, inFlight };
}

describe('a simulated upstream called within the process', () => {
  /** Extra settings of a fault, by kind. Kinds that are not here need none. */
  const MORE: Partial<Record<FaultKind, Omit<SimulatedFault, 'upstream' | 'kind'>>> = {
    status: { status: 503, retryAfter: 1 },
    // Longer than the body timeout, which fires up to a second late in undici.
    drip: { ms: 3_000 },
    latency: { ms: 50 },
  };

  it.concurrent.each(Object.keys(FAULT_KINDS) as FaultKind[])(
    'with the fault "%s" gives the same outcome and call record as over a socket',
    async (kind) => {
      const [here, there] = await Promise.all(
        TRANSPORTS.map((transport) => {
          failIn(transport, `w-${kind}`, { kind, ...MORE[kind] });
          return seen(clientIn(transport, `w-${kind}`, { breaker: { minCalls: 1 } }));
        }),
      );
      expect(here).toEqual(there);
      expect(here?.calls).toHaveLength(1);
    },
  );

  it.concurrent('without a fault gives the same answer and call record as over a socket', async () => {
    const [here, there] = await Promise.all(TRANSPORTS.map((transport) => seen(clientIn(transport, 'default'))));
    expect(here).toEqual(there);
    expect(here?.answer).toEqual([{ naam: 'Sanne de Wit' }]);
  });

  it.concurrent('ends a call when its signal aborts', async () => {
    failIn('in-process', 'w-abort', { kind: 'hang' });
    const client = clientIn('in-process', 'w-abort');
    const leaving = new AbortController();
    const asked = ask(client, testCall(leaving.signal));
    await expect.poll(() => client.stats().running).toBe(1);
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow();
    expect(client.stats()).toMatchObject({ running: 0, underway: 0 });
  });

  it.concurrent('handles at most as many calls at the same time as the pool has connections', async () => {
    failIn('in-process', 'w-queue', { kind: 'latency', ms: 100 });
    const client = clientIn('in-process', 'w-queue', { calls: 2, downloads: 0 });
    const most = { running: 0 };
    const watch = setInterval(() => {
      most.running = Math.max(most.running, client.stats().running);
    }, 5);
    await Promise.all([ask(client), ask(client)]);
    clearInterval(watch);
    expect(most.running).toBe(2);
  });

  it.concurrent('ends running and new calls of a closed client with an error', async () => {
    failIn('in-process', 'w-close', { kind: 'hang' });
    const client = clientIn('in-process', 'w-close');
    const asked = ask(client).catch((error: unknown) => error);
    await expect.poll(() => client.stats().running).toBe(1);
    await client.close();
    expect(await asked).toMatchObject({ message: expect.stringContaining(new errors.ClientDestroyedError().code) });
    expect(await ask(client).catch((error: unknown) => error)).toBeInstanceOf(UpstreamFailure);
  });
});
