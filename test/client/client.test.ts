import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import {
  type BriefStatusDto,
  createClient,
  type DashboardViewDto,
  type Persona,
  type Problem,
  type ProblemCode,
  type RegistrationStatusDto,
  type Upload,
  type UploadStatusItemDto,
} from '../../client/index.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { controlTypes } from '../../scripts/client/control-types.ts';
import { clientPersonas } from '../../scripts/client/personas.ts';
import { clientTypes, createTypes, HEADER_TEXTS } from '../../scripts/client/types.ts';
import { NAMED } from '../../src/wire/primitives.ts';
import { PROBLEM_MEMBERS } from '../../src/wire/records.ts';
import { OPERATIONS } from '../support/operations.ts';
import { useService } from '../support/service.ts';
import { listen } from '../support/upstreams/scripted-server.ts';

const service = await useService();
const client = createClient({ baseUrl: service.url, persona: 'sanne-de-wit' });

const generated = (file: string) => readFileSync(new URL(`../../client/${file}`, import.meta.url), 'utf8');

describe('the generated types of the client', () => {
  it('are up to date with the operations, the personas and the control API (npm run client)', () => {
    expect(clientTypes(OPERATIONS)).toBe(generated('api.ts'));
    expect(clientPersonas()).toBe(generated('personas.ts'));
    expect(controlTypes()).toBe(generated('../testing/types.ts'));
  });

  it('have the description of every member, operation and header as a comment', () => {
    const texts = [...NAMED.values()].flatMap((named) => Object.values(named.texts));
    texts.push(...Object.values(PROBLEM_MEMBERS).map(({ text }) => text));
    texts.push(...OPERATIONS.map(({ english }) => english), ...Object.values(HEADER_TEXTS));
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => !generated('api.ts').includes(`/** ${text} */`))).toEqual([]);
  });

  it('cannot be generated when a request header has no description', () => {
    const changed = OPERATIONS.map((operation) => ({ ...operation, requestHeaders: { 'X-Nieuw': 'Nieuw.' } }));
    expect(() => clientTypes(changed)).toThrow('X-Nieuw has no text');
  });

  it('have a name of their own for each record', () => {
    const ids = [...NAMED.values()].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('cannot be generated from a schema without a translation', () => {
    expect(() => createTypes().typeOf(z.date(), 'notes')).toThrow('a schema of type date has no translation');
  });

  it('match the answers of the service to every persona', async () => {
    // `service.get` throws when an answer does not match the type (test/support/operations.ts).
    const paths = ['/dashboard-view', '/notes', '/brp/address', '/duo/diplomas', '/intake/policy', '/applications'];
    for (const { slug, kind } of PERSONAS)
      if (kind !== 'staff') for (const path of paths) await service.get(`/api/v1${path}`, { as: slug });
  });

  it.each([
    ['/registrations', { diplomaHerkomst: 'duo' }, { diplomaHerkomst: 'elders' }],
    ['/herregistraties', { uren: 2_600 }, { uren: 'veel' }],
    ['/intakes', { uren: 2_600 }, { uren: 2_600, scholing: 'soms' }],
    ['/change-requests', { straat: 'Dorpsstraat 1', postcode: '3511 AB', woonplaats: 'Utrecht' }, { straat: 1 }],
    ['/applications', { type: 'intake' }, { type: 'adreswijziging' }],
  ])('require in a body of %s only members that the service requires', async (path, body, wrong) => {
    const as = 'sanne-de-wit@bodies';
    const refused = [wrong, ...Object.keys(body).map((name) => ({ ...body, [name]: undefined }))];
    for (const json of refused)
      expect((await service.post(`/api/v1${path}`, as, json)).body.code).toMatch(/ongeldig|scholing-regel/);
    expect((await service.post(`/api/v1${path}`, as, body)).body.code ?? 'accepted').not.toMatch(/ongeldig/);
  });

  it('give a problem the members that belong to its code', () => {
    const problem = { code: 'bestand-te-groot' } as Problem;
    if (problem.code === 'bestand-te-groot') expectTypeOf(problem.maxSizeMb).toEqualTypeOf<number>();
    if (problem.code === 'scholing-regel') expectTypeOf(problem.regel).toExtend<string>();
    if (problem.code === 'brief-status') expectTypeOf(problem.errors).toEqualTypeOf<undefined>();
    expectTypeOf<Extract<RegistrationStatusDto, { tag: 'Geschorst' }>['geschorstTot']>().toEqualTypeOf<string | null>();
    expectTypeOf<Extract<UploadStatusItemDto, { status: 'uploaded' }>['documentId']>().toEqualTypeOf<string>();
    expectTypeOf<BriefStatusDto['tag']>().toEqualTypeOf<'draft' | 'submitted' | 'approved' | 'rejected' | 'sent'>();
  });
});

