import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getResponse, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HandlersOptions } from '../../browser/index.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../simulator/worlds/scenarios.ts';
import { casesOf } from '../support/cases.ts';
import { pdf, pdfOf, png } from '../support/files.ts';
import { type Bundle, bundleForTest } from '../support/handlers.ts';
import { fillablePlaceholderOf } from '../support/letter.ts';
import { fetchDocument } from '../support/openapi.ts';
import { PDF_KINDS } from '../support/pdf-kinds.ts';
import { startService, type TestService, TODAY } from '../support/service.ts';
import { snippetsOf } from '../support/snippets.ts';

const server = setupServer();
let bundle: Bundle;
let made: Awaited<ReturnType<Bundle['load']>>;
let service: TestService;

beforeAll(async () => {
  bundle = await bundleForTest();
  made = await bundle.load();
  service = await startService({ SCANNER: 'simulator', SIMULATOR_TODAY: TODAY }, 'as-configured');
  server.listen({ onUnhandledFrame: 'bypass' });
});
afterAll(async () => {
  server.close();
  await service.close();
  bundle.remove();
});

it('comes with the licence of each package in it', () => {
  const text = readFileSync(bundle.file, 'utf8');
  const packages = text.matchAll(/^\/\/ \S*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm);
  const names = [...new Set([...packages].map(([, name = '']) => name))];
  const notices = readFileSync(join(bundle.folder, 'LICENCES.txt'), 'utf8');
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !`\n${notices}`.includes(`\n${name}\n`))).toEqual([]);
});

/** Registers handlers for a new origin, and returns that origin. Each has its own world. */
function open(options: HandlersOptions = {}): string {
  const baseUrl = `http://${randomUUID()}.test`;
  server.use(...made.handlers({ clock: TODAY, ...options, baseUrl }));
  return baseUrl;
}

interface Told {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}
type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string>; readonly json?: unknown };

