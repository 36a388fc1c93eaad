import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { getResponse } from 'msw';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { handlers } from '../../../browser/index.ts';
import type { Persona as ClientPersona } from '../../../client/index.ts';
import type { Person } from '../../../fixtures/person.ts';
import { PERSONAS } from '../../../fixtures/personas/index.ts';
import { runCli } from '../../../simulator/cli/index.ts';
import { openPersonaFiles } from '../../../simulator/host/persona-files.ts';
import { burger } from '../../../simulator/people/burger.ts';
import { residentOf } from '../../../simulator/people/resident.ts';
import { type LoadedPersonas, readPersonas } from '../../../simulator/persona-files/read.ts';
import type { PersonaContent, PersonaFile } from '../../../simulator/persona-files/schema.ts';
import { startBff } from '../../../testing/index.ts';
import { controlOf } from '../../support/control.ts';
import { PAGES } from '../../support/pages.ts';
import { temporaryFolder } from '../../support/run-folder.ts';
import { keep, pointersOf, startService, useService } from '../../support/service.ts';
import { WAIT_MS } from '../../support/time.ts';

declare module '../../../client/index.ts' {
  interface OwnPersonas {
    'kim-van-dam': true;
  }
}

/** A persona file: a nurse five weeks before the deadline. */
const KIM = {
  slug: 'kim-van-dam',
  extends: 'sanne-de-wit',
  toont: 'Heeft nog vijf weken.',
  person: {
    naam: { voornamen: 'Kim', voorvoegsel: 'van', geslachtsnaam: 'Dam' },
    registraties: [{ beroep: 'verpleegkundige', sinds: { years: -14 }, uhd: { days: 35 } }],
  },
} as const satisfies PersonaFile;

const folder = join(temporaryFolder('personas'), 'people');
mkdirSync(folder);
const write = (file: string, content: unknown, place = folder) =>
  writeFileSync(join(place, file), typeof content === 'string' ? content : JSON.stringify(content));
write('kim.json', KIM);
const service = await useService({ PERSONAS_DIR: folder });
const control = controlOf(service);
const dashboard = async (as: string, from = service) =>
  (await from.get('/api/v1/dashboard-view', { as, headers: { 'x-step-up': '1' } })).body;

const BELGIE = { code: '5010', omschrijving: 'België' };
const struckOff = {
  beroep: 'verpleegkundige',
  sinds: { years: -14 },
  uhd: { years: 1 },
  status: { soort: 'doorgehaald', op: { years: -2 }, reden: 'Op eigen verzoek' },
};