describe('the client', () => {
  it('returns the typed data of a response', async () => {
    const { data, problem, response } = await client.GET('/dashboard-view');
    expect(problem).toBeUndefined();
    expect(data?.registration?.naam).toBe('Sanne de Wit');
    expect(response.headers.get('X-Simulated')).toContain('register');
    expectTypeOf(data).toEqualTypeOf<DashboardViewDto | undefined>();
    expectTypeOf(client.GET<'/uploads/status'>).toBeCallableWith('/uploads/status');
    expectTypeOf<Upload['wizardId']>().toEqualTypeOf<'registratie' | 'herregistratie' | 'intake'>();
  });

  it('returns the problem of a refused request with status and code', async () => {
    const { data, problem } = await client.POST('/herregistraties', { body: { uren: -1 } });
    expect(data).toBeUndefined();
    expect(problem).toMatchObject({ status: 422, code: 'uren-ongeldig' });
    expectTypeOf(problem?.code).toEqualTypeOf<ProblemCode | null | undefined>();
    if (problem === undefined) expectTypeOf(data).not.toBeUndefined();
  });

  it('returns a problem with code null for a 404 without a body', async () => {
    const { problem } = await client.GET('/applications/{id}', { params: { id: crypto.randomUUID() } });
    expect(problem).toMatchObject({ status: 404, code: null, detail: 'Dit bestaat niet, of is niet van u.' });
  });

  it('sends path parameters, query, body and headers', async () => {
    const own = client.as('noor-bakker@client');
    const { data: made, response } = await own.POST('/applications', { body: { type: 'registratie' } });
    const params = { id: made?.id ?? '' };
    expect(response.status).toBe(201);
    const saved = await own.PUT('/applications/{id}', {
      params,
      body: { draft: { stap: 1 }, stepIndex: 0, stepCount: 3 },
    });
    expect(saved).toMatchObject({ data: undefined, response: { status: 204 } });
    const body = { draft: { stap: 1 } };
    const unversioned = await own.PUT('/applications/{id}', { params, body, headers: { 'If-Match': undefined } });
    expect(unversioned.response.status).toBe(204);
    const stale = await own.PUT('/applications/{id}', { params, body: {}, headers: { 'If-Match': '"0"' } });
    expect(stale.problem?.code).toBe('versie-verouderd');
    expect((await own.GET('/applications/{id}', { params })).data?.draft).toEqual({ stap: 1 });
    const { data } = await own.GET('/uploads/categories', {
      query: { wizardId: 'registratie', diplomaHerkomst: 'buitenland' },
    });
    expect(data?.categories?.length).toBeGreaterThan(1);
    await own.DELETE('/applications/{id}', { params });
  });

  it.each([{}, { params: {} }, { params: { id: '' } }])(
    'rejects with an error that names the missing parameter of the path: %o',
    async (given) => {
      const read = client.GET as (path: string, options: object) => Promise<unknown>;
      await expect(read('/applications/{id}', given)).rejects.toThrow(
        new TypeError("/applications/{id} needs params.id, as in { params: { id: '…' } }."),
      );
    },
  );

  it('sends a form with a file, and can return the body of a response as bytes', async () => {
    const own = client.as('elena-marin@client');
    const body = new FormData();
    for (const [name, value] of Object.entries({ wizardId: 'registratie', categoryId: 'cv', localId: 'cv-1' }))
      body.set(name, value);
    const png = readFileSync(new URL('../../fixtures/documents/diploma.png', import.meta.url));
    body.set('file', new Blob([png], { type: 'image/png' }), 'cv.png');
    const { data, problem } = await own.POST('/uploads', { body });
    expect(problem?.code ?? data?.status).toBe('uploaded');
    const content = await own.GET('/uploads/{documentId}/content', { params: { documentId: data?.documentId ?? '' } });
    expect(await content.data?.bytes()).toEqual(new Uint8Array(png));
  });

  it.each(PERSONAS.map(({ slug }) => slug as Persona))('sends the headers of %s, also in a world', async (persona) => {
    const { response } = await client.as(persona).GET('/brief');
    expect([200, 403]).toContain(response.status);
    expect((await client.as(`${persona}@client`).GET('/brief')).response.status).toBe(response.status);
  });

  it('calls /health/ready outside /api/v1 when baseUrl ends in /api/v1', async () => {
    const other = createClient({ baseUrl: `${service.url}/api/v1/` });
    expect((await other.GET('/health/ready')).response.status).toBe(200);
    expect((await other.GET('/dashboard-view')).problem?.code).toBe('niet-ingelogd');
  });

  it('calls the token function for each request', async () => {
    let asked = 0;
    const headers = { 'X-Subject': 'sanne-de-wit' };
    const own = createClient({ baseUrl: service.url, headers, token: async () => `token-${++asked}` });
    await own.GET('/dashboard-view');
    expect((await own.GET('/dashboard-view')).response.status).toBe(200);
    expect(asked).toBe(2);
  });

  it('sends a header once, with the last value, when its name is written in two ways', async () => {
    const headers = { authorization: 'Bearer x', 'x-subject': 'henk-de-boer' };
    const own = createClient({ baseUrl: service.url, persona: 'sanne-de-wit', headers });
    expect((await own.GET('/dashboard-view')).data?.person?.naam).toContain('Boer');
  });

  it('throws one line with advice when nothing listens at baseUrl', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', persona: 'sanne-de-wit' });
    await expect(nobody.GET('/dashboard-view')).rejects.toThrow(
      /^Nothing answers at http:\/\/127\.0\.0\.1:1,.+npm start.+baseUrl/,
    );
  });

  it('throws one line with advice when another server answers with HTML', async () => {
    const page = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
    const baseUrl = await listen(page);
    await expect(createClient({ baseUrl }).GET('/notes')).rejects.toThrow(
      /another server, such as the one of your frontend/,
    );
    page.close();
  });

  it('throws an error about baseUrl when it has no scheme', async () => {
    for (const baseUrl of ['localhost:3000', '127.0.0.1:3000'])
      await expect(createClient({ baseUrl }).GET('/notes')).rejects.toThrow(
        `"${baseUrl}" is not a valid address: the baseUrl of createClient must begin with http://`,
      );
  });

  it.each([502, 404])('returns a problem that names a proxy for a %i that is not of the service', async (status) => {
    const proxy = createServer((_, response) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end());
    const baseUrl = await listen(proxy);
    const { problem } = await createClient({ baseUrl }).GET('/notes');
    expect(problem).toMatchObject({ status, code: null });
    expect(problem?.detail).toContain(`zoals een proxy (${status})`);
    proxy.close();
  });

  it('throws AbortError when the signal of the caller is aborted', async () => {
    const signal = AbortSignal.abort();
    await expect(client.GET('/notes', { signal })).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});

describe('a page that a server renders', () => {
  it('asks its framework to keep no answer, which has data of one person', async () => {
    const asked: (RequestInit | undefined)[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      asked.push(init);
      return Response.json([]);
    };
    await createClient({ baseUrl: 'http://x', fetch }).GET('/notes');
    expect(asked).toMatchObject([{ cache: 'no-store' }]);
  });

  it.each([
    ['an error of Next.js', Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' })],
    ['a redirect of SvelteKit or React Router', { status: 302, location: '/login' }],
  ])('gets %s as its fetch throws it', async (_, thrown) => {
    const fetch = () => Promise.reject(thrown);
    const call = createClient({ baseUrl: 'http://x', retry: 1, fetch }).GET('/notes');
    expect(await call.catch((error: unknown) => error)).toBe(thrown);
  });
});

describe('a value that the types do not exclude', () => {
  it('as baseUrl, such as a variable of the environment that is not set, is refused with a TypeError', () => {
    const baseUrl = undefined as unknown as string;
    expect(() => createClient({ baseUrl })).toThrow(
      new TypeError(
        'createClient needs baseUrl, the address that the service prints at its start, such as http://127.0.0.1:3000; it is undefined. A variable of the environment that is not set is undefined.',
      ),
    );
  });

  it.each([
    ['as token, such as one with a line break,', { token: 'd\nv' }, 'Authorization'],
    ['as persona', { persona: 'sanne‑de‑wit' as 'sanne-de-wit' }, 'X-Subject'],
    ['as header', { headers: { 'X-Step-Up': '€' } }, 'X-Step-Up'],
  ])('%s is refused with a TypeError that names the header, when no header can have it', async (_, options, name) => {
    const sent = createClient({ baseUrl: service.url, ...options }).GET('/notes');
    await expect(sent).rejects.toThrow(new TypeError(`The header ${name} has a character that no header can have.`));
  });

  it('as token, with the line break of the file that it was in, is accepted', async () => {
    const { response } = await createClient({ baseUrl: service.url, persona: 'sanne-de-wit', token: 'dev\n' }).GET(
      '/notes',
    );
    expect(response.status).toBe(200);
  });

  it.each([
    ['the first of no files', [][0], 'Undefined'],
    ['bytes', Buffer.from('%PDF-'), 'Uint8Array'],
    ['a stream', new Blob(['%PDF-']).stream(), 'ReadableStream'],
    ['a text', '%PDF-', 'String'],
  ])('as the file of an upload, such as %s, is refused with a TypeError', async (_, value, type) => {
    const file = value as unknown as File;
    const sent = createClient({ baseUrl: '' }).upload({ wizardId: 'registratie', categoryId: 'cv', file });
    await expect(sent).rejects.toThrow(new TypeError(`upload needs file, a File or a Blob; it is [object ${type}].`));
  });
});
