import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { MutationObserver, QueryClient, QueryObserver, type ThrowOnError } from '@tanstack/query-core';
import { Window } from 'happy-dom';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  type ApplicationSummaryDto,
  type Client,
  createClient,
  downloadName,
  mutationOptions,
  type NetworkError,
  type Problem,
  ProblemError,
  queryKey,
  queryOptions,
} from '../../client/index.ts';
import { startService, type TestService } from '../../test/support/service.ts';

const PAGE = 'http://localhost:5173/';
const png = readFileSync(new URL('../../fixtures/documents/diploma.png', import.meta.url));

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = createClient({ baseUrl: service.url, persona: 'sanne-de-wit@calls' });
});
afterAll(() => service.close());

describe('client.upload()', () => {
  it.each([
    ['jsdom', () => new JSDOM('', { url: PAGE }).window, ['Blob', 'FormData', 'File', 'XMLHttpRequest']],
    ['happy-dom', () => new Window({ url: PAGE }), ['Blob', 'FormData', 'File', 'XMLHttpRequest']],
    ['Node, except XMLHttpRequest (jest-fixed-jsdom)', () => new JSDOM('', { url: PAGE }).window, ['XMLHttpRequest']],
  ])(
    'sends a File of a page, also with progress, in a test whose globals are those of %s',
    async (name, open, names) => {
      const page = open() as Record<string, unknown> & Pick<typeof globalThis, 'File'> & { close(): void };
      for (const one of names) vi.stubGlobal(one, page[one]);
      const what = { wizardId: 'registratie', categoryId: 'cv' } as const;
      const file = new page.File([new Uint8Array(png)], 'mijn cv, één.png', { type: 'image/png' });
      const own = client.as('elena-marin@pages');
      const { signal } = new AbortController();
      const parts: number[] = [];
      const leaving = new AbortController();
      const left = own.upload({ ...what, file, onProgress: () => leaving.abort(), signal: leaving.signal });
      const calls = [
        left.catch((error: Error) => ({ data: undefined, problem: { detail: error.name } })),
        own.upload({ ...what, file }),
        own.upload({ ...what, file, onProgress: (part) => parts.push(part), signal }),
      ];
      const results = await Promise.all(calls).finally(() => {
        vi.unstubAllGlobals();
        page.close();
      });
      // jsdom reports progress before the answer, so the first upload is aborted in time.
      const first = name === 'happy-dom' ? 'uploaded' : 'AbortError';
      expect(results.map(({ data, problem }) => problem?.detail ?? data?.status)).toEqual([
        first,
        'uploaded',
        'uploaded',
      ]);
      expect([parts.at(-1), getEventListeners(signal, 'abort')]).toEqual([1, []]);
      const params = { documentId: results[1]?.data?.documentId ?? '' };
      const download = await own.GET('/uploads/{documentId}/content', { params });
      expect(downloadName(download.response)).toBe('mijn cv, één.png');
      expect(await download.data?.bytes()).toEqual(new Uint8Array(png));
    },
  );

  it.each([
    ['arrayBuffer()', false],
    ['FileReader', true],
  ])('rejects with a NetworkError and its cause when a file of jsdom cannot be read with %s', async (_, withReader) => {
    const { window: page } = new JSDOM('') as {
      window: Pick<typeof globalThis, 'FormData' | 'File'> & { close(): void };
    };
    const gone = new Error('The file is no longer there.');
    const file = new page.File(['x'], 'cv.png');
    Object.defineProperty(file, 'arrayBuffer', { value: withReader ? undefined : () => Promise.reject(gone) });
    class Reader {
      readonly error = gone;
      onerror?: () => void;
      readAsArrayBuffer = () => queueMicrotask(() => this.onerror?.());
    }
    vi.stubGlobal('FileReader', Reader);
    const body = new page.FormData();
    body.append('file', file);
    const failed = await client.POST('/uploads', { body }).catch((error: unknown) => error);
    vi.unstubAllGlobals();
    page.close();
    expect(failed).toMatchObject({ name: 'NetworkError', kind: 'unsupported', cause: gone });
  });
});