/** Waits until what `check` expects is true: a folder is looked at again and again. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: WAIT_MS, interval: 20 });

describe('the requests of own personas', () => {
  it('have references that no generated citizen and no other request has', () => {
    const days = { ingediend: { days: -3 }, besloten: { days: -2 } };
    const request = { type: 'herregistratie', tag: 'Afgewezen', ...days, manual: true, reden: 'Te weinig uren.' };
    const sources = Array.from({ length: 40 }, (_, n) => ({
      file: `p${n}.json`,
      text: JSON.stringify({ ...KIM, slug: `persoon-${n}`, person: { aanvragen: Array(20).fill(request) } }),
    }));
    const { own, faults } = readPersonas(sources, PERSONAS);
    expect(faults).toEqual([]);
    const numbers = own.flatMap(({ persona }) => requestsOf(persona.kind === 'professional' ? persona.person : null));
    expect(numbers).toHaveLength(40 * 20);
    expect(new Set(numbers).size).toBe(numbers.length);
    // The citizens with the highest numbers that can still be in a reference.
    const citizens = Array.from({ length: 100 }, (_, n) => requestsOf(burger(`burger-${899_999 - n}`, '2026-06-01')));
    const last = Array.from({ length: 100 }, (_, n) => requestsOf(burger(`burger-${799_999 - n}`, '2026-06-01')));
    expect(last.flat()).not.toEqual([]);
    expect([...citizens, ...last].flat().filter((number) => number >= Math.min(...numbers))).toEqual([]);
  });

  const requestsOf = (person: Person | null): number[] =>
    (person?.aanvragen ?? []).flatMap((one) => ('volgnummer' in one ? one.volgnummer : []));
});

describe('an own persona', () => {
  it('is found by X-Subject in every world, with the data of the persona that it extends', async () => {
    const { registration, person } = await dashboard('kim-van-dam');
    expect(registration.naam).toBe('Kim van Dam');
    expect(person).toMatchObject({ naam: 'Kim van Dam', adres: { straat: 'Merelstraat 18', woonplaats: 'Utrecht' } });
    expect(registration).toMatchObject({ status: { tag: 'Geregistreerd', herregistratieDatum: '2026-07-06' } });
    expect((await dashboard('kim-van-dam@demo')).registration.naam).toBe('Kim van Dam');
    expect((await service.get('/api/v1/duo/diplomas', { as: 'kim-van-dam' })).body.diplomas).toHaveLength(1);
  });

  it('has another number in the register than the persona that it extends', async () => {
    const [own, base] = await Promise.all(['kim-van-dam', 'sanne-de-wit'].map((as) => dashboard(as)));
    expect(own.registration.registerNummer).toMatch(/^90\d{7}30$/);
    expect(own.registration.registerNummer).not.toBe(base.registration.registerNummer);
  });

  it('has the code 01 in its register number when it is an arts, not 18 of one who also dispenses medicines', () => {
    const arts = {
      ...KIM,
      person: {
        registraties: [{ beroep: 'arts', sinds: { years: -9 }, uhd: { days: 35 } }],
        diplomas: [{ opleiding: 'geneeskunde', instelling: 'uu', behaaldOp: { years: -10 } }],
      },
    };
    const { own, faults } = readPersonas([{ file: 'arts.json', text: JSON.stringify(arts) }], PERSONAS);
    expect(faults).toEqual([]);
    const number = expect.stringMatching(/^90\d{7}01$/);
    expect(own[0]?.persona).toMatchObject({ person: { registraties: [{ nummer: number }] } });
  });

  // Five years before the deadline is a Sunday, so that diploma is of the Friday before.
  it.each([
    ['before', 'hboVerpleegkunde', { years: -1 }, '2026-07-02'],
    ['after', 'fysiotherapie', { years: -14 }, '2026-07-04'],
  ])(
    'has a deadline that only a diploma from before its registration can move: a diploma from %s, %s',
    (_, opleiding, sinds, expected) => {
      const person = {
        registraties: [{ beroep: 'verpleegkundige', sinds, uhd: { days: 33 } }],
        diplomas: [{ opleiding, instelling: 'utrecht', behaaldOp: { years: -5, days: 33 } }],
      };
      const { own, faults } = readPersonas([{ file: 'a.json', text: JSON.stringify({ ...KIM, person }) }], PERSONAS);
      expect(faults).toEqual([]);
      const persona = own[0]?.persona;
      if (persona?.kind !== 'professional') throw new Error('no professional');
      const { registraties } = residentOf(persona.person, { bsn: null, loginId: 'a' }, '2026-06-01');
      expect(registraties[0]?.uhd).toBe(expected);
    },
  );

  it('has its own applications, separate from the persona that it extends', async () => {
    expect((await service.post('/api/v1/herregistraties', 'kim-van-dam@submit', { uren: 2_600 })).status).toBe(200);
    const list = async (as: string) => (await service.get('/api/v1/applications', { as })).body.length;
    expect(await list('kim-van-dam@submit')).toBe(1);
    expect(await list('sanne-de-wit@submit')).toBe(0);
  });

  it('is in the list of the console, on /docs, and among the suggestions of a 401', async () => {
    const cards = (await control.in('default').get('/personas')).body;
    expect(cards.find(({ slug }: { slug: string }) => slug === 'kim-van-dam')).toMatchObject({
      naam: 'Kim van Dam',
      toont: 'Heeft nog vijf weken.',
      file: 'kim.json',
      headers: { 'X-Subject': 'kim-van-dam' },
    });
    expect((await service.call('GET', '/docs')).body).toContain('kim-van-dam');
    expect((await service.get('/api/v1/dashboard-view', { as: 'kim-van-dm' })).body.detail).toContain('kim-van-dam');
  });

  it('keeps its application when a snapshot is restored in another world', async () => {
    await service.post('/api/v1/herregistraties', 'kim-van-dam@before', { uren: 2_600 });
    await control.in('before').put('/snapshots/own-people');
    expect((await control.in('after').post('/snapshots/own-people/restore', {})).status).toBe(200);
    expect((await service.get('/api/v1/applications', { as: 'kim-van-dam@after' })).body).toHaveLength(1);
  });

  it('can be made from each persona of the simulator', async () => {
    for (const { slug } of PERSONAS)
      expect(await control.call('POST', '/personas/check', { slug: `copy-of-${slug}`, extends: slug })).toMatchObject({
        status: 204,
      });
  });

  it('can have every member that a built-in persona has', () => {
    type InFile = Extract<PersonaContent, { kind: 'professional' }>['person'];
    expectTypeOf<Exclude<keyof Person, keyof InFile>>().toBeNever();
  });

  it('can be somebody who does not live at the address in the BRP, so that no address is found', async () => {
    const brp = { nietOpAdres: { months: -2 } };
    write('gone.json', { slug: 'sam-vertrokken', extends: 'sanne-de-wit', person: { brp } });
    await eventually(async () => {
      const { body } = await service.get('/api/v1/brp/address', { as: 'sam-vertrokken' });
      expect(body).toEqual({ gevonden: false, adres: null });
    });
    expect((await dashboard('sam-vertrokken')).person).toMatchObject({ naam: 'Sanne de Wit', adres: null });
    const [oproep] = (await control.call('GET', '/worlds/default/post/sam-vertrokken')).body;
    const { body: text } = await control.call('GET', `/worlds/default/post/sam-vertrokken/${oproep.id}/text`);
    expect(text).toContain('S. de Wit');
    expect(text).not.toContain('Merelstraat');
  });

  it.each([
    ['W', []],
    ['M', ['oproep']],
  ])(
    'can have the data suspended in the BRP for the reason %s, and gets the letters %j by post',
    async (opschorting, kinds) => {
      const slug = `opgeschort-${opschorting.toLowerCase()}`;
      write('suspended.json', { slug, extends: 'sanne-de-wit', person: { berichtenbox: null, brp: { opschorting } } });
      await eventually(async () => expect((await dashboard(slug)).person.adres === null).toBe(kinds.length === 0));
      const { body } = await control.call('GET', `/worlds/default/post/${slug}`);
      expect(body.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    },
  );

  it.each([
    ['no address', { ...ABROAD, regels: [] }, 'berichtenbox'],
    ['an address', { ...ABROAD, regels: ['Kerkstraat 1', '2000 Antwerpen'] }, 'post'],
  ])('can have %s, and gets the letter of a case handler accordingly', async (what, verblijfplaats, channel) => {
    const slug = `met-${what.replace(' ', '-')}`;
    write('abroad.json', {
      slug,
      extends: 'sanne-de-wit',
      person: { berichtenbox: null, verblijfplaats, handmatig: true },
    });
    const asked = () => service.post('/api/v1/herregistraties', `${slug}@${slug}`, { uren: 2_600 });
    await eventually(async () => expect((await dashboard(slug)).registration.naam).toBe('Sanne de Wit'));
    const { referentie } = (await asked()).body;
    expect((await control.in(slug).put('/brief', { tag: 'sent', referentie })).status).toBe(200);
    const { body } = await control.in(slug).get(`/post/${slug}`);
    expect(body.filter(({ kind }: { kind: string }) => kind === 'brief')).toEqual([
      expect.objectContaining({ channel }),
    ]);
  });

  it.each([
    [1, true],
    [2, false],
  ])('can have two registrations and %i renewals in progress, each of its own registration', async (count, isOpen) => {
    const slug = `twee-keer-${count}`;
    const arts = { beroep: 'arts', sinds: { years: -4 }, uhd: { months: 2 } };
    const registraties = [...KIM.person.registraties, arts];
    const run = { type: 'herregistratie', tag: 'InBehandeling', ingediend: { days: -2 }, manual: true };
    const aanvragen = [run, run].slice(0, count);
    write('twice.json', { slug, extends: 'sanne-de-wit', person: { registraties, aanvragen } });
    await eventually(async () =>
      expect(await dashboard(slug)).toMatchObject({ decisions: { eligibleForHerregistratie: isOpen } }),
    );
  });

  it.each([
    ['one name, and no first names', 'een-naam', oneName('Obbadah'), 'Obbadah', 'Geachte mevrouw Obbadah,'],
    ['no name at all', 'zonder-naam', oneName('.'), null, 'Geachte heer of mevrouw,'],
    ['an X in the passport', 'met-x', { geslacht: 'O' }, 'Sanne de Wit', 'Geachte S. de Wit,'],
  ])('can have %s', async (_, slug, person, shown, salutation) => {
    write(`${slug}.json`, { slug, extends: 'sanne-de-wit', person });
    await eventually(async () => expect((await dashboard(slug)).person.naam).toBe(shown));
    const [oproep] = (await control.call('GET', `/worlds/default/post/${slug}`)).body;
    const { body: text } = await control.call('GET', `/worlds/default/post/${slug}/${oproep.id}/text`);
    expect(text).toContain(salutation);
  });

  it.each<[string, PersonaFile['slug'], object]>([
    ['struck off at the own request before', 'na-eigen-verzoek', { registraties: [struckOff] }],
    ['never registered', 'nooit-ingeschreven', { registraties: [] }],
    ['an emigrant', 'in-belgie', { registraties: [], verblijfplaats: ABROAD }],
  ])(
    'can be a deceased person who was %s, whose requests are refused, unless the BRP does not answer',
    async (_, slug, changes) => {
      const person = { ...changes, uploads: [], aanvragen: [] };
      write('dead.json', { slug, extends: 'sanne-de-wit', person: { ...person, overleden: { months: -1 } } });
      write('alive.json', { slug: `${slug}-levend`, extends: 'sanne-de-wit', person });
      await eventually(async () => {
        for (const as of [slug, `${slug}-levend`]) expect((await dashboard(as)).person.naam).toBe('Sanne de Wit');
      });
      for (const [path, body, code] of [
        ['/applications', { type: 'intake' }, 409],
        ['/registrations', { diplomaHerkomst: 'duo' }, 422],
        ['/intakes', { uren: 3_000 }, 422],
      ] as const) {
        const refused = await service.post(`/api/v1${path}`, slug, body);
        expect([path, refused.status, refused.body.code]).toEqual([path, code, 'aanvrager-overleden']);
        expect((await service.post(`/api/v1${path}`, `${slug}-levend`, body)).body.code).toBeUndefined();
        await control.in('silent').post('/faults', { upstream: 'brp', kind: 'refused' });
        expect((await service.post(`/api/v1${path}`, `${slug}@silent`, body)).body.code).toBeUndefined();
      }
    },
  );

  it('has nothing of its base that belonged to a value that it replaces, or that it sets to null', async () => {
    const home = { huisnummer: 18, huisletter: 'A', toevoeging: '2' };
    const brp = { nietOpAdres: MONTHS };
    write('moved.json', { slug: 'basis', extends: 'sanne-de-wit', person: { verblijfplaats: home, brp } });
    const changes = { verblijfplaats: { huisnummer: 7 }, naam: { geslachtsnaam: 'Smit' } };
    const person = { ...changes, brp: { nietOpAdres: null } };
    write('moved-on.json', { slug: 'verder', extends: 'basis', person });
    await eventually(async () =>
      expect((await dashboard('verder')).person).toMatchObject({
        naam: 'Sanne Smit',
        adres: { straat: 'Merelstraat 7' },
      }),
    );
  });

  it('has a date of its own in place of that of its base', async () => {
    const dead = (days: object) => ({ overleden: days, ...has(ended('Overlijden', days)) });
    write('dead-before.json', { slug: 'eerder', extends: 'sanne-de-wit', person: dead(MONTHS) });
    const answerOf = async (asked: object) => {
      const person = { ...dead({ days: -3 }), aanvragen: [{ ...RUNS, ingediend: asked }] };
      return (await control.call('POST', '/personas/check', { slug: 'later', extends: 'eerder', person })).status;
    };
    await eventually(async () => expect(await answerOf({ days: -20 })).toBe(204));
    expect(await answerOf({ days: -1 })).toBe(400);
  });

  it('can be a member of staff who reads the letter', async () => {
    write('staff.json', { slug: 'eva-chef', kind: 'staff', naam: 'Eva Chef', rollen: ['behandelaar'] });
    await eventually(async () => {
      const headers = { authorization: 'Bearer test', 'x-medewerker': 'eva-chef', 'x-rollen': 'behandelaar' };
      expect((await service.get('/api/v1/brief', { headers })).status).toBe(200);
    });
  });
});

describe('a persona file', () => {
  it('is read when the end of its name is .JSON too', async () => {
    write('LOU.JSON', { ...KIM, slug: 'lou' });
    await eventually(async () => expect((await dashboard('lou')).person.naam).toBe('Kim van Dam'));
  });

  it('is read without a restart when it is written, replaced by a rename or by a copy with the same time, and removed', async () => {
    const naam = (voornamen: string) => ({ ...KIM, slug: 'lee', person: { naam: { ...KIM.person.naam, voornamen } } });
    const sees = (voornamen: string) =>
      eventually(async () => expect((await dashboard('lee')).person.naam).toBe(`${voornamen} van Dam`));
    write('lee.json', naam('Lee'));
    await sees('Lee');
    write('.lee.tmp', naam('Leo'));
    utimesSync(join(folder, '.lee.tmp'), 0, 0);
    renameSync(join(folder, '.lee.tmp'), join(folder, 'lee.json'));
    await sees('Leo');
    write('lee.json', naam('Bob'));
    utimesSync(join(folder, 'lee.json'), 0, 0);
    await sees('Bob');
    rmSync(join(folder, 'lee.json'));
    await expect.poll(async () => (await service.get('/api/v1/dashboard-view', { as: 'lee' })).status).toBe(401);
  });
});

/** Returns the faults of the service in the file with this name, as sentences. */
const faultsIn = async (name: string): Promise<string[]> =>
  (await control.call('GET', '/personas')).body.faults
    .filter(({ file }: { file: string }) => file === name)
    .map(({ detail }: { detail: string }) => detail);