async function ask(base: string, path: string, { json, ...init }: Sent = {}): Promise<Told> {
  const response = await fetch(base + path, {
    ...init,
    ...(json !== undefined && { body: JSON.stringify(json) }),
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...init.headers },
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

const as = (who: string, more: Record<string, string> = {}) => ({
  authorization: 'Bearer x',
  'x-subject': who,
  ...more,
});

const form = (localId: string, name: string, content: Uint8Array, more: Record<string, string> = {}): FormData => {
  const data = new FormData();
  const fields = { categoryId: 'scholingsbewijs', localId, wizardId: 'herregistratie', ...more };
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  data.append('file', new File([new Uint8Array(content)], name));
  return data;
};

/** Ids of one request, which may differ. All other ids are equal, because the clock is frozen. */
const RANDOM = /(?<="instance":"urn:uuid:)[0-9a-f-]{36}|(?<="traceId":")[0-9a-f]{32}/g;
/** Headers that are not compared: they describe the connection, the id of the request, or the time of the machine. */
const OWN = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'traceparent', 'vary'];

/**
 * Returns the parts of an answer that must be equal. `x-simulated` is left out of a 5xx, because it depends on which
 * upstreams had answered at that moment.
 */
function comparable({ status, headers, text }: Told): unknown {
  const ignored = status >= 500 ? [...OWN, 'x-simulated'] : OWN;
  const kept = Object.entries(headers).filter(([one]) => !ignored.includes(one) && !one.startsWith('access-control'));
  const shown = kept.map(([name, value]): [string, string] => [name, value.replace(RANDOM, '…')]);
  return { status, headers: Object.fromEntries(shown), text: text.replace(RANDOM, '…') };
}

/** Sends the same requests to the service and to the handlers, and expects equal answers at every step. */
async function alike(story: (base: string, world: string) => AsyncIterable<Told>, options?: HandlersOptions) {
  const world = `w${randomUUID().slice(0, 8)}`;
  const [real, ours] = await Promise.all(
    [service.url, open(options)].map(async (base) => {
      const told: Told[] = [];
      for await (const one of story(base, world)) told.push(one);
      return told;
    }),
  );
  expect(ours?.map(comparable)).toEqual(real?.map(comparable));
  return ours ?? [];
}

it('the bundle with handlers() uses nothing of Node, and imports msw only', () => {
  const text = readFileSync(bundle.file, 'utf8');
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  expect([...code.matchAll(/^import .* from "(.+)";$/gm)].map(([, from]) => from)).toEqual(['msw']);
  // An escaped quote is in a text, such as the advice of the client for an old jsdom.
  expect(code).not.toMatch(/(?<!\\)["']node:|\bBuffer\b|globalThis\.process|(?<![.\w])process\.|\brequire\(/);
});

describe('GET requests to handlers()', () => {
  const slugs = [...PERSONAS.map(({ slug }) => slug), 'burger-7', 'burger-1234'];
  const QUERIES: Record<string, string> = {
    '/uploads/categories': '?wizardId=registratie&diplomaHerkomst=buitenland&taalvaardigheid=taaltoets',
  };

  it.each(casesOf(slugs, 4))('of %s get the same statuses, headers and bodies as from the service', async (slug) => {
    const persona = PERSONAS.find((one) => one.slug === slug);
    const { paths } = (await fetchDocument(service.url, '/api/v1/openapi.json')) as {
      paths: Record<string, { get?: unknown }>;
    };
    // The document is the same for everyone, and costly to make, so it is compared once.
    const reads = Object.keys(paths).filter(
      (path) => paths[path]?.get !== undefined && (path !== '/openapi.json' || slug === slugs[0]),
    );
    expect(reads.length).toBeGreaterThan(10);

    const told = await alike(async function* (base, world) {
      const headers =
        persona?.kind === 'staff'
          ? { authorization: 'Bearer dev', 'x-medewerker': `${slug}@${world}`, 'x-rollen': persona.rollen.join() }
          : as(`${slug}@${world}`, persona?.kind === 'letter' ? { 'x-role': persona.role } : {});
      const read = (path: string, more = {}) => ask(base, `/api/v1${path}`, { headers: { ...headers, ...more } });
      const ids: Record<string, string[]> = { id: [], documentId: [] };
      for (const path of reads.filter((one) => !one.includes('{'))) {
        const answer = await read(path + (QUERIES[path] ?? ''));
        yield answer;
        for (const name of Object.keys(ids))
          ids[name]?.push(...[...answer.text.matchAll(RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, id = '']) => id));
      }
      for (const path of reads.filter((one) => one.includes('{')))
        for (const [name, found] of Object.entries(ids))
          if (path.includes(`{${name}}`))
            for (const id of new Set([...found, 'onbekend'])) yield await read(path.replace(`{${name}}`, id));
      yield await read('/dashboard-view', { 'x-step-up': 'ja' });
      yield await ask(base, '/health');
      yield await ask(base, '/health/ready');
    });
    expect(told.length).toBeGreaterThan(reads.length);
  });

  it('with the option clock get the dashboard and the Date header of that day', async () => {
    const day = '2026-10-02';
    const base = open({ persona: 'sanne-de-wit', clock: day });
    const later = await startService({ SIMULATOR_TODAY: day }, 'as-configured');
    const expected = await ask(later.url, '/api/v1/dashboard-view', { headers: as('sanne-de-wit') });
    await later.close();
    const told = await ask(base, '/api/v1/dashboard-view');
    expect(told.text).toBe(expected.text);
    expect(told.headers.date).toBe(new Date(`${day}T12:00:00Z`).toUTCString());
  });
});

describe('handlers()', () => {
  it('refuses wrong requests with the same answers as the service', async () => {
    await alike(async function* (base, world) {
      const headers = as(`sanne-de-wit@${world}`);
      const path = '/api/v1/herregistraties';
      yield await ask(base, '/api/v1/dashboard-view');
      yield await ask(base, '/api/v1/dashboard-view', { headers: as('sanne-de-witt') });
      yield await ask(base, '/api/v1/dashboard', { headers: { 'accept-language': 'en' } });
      yield await ask(base, '/api/v1/dashboard-view', { headers: { ...headers, 'x-rollen': 'teamlead' } });
      yield await ask(base, '/api/v1/dashboard-view', { headers: as('sanne-de-wit', { 'x-medewerker': 'x' }) });
      yield await ask(base, '/api/v1/dashboard-view', { headers: { ...headers, accept: 'text/html' } });
      yield await ask(base, '/api/v1/dashboard-view', { headers: { ...headers, accept: 'application/json;q=0, */*' } });
      yield await ask(base, '/api/v1/dashboard-view', { headers, method: 'DELETE' });
      yield await ask(base, '/api/v1/dashboard-view', { headers, method: 'OPTIONS' });
      yield await ask(base, '/api/v1/dashboard-view', { headers, method: 'HEAD' });
      yield await ask(base, '/api/v1/dashboard-view/', { headers });
      yield await ask(base, '/api/v1/dashbord-view', { headers });
      yield await ask(base, '/api/v1/applications/%2e%2e', { headers });
      yield await ask(base, '/api/v1/uploads/categories?wizardId=x', { headers });
      yield await ask(base, '/api/v1/uploads/categories?wizardId=intake&wizardId=intake', { headers });
      yield await ask(base, path, { headers, method: 'POST', body: '{}' });
      const json = { ...headers, 'content-type': 'application/json' };
      for (const body of ['', '{', '[]', '{"uren":"2","x":1}', `{"uren":${'['.repeat(40)}${']'.repeat(40)}}`])
        yield await ask(base, path, { headers: json, method: 'POST', body });
      // Beyond a limit, and wrong in each of 1,000 items.
      const members = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, 1]));
      for (const body of ['['.repeat(40_000), JSON.stringify(members), `{"documents":[1${',1'.repeat(999)}]}`])
        yield await ask(base, path, { headers: json, method: 'POST', body });
      yield await ask(base, path, { headers: json, method: 'POST', body: `{"uren":1${' '.repeat(300_000)}}` });
      yield await ask(base, path, { headers: { ...json, 'idempotency-key': 'é' }, method: 'POST', body: '{"uren":1}' });
      const staff = { authorization: 'Bearer dev', 'x-medewerker': `behandelaar-bas@${world}` };
      yield await ask(base, path, { headers: { ...staff, 'x-rollen': 'behandelaar' }, method: 'POST', json: {} });
    });
  });

  it('helps with a wrong query, body, header or preference as the service does, also in English, and has the page to which it links', async () => {
    const told = await alike(async function* (base, world) {
      for (const language of ['nl', 'en']) {
        const headers = as(`sanne-de-wit@${world}`, { 'accept-language': language });
        const read = (path: string, more = {}) => ask(base, `/api/v1${path}`, { headers: { ...headers, ...more } });
        yield await read('/uploads/status?localid=a');
        for (const query of ['localIds[]=a', 'localIds[0]=a', 'localIds=', 'x=1', 'localIds=a&LocalIds=b', ''])
          yield await read(`/uploads/status?${query}`);
        for (const query of ['wizardid=intake', 'wizardId=', 'wizardId=Intake', 'wizardId=intake&taal=nl'])
          yield await read(`/uploads/categories?${query}`);
        for (const prefer of ['code=niet-ingelogd', 'code=418', 'code=', 'wait=61', 'return=minimal, code=503'])
          yield await read('/notes', { prefer });
        const post = (path: string, body: string, type = 'application/json') =>
          ask(base, `/api/v1${path}`, { method: 'POST', headers: { ...headers, 'content-type': type }, body });
        for (const body of [
          '{"Uren":2600}',
          '{"hours":1,"documents":7,"x":2}',
          '[object Object]',
          '"uren"',
          'null',
          '"{}"',
        ])
          yield await post('/herregistraties', body);
        yield await post('/herregistraties', 'uren=2600', 'application/x-www-form-urlencoded');
        yield await post('/herregistraties', '{"uren":2600}', 'application/json; charset=latin1');
        yield await post('/registrations', '{"diploma_herkomst":"duo"}');
        const moved = { straat: 'Kade 1', woonplaats: 'Utrecht' };
        for (const postcode of ['0511 AB', '3511  AB', '3511', 'AB 3511'])
          yield await post('/change-requests', JSON.stringify({ ...moved, postcode }));
        yield await post('/change-requests', JSON.stringify({ street: 'Kade 1', zip: '3511AB' }));
        yield await read('/notes', { 'x-subject': 'undefined' });
        yield await read('/notes', { authorization: 'undefined' });
        yield await read('/notes', { 'x-roles': 'approver' });
        yield await read('/re-registrations');
      }
      yield await ask(base, '/docs/problems/ongeldig-verzoek').then(({ headers, ...page }) => ({
        ...page,
        headers: { 'content-type': headers['content-type'] ?? '' },
      }));
    });
    const [wrong] = told;
    expect(wrong?.status).toBe(400);
    expect(wrong?.headers.link).toBe('</docs/problems/ongeldig-verzoek>; rel="help"');
    expect(told.at(-1)?.text).toContain('Correct every member');
    const unknown = made.handlers({ baseUrl: 'http://page.test' });
    expect(await getResponse(unknown, new Request('http://page.test/docs/problems/mine'))).toBeUndefined();
  });

  it.each([
    [{ persona: 'sane-de-wit' }, 'handlers: there is no persona "sane-de-wit"; the nearest are sanne-de-wit'],
    [{ persona: '900000011' }, 'handlers: there is no persona "900000011"'],
    [{ scenario: 'register-dwn' }, 'handlers: there is no scenario "register-dwn"; the nearest are register-down'],
    ['sanne-de-wit', "handlers takes its options as an object: { persona: 'sanne-de-wit' }"],
    [null, 'handlers takes its options as an object'],
    [{ today: '2026-06-01' }, 'handlers: there is no option "today"; the options are persona, personas, clock,'],
    [{ scenario: ['duo-slow', 'brp'] }, 'handlers: there is no scenario "brp"; the nearest are brp-'],
    [{ clock: 'morgen' }, 'handlers: clock must be a day'],
    [{ clock: '01-06-2026' }, 'handlers: clock must be a day'],
    [{ clock: '2026-02-30' }, 'handlers: clock must be a day'],
    [{ clock: '2026-06-01T12:00' }, 'handlers: clock must be a day'],
    [{ clock: '1899-12-31' }, 'in the years 1900 to 2199'],
    [{ clock: new Date('2200-01-01') }, 'in the years 1900 to 2199'],
    [{ baseUrl: 'http://localhost:3000/api/v1' }, 'handlers: baseUrl must be an origin'],
    [{ baseUrl: 'localhost:3000' }, 'handlers: baseUrl must be an origin'],
  ])('throws for the options %o an error with the text "%s"', (options, message) => {
    expect(() => made.handlers(options as HandlersOptions)).toThrow(message);
  });
});