describe('the options for TanStack Query', () => {
  it('fetch, cache and invalidate with a key that begins with the caller', async () => {
    const own = client.as('joost-van-buren@calls');
    const queries = new QueryClient();
    const options = queryOptions(own, '/applications');
    expect(options.queryKey).toEqual(['zorgregister', 'joost-van-buren@calls', '/applications']);
    const before = await queries.fetchQuery(options);
    expectTypeOf(before).toEqualTypeOf<ApplicationSummaryDto[]>();
    const mutation = mutationOptions(own, 'POST', '/applications');
    const made = await mutation.mutationFn({ body: { type: 'intake' } });
    const { error } = new MutationObserver(queries, mutation).getCurrentResult();
    expectTypeOf(error).toEqualTypeOf<ProblemError | NetworkError | null>();
    await queries.invalidateQueries({ queryKey: queryKey(own, '/applications') });
    expect((await queries.fetchQuery(options)).map(({ id }) => id)).toEqual([made.id, ...before.map(({ id }) => id)]);
  });

  it('keep the answer with the whole register number apart from the one in which it is masked', async () => {
    const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
    const numberWith = async (stepUp?: '1') =>
      (await queries.fetchQuery(queryOptions(client, '/dashboard-view', { headers: { 'X-Step-Up': stepUp } })))
        .registration?.registerNummer;
    expect(await numberWith()).toMatch(/^\*+\d\d$/);
    expect(await numberWith('1')).toMatch(/^\d+$/);
    expect(await numberWith()).toMatch(/^\*+\d\d$/);
  });

  it('make a query try three times more, after 1, 2 and 4 seconds or as Retry-After says, and wait at most 30 seconds', () => {
    const { retry, retryDelay } = queryOptions(client, '/notes');
    const error = (status: number, headers = {}) =>
      new ProblemError({ status, detail: '' } as Problem, new Response(null, { status, headers }), 'GET /notes');
    expect([0, 1, 2, 3].map((failures) => retry(failures, error(503)))).toEqual([true, true, true, false]);
    expect([0, 1, 2, 9].map((failures) => retryDelay(failures, error(503)))).toEqual([1_000, 2_000, 4_000, 30_000]);
    expect(retryDelay(2, error(503, { 'Retry-After': '7' }))).toBe(7_000);
  });

  it('make a query fail at once when the service answers 404, or asks to wait longer than ten seconds', async () => {
    const queries = new QueryClient();
    const fetch = async () => new Response(null, { status: 429, headers: { 'Retry-After': '11' } });
    const busy = createClient({ baseUrl: 'http://127.0.0.1:1', fetch });
    const waiting = queries.fetchQuery(queryOptions(busy, '/notes'));
    await expect(waiting).rejects.toMatchObject({ problem: { status: 429 }, retryAfter: 11 });
    const params = { id: crypto.randomUUID() };
    const failing = queries.fetchQuery(queryOptions(client, '/applications/{id}', { params }));
    await expect(failing).rejects.toMatchObject({ problem: { status: 404 } });
    const options = queryOptions(client, '/applications');
    const { error } = new QueryObserver(queries, options).getCurrentResult();
    expectTypeOf(error).toEqualTypeOf<ProblemError | NetworkError | null>();
    expectTypeOf<ErrorInUseQueries<typeof options>>().toEqualTypeOf<ProblemError | NetworkError>();
  });
});

/** The type of `error` in the result of `useQueries`, as TanStack Query derives it. */
// biome-ignore lint/suspicious/noExplicitAny: as in TanStack Query.
type ErrorInUseQueries<O> = O extends { throwOnError?: ThrowOnError<any, infer E, any, any> } ? E : Error;
