import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createHttpClient } from '../../adapters/http/client.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { DeadlinePassed } from '../../src/ports/call.ts';
import { keep, startService } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';
import { sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

it('a BRP that does not answer gets at most half of the concurrent requests; operations without the BRP answer 200', async () => {
  const brp = keep(await startScriptedServer(() => undefined));
  const service = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen`, REQUESTS_AT_ONCE: '16' }));
  const as = 'sanne-de-wit';
  const without = () => service.get('/api/v1/uploads/categories?wizardId=intake', { as });
  await without();
  // Of several persons, because one person has a maximum of requests.
  const persons = PERSONAS.filter(({ kind }) => kind === 'professional').slice(0, 20);
  const burst = [1, 2, 3].flatMap(() => persons.map(({ slug }) => service.get('/api/v1/brp/address', { as: slug })));
  await expect.poll(() => brp.received.length).toBe(8);
  for (let n = 0; n < 20; n += 1) {
    expect((await without()).status).toBe(200);
    expect((await service.get('/api/v1/duo/diplomas', { as })).status).toBe(200);
  }
  expect(brp.received).toHaveLength(8);
  const told = (await Promise.all(burst)).map(({ status, body }) => `${status} ${body.code}`).sort();
  expect(told.filter((one) => one === '504 bron-te-laat')).toHaveLength(8);
  expect(told.filter((one) => one === '503 bron-niet-beschikbaar').length).toBeGreaterThan(0);
});

it('a call that is repeated after a lost answer, and then refused fails with undone: false, because the first attempt may have been carried out; a single refused call fails with undone: true', async () => {
  let isFirst = true;
  const store = keep(
    await startScriptedServer((_, response) => {
      if (isFirst) response.socket?.resetAndDestroy();
      else response.writeHead(403).end();
      isFirst = false;
    }),
  );
  const client = keep(createHttpClient({ upstream: 'documenten', url: new URL(store.url), headers: {} }));
  const remove = (retry: boolean) =>
    client.ask({ method: 'DELETE', path: '/', schema: z.object({}), retry }, testCall());
  await expect(remove(true)).rejects.toMatchObject({ fault: 'unavailable', undone: false });
  expect(store.received).toHaveLength(2);
  await expect(remove(false)).rejects.toMatchObject({ undone: true });
});

it('a call that waits for a connection until its deadline was certainly not carried out', async () => {
  const store = keep(await startScriptedServer(() => undefined));
  const client = keep(createHttpClient({ upstream: 'register', url: new URL(store.url), headers: {} }));
  const ask = (call = testCall()) => client.ask({ method: 'POST', body: {}, schema: z.object({}) }, call);
  const busy = Promise.allSettled(Array.from({ length: 64 }, () => ask()));
  const deadline = new AbortController();
  const waiting = expect(ask(testCall(deadline.signal))).rejects.toMatchObject({ fault: 'late', undone: true });
  await expect.poll(() => store.received.length).toBe(64);
  deadline.abort(new DeadlinePassed('no answer within 8000 ms'));
  await waiting;
  await client.close();
  await busy;
});

describe('downloads that do not progress', () => {
  const slowStore = async (answer: Parameters<typeof startScriptedServer>[0]) => {
    const store = keep(await startScriptedServer(answer));
    const url = new URL(store.url);
    const client = keep(createHttpClient({ upstream: 'documenten', url, headers: {}, calls: 2, downloads: 4 }));
    const open = () => client.open({ method: 'GET', path: '/download' }, testCall());
    const put = () => client.ask({ method: 'POST', path: '/', body: {}, schema: z.object({}) }, testCall());
    return { store, client, open, put };
  };

  it('count once against the limit of downloads, and uploads still succeed', async () => {
    const { store, client, open, put } = await slowStore(({ method }, response) =>
      method === 'GET' ? response.write('half') : sendJson(response, {}, 201),
    );
    const opened = await Promise.all([open(), open(), open(), open()]);
    expect(client.stats().underway).toBe(4);
    await expect(open()).rejects.toThrow('too many downloads under way');
    expect(await Promise.all([put(), put()])).toEqual([{}, {}]);
    opened[0]?.bytes.destroy();
    await expect.poll(() => client.stats().underway).toBe(3);
    opened.push(await open());
    expect(client.stats().underway).toBe(4);
    for (const { bytes } of opened) bytes.destroy();
    await expect.poll(() => client.stats().underway).toBe(0);
    expect(store.received).toHaveLength(7);
  });

  it('count once against the limit before their first byte, and uploads still succeed', async () => {
    const { store, client, open, put } = await slowStore(({ method }, response) =>
      method === 'GET' ? response.writeHead(200).flushHeaders() : sendJson(response, {}, 201),
    );
    const opening = Promise.allSettled([open(), open(), open(), open()]);
    await expect.poll(() => store.received.length).toBe(4);
    expect(client.stats().underway).toBe(4);
    await expect(open()).rejects.toThrow('too many downloads under way');
    expect(await put()).toEqual({});
    await client.close();
    await opening;
  });
});
