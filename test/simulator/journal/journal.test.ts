import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { toHar } from '../../../simulator/control/journal.ts';
import { createJournal, type RecordedRequest } from '../../../simulator/worlds/journal.ts';
import { curlCallOf } from '../../support/curl.ts';
import { pdf } from '../../support/files.ts';
import { journalOf } from '../../support/journal.ts';
import { multipart, partsOf, sendForm, upload } from '../../support/multipart.ts';
import { keep, newWorld, startService, useService } from '../../support/service.ts';
import { startUpstreamProxies } from '../../support/upstreams/proxies.ts';

const require = createRequire(import.meta.url);

const service = await useService({ SCANNER: 'simulator' });

const last = async (name: string): Promise<RecordedRequest> => {
  const entry = (await journalOf(service, name)).at(-1);
  if (entry === undefined) throw new Error('nothing was written down');
  return entry;
};

const postText = (as: string, body: string) =>
  service.call('POST', '/api/v1/intakes', { as, body, headers: { 'content-type': 'application/json' } });

describe('a journal entry', () => {
  it('has the request, the upstream calls that it caused, and the response', async () => {
    const name = newWorld();
    const { body } = await service.get('/api/v1/dashboard-view?x=1', { as: `sanne-de-wit@${name}` });
    const entry = await last(name);
    expect(entry).toMatchObject({
      world: name,
      caller: { kind: 'professional', subject: `sanne-de-wit@${name}` },
      request: { method: 'GET', path: '/api/v1/dashboard-view?x=1', body: null, truncated: false },
      response: { status: 200, truncated: false },
      operation: 'dashboardView',
      problem: null,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(JSON.parse(entry.response.body ?? '')).toEqual(body);
    expect(entry.response.headers).toMatchObject({ 'x-simulated': 'register,brp', 'api-version': '1.0.0' });
    expect(entry.worldAt).toMatch(/^2026-06-01T/);
    for (const { start } of entry.upstream) expect(start).toBeGreaterThanOrEqual(0);
    expect(entry.upstream.toSorted((a, b) => a.bron.localeCompare(b.bron))).toMatchObject([
      { bron: 'brp', operation: expect.stringMatching(/\w/), outcome: 200, attempts: 1 },
      { bron: 'register', operation: expect.stringMatching(/\w/), outcome: 200, attempts: 1 },
    ]);
    expect(entry.ms).toBeGreaterThan(0);
    expect(Number.isNaN(Date.parse(entry.at))).toBe(false);
  });

  it('has its own upstream operations, also when ten parallel requests have one traceparent', async () => {
    const name = newWorld();
    const as = `sanne-de-wit@${name}`;
    const paths = ['/dashboard-view', '/notes', '/duo/diplomas', '/brp/address', '/applications'];
    await service.post('/api/v1/herregistraties', as, { uren: 2_600 });
    // Answers come in another order than the calls arrived.
    const fault = { upstream: 'register', operation: 'registraties', kind: 'latency', ms: 150 };
    expect((await service.post(`/_simulator/worlds/${name}/faults`, as, fault)).status).toBe(201);
    const from = (await last(name)).id;
    const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    const ask = (path: string) => service.get(`/api/v1${path}`, { as, headers });
    for (const path of paths) await ask(path);
    const operationsOf = (entries: readonly RecordedRequest[]) =>
      entries.map(({ request, upstream }) =>
        [request.path, ...upstream.map(({ bron, operation }) => `${bron} ${operation}`).sort()].join(', '),
      );
    const alone = operationsOf(await journalOf(service, name, from));
    const before = (await last(name)).id;
    await Promise.all([...paths, ...paths].map(ask));
    await expect.poll(async () => (await journalOf(service, name, before)).length).toBe(10);
    const together = operationsOf(await journalOf(service, name, before));
    expect(new Set(alone).size).toBe(paths.length);
    expect(together.sort()).toEqual([...alone, ...alone].sort());
  });

  it('has a JSON request body exactly as it was sent, also when it is not valid JSON', async () => {
    const name = newWorld();
    for (const body of ['{ "uren" : 1.0 }', '{ "uren": oops']) {
      await postText(`sanne-de-wit@${name}`, body);
      expect((await last(name)).request.body).toBe(body);
    }
  });

  it('of a call that is refused with 422 has the problem code and the problem body', async () => {
    const name = newWorld();
    const { body } = await service.post('/api/v1/herregistraties', `wilma-dekker@${name}`, { uren: 2_600 });
    const entry = await last(name);
    expect([entry.problem, entry.response.status]).toEqual(['niet-herregistreerbaar', 422]);
    expect(JSON.parse(entry.response.body ?? '')).toEqual(body);
  });

  it('of a draft that begins without an answer of the register says so', async () => {
    const name = newWorld();
    const as = `sanne-de-wit@${name}`;
    await service.post(`/_simulator/worlds/${name}/faults`, as, { upstream: 'register', kind: 'refused' });
    expect((await service.post('/api/v1/applications', as, { type: 'herregistratie' })).status).toBe(201);
    const sentence =
      'Het concept kan beginnen: het register antwoordde niet, en bij het indienen wordt opnieuw gevraagd of deze persoon leeft.';
    const reason = expect.objectContaining({ sentence, facts: { registraties: 'geen antwoord', deceased: false } });
    expect((await last(name)).why).toContainEqual(reason);
  });

  it('of an upload that is refused with 413 before all of it was read has the problem code and the problem body', async () => {
    const name = newWorld();
    const file = 'x'.repeat(11 * 1024 * 1024);
    const { status } = await upload(service, `burger-1@${name}`, { file });
    // The answer is complete before the connection, whose end is waited for, is closed.
    await expect.poll(() => journalOf(service, name)).toHaveLength(1);
    const entry = await last(name);
    expect([status, entry.problem]).toEqual([413, 'bestand-te-groot']);
    expect(JSON.parse(entry.response.body ?? '')).toMatchObject({ code: 'bestand-te-groot' });
  });

  it('of an unknown caller is in the world that the request named, or else in the default world', async () => {
    const name = newWorld();
    const headers = { authorization: 'Bearer x', 'x-subject': `sanne-de-wot@${name}` };
    await service.get('/api/v1/notes', { headers });
    expect(await last(name)).toMatchObject({ caller: null, problem: 'identiteit-onbekend', world: name });
    await service.get('/api/v1/nergens');
    expect(await last('default')).toMatchObject({ operation: null, problem: 'pad-onbekend' });
  });

  it('of an upload has the known fields, file name and size, and no bytes of the file', async () => {
    const name = newWorld();
    const parts = [{ name: 'geheim', content: 'niet te bewaren' }, ...partsOf({ file: pdf(), filename: 'cv.pdf' })];
    await sendForm(service, `burger-1@${name}`, multipart(parts));
    expect(JSON.parse((await last(name)).request.body ?? '')).toEqual({
      fields: { geheim: null, wizardId: 'herregistratie', categoryId: 'werkervaring', localId: 'l1' },
      file: { name: 'cv.pdf', size: null },
    });
    const halfway = [...partsOf({ file: pdf(), filename: 'cv.pdf' }), { name: 'localId', content: 'l2' }];
    await sendForm(service, `burger-1@${name}`, multipart(halfway));
    expect(JSON.parse((await last(name)).request.body ?? '')).toMatchObject({
      fields: { localId: 'l2' },
      file: { name: 'cv.pdf', size: null },
    });
    const { body } = await upload(service, `burger-1@${name}`, { file: pdf(), filename: 'cv.pdf' });
    const sent = await last(name);
    expect(JSON.parse(sent.request.body ?? '')).toMatchObject({ file: { name: 'cv.pdf', size: pdf().length } });
    await service.get(`/api/v1/uploads/${body.documentId}/content`, { as: `burger-1@${name}` });
    const read = await last(name);
    expect(read.response).toMatchObject({ status: 200, body: null });
    const type = { 'content-type': 'application/pdf', 'content-length': `${pdf().length}` };
    expect(read.response.headers).toMatchObject(type);
    expect(JSON.stringify(await journalOf(service, name))).not.toMatch(/niet te bewaren|%PDF/);
  });

  it('is not made for a health check, a page, the OpenAPI document, the control API or an allowed preflight request', async () => {
    const [before] = (await journalOf(service, 'default')).slice(-1);
    for (const path of ['/health', '/health/ready', '/docs', '/api/v1/openapi.json', '/_simulator/worlds'])
      await fetch(service.url + path).then((answer) => answer.text());
    const preflight = { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' };
    await fetch(`${service.url}/api/v1/notes`, { method: 'OPTIONS', headers: preflight });
    expect((await journalOf(service, 'default')).at(-1)?.id).toBe(before?.id);
  });

  it('of a preflight request from another origin has the rule crossOrigin as its reason', async () => {
    const headers = { origin: 'https://elders.example', 'access-control-request-method': 'GET' };
    await fetch(`${service.url}/api/v1/notes`, { method: 'OPTIONS', headers });
    expect(await last('default')).toMatchObject({
      request: { method: 'OPTIONS' },
      why: [{ rule: 'crossOrigin', facts: { origin: 'https://elders.example' } }],
    });
  });
});

describe('masking in the journal', () => {
  it('removes tokens and burgerservicenummers from headers, URLs, file names, bodies, reasons and the HAR file', async () => {
    const name = newWorld();
    const as = `sanne-de-wit@${name}`;
    const headers = {
      authorization: 'Bearer very-secret',
      'x-subject': as,
      referer: 'http://localhost:5173/terug?code=very-secret&bsn=999990639',
      'x-forwarded-authorization': 'very-secret',
      'if-match': '"999990639"',
      baggage: 'wie=999990639',
    };
    await service.call('GET', '/api/v1/dashboard-view?code=very-secret', { headers });
    await service.post('/api/v1/herregistraties', as, { uren: 2_600, bsn: '999990639' });
    await upload(service, as, { file: pdf(), filename: 'van 999990639.pdf', localId: '999990639' });
    for (const written of ['999 990 639', '999.990.639', '9999.90.639'])
      await service.call('GET', '/api/v1/notes', { headers: { authorization: 'Bearer x', 'x-subject': written } });
    const text = JSON.stringify([await journalOf(service, name), toHar(await journalOf(service, name))]);
    expect(text).not.toMatch(/very-secret|999990639/);
    expect(JSON.stringify(await journalOf(service, 'default'))).not.toMatch(/9999?[ .]?90/);
  });

  it.each([
    ['spaces', '999 990 639'],
    ['dots', '9999.90.639'],
    ['a dash', '99999-0639'],
    ['non-breaking spaces', '999\u00a0990\u202f639'],
    ['line breaks', '999\\n990\\n639'],
    ['escaped spaces', '999\\u00a0990\\u00a0639'],
    ['spaces, and a date before it,', '12-05-2026 999 990 639'],
    ['a space after each digit', '9 9 9 9 9 0 6 3 9'],
    ['the quotes and commas of a JSON list', '999", "990","639'],
  ])('removes a burgerservicenummer with %s between its digits from a JSON body', async (_, written) => {
    const name = newWorld();
    const body = `{"toelichting": ["bsn ${written}."]}`;
    await postText(`burger-1@${name}`, body);
    const { request, curl } = await last(name);
    expect(request.body).toMatch(/^\{"toelichting": \["bsn (12-05-2026 )?…\."\]\}$/);
    expect(curl).not.toMatch(/6\D{0,6}3\D{0,6}9[".]/);
  });

  it.each(['999%20990%20639', '999+990+639', '9999.90.639', 'a%20999%C2%A0990%C2%A0639', '99999%2D0639'])(
    'removes the burgerservicenummer from the query ?wie=%s',
    async (written) => {
      const name = newWorld();
      await service.get(`/api/v1/notes?wie=${written}`, { as: `burger-1@${name}` });
      expect((await last(name)).request.path).toMatch(/^\/api\/v1\/notes\?wie=(a%20)?…$/);
    },
  );

  it('keeps amounts, coordinates, dates, references and phone numbers of nine digits, which fail the 11-test', async () => {
    const name = newWorld();
    const body =
      '{"a": "1.234.567,89", "b": "52.0907374", "c": "2026-06-01 3", "d": "HER-2026-100001", "e": "06-12345678"}';
    await postText(`burger-1@${name}`, body);
    expect((await last(name)).request.body).toBe(body);
  });

  it('keeps nine digits inside a UUID, in the path and in the curl line', async () => {
    const name = newWorld();
    const path = '/api/v1/uploads/11111111-1111-4111-8111-a123456789bc/content';
    await service.get(path, { as: `sanne-de-wit@${name}` });
    const { request, curl } = await last(name);
    expect(request.path).toBe(path);
    expect(curl).toContain(path);
  });

  it('hides tokens, cookies, API keys and burgerservicenummers in headers and in the query', async () => {
    const headers = {
      authorization: 'Bearer very.secret-token',
      cookie: 'session=very-secret',
      'x-subject': '999990007',
      'x-trace-for': 'nr 999990354',
      'x-api-key': 'very-secret',
    };
    await service.get('/api/v1/notes?bsn=999990494&access_token=very-secret', { headers });
    const entry = await last('default');
    expect(entry.request.headers).toMatchObject({
      authorization: 'Bearer …',
      cookie: '…',
      'x-subject': 'sanne-de-wit',
      'x-trace-for': 'nr …',
      'x-api-key': '…',
    });
    expect(entry.request.path).toBe('/api/v1/notes?bsn=…&access_token=…');
    expect(JSON.stringify(entry)).not.toMatch(/very|999990/);
    await service.get('/api/v1/notes', {
      headers: { ...headers, authorization: 'Basic c2VjcmV0', 'x-subject': '123456782' },
    });
    const refused = await last('default');
    expect(refused.request.headers).toMatchObject({ authorization: 'Basic …', 'x-subject': '…' });
    expect(JSON.stringify(refused)).not.toMatch(/c2VjcmV0|123456782/);
  });

  it('leaves out bodies, facts and outcomes of calls that used an upstream that is not simulated', async () => {
    const sources = keep(await startUpstreamProxies());
    const { REGISTER_UPSTREAM, ...others } = sources.env;
    const mixed = keep(await startService({ ...others, REGISTER_UPSTREAM: 'simulator' }));
    await mixed.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
    const { headers } = await mixed.post('/api/v1/applications', 'sanne-de-wit', { type: 'intake' });
    await mixed.get(String(headers.location), { as: 'sanne-de-wit' });
    await mixed.get('/api/v1/notes', { as: 'sanne-de-wit' });
    const [dashboard, made, draft, notes] = await journalOf(mixed, 'default');
    expect(dashboard).toMatchObject({ response: { status: 200, body: null } });
    const why = dashboard?.why.find(({ rule }) => rule === 'checkHerregistratie');
    expect(why).toMatchObject({ facts: null, outcome: null });
    expect(made).toMatchObject({ request: { body: null }, response: { status: 201, body: null } });
    expect(made?.curl).toContain('@body.json');
    expect(draft).toMatchObject({ operation: 'readApplication', response: { status: 200, body: null } });
    expect(notes?.response.body).not.toBeNull();
  });
});

it('the curl line of a journal entry repeats the request with the same URL, headers and body, and gets the same 422', async () => {
  const name = newWorld();
  await service.post('/api/v1/herregistraties', `wilma-dekker@${name}`, { uren: 2_600 }, { 'x-step-up': '1' });
  const { args } = curlCallOf((await last(name)).curl);
  expect(args[0]).toBe(`${service.url}/api/v1/herregistraties`);
  const headers = Object.fromEntries(
    args.flatMap((arg, at) => (args[at - 1] === '-H' ? [arg.split(': ') as [string, string]] : [])),
  );
  expect(headers).toEqual({
    Authorization: 'Bearer dev',
    'Content-Type': 'application/json',
    'X-Subject': `wilma-dekker@${name}`,
    'X-Step-Up': '1',
  });
  const body = args.at(-1) ?? '';
  const again = await fetch(args[0] ?? '', { method: 'POST', headers, body });
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([422, 'niet-herregistreerbaar']);
});

describe('the journal', () => {
  const entry = (name: string, more: Partial<RecordedRequest> = {}) => {
    const rendered = rendering(name, more);
    return { world: name, size: Buffer.byteLength(JSON.stringify({ id: 1_000, ...rendered })), render: () => rendered };
  };
  const rendering = (name: string, more: Partial<RecordedRequest>) => ({
    at: '2026-06-01T12:00:00.000Z',
    world: name,
    caller: null,
    request: { method: 'GET', path: '/', headers: {}, body: null, truncated: false },
    response: { status: 200, headers: {}, body: null, truncated: false },
    worldAt: '2026-06-01T12:00:00.000Z',
    ms: 1,
    operation: null,
    problem: null,
    upstream: [],
    why: [],
    traceId: '0'.repeat(32),
    curl: 'curl',
    ...more,
  });
  const ids = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id);

  it('keeps the newest entries of each world, and lists those after a given id', () => {
    const journal = createJournal({ entries: 3 });
    for (let n = 1; n <= 5; n += 1) journal.add(entry('a'));
    journal.add(entry('b'));
    expect(ids(journal.list('a'))).toEqual([3, 4, 5]);
    expect(ids(journal.texts('a', undefined, 2))).toEqual([4, 5]);
    expect(ids(journal.texts('a', 3))).toEqual([4, 5]);
    expect(ids(journal.texts('a', 0, 1))).toEqual([3]);
    expect([journal.count('a'), journal.count('b'), journal.count('c')]).toEqual([3, 1, 0]);
  });

  it('truncates a long body, and replaces facts that are too long by their length', () => {
    const journal = createJournal({ body: 10 });
    const long = { headers: {}, body: 'x'.repeat(9).concat('🎈'), truncated: false };
    const why = [{ rule: 'r', sentence: 'Ja.', facts: { a: 'x'.repeat(20) }, outcome: 'ja' }];
    journal.add(entry('a', { request: { method: 'POST', path: '/', ...long }, why }));
    const [kept] = journal.list('a');
    expect(kept?.request).toMatchObject({ truncated: true });
    expect(kept?.request.body?.length).toBe(10);
    expect(kept?.why).toEqual([{ rule: 'r', sentence: 'Ja.', facts: { truncated: 28 }, outcome: 'ja' }]);
  });

  it('of all worlds stays below its maximum size by deleting entries of the largest world', () => {
    const journal = createJournal({ total: 20_000 });
    journal.add(entry('quiet'));
    for (let n = 1; n <= 500; n += 1) journal.add(entry('busy', { curl: 'x'.repeat(500) }));
    expect(journal.count('quiet')).toBe(1);
    expect(JSON.stringify([journal.list('busy'), journal.list('quiet')]).length).toBeLessThan(20_000);
    expect(journal.list('busy').at(-1)?.id).toBe(501);
  });

  it('of one world stays below its maximum in bytes, and is empty after an entry larger than that', () => {
    const journal = createJournal({ world: 10_000 });
    for (let n = 1; n <= 20; n += 1) journal.add(entry('a', { curl: '€'.repeat(1_000) }));
    const kept = journal.list('a');
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(10_000);
    expect(kept.at(-1)?.id).toBe(20);
    journal.add(entry('a', { curl: 'x'.repeat(10_000) }));
    expect(journal.count('a')).toBe(0);
  });

  it('calls a listener for each new entry of its world until it unsubscribes, and clears one world', () => {
    const journal = createJournal();
    const heard: number[] = [];
    const stop = journal.subscribe('a', ({ id }) => heard.push(id));
    journal.add(entry('a'));
    journal.add(entry('b'));
    stop();
    journal.add(entry('a'));
    expect(heard).toEqual([1]);
    journal.clear('a');
    expect([journal.count('a'), journal.count('b')]).toEqual([0, 1]);
  });
});

describe('the HAR file of a world', () => {
  it('is valid by the JSON Schema of HAR 1.2, with reads, a refused POST, an upload, HEAD and DELETE', async () => {
    const name = newWorld();
    const as = `sanne-de-wit@${name}`;
    await service.get('/api/v1/dashboard-view?a=1&b=%20|', { as });
    await service.post('/api/v1/intakes', as, { uren: 1 });
    await upload(service, as, { file: pdf(), filename: 'cv.pdf' });
    await service.call('HEAD', '/api/v1/notes', { as });
    await service.call('DELETE', '/api/v1/uploads/x', { as });
    const har = JSON.parse(JSON.stringify(toHar(await journalOf(service, name))));
    const schemas: Record<string, object> = require('har-schema');
    // Written in an older draft, whose own schema is not there to check them by.
    const ajv = new Ajv({ strict: false, validateSchema: false, schemas: Object.values(schemas) });
    addFormats.default(ajv);
    const check = ajv.getSchema('har.json#');
    expect([check?.(har), check?.errors]).toEqual([true, null]);
    expect(har.log.entries).toHaveLength(5);
    expect(har.log.entries[0].request).toMatchObject({
      url: `${service.url}/api/v1/dashboard-view?a=1&b=%20%7C`,
      queryString: [
        { name: 'a', value: '1' },
        { name: 'b', value: ' |' },
      ],
    });
    expect(har.log.entries[1]).toMatchObject({
      request: { postData: { mimeType: 'application/json', text: '{"uren":1}' } },
      response: { status: 400, content: { mimeType: 'application/problem+json; charset=utf-8' } },
      _problem: 'scholing-regel',
      _why: expect.arrayContaining([expect.objectContaining({ rule: 'checkScholing' })]),
    });
    expect(har.log.entries[2].request.postData.params).toContainEqual({ name: 'file', fileName: 'cv.pdf' });
  });

  it('has status 0 for a client that disconnected, and says which body was cut off', async () => {
    const name = newWorld();
    await service.get('/api/v1/notes', { as: `sanne-de-wit@${name}` });
    const [entry] = (await journalOf(service, name)) as [RecordedRequest];
    const cutOff = { ...entry, response: { ...entry.response, status: 499, truncated: true } };
    const responses = toHar([entry, cutOff]).log.entries.map(({ response }) => response);
    expect(responses.map(({ status }) => status)).toEqual([200, 0]);
    expect(responses.map(({ content }) => 'comment' in content && content.comment)).toEqual([false, 'ingekort']);
  });
});
