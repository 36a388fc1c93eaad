import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { JournalEntry, type RecordedRequest } from '../../../simulator/worlds/journal.ts';
import { pdf } from '../../support/files.ts';
import { journalOf } from '../../support/journal.ts';
import { upload } from '../../support/multipart.ts';
import { keep, newWorld, startService, together, useService } from '../../support/service.ts';

const service = await useService({ SCANNER: 'simulator' });

const pathOf = (name: string, more = ''): string => `/_simulator/worlds/${name}/journal${more}`;
const ask = (name: string) => service.get('/api/v1/intake/policy', { as: `sanne-de-wit@${name}` });

interface Heard {
  readonly id: number;
  readonly event: string;
  readonly data: RecordedRequest;
}

/** Opens an event stream. `next` waits for the next event; `end` closes the connection. */
async function listen(at: string, name: string, headers: Record<string, string> = {}, query = '') {
  const leaving = new AbortController();
  const answer = await fetch(`${at}${pathOf(name, '/stream')}${query}`, { headers, signal: leaving.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    answer,
    async next(): Promise<Heard | null> {
      for (;;) {
        const [block, ...rest] = text.split('\n\n');
        if (rest.length > 0) {
          text = rest.join('\n\n');
          const field = (label: string) => new RegExp(`^${label}: (.*)$`, 'm').exec(block ?? '')?.[1] ?? '';
          if (field('event') === '') continue;
          return { id: Number(field('id')), event: field('event'), data: JSON.parse(field('data')) };
        }
        const more = await reader?.read();
        if (more?.done !== false) return null;
        text += more.value;
      }
    },
    end: () => leaving.abort(),
  };
}

describe('the journal of a world', () => {
  it('lists entries that match their schema, after a given id and up to a limit', async () => {
    const name = newWorld();
    const as = `ruben-smit@${name}`;
    await service.get('/api/v1/dashboard-view', { as });
    await service.post('/api/v1/intakes', as, { uren: 1 });
    await upload(service, as, { file: pdf(), filename: 'cv.pdf' });
    await service.get('/api/v1/nergens', { headers: { 'x-subject': as } });
    const entries = await journalOf(service, name);
    expect(entries).toHaveLength(4);
    for (const entry of entries) expect(JournalEntry.parse(entry)).toEqual(entry);
    const ids = async (query: string) =>
      (await service.get(pathOf(name, query))).body.map(({ id }: RecordedRequest) => id);
    const [first, second, third, fourth] = entries.map(({ id }) => id);
    expect(await ids('?limit=2')).toEqual([third, fourth]);
    expect(await ids(`?after=${first}&limit=1`)).toEqual([second]);
    expect((await service.get(`/_simulator/worlds/${name}`)).body.entries).toBe(4);
  });

  it('answers HEAD on its event stream with 200 at once', async () => {
    const { status, headers } = await service.call('HEAD', pathOf(newWorld(), '/stream'));
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it.each(['?after=-1', '?limit=x', '?after=1e3'])('refuses the query %s with 400 geen-getal', async (query) => {
    expect(await service.get(pathOf('default', query))).toMatchObject({ status: 400, body: { code: 'geen-getal' } });
  });

  it('can be downloaded as a HAR file, and is empty after DELETE (204) and after a reset of the world', async () => {
    const name = newWorld();
    await ask(name);
    const har = await service.get(pathOf(name, '.har'));
    expect(har.headers['content-disposition']).toBe(`attachment; filename="journaal-${name}.har"`);
    expect(har.body.log).toMatchObject({ version: '1.2', entries: [{ _operation: 'intakePolicy' }] });
    expect((await service.call('DELETE', pathOf(name))).status).toBe(204);
    expect(await journalOf(service, name)).toEqual([]);
    await ask(name);
    await service.call('POST', `/_simulator/worlds/${name}/reset`);
    expect(await journalOf(service, name)).toEqual([]);
  });

  it('has only calls of that world when twenty worlds are called at the same time', async () => {
    const names = Array.from({ length: 20 }, newWorld);
    const calls = names.flatMap((name) => Array.from({ length: 10 }, (_, n) => ({ name, uren: n })));
    await Promise.all(
      calls.map(({ name, uren }) => service.post('/api/v1/intakes', `burger-1@${name}`, { uren, scholing: name })),
    );
    for (const name of names) {
      const entries = await journalOf(service, name);
      expect(new Set(entries.map(({ caller }) => caller?.subject))).toEqual(new Set([`burger-1@${name}`]));
      const sent = entries.map(({ request }) => JSON.parse(request.body ?? ''));
      expect(sent.sort((a, b) => a.uren - b.uren)).toEqual(
        Array.from({ length: 10 }, (_, uren) => ({ uren, scholing: name })),
      );
      expect(JSON.stringify(entries)).not.toMatch(new RegExp(`@(?!${name}\\b)w\\d`));
    }
  });

  it('has the operation, outcome and fault of each upstream call', async () => {
    const name = newWorld();
    const as = `sanne-de-wit@${name}`;
    const base = `/_simulator/worlds/${name}`;
    await service.call('POST', `${base}/faults`, { json: { upstream: 'brp', kind: 'status', status: 503 } });
    await service.get('/api/v1/dashboard-view', { as });
    const [flaky] = (await journalOf(service, name)).slice(-1);
    expect(flaky?.upstream.find(({ bron }) => bron === 'brp')).toMatchObject({ fault: 'status', outcome: 503 });
    expect(flaky?.upstream.find(({ bron }) => bron === 'register')).not.toHaveProperty('fault');
    await service.call('POST', `${base}/faults`, { json: { upstream: 'scanner', kind: 'latency', ms: 20 } });
    await upload(service, as, { file: pdf(), filename: 'cv.pdf' });
    const [sent] = (await journalOf(service, name)).slice(-1);
    const expected = { operation: 'scannen', fault: 'latency 20 ms', outcome: 200 };
    expect(sent?.upstream.find(({ bron }) => bron === 'scanner')).toMatchObject(expected);
    await service.call('PUT', `${base}/scenarios/register-down`);
    expect((await service.get('/api/v1/intake/policy', { as })).status).toBe(503);
    const [down] = (await journalOf(service, name)).slice(-1);
    const upstream = [{ bron: 'register', fault: 'refused' }];
    expect(down).toMatchObject({ problem: 'bron-niet-beschikbaar', upstream });
  });
});

it('a client that disconnects before it has an answer is in the journal with status 499 and the upstream call that was in progress', async () => {
  const name = newWorld();
  const world = `/_simulator/worlds/${name}`;
  await service.call('POST', `${world}/faults`, { json: { upstream: 'register', kind: 'hang', times: 1 } });
  const client = new AbortController();
  const headers = { authorization: 'Bearer x', 'x-subject': `sanne-de-wit@${name}` };
  const gone = fetch(`${service.url}/api/v1/intake/policy`, { headers, signal: client.signal });
  // The call hangs when its fault is used up.
  await expect.poll(async () => (await service.get(world)).body.faults).toEqual([]);
  client.abort();
  await expect(gone).rejects.toThrow();
  await expect.poll(async () => (await journalOf(service, name)).length).toBe(1);
  expect(await journalOf(service, name)).toMatchObject([
    {
      operation: 'intakePolicy',
      response: { status: 499, body: null },
      upstream: [{ bron: 'register', outcome: 'aborted', fault: 'hang' }],
    },
  ]);
});

it('a download that the document store cuts off is in the journal with status 500, as in the log', async () => {
  const name = newWorld();
  const as = `ruben-smit@${name}`;
  const { body } = await upload(service, as, { file: pdf(), filename: 'cv.pdf' });
  const fault = { upstream: 'documenten', kind: 'cut' };
  await service.call('POST', `/_simulator/worlds/${name}/faults`, { json: fault });
  await expect(service.get(`/api/v1/uploads/${body.documentId}/content`, { as })).rejects.toThrow();
  const last = async () => (await journalOf(service, name)).at(-1);
  await expect.poll(last).toMatchObject({ operation: 'uploadContent', response: { status: 500 } });
});

describe('the event stream of a journal', () => {
  it('sends each call of its world, and no call of another world', async () => {
    const [name, other] = [newWorld(), newWorld()];
    const stream = await listen(service.url, name);
    expect(Object.fromEntries(stream.answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringContaining('text/event-stream'),
      'x-content-type-options': 'nosniff',
    });
    await ask(other);
    await ask(name);
    const heard = await stream.next();
    expect(heard).toMatchObject({ event: 'entry', data: { world: name, operation: 'intakePolicy' } });
    expect(heard?.id).toBe(heard?.data.id);
    expect(await journalOf(service, name)).toEqual([heard?.data]);
    stream.end();
  });

  it('begins after the id in Last-Event-ID or, without that header, after the id in the query ?after', async () => {
    const name = newWorld();
    await ask(name);
    await ask(name);
    const [first, second] = await journalOf(service, name);
    for (const [headers, query] of [
      [{ 'last-event-id': `${first?.id}` }, ''],
      [{}, `?after=${first?.id}`],
      [{ 'last-event-id': `${first?.id}` }, '?after=0'],
    ] as const) {
      const stream = await listen(service.url, name, headers, query);
      expect((await stream.next())?.id).toBe(second?.id);
      stream.end();
    }
  });

  it('has at most 20 listeners: the next one gets 503 with Retry-After until another disconnects, and calls still get 200', async () => {
    const own = keep(await startService({ REQUESTS_AT_ONCE: '10' }));
    const streams = await together(20, () => listen(own.url, 'default'));
    expect(streams.map(({ answer }) => answer.status)).toEqual(Array(20).fill(200));
    const refused = await listen(own.url, 'default');
    expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await own.get('/api/v1/intake/policy', { as: 'sanne-de-wit' })).status).toBe(200);
    streams[0]?.end();
    await expect.poll(async () => (await listen(own.url, 'default')).answer.status).toBe(200);
  });

  it('ends when the service closes, and then answers a new listener with 503', async () => {
    const own = await startService({});
    const stream = await listen(own.url, 'default');
    const closed = (own.close as (notice: number) => Promise<void>)(500);
    // In the time in which requests are still accepted, so the stream does not end because its connection is closed.
    const [ended, refused] = await Promise.all([stream.next(), listen(own.url, 'default')]);
    expect([ended, refused.answer.status]).toEqual([null, 503]);
    await closed;
  });

  it('closes the connection of a listener that does not read, while the service keeps answering with 200', async () => {
    const own = keep(await startService({}));
    // With the listener that does not read there are 20, so a next one is refused until its connection is closed.
    const others = await together(19, () => listen(own.url, 'default'));
    const { hostname, port } = new URL(own.url);
    const socket = connect({ port: Number(port), host: hostname });
    socket.on('error', () => undefined);
    socket.write(`GET ${pathOf('traag', '/stream')} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await once(socket, 'readable');
    const isClosed = async () => (await listen(own.url, 'default')).answer.status === 200;
    expect(await isClosed()).toBe(false);
    do {
      const people = Array.from({ length: 25 }, (_, n) => `burger-${n + 1}@traag`);
      await Promise.all(people.map((as) => own.post('/api/v1/intakes', as, LARGE)));
      expect((await own.get('/api/v1/intake/policy', { as: 'burger-1@traag' })).status).toBe(200);
    } while (!(await isClosed()));
    socket.destroy();
    for (const { end } of others) end();
  });

  it('sends everything that a listener missed, however much that is', async () => {
    const name = newWorld();
    await together(30, (n) => service.post('/api/v1/intakes', `burger-${n + 1}@${name}`, LARGE));
    const stream = await listen(service.url, name, { 'last-event-id': '0' });
    const ids: unknown[] = [];
    while (ids.length < 30) ids.push((await stream.next())?.id);
    stream.end();
    expect(ids).toEqual((await journalOf(service, name)).map(({ id }) => id));
  });
});

/** A body that makes a journal entry about as large as an entry gets. */
const LARGE = { uren: 1, scholing: 'x'.repeat(15_000) };