it('of more than 200 persona files the first 200 are read, and the others are told', async () => {
  const place = temporaryFolder('many');
  for (let n = 100; n < 350; n += 1) write(`p${n}.json`, { ...KIM, slug: `p${n}` }, place);
  const files = keep(openPersonaFiles({ folder: place, onChange: () => {} }));
  expect(files.personas()).toHaveLength(200);
  const detail = 'There are 250 files, of which 200 are read: not this one, and not the 49 after it.';
  expect(files.current().faults).toEqual([{ file: 'p300.json', pointer: '', detail }]);
  for (const slug of ['p300', 'p349']) expect(files.refusal(slug)?.english).toContain(`${slug}.json`);
  expect(files.refusal('p299')).toBeUndefined();
});

describe('a persona file that cannot be read', () => {
  const zoe = JSON.stringify({ ...KIM, slug: 'zoe', person: { naam: { voornamen: 'Zoë' } } });

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${zoe}`, 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from(zoe, 'utf16le')],
    ['Latin-1', Buffer.from(zoe, 'latin1')],
  ])('because it is in %s is refused, and the message names UTF-8', async (_, bytes) => {
    writeFileSync(join(folder, 'zoe.json'), bytes);
    await eventually(async () =>
      expect(await faultsIn('zoe.json')).toEqual(['The file is not UTF-8. Save it in that encoding.']),
    );
    rmSync(join(folder, 'zoe.json'));
    await eventually(async () => expect(await faultsIn('zoe.json')).toEqual([]));
  });

  it.skipIf(process.getuid?.() === 0)('because of its permissions is refused, until these are changed', async () => {
    write('locked.json', { ...KIM, slug: 'locked' });
    chmodSync(join(folder, 'locked.json'), 0);
    await eventually(async () => expect(await faultsIn('locked.json')).toEqual(['The file cannot be read (EACCES).']));
    chmodSync(join(folder, 'locked.json'), 0o600);
    await eventually(async () => expect(await faultsIn('locked.json')).toEqual([]));
    rmSync(join(folder, 'locked.json'));
  });
});

it('a folder of persona files that cannot be read is a fault, until it can be read', async () => {
  const path = join(folder, '../later');
  writeFileSync(path, '');
  const seen: LoadedPersonas[] = [];
  const files = keep(openPersonaFiles({ folder: path, onChange: (now) => seen.push(now) }));
  expect(files.current().faults).toEqual([{ file: path, pointer: '', detail: 'The folder cannot be read (ENOTDIR).' }]);
  rmSync(path);
  mkdirSync(path);
  writeFileSync(join(path, 'kim.json'), JSON.stringify(KIM));
  await eventually(async () => expect(files.personas().map(({ slug }) => slug)).toEqual(['kim-van-dam']));
  expect(seen.at(-1)?.faults).toEqual([]);
});

/** Asks whether `KIM` with these members of its person is a valid persona. */
const check = (person: object) => control.call('POST', '/personas/check', { ...KIM, slug: 'x', person });

const REGISTRATIE = KIM.person.registraties[0];
const FIRST = '/person/registraties/0';
const [R, A] = ['registraties/0', 'aanvragen/0'];
const has = (...registraties: object[]) => ({ registraties });
const only = (over: object) => has({ ...REGISTRATIE, ...over });
const registered = (over: object) => ({ person: only(over) });
const OWN = 'Op eigen verzoek';
const SUSPENDED = { soort: 'geschorst', reden: 'Schorsing door het tuchtcollege' };
const RUNS = { type: 'herregistratie', tag: 'InBehandeling', ingediend: { days: -2 }, manual: true };
const DRAFT = { type: 'intake', tag: 'Concept', begonnen: { days: -2 }, stepIndex: 1, stepCount: 3, draft: {} };
const [MONTH, MONTHS] = [{ months: -1 }, { months: -2 }];
const LIFE = { leeftijd: 45, diplomas: [] };
const DIPLOMA = { opleiding: 'hboVerpleegkunde', instelling: 'utrecht', behaaldOp: { years: -44 } };
const PARTNER = { voornamen: 'Bo', geslachtsnaam: 'Smit', geslacht: 'M', sinds: { years: -60 } };
const WARNING = { soort: 'maatregel', omschrijving: 'Waarschuwing', van: MONTH, openbaar: true };
const ABROAD = { soort: 'buitenland', regels: [], land: BELGIE };
const gone = (overleden: object, ...registraties: object[]) => ({ overleden, registraties });
const asked = (over: object) => ({ aanvragen: [{ ...RUNS, ...over }] });
const drafted = (over: object) => ({ aanvragen: [{ ...DRAFT, ...over }] });
const until = (tot: object | null, op: object = MONTH) => ({ status: { ...SUSPENDED, op, tot } });
const ended = (reden: string, op: object, uhd: object = { years: 1 }) => ({
  ...REGISTRATIE,
  uhd,
  status: { soort: 'doorgehaald', op, reden },
});
const UPLOAD = {
  localId: 'a',
  wizardId: 'intake',
  categoryId: 'scholingsbewijs',
  bestandsnaam: 'a.png',
  state: 'uploaded',
  inhoud: { soort: 'png', bestand: 'diploma' },
};
/** A document in a request that was sent. */
const withDocument = (upload: object, request: object) => ({
  uploads: [{ ...UPLOAD, ...upload }],
  ...asked({ documenten: ['a'], ...request }),
});

/** What is impossible in a life: its description, the change to `KIM`, the pointer of the fault below `/person`, the message. */
const IMPOSSIBLE: [what: string, person: object, pointer: string, said: RegExp][] = [
  ['a death before the birth', gone({ years: -60 }), 'overleden', /before the birth/],
  ['an early end by death', gone(MONTH, ended('Overlijden', MONTHS)), `${R}/status/op`, /before the death/],
  ['a request after the death', { ...gone(MONTH), ...asked({ type: 'intake' }) }, `${A}/ingediend`, /after the death/],
  ['a registration after the death', gone({ years: -15 }, ended('Overlijden', MONTH)), `${R}/sinds`, /after the death/],
  ['a striking off after the death', gone(MONTHS, ended('Tuchtmaatregel', MONTH)), `${R}/status/op`, /after the death/],
  ['a suspension after the uhd', only({ uhd: MONTHS, ...until({ months: 1 }) }), `${R}/status/op`, /uhd had passed/],
  ['a late renewal', { ...has(ended(OWN, MONTHS)), ...asked({}) }, `${A}/ingediend`, /no registration to renew/],
  [
    'a specialism in a profession without specialisms',
    only({ beroep: 'fysiotherapeut', aantekeningen: [{ ...WARNING, soort: 'specialisme' }] }),
    `${R}/aantekeningen/0/soort`,
    /no specialisms/,
  ],
  [
    'a return before living abroad',
    { brp: { emigratie: { years: -2 }, immigratie: { op: MONTH, land: BELGIE } }, verblijfplaats: ABROAD },
    'brp/immigratie/op',
    /came back/,
  ],
  [
    'a residence permit that ends before it begins',
    { brp: { verblijfstitel: { code: '21', omschrijving: 'x', van: MONTH, tot: MONTHS } } },
    'brp/verblijfstitel/tot',
    /ends before/,
  ],
  ['a document of another wizard', withDocument({}, {}), `${A}/documenten/0`, /not for the wizard herregistratie/],
  ['a refused file', withDocument({ state: 'rejected' }, { type: 'intake' }), `${A}/documenten/0`, /is not uploaded/],
  [
    'a marriage that ends before it begins',
    { brp: { partner: { ...PARTNER, sinds: { years: -2 }, tot: { years: -3 } } } },
    'brp/partner/tot',
    /ends before/,
  ],
  ['a marriage before the birth', { brp: { partner: PARTNER } }, 'brp/partner/sinds', /birth/],
  ['a diploma of a child', { diplomas: [DIPLOMA], ...has() }, 'diplomas/0/behaaldOp', /younger than 16/],
  [
    'two registrations in one profession at the same time',
    has({ ...REGISTRATIE, uhd: { years: 1 } }, { ...REGISTRATIE, sinds: { years: -1 } }),
    'registraties/1/sinds',
    /still registered as verpleegkundige/,
  ],
  [
    'a new registration before the end of the one before',
    has(ended(OWN, MONTH), { ...REGISTRATIE, sinds: MONTHS }),
    'registraties/1/sinds',
    /still registered as verpleegkundige/,
  ],
  [
    'one number for two registrations',
    has(
      ...[ended(OWN, MONTH), { ...REGISTRATIE, sinds: { days: -5 } }].map((one) => ({ ...one, nummer: '90900000230' })),
    ),
    'registraties/1/nummer',
    /has this number/,
  ],
  ['the number of another profession', only({ nummer: '90900000231' }), `${R}/nummer`, /two digits of the profession/],
  [
    'a specialist in a profession without specialisms',
    only({ beroep: 'fysiotherapeut', specialistTot: { years: 1 } }),
    `${R}/specialistTot`,
    /no specialisms/,
  ],
  ['an early specialist', only({ specialistTot: { years: -15 } }), `${R}/specialistTot`, /before sinds/],
  ['a suspension of no day', only(until(MONTH)), `${R}/status/tot`, /on that day/],
  ['a suspension by the court without end', only(until(null)), `${R}/status/tot`, /one year/],
  ['a suspension by the court of more than a year', only(until({ years: 1 })), `${R}/status/tot`, /one year/],
  ['an early strike-off', has(ended('Niet geherregistreerd', MONTH)), `${R}/status/op`, /could still apply/],
  [
    'the end of a profession that exists',
    has(ended('Registratie van rechtswege vervallen', MONTH)),
    `${R}/status/reden`,
    /still exists/,
  ],
  ['a public waarschuwing', only({ aantekeningen: [WARNING] }), `${R}/aantekeningen/0/openbaar`, /never public/],
  ['a renewal of no registration', { ...has(), ...asked({}) }, `${A}/type`, /no registration/],
  ['a decision of tomorrow', asked({ tag: 'Afgewezen', reden: 'x', besloten: { days: 1 } }), `${A}/besloten`, /future/],
  ['a draft of a change of address', drafted({ type: 'adreswijziging' }), `${A}/type`, /no draft/],
  [
    'an emigration before the immigration',
    { brp: { emigratie: { years: -9 }, immigratie: { op: { years: -2 }, land: BELGIE } } },
    'brp/emigratie',
    /come back: leave emigratie out/,
  ],
  [
    'a residence permit from tomorrow on',
    { brp: { verblijfstitel: { code: '21', omschrijving: 'Vergunning', van: { days: 1 } } } },
    'brp/verblijfstitel/van',
    /future/,
  ],
  ['a dot for the first names', { naam: { voornamen: '.' } }, 'naam/voornamen', /null/],
  ['a long specialism', only({ specialistTot: { years: 5, days: 1 } }), `${R}/specialistTot`, /lasts five years/],
  [
    'a third renewal of two registrations',
    { ...has(REGISTRATIE, { ...REGISTRATIE, beroep: 'arts' }), aanvragen: [RUNS, RUNS, RUNS] },
    'aanvragen/2/type',
    /in progress/,
  ],
  ['a draft that is further than its last step', drafted({ stepIndex: 4 }), `${A}/stepIndex`, /stepCount/],
];

const JUST_BEFORE = { months: -1, days: -1 };
/** Changes to `KIM` that are near those of `IMPOSSIBLE`, and possible. */
const POSSIBLE: object[] = [
  { ...gone(MONTH, ended('Overlijden', MONTH)), ...asked({ ingediend: JUST_BEFORE }) },
  gone(MONTH, ended(OWN, { years: -2 })),
  has(ended(OWN, MONTH), { ...REGISTRATIE, sinds: MONTH }),
  has({ ...REGISTRATIE, uhd: { years: -2 } }, { ...REGISTRATIE, sinds: { years: -1 } }),
  has(REGISTRATIE, { ...REGISTRATIE, beroep: 'arts' }),
  { ...has(REGISTRATIE, { ...REGISTRATIE, beroep: 'arts' }), aanvragen: [RUNS, RUNS] },
  { naam: { voornamen: 'Bo', geslachtsnaam: '.' } },
  { naam: { voornamen: null, voorvoegsel: null, geslachtsnaam: 'Bo' } },
  { brp: { immigratie: { op: { years: -2 }, land: BELGIE } } },
  only({ specialistTot: { years: 5 } }),
  only(until({ months: 11 })),
  only({ status: { ...SUSPENDED, reden: 'Schorsing bij voorlopige voorziening', op: MONTH, tot: null } }),
  only({ specialistTot: { years: 1 }, nummer: '90900000330', aantekeningen: [{ ...WARNING, openbaar: false }] }),
  has(ended('Niet geherregistreerd', MONTH, JUST_BEFORE)),
  gone(MONTHS, ended('Niet geherregistreerd', MONTH, JUST_BEFORE)),
  { ...only({ uhd: { days: -20 }, ...until({ months: 1 }, { days: -5 }) }), ...asked({ ingediend: MONTH }) },
  withDocument({}, { type: 'intake' }),
  has({ ...ended('Registratie van rechtswege vervallen', MONTH), beroep: 'bachelor medisch hulpverlener' }),
  { ...has(), aanvragen: [...asked({ type: 'intake' }).aanvragen, { ...DRAFT, stepIndex: 3 }] },
];

it.each(IMPOSSIBLE)('a persona with %s is refused', async (_, person, pointer, said) => {
  const { status, body } = await check({ ...LIFE, ...person });
  const fault = { pointer: `/person/${pointer}`, detail: expect.stringMatching(said) };
  expect([status, body.errors]).toEqual([400, [expect.objectContaining(fault)]]);
});

it('a persona whose life is possible is accepted, also when it is unusual', async () => {
  for (const [index, person] of POSSIBLE.entries()) {
    const { status, body } = await check({ ...LIFE, ...person });
    expect([index, status, body]).toEqual([index, 204, body]);
  }
});

const ALLOWED = /allowed values/;
const [HOME, UP] = ['/person/verblijfplaats', '/person/uploads/0'];
const EARLIER = { ...RUNS, ingediend: { days: -9 } };
const brp = (event: string) => ({ brp: { [event]: { years: -1 } } });

const oneName = (geslachtsnaam: string) => ({ naam: { voornamen: null, voorvoegsel: null, geslachtsnaam } });

/**
 * Files with one fault: its description, the change to `KIM` or the text of the file, the JSON Pointer, the message,
 * and the allowed values.
 */
const WRONG: [what: string, change: object | string, pointer: string, said: RegExp, allowed?: string[]][] = [
  ['a word that is not allowed', { person: { geslacht: 'X' } }, '/person/geslacht', /allowed values/, ['M', 'V', 'O']],
  ['a member that does not exist', { person: { voornaam: 'Kim' } }, '/person/voornaam', /no such member/, ['naam']],
  ['a member of another tag', { person: asked({ besloten: {} }) }, '/person/aanvragen/0/besloten', /^\D+ member\.$/],
  ['a member of another kind', { role: 'drafter' }, '/role', /no such member\.$/, ['person']],
  ['a misspelt member', { person: { leeftyd: 8 } }, '/person/leeftyd', /Did you mean leeftijd\?/],
  ['an unknown profession', registered({ beroep: 'dokter' }), `${FIRST}/beroep`, ALLOWED, ['arts', 'verpleegkundige']],
  [
    'an unknown kind of status',
    registered({ status: { soort: 'weg' } }),
    `${FIRST}/status/soort`,
    ALLOWED,
    ['geschorst', 'doorgehaald'],
  ],
  [
    'an unknown programme',
    { person: { diplomas: [{ opleiding: 'hbo', instelling: 'han', behaaldOp: null }] } },
    '/person/diplomas/0/opleiding',
    ALLOWED,
    ['hboVerpleegkunde'],
  ],
  ['an unknown base', { extends: 'sane-de-wit' }, '/extends', /no persona/, ['sanne-de-wit', 'kim-van-dam']],
  ['no kind', '{"slug":"no-kind"}', '/kind', /missing/, ['professional', 'letter', 'staff']],
  ['a number that fails the 11-test', { person: { bsn: '999990000' } }, '/person/bsn', /11-test/],
  ['the number of a persona of the simulator', { person: { bsn: '999990007' } }, '/person/bsn', /sanne-de-wit/],
  ['the number of another file', { person: { bsn: '999990019' } }, '/person/bsn', /belongs to with-number/],
  ['a number outside the test range', { person: { bsn: '123456782' } }, '/person/bsn', /begin with 999/],
  ['an early start', registered({ sinds: { years: -17 } }), `${FIRST}/sinds`, /before the diploma of verpleegkundige/],
  ['a registration of a child', { person: { leeftijd: 25, diplomas: [] } }, `${FIRST}/sinds`, /younger than 18/],
  ['a register number of a generated citizen', registered({ nummer: '90100000730' }), `${FIRST}/nummer`, /burger-7/],
  [
    'a diploma in the future',
    { person: { diplomas: [{ opleiding: 'psychologie', instelling: 'uu', behaaldOp: { days: 1 } }] } },
    '/person/diplomas/0/behaaldOp',
    /future/,
  ],
  ['a suspension of -1 day', registered(until({ days: -10 }, { days: -9 })), `${FIRST}/status/tot`, /ends before/],
  ['an unknown town', { person: { verblijfplaats: { woonplaats: 'Lutjebroek' } } }, `${HOME}/gemeente`, /Add it/],
  ['a foreign category', { person: { uploads: [{ ...UPLOAD, categoryId: 'cv' }] } }, `${UP}/categoryId`, /intake/],
  [
    'a path as a picture',
    { person: { uploads: [{ ...UPLOAD, inhoud: { soort: 'png', bestand: '../../package' } }] } },
    `${UP}/inhoud/bestand`,
    ALLOWED,
    ['diploma'],
  ],
  ['the slug of a persona of the simulator', { slug: 'wilma-dekker' }, '/slug', /simulator has this slug/],
  ['the slug of another file', { slug: 'two-files' }, '/slug', /two\.json/],
  ['a uhd after more than five years', registered({ uhd: { years: 5, days: 1 } }), `${FIRST}/uhd`, /five years/],
  ['a death without a strike-off', { person: { overleden: { days: -9 } } }, `${FIRST}/status`, /not struck off/],
  [
    'a strike-off for a death without a death',
    { person: has({ ...REGISTRATIE, status: { soort: 'doorgehaald', op: { days: -1 }, reden: 'Overlijden' } }) },
    `${FIRST}/status/reden`,
    /Add overleden/,
  ],
  ['the name of no partner', { person: { brp: { naamgebruik: 'V' } } }, '/person/brp/naamgebruik', /Add partner/],
  ['a home after an emigration', { person: brp('emigratie') }, '/person/brp/emigratie', /lives in the Netherlands/],
  [
    'somebody abroad who does not live at an address in the Netherlands',
    { extends: 'jan-kuipers', person: brp('nietOpAdres') },
    '/person/brp/nietOpAdres',
    /has no address in the Netherlands/,
  ],
  [
    'a rejection without a case handler',
    { person: asked({ tag: 'Afgewezen', reden: 'x', besloten: {}, manual: false }) },
    '/person/aanvragen/0/manual',
    /case handler/,
  ],
  ['a request in the future', { person: asked({ ingediend: { days: 1 } }) }, '/person/aanvragen/0/ingediend', /future/],
  ['two requests of one type', { person: { aanvragen: [EARLIER, RUNS] } }, '/person/aanvragen/1/type', /in progress/],
  ['the slug of a generated citizen', { slug: 'burger-7' }, '/slug', /not look like burger-1/],
  ['its own slug in extends', { slug: 'self', extends: 'self' }, '/extends', /extend each other/],
  ['text that is not JSON', '{"slug": "x",', '', /not JSON \(line 1/],
  ['a member twice', '{"slug":"x","person":{"brp":{"partner":null,"partner":null}}}', '/person/brp/partner', /once/],
  ['a comma after the last item of a list', '{"person": {\n "diplomas": [1,]}}', '', /not JSON \(line 2 column 17\)/],
  ['a list instead of an object', '[]', '', /must be an object/],
  [
    'a suspension without its reason',
    registered({ status: { soort: 'geschorst', op: MONTH, tot: null } }),
    `${FIRST}/status/reden`,
    /is missing/,
    ['Schorsing door het tuchtcollege'],
  ],
  [
    'a member that would change the prototype',
    '{"slug":"proto","extends":"sanne-de-wit","person":{"__proto__":{"geheim":true}}}',
    '/person/__proto__',
    /may not have this name/,
  ],
  ['more than 64 KiB', `{"slug":"${'a'.repeat(70_000)}"}`, '', /longer than/],
  ['half a surrogate pair', '{"slug":"half","extends":"sanne-de-wit","toont":"\\ud800"}', '/toont', /surrogate/],
];
/** A file with what is wrong in these, without a fault. */
const RIGHT = {
  ...KIM,
  slug: 'right',
  person: {
    geslacht: 'V',
    leeftijd: 45,
    bsn: '999990020',
    verblijfplaats: { woonplaats: 'Lutjebroek', gemeente: { code: '0532', omschrijving: 'Stede Broec' } },
    ...only({ nummer: '90900000030', uhd: { years: 5 }, ...until({ days: 9 }, { days: -9 }) }),
    uploads: [UPLOAD],
    ...brp('nietOpAdres'),
    aanvragen: [EARLIER, { ...RUNS, type: 'intake' }],
  },
};
const fileOf = (index: number) => `wrong-${String(index).padStart(2, '0')}.json`;

describe('a file with a fault', async () => {
  const place = temporaryFolder('wrong');
  const put = (file: string, content: unknown) => write(file, content, place);
  put('kim.json', KIM);
  put('right.json', RIGHT);
  put('two.json', { ...KIM, slug: 'two-files' });
  put('half.json', '{ "slug": "ha');
  put('bo.yaml', 'slug: bo\nextends: sanne-de-wit\n');
  put('README.md', 'These are our personas.');
  put('tabs.json', { ...KIM, slug: 'tabs', toont: 'een\ttab', shows: 'a\ttab' });
  put('many.json', {
    ...KIM,
    slug: 'many',
    person: Object.fromEntries('abcdefghijklmnopqrstuvw'.split('').map((name) => [name, 1])),
  });
  put('no-kind.json', { slug: 'No Kind', person: { naam: { voornamen: '' }, leeftijd: 4 } });
  put('no-kind-staff.json', { slug: 'no-kind-staff', naam: '', rollen: [] });
  put('capital.json', { slug: 'capital', Extends: 'sanne-de-wit', person: { leeftijd: '45' } });
  put('words.json', {
    slug: 'words',
    kind: 'professional',
    person: {
      ...Object.fromEntries(['naam', 'geslacht', 'leeftijd'].map((name) => [name, 1])),
      verjaardag: '03-14',
      verblijfplaats: { soort: 'addres' },
      overleden: '2026-05-01',
      registraties: [{ ...REGISTRATIE, beroep: 'Verpleegkundige', uhd: '2026-07-01' }],
      diplomas: [],
    },
  });
  put('typo.json', { slug: 'typo', extends: 'sane-de-wit' });
  put('long.json', { ...KIM, slug: 'long', toont: 'a'.repeat(301) });
  put('\u001b[31mred\n.json', '[]');
  put('number.json', { slug: 'with-number', extends: 'sanne-de-wit', person: { bsn: '999990019' } });
  for (const [index, [, change]] of WRONG.entries())
    put(fileOf(index), typeof change === 'string' ? change : { ...KIM, slug: `wrong-${index}`, ...change });
  symlinkSync(join(place, 'right.json'), join(place, 'link.json'));
  for (const [below, file] of [
    ['team', 'deep.json'],
    ['pictures', 'kim.png'],
  ] as const) {
    mkdirSync(join(place, below));
    put(join(below, file), { ...KIM, slug: 'deep' });
  }
  const other = await useService({ PERSONAS_DIR: place });
  const faults: { file: string; pointer: string; detail: string; allowed?: string[] }[] = (
    await controlOf(other).call('GET', '/personas')
  ).body.faults;
  const told = { note: other.notes.join('\n'), faults };

  it('makes another file with the same slug a refused file too', () => {
    expect(told.faults.filter(({ file }) => file === 'two.json')).toEqual([
      {
        file: 'two.json',
        pointer: '/slug',
        detail: expect.stringMatching(/^Another file has this slug: wrong-\d+\.json/),
      },
    ]);
  });

  it.each(WRONG.map(([what, , ...expected], index) => [what, fileOf(index), ...expected] as const))(
    'with %s is refused with the JSON Pointer of the fault',
    (_, file, pointer, said, allowed) => {
      const [fault, ...more] = told.faults.filter((one) => one.file === file);
      expect(fault).toMatchObject({ pointer, detail: expect.stringMatching(said) });
      expect(more).toEqual([]);
      if (allowed !== undefined) expect(fault?.allowed).toEqual(expect.arrayContaining(allowed));
      // A persona cannot extend itself.
      expect(fault?.allowed ?? []).not.toContain(`wrong-${Number(file.slice(6, 8))}`);
    },
  );

  it('does not prevent the use of the other files', async () => {
    expect(told.faults.filter(({ file }) => file === 'right.json')).toEqual([]);
    expect((await dashboard('kim-van-dam', other)).person.naam).toBe('Kim van Dam');
    expect((await dashboard('999990019', other)).person.naam).toBe('Sanne de Wit');
    expect(({} as { geheim?: boolean }).geheim).toBeUndefined();
  });

  it.each([
    ['the slug in the file', 'X-Subject', 'two-files', 'two.json'],
    ['the slug in the file, in a world', 'X-Subject', 'two-files@demo', 'two.json'],
    ['the name of a file that is not JSON', 'X-Subject', 'half', 'half.json'],
    ['the name of a file of YAML', 'X-Subject', 'bo', 'bo.yaml'],
    ['the slug of a member of staff', 'X-Medewerker', 'two-files', 'two.json'],
  ])('is named in the 401 for a caller with %s, with where its faults are', async (_, header, name, file) => {
    const headers = { Authorization: 'Bearer x', [header]: name };
    const answer = await fetch(`${other.url}/api/v1/dashboard-view`, { headers });
    expect(answer.status).toBe(401);
    expect(((await answer.json()) as { detail: string }).detail).toContain(
      `Het bestand van deze persona is geweigerd: ${file}. De redenen staan in de log, en "npm run sim -- personas" toont ze.`,
    );
  });

  it('says of a file in another format that it must be JSON, and nothing of other files', () => {
    const detail = 'Write the persona as JSON, in a file that ends in .json.';
    expect(told.faults.filter(({ file }) => file === 'bo.yaml')).toEqual([{ file: 'bo.yaml', pointer: '', detail }]);
    expect(told.faults.map(({ file }) => file)).not.toContain('README.md');
  });

  it('has all its faults named, or the number of the others when there are more than twenty', () => {
    const of = (name: string) => told.faults.filter(({ file }) => file === name);
    expect(of('tabs.json').map(({ pointer }) => pointer)).toEqual(['/toont', '/shows']);
    expect(of('many.json')).toHaveLength(21);
    expect(of('many.json').at(-1)?.detail).toBe('There are 3 more faults in this file.');
  });

  it.each([
    ['no-kind.json', ['/slug', '/kind', '/person/naam/voornamen', '/person/naam/geslachtsnaam', '/person/leeftijd']],
    ['no-kind-staff.json', ['/kind', '/naam', '/rollen']],
    ['capital.json', ['/extends', '/person/leeftijd', '/Extends']],
  ])('has its other faults named too when its kind is missing: %s', (file, pointers) => {
    const of = told.faults.filter((one) => one.file === file);
    expect(of.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(pointers));
    const kinds = of.flatMap(({ pointer, allowed }) => (pointer === '/kind' ? [allowed] : []));
    expect(kinds).toEqual(file === 'capital.json' ? [] : [['professional', 'letter', 'staff']]);
  });

  it.each([
    ['capital.json', '/Extends', 'There is no such member. Did you mean extends?'],
    ['words.json', '/person/verblijfplaats/soort', 'This is not one of the allowed values. Did you mean adres?'],
    [
      'words.json',
      '/person/registraties/0/beroep',
      'This is not one of the allowed values. Did you mean verpleegkundige?',
    ],
    ['words.json', '/person/overleden', 'This must be a date relative to today, such as { "years": -12, "days": 9 }.'],
    [
      'words.json',
      '/person/registraties/0/uhd',
      'This must be a date relative to today, such as { "years": -12, "days": 9 }.',
    ],
    ['typo.json', '/extends', 'There is no persona with this slug. Did you mean sanne-de-wit?'],
    ['long.json', '/toont', 'This is too long: at most 300 characters.'],
    ['no-kind-staff.json', '/rollen', 'This is too short: at least 1 items.'],
    ['no-kind.json', '/person/leeftijd', 'This is too small: at least 16.'],
  ])('%s is told at %s: %s', (file, pointer, detail) => {
    expect(told.faults).toContainEqual(expect.objectContaining({ file, pointer, detail }));
  });

  it.each([
    ['a symbolic link', 'link.json', 'This is a link, which is not read. Put the file itself in its place.'],
    ['a folder with files', 'team', 'This is a folder, in which no files are read. Put its files beside it.'],
  ])('is not read through %s, which is told', (_, file, detail) => {
    expect(told.faults.filter((one) => one.file === file)).toEqual([{ file, pointer: '', detail }]);
  });

  it('is not told of a folder without persona files', () => {
    expect(told.faults.map(({ file }) => file)).not.toContain('pictures');
  });

  it('is reported in the log and at the start with file and JSON Pointer, without the name of the person', () => {
    const lines = other.log.filter((line) => 'persona' in line);
    expect(lines).toContainEqual(
      expect.objectContaining({
        persona: { file: fileOf(0), pointer: '/person/geslacht', fault: expect.any(String), allowed: ['M', 'V', 'O'] },
      }),
    );
    expect(JSON.stringify(lines)).not.toMatch(/Dam|Kim/);
    expect(told.note).toContain('personas of your own: kim-van-dam, with-number');
    expect(told.note).toContain('persona refused: \\u001b[31mred\\n.json: ');
    expect(told.note).toContain(
      `persona refused: ${fileOf(0)} /person/geslacht: This is not one of the allowed values. Allowed: M, V, O.`,
    );
  });
});

it('the JSON Schema of a persona file accepts a valid file, refuses a wrong value, and contains the allowed words', async () => {
  const { body } = await control.call('GET', '/schemas/persona.json');
  const validate = new Ajv({ strict: false }).compile(body);
  expect(validate({ $schema: 'x', ...KIM })).toBe(true);
  expect(validate({ ...KIM, person: { geslacht: 'X' } })).toBe(false);
  const words = JSON.stringify(body);
  const some = ['verpleegkundige', 'Tuchtmaatregel', 'hboVerpleegkunde', 'scholingsbewijs', 'teamlead', 'buitenland'];
  for (const word of some) expect(words).toContain(`"${word}"`);
});

describe('the control API of own personas', () => {
  const make = async (slug: string, from = 'joost-van-buren') =>
    (await control.call('GET', `/personas/${from}/copy?as=${slug}`)).body;

  it('stores a copy of a persona (201), usable at once, and refuses it the second time with 409', async () => {
    const file = await make('bo-jansen');
    const $schema = `${service.url}/_simulator/schemas/persona.json`;
    expect(file).toMatchObject({ extends: 'joost-van-buren', $schema });
    const saved = await control.call('POST', '/personas', file);
    expect(saved).toMatchObject({ status: 201, body: { slug: 'bo-jansen', file: join(folder, 'bo-jansen.json') } });
    expect((await dashboard('bo-jansen')).person.naam).toBe('Joost van Buren');
    expect((await control.call('POST', '/personas', file)).status).toBe(409);
  });

  it.each(['../escape', 'a/b', '..', 'UPPER', 'burger-8', '', 'x'.repeat(60)])('refuses the slug %j', async (slug) => {
    const before = readdirSync(join(folder, '..')).length;
    expect((await control.call('POST', '/personas', { slug, extends: 'sanne-de-wit' })).status).toBe(400);
    expect((await control.call('GET', `/personas/sanne-de-wit/copy?as=${encodeURIComponent(slug)}`)).status).toBe(400);
    expect(readdirSync(join(folder, '..')).length).toBe(before);
  });

  it('does not replace an existing file (409), also when that file is invalid', async () => {
    write('broken.json', '{');
    expect((await control.call('POST', '/personas', { slug: 'broken', extends: 'sanne-de-wit' })).status).toBe(409);
    expect(readFileSync(join(folder, 'broken.json'), 'utf8')).toBe('{');
    rmSync(join(folder, 'broken.json'));
  });

  it('refuses a persona with 400 and the JSON Pointer of every fault', async () => {
    const { status, body } = await check({ leeftijd: 3, geslacht: 'X' });
    expect(status).toBe(400);
    expect(pointersOf(body)).toEqual(['/person/geslacht', '/person/leeftijd']);
  });

  it('answers geen-map when no folder is configured', async () => {
    const other = keep(await startService());
    expect((await controlOf(other).call('POST', '/personas', KIM)).body.code).toBe('geen-map');
  });
});

describe('npm run sim --', () => {
  const sim = async (line: string) => {
    let printed = '';
    const out = (text: string) => {
      printed += text;
    };
    await runCli(line.split(' '), { out, url: service.url });
    return printed;
  };

  it('persona new writes a file, and refuses an existing name or an unknown base', async () => {
    expect(await sim('persona new mo-de-vries --from wilma-dekker')).toContain(join(folder, 'mo-de-vries.json'));
    expect(JSON.parse(readFileSync(join(folder, 'mo-de-vries.json'), 'utf8'))).toMatchObject({
      slug: 'mo-de-vries',
      extends: 'wilma-dekker',
    });
    expect((await dashboard('mo-de-vries')).registration.status.tag).toBe('Doorgehaald');
    await expect(sim('persona new mo-de-vries')).rejects.toThrow(/a persona mo-de-vries already/);
    await expect(sim('persona new ok --from wilma-deker')).rejects.toThrow(/wilma-dekker/);
  });

  it('personas lists own personas and refused files', async () => {
    write('odd.json', { slug: 'odd' });
    await eventually(async () => expect(await sim('personas')).toContain('refused: odd.json /kind'));
    expect(await sim('personas')).toContain('kim-van-dam');
    rmSync(join(folder, 'odd.json'));
  });
});

describe('personas given as an option', () => {
  it('exist in startBff()', async () => {
    const bff = keep(await startBff({ today: '2026-06-01', personas: [KIM] }));
    const kim: ClientPersona = 'kim-van-dam';
    expect((await bff.world('one').as(kim).GET('/dashboard-view')).data?.person?.naam).toBe('Kim van Dam');
  });

  it('exist in handlers(), also with the types that TypeScript gives an imported JSON file', async () => {
    const registraties = KIM.person.registraties.map((one) => ({ ...one, beroep: String(one.beroep) }));
    const imported = { ...KIM, person: { ...KIM.person, registraties } };
    const here = handlers({ persona: 'kim-van-dam', personas: [imported], clock: '2026-06-01' });
    await here.restore({ ...here.snapshot(), format: String(here.snapshot().format) });
    const answer = await getResponse(here, new Request('http://localhost/api/v1/dashboard-view'));
    expect(await answer?.json()).toMatchObject({ person: { naam: 'Kim van Dam' } });
  });

  it.each([
    ['with a fault', [{ ...KIM, person: { leeftijd: 5 } }], /personas\[0\] \/person\/leeftijd/],
    ['that are not in a list', KIM, /personas: This must be a list/],
    ['that are undefined', [undefined], /personas\[0\]: This must be an object/],
  ])('%s make startBff() and handlers() throw', async (_, given, says) => {
    const personas = given as PersonaFile[];
    await expect(startBff({ personas })).rejects.toThrow(says);
    expect(() => handlers({ personas })).toThrow(says);
  });
});

describe('the guide docs/guides/own-people.md', () => {
  const guide = PAGES.find(({ path }) => path === 'docs/guides/own-people.md')?.text ?? '';
  const blocks = (language: string) =>
    [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);

  it('has a JSON example that is a valid persona', async () => {
    const [example = ''] = blocks('json');
    const bff = keep(await startBff({ today: '2026-06-01', personas: [JSON.parse(example)] }));
    expect((await bff.as('kim-van-dam').GET('/dashboard-view')).data?.registration?.status).toMatchObject({
      tag: 'Geregistreerd',
      herregistratieDatum: '2026-07-06',
    });
  });
});