it('lets a handler of the user come first, which may read the real answer and change it', async () => {
  const baseUrl = `http://${randomUUID()}.test`;
  const bff = made.handlers({ clock: TODAY, persona: 'sanne-de-wit', baseUrl });
  const own = http.get(`${baseUrl}/api/v1/dashboard-view`, async () => {
    const { data } = await bff.as('sanne-de-wit').GET('/dashboard-view');
    return HttpResponse.json({ ...data, person: null });
  });
  server.use(own, ...bff);
  const told = await ask(baseUrl, '/api/v1/dashboard-view');
  expect(JSON.parse(told.text)).toMatchObject({ person: null, registration: { naam: 'Sanne de Wit' } });
  expect(JSON.parse((await ask(baseUrl, '/api/v1/notes')).text)).toEqual([]);
});

describe('the address that handlers() answer', () => {
  it.each(['http://localhost', 'http://localhost/portal', 'http://localhost/api/portal'])('may be %s', async (base) => {
    for (const baseUrl of ['http://localhost', '*']) {
      const list = made.handlers({ persona: 'sanne-de-wit', baseUrl });
      const statusOf = async (path: string) => (await getResponse(list, new Request(`${base}${path}`)))?.status;
      expect(await statusOf('/api/v1/notes?x=/api/v1/')).toBe(200);
      expect(await statusOf('/api/v1/api/v1/notes')).toBe(404);
      expect(await statusOf('/src/api/v1/notes.ts?t=1')).toBeUndefined();
    }
  });

  it('is of the origin in baseUrl only, and /health there is that of the service, not of another path', async () => {
    const list = made.handlers({ persona: 'sanne-de-wit', baseUrl: 'http://localhost:3000' });
    expect(await getResponse(list, new Request('http://localhost:30001/portal/api/v1/notes'))).toBeUndefined();
    expect((await getResponse(list, new Request('http://localhost:3000/health/ready')))?.status).toBe(200);
    expect(await getResponse(list, new Request('http://localhost:3000/api/health'))).toBeUndefined();
  });
});

