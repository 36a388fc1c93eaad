import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, createClient, downloadName, unwrap } from '../../client/index.ts';
import { withRetry } from '../../client/retry.ts';
import { startService, type TestService } from '../support/service.ts';
import { listen } from '../support/upstreams/scripted-server.ts';

const png = readFileSync(new URL('../../fixtures/documents/diploma.png', import.meta.url));

let service: TestService;
let client: Client;
/**
 * A server that answers with the statuses in `script` one after another, each with `Retry-After: 1`, and then with 200.
 */
let proxy: Server;
let proxyUrl = '';
let script: number[] = [];
let asked = 0;
beforeAll(async () => {
  service = await startService();
  client = createClient({ baseUrl: service.url, persona: 'sanne-de-wit@calls' });
  proxy = createServer((_, response) => {
    asked++;
    const status = script.shift() ?? 200;
    response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '1' }).end('[]');
  });
  proxyUrl = await listen(proxy);
});
afterAll(async () => {
  proxy.close();
  await service.close();
});

const throughProxy = (retry: number) => createClient({ baseUrl: proxyUrl, token: 'x', retry });

it('a call without parameters has no question mark in its URL, also where URLSearchParams has no size', async () => {
  const { size } = Object.getOwnPropertyDescriptors(URLSearchParams.prototype);
  Object.defineProperty(URLSearchParams.prototype, 'size', { configurable: true, value: undefined });
  onTestFinished(() => void Object.defineProperty(URLSearchParams.prototype, 'size', size));
  expect((await client.GET('/notes')).response.url).toBe(`${service.url}/api/v1/notes`);
});

describe('unwrap()', () => {
  it('returns the data, and throws a ProblemError with problem, status and Retry-After', async () => {
    expect((await unwrap(client.GET('/intake/policy'))).scholingThreshold).toBeGreaterThan(0);
    const headers = { Prefer: 'code=te-veel-verzoeken' };
    await expect(unwrap(client.GET('/notes', { headers }))).rejects.toMatchObject({
      name: 'ProblemError',
      problem: { code: 'te-veel-verzoeken', status: 429 },
      retryAfter: 60,
      operation: 'GET /notes',
      message: expect.stringMatching(/^(?!GET).*Wacht/),
    });
    const error = await unwrap(client.GET('/notes', { headers })).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/^ProblemError: GET \/notes: 429 te-veel-verzoeken: .+Wacht/);
  });

  it('throws a NetworkError when no server answers', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', persona: 'sanne-de-wit' });
    await expect(unwrap(nobody.GET('/notes'))).rejects.toMatchObject({
      name: 'NetworkError',
      kind: 'unreachable',
      message: expect.stringMatching(/^Nothing answers at .+ \(GET \/notes\)$/),
    });
  });
});

describe('a client with the option retry', () => {
  /** Makes each timer end at once, until the end of the test. Returns the milliseconds of the timers. */
  function noWaits() {
    const waits: (number | undefined)[] = [];
    const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation((done, ms) => {
      waits.push(ms);
      queueMicrotask(done as () => void);
      return 0 as unknown as NodeJS.Timeout;
    });
    onTestFinished(() => timer.mockRestore());
    return waits;
  }

  it('sends a read again after 503, and never sends a change again', async () => {
    script = [503];
    asked = 0;
    expect((await throughProxy(1).GET('/notes')).data).toEqual([]);
    expect(asked).toBe(2);
    script = [503];
    expect((await throughProxy(1).POST('/herregistraties', { body: { uren: 1 } })).problem).toMatchObject({
      code: null,
    });
    expect(asked).toBe(3);
  });

  it.each([0, 0.5, -1, Number.NaN])(
    'returns the problem with Retry-After in seconds after a read with retry: %d',
    async (retry) => {
      script = [503];
      expect(await throughProxy(retry).GET('/notes')).toMatchObject({ problem: { status: 503 }, retryAfter: 1 });
    },
  );

  it('stops waiting when it is aborted', async () => {
    script = [503, 503];
    const leaving = new AbortController();
    const call = throughProxy(1).GET('/notes', { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
    script = [];
  });

  it('does not wait after it was aborted while a fetch that ignores the signal was sending', async () => {
    const leaving = new AbortController();
    const fetch = async () => {
      leaving.abort(new Error('left'));
      return new Response(null, { status: 503, headers: { 'retry-after': '10' } });
    };
    const call = createClient({ baseUrl: 'http://x', retry: 1, fetch }).GET('/notes', { signal: leaving.signal });
    await expect(call).rejects.toThrow('left');
  });

  it('waits as Retry-After says, or longer each time up to ten seconds when a read had no answer', async () => {
    const waits = noWaits();
    const answers = [new Response(null, { status: 503, headers: { 'retry-after': '7' } })];
    const fetch = async () => answers.shift() ?? Promise.reject();
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'x', retry: 9, fetch });
    expect(await nobody.GET('/notes').catch((error: unknown) => error)).toMatchObject({ name: 'NetworkError' });
    expect(waits).toEqual([7_000, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
  });

  it('leaves no listener on a signal that is used for many calls', async () => {
    noWaits();
    const { signal } = new AbortController();
    const answers = [new Response(null, { status: 503, headers: { 'retry-after': '0' } }), new Response()];
    expect((await withRetry(1, signal, async () => answers.shift() ?? Response.error())).status).toBe(200);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('client.upload()', () => {
  it('sends a file and reports its progress; downloadName() returns a .png name for its download', async () => {
    const parts: number[] = [];
    const own = client.as('elena-marin@calls');
    const { data, problem } = await own.upload({
      wizardId: 'registratie',
      categoryId: 'cv',
      file: new File([png], 'mijn cv.png'),
      onProgress: (part) => parts.push(part),
    });
    expect(problem).toBeUndefined();
    expect(parts.at(-1)).toBe(1);
    const params = { documentId: data?.documentId ?? '' };
    expect(downloadName((await own.GET('/uploads/{documentId}/content', { params })).response)).toMatch(/\.png$/);
  });

  it('sends nothing when it is aborted at once', async () => {
    let calls = 0;
    const fetch = async () => {
      calls++;
      return new Response();
    };
    const leaving = new AbortController();
    const upload = { wizardId: 'registratie', categoryId: 'cv', file: new File([png], 'cv.png') } as const;
    const call = createClient({ baseUrl: 'http://127.0.0.1:1', fetch }).upload({ ...upload, signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
    expect(calls).toBe(0);
  });

  it('is refused with the members of its problem', async () => {
    const { problem } = await client.upload({
      wizardId: 'herregistratie',
      categoryId: 'scholingsbewijs',
      file: new File(['x'], 'a.txt'),
    });
    if (problem?.code !== 'bestandstype-niet-toegestaan') throw new Error(`refused by ${problem?.code}`);
    expect(problem.acceptedTypes).toContain('application/pdf');
  });
});

it.each([
  ['attachment; filename="x.pdf"; filename*=UTF-8\'\'na%C3%AFef.pdf', 'naïef.pdf'],
  ['attachment; filename="mijn \\"cv\\".pdf"', 'mijn "cv".pdf'],
  ['inline; filename=cv.pdf', 'cv.pdf'],
  ['attachment; filename="cv.pdf"; filename*=UTF-8\'\'%E0%A4%A', 'cv.pdf'],
  ['inline', null],
])('downloadName() of %s is %s', (header, name) => {
  expect(downloadName(new Response(null, { headers: { 'Content-Disposition': header } }))).toBe(name);
});
