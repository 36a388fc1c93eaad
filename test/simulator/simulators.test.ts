import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { createWorldUpstreams } from '../../simulator/host/world-upstreams.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { createScanners } from '../../simulator/upstreams/scanner/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { createValidator } from '../support/openapi.ts';
import { keep, useSimulators } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';
import { takeContractFaults } from '../support/upstreams/contract-checks.ts';

const directory = createDirectory();
const simulators = await useSimulators(['register', 'brp', 'duo'], { directory });

interface Reply {
  status: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
  body: any;
}

async function call(
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const answer = await request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...payload,
  });
  const text = await answer.body.text();
  expect(takeContractFaults()).toEqual([]);
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type']),
    body: text ? JSON.parse(text) : undefined,
  };
}

const everyone = [
  ...PERSONAS.flatMap((persona) => (persona.kind === 'professional' ? [persona.slug] : [])),
  ...Array.from({ length: 10 }, (_, n) => `burger-${n * 7_919 + 1}`),
];
const bsnOf = (slug: string): string => directory.professional(slug)?.bsn ?? '123456782';

const contract = (name: string) =>
  createValidator(parse(readFileSync(new URL(`../../adapters/${name}/openapi.yaml`, import.meta.url), 'utf8')));
const answerOf = (path: string, method: string, status = 200, type = 'application~1json') =>
  `/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/responses/${status}/content/${type}/schema`;

describe('the simulated register', () => {
  const check = contract('register');

  it.each(everyone)('answers about %s by its contract', async (slug) => {
    const caller = directory.professional(slug);
    const key = caller?.bsn ? { burgerservicenummer: caller.bsn } : { loginId: caller?.loginId };
    const found = await call('POST', `${simulators.urls.register}/registraties/zoek`, key);
    expect(check(answerOf('/registraties/zoek', 'post'), found.body)).toEqual([]);
    for (const { registratieId } of found.body) {
      const notes = await call(
        'GET',
        `${simulators.urls.register}/registraties/${encodeURIComponent(registratieId)}/aantekeningen`,
      );
      expect(check(answerOf('/registraties/{registratieId}/aantekeningen', 'get'), notes.body)).toEqual([]);
    }
  });

  it('answers 404 for the notes of an unknown registratieId', async () => {
    expect((await call('GET', `${simulators.urls.register}/registraties/r1/aantekeningen`)).status).toBe(404);
  });

  it.each(['default', 'a-world'])(
    'has in the world "%s" a letter assignment, its template and passages, which match its contract',
    async (werkruimte) => {
      const url = `${simulators.urls.register}/brieven`;
      const found = await call('POST', `${url}/opdrachten/zoek`, { werkruimte });
      expect(check(answerOf('/brieven/opdrachten/zoek', 'post'), found.body)).toEqual([]);
      const [{ opdrachtId, templateId, beroepCode }] = found.body;
      expect((await call('POST', `${url}/opdrachten/zoek`, { opdrachtId })).body).toEqual(found.body);
      const sjabloon = await call('GET', `${url}/sjablonen/${templateId}`);
      expect(check(answerOf('/brieven/sjablonen/{templateId}', 'get'), sjabloon.body)).toEqual([]);
      const passages = await call('GET', `${url}/passages?beroep=${beroepCode}`);
      expect(check(answerOf('/brieven/passages', 'get'), passages.body)).toEqual([]);
      const known = new Set(sjabloon.body.velden.map(({ sleutel }: { sleutel: string }) => sleutel));
      const its = passages.body.filter((one: { templateId: string }) => one.templateId === templateId);
      expect(its.length).toBeGreaterThan(8);
      const texts = [...sjabloon.body.secties, ...its].flatMap(({ alineas }) => alineas);
      for (const [, key] of texts.flatMap(({ tekst }) => [...tekst.matchAll(/\{\{(.+?)\}\}/g)]))
        expect(known).toContain(key);
    },
  );

  it('returns 60 passages for professions 30 and 25, and 59 for 02', async () => {
    const of = async (code: string) =>
      (await call('GET', `${simulators.urls.register}/brieven/passages?beroep=${code}`)).body.length;
    expect([await of('30'), await of('25'), await of('02')]).toEqual([60, 60, 59]);
  });

  it('delivers a letter once for each idempotency key, and refuses one with "niet verzenden" (422) or without key or body (400)', async () => {
    const url = `${simulators.urls.register}/brieven/verzendingen`;
    const letter = (tekst: string) => {
      const delen = [{ tekst, vet: false, cursief: false, onderstreept: false }];
      const secties = [{ sleutel: 'besluit', titel: 'Besluit', alineas: [{ lijst: null, delen }] }];
      return { opdrachtId: 'o1', referentie: 'HER-2026-000118', kanaal: 'post', besluit: null, inhoud: { secties } };
    };
    const first = await call('POST', url, letter('Toegewezen.'), { 'idempotency-key': 'k1' });
    expect(first.status).toBe(202);
    expect(check(answerOf('/brieven/verzendingen', 'post', 202), first.body)).toEqual([]);
    for (const other of ['Anders.', 'NIET verzenden'])
      expect((await call('POST', url, letter(other), { 'idempotency-key': 'k1' })).body).toEqual(first.body);
    expect((await call('POST', url, letter('Toegewezen.'), { 'idempotency-key': 'k2' })).body).not.toEqual(first.body);
    expect((await call('POST', url, letter('NIET verzenden'), { 'idempotency-key': 'k3' })).status).toBe(422);
    expect((await call('POST', url, letter('Toegewezen.'))).status).toBe(400);
    expect((await call('POST', url, {}, { 'idempotency-key': 'k4' })).status).toBe(400);
  });

  it('answers 404 for an unknown template, an empty list for an unknown assignment, and 400 for a search without a key', async () => {
    const url = `${simulators.urls.register}/brieven`;
    expect((await call('GET', `${url}/sjablonen/iets`)).status).toBe(404);
    expect((await call('POST', `${url}/opdrachten/zoek`, { opdrachtId: 'iets' })).body).toEqual([]);
    expect((await call('POST', `${url}/opdrachten/zoek`, {})).status).toBe(400);
  });

  it('refuses a search for registrations without a key with 400', async () => {
    expect(await call('POST', `${simulators.urls.register}/registraties/zoek`, {})).toMatchObject({
      status: 400,
      type: 'application/problem+json',
    });
  });
});