it('the caller in handlers() is the person in the headers of the request, and without them the persona in the options', async () => {
  const base = open({ persona: 'drafter-dana' });
  const nameOf = async (headers = {}) => JSON.parse((await ask(base, '/api/v1/dashboard-view', { headers })).text);
  expect((await ask(base, '/api/v1/brief')).status).toBe(200);
  expect((await nameOf({ 'x-subject': 'joost-van-buren' })).person.naam).toContain('Joost');
  const staff = open({ persona: 'behandelaar-bas' });
  expect((await ask(staff, '/api/v1/brief')).status).toBe(200);
  expect(JSON.parse((await ask(staff, '/api/v1/dashboard-view')).text).code).toBe('rol-ontbreekt');
});

it('two calls of handlers() share no submissions, clock or scenario', async () => {
  const persona = 'sanne-de-wit';
  const one = open({ persona });
  const other = open({ persona, clock: '2027-06-01' });
  const down = open({ persona, scenario: 'register-down' });
  const handIn = await ask(one, '/api/v1/herregistraties', { method: 'POST', json: { uren: 2_600 } });
  expect(handIn.status).toBe(200);
  const [mine, theirs] = await Promise.all([one, other].map((base) => ask(base, '/api/v1/applications')));
  expect(JSON.parse(mine?.text ?? '')).toHaveLength(1);
  expect(theirs?.text).toBe('[]');
  expect((await ask(down, '/api/v1/dashboard-view')).status).toBe(503);
  expect((await ask(other, '/api/v1/dashboard-view')).status).toBe(200);
  expect(other).not.toBe(one);
});

