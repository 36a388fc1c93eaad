import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { getResponse } from 'msw';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../browser/index.ts';
import { INSTELLINGEN, OPLEIDINGEN } from '../../fixtures/opleidingen.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { createRandom } from '../../simulator/people/random.ts';
import { createReplacement } from '../../simulator/recording/replacement.ts';
import { startBff } from '../../testing/index.ts';
import { type StartProcess, spawnStart } from '../support/process.ts';
import { frozenClock, startService, type TestService, TODAY } from '../support/service.ts';
import { type ScriptedServer, startScriptedServer } from '../support/upstreams/scripted-server.ts';

/** Personas in unusual situations, as the test persons of real upstreams. */
const PERSONS = ['sanne-de-wit', 'amira-el-idrissi', 'lotte-van-dijk', 'jan-kuipers', 'maria-de-graaf', 'truus-visser'];
const READS = ['/dashboard-view', '/notes', '/duo/diplomas', '/brp/address'];

const bsnOf = (slug: string): string => {
  const persona = PERSONAS.find((one) => one.slug === slug);
  return (persona?.kind === 'professional' && persona.person.bsn) || '';
};

const folder = mkdtempSync(join(tmpdir(), 'recording-'));
const fileOf = (slug: string) => `opname-${PERSONS.indexOf(slug) + 1}`;
const textOf = (slug: string) => readFileSync(join(folder, `${fileOf(slug)}.json`), 'utf8');

/** The bodies that the real upstreams sent about each person, before they were recorded. */
const originals = new Map<string, readonly unknown[]>();
/** What the service answered about each person with the real upstreams, keyed by slug and path. */
const before = new Map<string, unknown>();

const post = async (url: string, body: unknown, headers = {}) => {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-doelbinding': 'test', ...headers },
    body: JSON.stringify(body),
  });
  return (await answer.body.json()) as readonly Record<string, string>[];
};