describe('the simulated DUO', () => {
  const check = contract('duo');

  it.each(everyone)('answers about %s by its contract', async (slug) => {
    const found = await call(
      'POST',
      `${simulators.urls.duo}/diplomas/raadplegen`,
      { burgerservicenummer: bsnOf(slug) },
      { 'x-doelbinding': 'test' },
    );
    expect(check(answerOf('/diplomas/raadplegen', 'post'), found.body)).toEqual([]);
    for (const { behaaldOp, opleiding } of found.body.diplomas) {
      expect(behaaldOp >= (opleiding.soort === 'vocational-diploma' ? '2007' : '1996')).toBe(true);
    }
  });

  it('refuses a request without X-Doelbinding with 400', async () => {
    expect(
      (await call('POST', `${simulators.urls.duo}/diplomas/raadplegen`, { burgerservicenummer: bsnOf('sanne-de-wit') }))
        .status,
    ).toBe(400);
  });
});

describe('the simulated BRP', () => {
  const question = (over: object = {}) => ({
    type: 'RaadpleegMetBurgerservicenummer',
    burgerservicenummer: ['999990007'],
    fields: ['burgerservicenummer', 'naam.volledigeNaam'],
    ...over,
  });
  const ask = (body: unknown, headers?: Record<string, string>) =>
    call('POST', simulators.urls.brp ?? '', body, headers);

  it('answers in the media type of its document', async () => {
    expect((await ask(question())).type).toBe('application/json; charset=utf-8');
    expect((await ask({})).type).toBe('application/problem+json');
  });

  it.each([
    ['lotte-van-dijk', 'Geachte mevrouw Van Dijk'],
    ['joost-van-buren', 'Geachte heer Van Buren'],
    ['fatima-yilmaz', 'Geachte mevrouw Yılmaz'],
  ])('addresses %s as %s', async (slug, aanhef) => {
    const { body } = await ask(question({ burgerservicenummer: [bsnOf(slug)], fields: ['adressering.aanhef'] }));
    expect(body.personen).toMatchObject([{ adressering: { aanhef } }]);
  });

  it('returns geheimhoudingPersoonsgegevens also when it was not requested', async () => {
    const { body } = await ask(question({ burgerservicenummer: ['999996836'] }));
    expect(body.personen[0].geheimhoudingPersoonsgegevens).toBe(true);
  });

  it('returns an empty list for an unknown burgerservicenummer', async () => {
    expect((await ask(question({ burgerservicenummer: ['123456782'] }))).body.personen).toEqual([]);
  });

  it.each([
    ['a comma-separated string as fields', question({ fields: 'naam,geboorte' }), 'fields', 'array'],

    ['no fields', question({ fields: [] }), 'fields', 'minItems'],
    ['a number as BSN', question({ burgerservicenummer: [999990007] }), 'burgerservicenummer[0]', 'pattern'],
    ['21 persons', question({ burgerservicenummer: Array(21).fill('999990007') }), 'burgerservicenummer', 'maxItems'],
    ['an unknown member', question({ inclusiefOverledenPersonen: true }), 'inclusiefOverledenPersonen', 'unknownParam'],
  ])('refuses %s with 400 and the invalid parameter', async (_, body, name, code) => {
    const reply = await ask(body);
    expect(reply).toMatchObject({ status: 400, type: 'application/problem+json' });
    expect(reply.body).toMatchObject({ code: 'paramsValidation', invalidParams: [{ name, code }] });
  });

  it.each([
    ['a list of media types in Accept', question(), { accept: 'application/json, application/problem+json' }, 406],
    ['another content type', question(), { 'content-type': 'text/plain' }, 415],
    ['a body that is not JSON', '{', {}, 400],
  ])('refuses %s with the matching 4xx status', async (_, body, headers, status) => {
    expect((await ask(body, headers)).status).toBe(status);
  });

  it.each<[title: string, method: 'GET' | 'POST', path: string, headers: Record<string, string>, status: number]>([
    ['GET on another path: method before path', 'GET', '/extra', {}, 405],
    ['GET with a wrong Accept: method before Accept', 'GET', '', { accept: 'text/html' }, 405],
    ['a wrong Accept and type: Accept first', 'POST', '', { accept: 'text/html', 'content-type': 'text/plain' }, 406],
    ['a wrong Accept on another path: Accept before path', 'POST', '/extra', { accept: 'text/html' }, 406],
    ['a wrong Content-Type on another path: type first', 'POST', '/extra', { 'content-type': 'text/plain' }, 415],
    ['another path', 'POST', '/extra', {}, 404],
  ])('checks in the order of the real service: %s', async (_, method, path, headers, status) => {
    const body = method === 'POST' ? question() : undefined;
    expect((await call(method, `${simulators.urls.brp}${path}`, body, headers)).status).toBe(status);
  });

  it('refuses a gemeenteVanInschrijving that is a number with 400 pattern', async () => {
    const { status, body } = await call('POST', `${simulators.urls.brp}`, {
      ...question(),
      gemeenteVanInschrijving: 1234,
    });
    const [{ name, code }] = body.invalidParams;
    expect([status, name, code]).toEqual([400, 'gemeenteVanInschrijving', 'pattern']);
  });
});