describe('a submission to handlers()', () => {
  it.each<[string, string, unknown]>([
    ['sanne-de-wit', '/herregistraties', { uren: 2_600 }],
    ['sanne-de-wit', '/herregistraties', { uren: 100 }],
    ['noor-bakker', '/registrations', { diplomaHerkomst: 'duo' }],
    ['gerda-postma', '/registrations', { diplomaHerkomst: 'duo' }],
    ['joost-van-buren', '/change-requests', { straat: 'Kade 1', postcode: '3511 AB', woonplaats: 'Utrecht' }],
    ['sanne-de-wit', '/intakes', { uren: 2_000, scholing: 'ja', punten: 200 }],
  ])('by %s to %s gets the same answers as from the service, also when it is repeated', async (slug, path, json) => {
    await alike(async function* (base, world) {
      const headers = as(`${slug}@${world}`, { 'idempotency-key': 'een' });
      const post = () => ask(base, `/api/v1${path}`, { method: 'POST', headers, json });
      yield await post();
      yield await post();
      yield await ask(base, `/api/v1${path}`, { method: 'POST', headers, json: {} });
      yield await ask(base, `/api/v1${path}`, { method: 'POST', headers: as(`${slug}@${world}`), json });
      yield await ask(base, '/api/v1/applications', { headers });
      yield await ask(base, '/api/v1/dashboard-view', { headers });
    });
  });

  it('that begins as a draft gets the same answers as from the service: saves with If-Match, two submits, a delete and a list', async () => {
    await alike(async function* (base, world) {
      const headers = as(`sanne-de-wit@${world}`);
      const path = '/api/v1/applications';
      const created = await ask(base, path, { method: 'POST', headers, json: { type: 'herregistratie' } });
      yield created;
      const one = `${path}/${JSON.parse(created.text).id}`;
      const body = '{"stepIndex":1,"stepCount":3,"draft":{ "uren": 1.0, "b":1,"a":12345678901234567890}}';
      const put = (tag: string) =>
        ask(base, one, {
          method: 'PUT',
          headers: { ...headers, 'content-type': 'application/json', 'if-match': tag },
          body,
        });
      yield await put('"1"');
      yield await put('"1"');
      yield await ask(base, one, { method: 'DELETE', headers: { ...headers, 'if-match': '"1"' } });
      yield await ask(base, one, { headers });
      yield await ask(base, `${one}/submit`, { method: 'POST', headers, json: { uren: 2_600 } });
      yield await ask(base, `${one}/submit`, { method: 'POST', headers, json: { uren: 2_600 } });
      yield await ask(base, one, { method: 'DELETE', headers });
      for (const type of ['intake', 'registratie', 'herregistratie', 'intake', 'registratie'])
        yield await ask(base, path, { method: 'POST', headers, json: { type } });
      yield await ask(base, path, { headers });
    });
  });
});