let simulators: StartProcess;
afterAll(() => simulators.child.kill('SIGKILL'));
beforeAll(async () => {
  simulators = spawnStart({ SIMULATORS_PORT: '0', DATA_DIR: ':memory:', SIMULATOR_TODAY: TODAY }, ['simulators']);
  while (!/SCANNER=.+\n/.test(simulators.stdout())) await setTimeout(20);
  const urls = Object.fromEntries(
    [...simulators.stdout().matchAll(/((?:REGISTER|BRP|DUO)_UPSTREAM)=(\S+)/g)].map(([, name, url]) => [name, url]),
  );
  const service = await startService({ ...urls, RECORD: folder, RECORD_TEST_PERSONS: 'yes' });
  for (const slug of PERSONS) {
    for (const path of READS) before.set(slug + path, (await service.get(`/api/v1${path}`, { as: slug })).body);
    // A change of address makes the service ask for the requests and the address that the register has.
    await service.post('/api/v1/change-requests', slug, { straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Gouda' });
    const burgerservicenummer = bsnOf(slug);
    originals.set(
      slug,
      await Promise.all([
        post(`${urls.REGISTER_UPSTREAM}/registraties/zoek`, { burgerservicenummer }),
        post(`${urls.REGISTER_UPSTREAM}/zaken/zoek`, { indiener: { burgerservicenummer } }),
        post(`${urls.DUO_UPSTREAM}/diplomas/raadplegen`, { burgerservicenummer }),
        post(`${urls.BRP_UPSTREAM}`, {
          type: 'RaadpleegMetBurgerservicenummer',
          burgerservicenummer: [burgerservicenummer],
          fields: [
            'burgerservicenummer',
            'naam.volledigeNaam',
            'geboorte.datum',
            'verblijfplaats',
            'adressering.aanhef',
          ],
        }),
      ]),
    );
  }
  const whys = service.log.flatMap(({ recording }) => (recording as { why?: string } | undefined)?.why ?? []);
  expect(new Set(whys)).toEqual(new Set(['this operation is not recorded']));
  await service.close();
}, 60_000);
afterAll(() => {
  simulators.child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Members whose values are words of the upstream itself, or public names: of programmes, countries and reasons. */
const PUBLIC = /\/(type|soort|status|code|niveau|taal|beroepCode|uitkomst|reden|categorie|handmatig|openbaar)$/;
const PUBLIC_GROUP = /\/(opleiding|instelling|opschortingBijhouding\/reden|functieAdres|land|deelnemer)\//;

/** Returns the texts in a value that are about a person, with their paths. */
function personal(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return PUBLIC.test(path) || PUBLIC_GROUP.test(path) ? [] : [value];
  return Object.entries(value ?? {}).flatMap(([name, member]) => personal(member, `${path}/${name}`));
}

describe('recording from npm run simulators as real upstreams', () => {
  it('writes one persona for each test person', () => {
    expect(readdirSync(folder).sort()).toEqual(PERSONS.map((slug) => `${fileOf(slug)}.json`).sort());
  });

  it.each(PERSONS)('writes no text about %s that was in an answer: no number, name, address, date or id', (slug) => {
    const texts = [...new Set((originals.get(slug) ?? []).flatMap((body) => personal(body)))];
    expect(texts).toEqual(expect.arrayContaining([bsnOf(slug), expect.stringMatching(/^90\d{9}$/)]));
    const names = [...Object.values(INSTELLINGEN), ...Object.values(OPLEIDINGEN)].map(({ naam }) => naam);
    const file = names.reduce((text, name) => text.replaceAll(name, ''), textOf(slug).replace(/"extends".*/, ''));
    const words = (text: string) => ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').toLowerCase()} `;
    const all = words(file);
    expect(texts.filter((text) => text.length > 2 && all.includes(words(text)))).toEqual([]);
  });

  it('keeps no burgerservicenummer at all', () => {
    expect(PERSONS.map(textOf).join('\n')).not.toMatch(/(?<!\d)\d{9}(?!\d)/);
  });
});

describe('recording an answer', () => {
  const bsn = '999993653';
  const persoon = { burgerservicenummer: bsn, naam: { volledigeNaam: 'Suzanne Moulin' } };
  const body = (more: object) => ({ type: 'RaadpleegMetBurgerservicenummer', personen: [{ ...persoon, ...more }] });
  const to = mkdtempSync(join(tmpdir(), 'recording-'));
  let upstream: ScriptedServer;
  let service: TestService;
  beforeAll(async () => {
    upstream = await startScriptedServer(() => undefined);
    const recording = { RECORD: to, RECORD_TEST_PERSONS: 'yes' };
    service = await startService({ ...recording, BRP_UPSTREAM: `${upstream.url}/personen` });
  });
  afterAll(async () => {
    await Promise.all([service.close(), upstream.close()]);
    rmSync(to, { recursive: true });
  });

  /** Asks for an address of which the BRP answers this. Returns the status and what was logged about the recording. */
  async function recordingOf(answer: unknown, { as = bsn, status = 200 } = {}) {
    upstream.answer = (_, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    const files = readdirSync(to).length;
    const reply = await service.get('/api/v1/brp/address', { as });
    const { recording } = service.log.findLast((line) => 'recording' in line) as { recording: object };
    return { status: reply.status, recording, written: readdirSync(to).length - files };
  }

  it.each<[string, unknown, string]>([
    [
      'a member that is not known',
      body({ telefoon: '0612345678' }),
      '/personen/0/telefoon is not known to the recorder',
    ],
    [
      'a member of a group that is not known',
      body({ naam: { bijnaam: 'Suus' } }),
      '/personen/0/naam/bijnaam is not known to the recorder',
    ],
    [
      'a salutation that is not known',
      body({ adressering: { aanhef: 'Dag Suzanne' } }),
      '/personen/0/adressering/aanhef is not known to the recorder',
    ],
    [
      'a date with another form',
      body({ geboorte: { datum: { type: 'Datum', datum: '1-12-1981' } } }),
      '/personen/0/geboorte/datum/datum is not known to the recorder',
    ],
    [
      'a code with another form',
      body({ gemeenteVanInschrijving: { code: 'Suzanne' } }),
      '/personen/0/gemeenteVanInschrijving/code is not known to the recorder',
    ],
  ])('with %s writes nothing, logs its place, and answers the caller as without recording', async (_, answer, why) => {
    expect(await recordingOf(answer)).toMatchObject({ recording: { bron: 'brp', file: null, why }, written: 0 });
    expect(JSON.stringify(service.log)).not.toMatch(/Suzanne|Suus|0612345678|999993653/);
  });

  it('with null for a date, a number and a municipality writes a persona with null there', async () => {
    const verblijfplaats = { type: 'Adres', verblijfadres: { korteStraatnaam: 'Dam', huisnummer: null } };
    const answer = body({ geboorte: { datum: null }, gemeenteVanInschrijving: null, verblijfplaats });
    expect(await recordingOf(answer)).toMatchObject({ recording: { file: 'opname-1.json' } });
    expect(readFileSync(join(to, 'opname-1.json'), 'utf8').replaceAll(/\s/g, '')).toMatch(
      /"datum":null.*"gemeenteVanInschrijving":null.*"huisnummer":null/,
    );
  });

  it('with an address and a form of address keeps the honour and replaces the lines', async () => {
    const adressering = {
      aanhef: 'Hoogwelgeboren vrouwe',
      aanschrijfwijze: { naam: 'S. barones Moulin', aanspreekvorm: 'De hoogwelgeboren vrouwe' },
      adresregel1: 'Calle Chaptal 12',
      adresregel2: '28001 Madrid',
      adresregel3: 'Rivas',
      land: { code: '6037', omschrijving: 'Spanje' },
      indicatieVastgesteldVerblijftNietOpAdres: true,
    };
    expect(await recordingOf(body({ adressering }))).toMatchObject({ recording: { file: 'opname-1.json' } });
    const file = readFileSync(join(to, 'opname-1.json'), 'utf8');
    expect(file).not.toMatch(/Suzanne|Moulin|Chaptal|28001|Madrid|Rivas/);
    expect(file.match(/"(De h|H)oogwelgeboren vrouwe"|"Spanje"/g)).toEqual([
      '"Hoogwelgeboren vrouwe"',
      '"De hoogwelgeboren vrouwe"',
      '"Spanje"',
    ]);
  });

  it('about a burgerservicenummer that is not for tests writes nothing', async () => {
    expect(await recordingOf({ ...body({}), personen: [] }, { as: '123456782' })).toMatchObject({
      recording: { file: null, why: 'it is not about a number for tests' },
      written: 0,
    });
  });

  it('with the status 503 writes nothing', async () => {
    expect(await recordingOf({}, { status: 503 })).toMatchObject({
      status: 503,
      recording: { file: null },
      written: 0,
    });
  });

  it('about a test person without a persona writes a person who is in no other upstream', async () => {
    expect(await recordingOf(body({}))).toMatchObject({ status: 200, recording: { file: 'opname-1.json' } });
    const file = JSON.parse(readFileSync(join(to, 'opname-1.json'), 'utf8'));
    expect(file).toMatchObject({ kind: 'professional', person: { registraties: [], diplomas: [] } });
    expect(await startBff({ personas: [file] }).then((bff) => bff.close())).toBeUndefined();
  });
});

describe('a recorded persona', () => {
  let service: TestService;
  let later: TestService;
  beforeAll(async () => {
    service = await startService({ PERSONAS_DIR: folder });
    later = await startService({ PERSONAS_DIR: folder }, frozenClock('2026-06-11'));
  });
  afterAll(() => Promise.all([service.close(), later.close()]));

  it('is read without a fault', () => {
    expect(service.notes.join('\n')).not.toContain('refused');
  });

  it.each(PERSONS)(
    'of %s has the registrations, the diplomas and the kind of address of the test person',
    async (slug) => {
      const now = async (path: string) => (await service.get(`/api/v1${path}`, { as: fileOf(slug) })).body;
      for (const path of READS) expect(shapeOf(await now(path)), path).toEqual(shapeOf(before.get(slug + path)));
    },
  );

  it('has the dates of the test person on the day of the recording, and the same number of days away on a later day', async () => {
    const uhd = async (from: TestService, as: string) =>
      (await from.get('/api/v1/dashboard-view', { as })).body.registration.status.herregistratieDatum;
    expect(await uhd(service, fileOf('sanne-de-wit'))).toBe('2026-10-01');
    expect(await uhd(later, fileOf('sanne-de-wit'))).toBe('2026-10-11');
  });

  it('has in another world the numbers of that world, and the same answers', async () => {
    const view = async (as: string) => (await service.get('/api/v1/dashboard-view', { as })).body;
    const slug = fileOf('amira-el-idrissi');
    expect(await view(`${slug}@demo`)).toEqual(await view(slug));
    const notes = (await service.get('/api/v1/notes', { as: `${slug}@demo` })).body;
    expect(notes).toHaveLength((before.get('amira-el-idrissi/notes') as unknown[]).length);
  });

  it('answers the same in handlers() in a page', async () => {
    const slug = fileOf('sanne-de-wit');
    const list = handlers({ persona: slug, personas: [JSON.parse(textOf('sanne-de-wit'))], clock: TODAY });
    const answer = await getResponse(list, new Request('http://localhost/api/v1/dashboard-view'));
    expect(await answer?.json()).toEqual((await service.get('/api/v1/dashboard-view', { as: slug })).body);
  });

  it('has an address when the BRP was asked for it together with other fields only', async () => {
    const file = JSON.parse(textOf('sanne-de-wit'));
    const { opname } = file.person;
    const ofBrp = opname.antwoorden.filter((one: { bron: string }) => one.bron === 'brp');
    const whole = ofBrp.find((one: { velden: string[] }) => one.velden.includes('naam.volledigeNaam'));
    const personen = [{ burgerservicenummer: '{bsn}' }];
    const number = { ...whole, velden: ['burgerservicenummer'], inhoud: { ...whole.inhoud, personen } };
    opname.antwoorden = [number, whole];
    const list = handlers({ persona: file.slug, personas: [file], clock: TODAY });
    const answer = await getResponse(list, new Request('http://localhost/api/v1/brp/address'));
    expect(await answer?.json()).toMatchObject({ gevonden: true });
  });

  it('can submit a request, which then is in the list of requests', async () => {
    const as = `${fileOf('sanne-de-wit')}@submit`;
    expect((await service.post('/api/v1/herregistraties', as, { uren: 2_600 })).status).toBe(200);
    expect((await service.get('/api/v1/applications', { as })).body).toHaveLength(1);
  });
});

/** Returns a view with a placeholder for each text that is replaced; dates of the register stay. */
function shapeOf(value: unknown, name = ''): unknown {
  if (/^(naam|straat|postcode|woonplaats|registerNummer|omschrijving|id|geboortedatum|referentie)$/.test(name))
    return value === null ? null : typeof value;
  if (typeof value === 'string') return value.replace(/[A-Z]{3}-\d{4}-\d{6}/, 'HER-…');
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => shapeOf(one));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member, key)]));
}

describe('the search for values of the test person in a recorded file', () => {
  const replacement = createReplacement(TODAY, createRandom(1));
  for (const original of ['Jan', 'Kort', 'de', 'Dorpsstraat 12']) replacement.recordOriginal(original);
  replacement.allowText('Universiteit Kort');

  it.each([
    ['a name of three letters', '{"naam":"Jan"}', true],
    ['a name in capitals, in a text', '{"detail":"van KORT, B."}', true],
    ['an address in a longer text', '{"regel":"dorpsstraat 12 A"}', true],
    ['a part of a word', '{"naam":"Januari","plaats":"Kortrijk"}', false],
    ['a word of two letters', '{"voorvoegsel":"de"}', false],
    ['a name in a text that may be kept', '{"instelling":"Universiteit Kort"}', false],
  ])('finds %s, %s: %s', (_, json, found) => {
    expect(replacement.hasLeaked(json)).toBe(found);
  });
});