describe('a simulated virus scanner that could not be started', () => {
  it('is started at the next scan of its world', async () => {
    let failures = 1;
    const scannerIn = (world: string) =>
      failures-- > 0 ? Promise.reject(new Error('too many open files')) : simulators.scannerIn(world);
    const urls = { ...simulators.urls, scanner: 'clamd://127.0.0.1:1' };
    const config = readConfig({
      SCANNER: 'simulator',
      DATA_DIR: ':memory:',
      DOCUMENTS_UPSTREAM: 'http://127.0.0.1:1/',
      DOCUMENTS_CLIENT_ID: 'x',
      DOCUMENTS_SECRET: 'x'.repeat(40),
      DOCUMENTS_RSIN: '999990639',
      DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://example.nl/type',
    });
    const upstreams = keep(createWorldUpstreams(config, { ...simulators, urls, scannerIn }));
    const scan = () => upstreams.scanner.scan(file(), { ...testCall(), workspace: 'virus' });
    await expect(scan()).rejects.toThrow('too many open files');
    expect(await scan()).toBe('clean');
  });

  it('is started at the next call, on the port that was in use', async () => {
    const other = createScanners(simulators.worlds);
    const port = Number(new URL(await other.urlIn('bezet')).port);
    const scanners = keep(createScanners(simulators.worlds));
    await expect(scanners.urlIn('bezet', port)).rejects.toThrow('EADDRINUSE');
    await other.close();
    expect(await scanners.urlIn('bezet', port)).toBe(`clamd://127.0.0.1:${port}`);
  });

  async function* file(): AsyncGenerator<Buffer> {
    yield Buffer.from('tekst');
  }
});

describe('a simulated upstream on a port of its own', () => {
  const status = async (headers: Record<string, string>): Promise<number> => {
    const { statusCode, body } = await request(`${simulators.urls.duo}/diplomas/raadplegen`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-doelbinding': 'test', ...headers },
      body: JSON.stringify({ burgerservicenummer: bsnOf('noor-bakker') }),
    });
    await body.dump();
    return statusCode;
  };

  it.each<[title: string, headers: Record<string, string>, expected: number]>([
    ['without Origin as always', {}, 200],
    ['from the address bar of a browser as always', { 'sec-fetch-site': 'none' }, 200],
    ['with an Origin with 403', { origin: 'https://example.org' }, 403],
    ['of a script in a page of the same host with 403', { 'sec-fetch-site': 'same-origin' }, 403],
    ['for a host name that a site on the internet can have with 403', { host: 'evil.example:4010' }, 403],
    ['for the name of this machine in a container as always', { host: 'host.docker.internal:4010' }, 200],
    ['of a script in a page of another host with 403', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('answers a request %s', async (_, headers, expected) => {
    expect(await status(headers)).toBe(expected);
  });
});