describe('uploads to handlers()', () => {
  const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

  it('get the same answers as from the service when they are accepted, refused, downloaded and deleted', async () => {
    await alike(async function* (base, world) {
      const headers = as(`sanne-de-wit@${world}`);
      const post = (body: FormData) => ask(base, '/api/v1/uploads', { method: 'POST', headers, body });
      const idOf = ({ text }: Told): string => JSON.parse(text).documentId;
      const kept = await post(form('a', 'bewijs.pdf', pdf()));
      yield kept;
      yield await post(form('a', 'bewijs.pdf', pdf()));
      yield await post(form('a', 'anders.pdf', pdf({ pad: 9 })));
      yield await ask(base, `/api/v1/uploads/${idOf(kept)}/content`, { headers });
      yield await ask(base, `/api/v1/uploads/${idOf(kept)}/content`, { headers, method: 'HEAD' });
      yield await ask(base, `/api/v1/uploads/${idOf(kept)}/content`, { headers: as(`joost-van-buren@${world}`) });
      yield await post(form('b', 'virus.pdf', pdf({ trailer: `% ${EICAR}\n` })));
      yield await post(form('c', 'plaatje.pdf', png(10, 10)));
      yield await post(form('d', 'plaatje.png', png(10, 10)));
      yield await post(form('e', 'groot.png', png(10_000, 10_000)));
      yield await post(form('f', 'leeg.pdf', new Uint8Array()));
      yield await post(form('g', 'tekst.txt', Buffer.from('hallo')));
      yield await post(form('h', 'dicht.pdf', pdf({ trailer: '/Encrypt 5 0 R ' })));
      yield await post(form('i', 'stuk.pdf', pdf().subarray(0, 100)));
      yield await post(form('j', 'te-groot.pdf', pdfOf(10 * 1024 * 1024 + 1)));
      yield await post(form('k!', 'bewijs.pdf', pdf()));
      yield await post(form('l', 'bewijs.pdf', pdf(), { categoryId: 'cv' }));
      yield await post(form('m', 'bewijs.pdf', pdf(), { extra: 'x' }));
      yield await post(form('n', '../CON.pdf', pdf()));
      const quoted = await post(form('w', 'één\u2028"bewijs".pdf', pdf()));
      yield await ask(base, `/api/v1/uploads/${idOf(quoted)}/content`, { headers });
      yield await post(form('o', 'sim-storing.pdf', pdf()));
      yield await post(form('p', 'sim-kwijt.pdf', pdf({ pad: 1 })));
      const stuck = await post(form('q', 'sim-in-gebruik.pdf', pdf({ pad: 2 })));
      const empty = await post(form('r', 'sim-leeg.pdf', pdf({ pad: 3 })));
      yield await ask(base, `/api/v1/uploads/${idOf(stuck)}`, { headers, method: 'DELETE' });
      yield await ask(base, `/api/v1/uploads/${idOf(empty)}/content`, { headers });
      yield await ask(base, '/api/v1/uploads/status?localIds=a,b,c,d,o,zz', { headers });
      yield await ask(base, `/api/v1/uploads/${idOf(kept)}`, { headers, method: 'DELETE' });
      yield await ask(base, `/api/v1/uploads/${idOf(kept)}`, { headers, method: 'DELETE' });
      const late = form('s', 'bewijs.pdf', pdf());
      late.append('localId', 't');
      yield await post(late);
      const none = new FormData();
      none.append('localId', 'u');
      yield await post(none);
      const two = form('v', 'bewijs.pdf', pdf());
      two.append('file', new File(['x'], 'twee.pdf'));
      yield await post(two);
      const other = new FormData();
      other.append('bestand', new File(['x'], 'twee.pdf'));
      yield await post(other);
      yield await ask(base, '/api/v1/uploads', { method: 'POST', headers, json: {} });
    });
  });

  it('are inspected with the modules that replace those of Node: each kind of PDF gets the answer of uploads.md, "Checks"', async () => {
    const base = open();
    for (const [index, { kind, gives, files }] of casesOf(PDF_KINDS, 5).entries()) {
      const headers = as(`burger-${index + 1}`);
      const codes: string[] = [];
      for (const [n, file] of files.entries()) {
        const body = form(`pdf-${n}`, 'bewijs.pdf', file);
        const { status, text } = await ask(base, '/api/v1/uploads', { method: 'POST', headers, body });
        codes.push(status === 201 ? '201' : JSON.parse(text).code);
      }
      expect([kind, ...new Set(codes)]).toEqual([kind, gives ?? '201']);
    }
  });

  it('with the name sim-half.pdf fail while the content is downloaded', async () => {
    const base = open({ persona: 'sanne-de-wit' });
    const body = form('a', 'sim-half.pdf', pdf({ pad: 300_000 }));
    const kept = JSON.parse((await ask(base, '/api/v1/uploads', { method: 'POST', body })).text);
    const response = await fetch(`${base}/api/v1/uploads/${kept.documentId}/content`);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});

it('the letter in handlers() gets the same answers as from the service from draft to sent, also for callers without the required role', async () => {
  await alike(async function* (base, world) {
    const dana = as(`drafter-dana@${world}`, { 'x-role': 'drafter' });
    const anna = as(`approver-anna@${world}`, { 'x-role': 'approver' });
    const path = '/api/v1/brief';
    const post = (action: string, headers: Record<string, string>, json?: unknown) =>
      ask(base, `${path}/${action}`, { method: 'POST', headers, ...(json !== undefined && { json }) });
    const read = await ask(base, path, { headers: dana });
    yield read;
    const { sections } = JSON.parse(read.text).brief;
    yield await post('submit', dana);
    fillablePlaceholderOf(sections).text = '1 juni 2022 tot 1 mei 2026';
    yield await ask(base, path, { method: 'PUT', headers: dana, json: { sections } });
    yield await ask(base, path, { method: 'PUT', headers: anna, json: { sections } });
    yield await post('approve', anna);
    yield await post('submit', dana);
    yield await post('approve', as(`drafter-dana@${world}`, { 'x-role': 'approver' }));
    yield await post('reject', anna, { comments: 'De periode klopt niet.' });
    yield await post('reset', dana);
    yield await ask(base, path, { method: 'PUT', headers: dana, json: { sections } });
    yield await post('submit', dana);
    yield await post('approve', anna);
    yield await post('send', dana);
    yield await post('send', dana);
    yield await ask(base, path, { headers: anna });
  });
});

it('the example states.ts in the guide for frontend developers shows a rejected application to its persona', async () => {
  const file = join(bundle.folder, 'states.js');
  const example = snippetsOf('docs/guides/frontend.md').get('states.ts') ?? '';
  // With an origin of its own: without one it would also answer the requests of the other tests.
  const limited = example
    .replace('zorgregister-bff/handlers', './handlers.js')
    .replace("persona: 'lotte-van-dijk'", "$&, baseUrl: 'http://states.test'");
  writeFileSync(file, stripTypeScriptTypes(limited));
  const { bff, showRejected } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  await showRejected();
  server.use(...bff);
  const { text } = await ask('http://states.test', '/api/v1/applications');
  expect(JSON.parse(text)).toMatchObject([{ status: { tag: 'Afgewezen', reden: 'Te weinig uren.' } }]);
});

describe('the scenario', () => {
  const subject = 'sanne-de-wit';
  /** Number of scenarios that run at the same time. With more, the busy service would refuse calls. */
  const LANES = 4;
  const scenarios = casesOf(SCENARIO_NAMES, 4);
  let told: Map<string, Promise<unknown[][]>>;
  beforeAll(() => {
    const lanes = Array.from({ length: LANES }, () => Promise.resolve());
    told = new Map(
      scenarios.map((scenario, index) => {
        // A slow scenario mostly waits, so it needs no lane.
        if (scenario.includes('slow')) return [scenario, both(scenario)];
        const telling = (lanes[index % LANES] ?? Promise.resolve()).then(() => both(scenario));
        lanes[index % LANES] = telling.then(
          () => undefined,
          () => undefined,
        );
        return [scenario, telling];
      }),
    );
    for (const telling of told.values()) telling.catch(() => undefined);
  });

  async function both(scenario: ScenarioName): Promise<unknown[][]> {
    const world = `s-${scenario}`;
    await ask(service.url, `/_simulator/worlds/${world}/scenarios/${scenario}`, { method: 'PUT' });
    // Every request takes two seconds in this scenario, so those that do not depend on another are sent together.
    const isTogether = scenario === 'slow-service';
    return Promise.all(
      [service.url, open({ scenario })].map((base) => story(base, as(`${subject}@${world}`), isTogether)),
    );
  }

  async function story(base: string, headers: Record<string, string>, isTogether: boolean): Promise<unknown[]> {
    const independent: [path: string, sent?: Sent][] = [
      ['/dashboard-view'],
      ['/dashboard-view'],
      ['/duo/diplomas'],
      ['/brp/address'],
      ['/uploads', { method: 'POST', body: form('a', 'bewijs.pdf', pdf()) }],
    ];
    const send = ([path, sent]: (typeof independent)[number]) => ask(base, `/api/v1${path}`, { ...sent, headers });
    const answers = isTogether ? await Promise.all(independent.map(send)) : [];
    for (const one of isTogether ? [] : independent) answers.push(await send(one));
    answers.push(await send(['/herregistraties', { method: 'POST', json: { uren: 2_600 } }]));
    answers.push(await send(['/applications']));
    return answers.map(comparable);
  }

  it.each(scenarios)('%s gives the same seven answers in handlers() as in the service', async (scenario) => {
    const [real, ours] = (await told.get(scenario)) ?? [];
    expect(ours).toEqual(real);
    expect(real).toHaveLength(7);
  });
});
