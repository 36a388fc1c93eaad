/** What requests, decisions and time make of a registration (domain.md 4.2, 4.4, 4.7), over the real app. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDirectory, loginOf } from '../../simulator/people/directory.ts';
import type { PersonaFile } from '../../simulator/persona-files/schema.ts';
import { registratiesOf } from '../../simulator/upstreams/register/registraties.ts';
import { isManual } from '../../simulator/upstreams/register/zaken.ts';
import type { ResidentInWorld } from '../../simulator/worlds/index.ts';
import { createWorlds } from '../../simulator/worlds/index.ts';
import { DEFAULT_SETTINGS } from '../../simulator/worlds/settings.ts';
import { createMemoryState } from '../../simulator/worlds/state-memory.ts';
import { plusDays, plusYears } from '../../src/wire/dates.ts';
import { controlOf } from '../support/control.ts';
import { addRequest, personOn } from '../support/resident.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { byPost, frozenClock, type Reply, refusalOf, TODAY, useService } from '../support/service.ts';

/** Professions that were in the register for a time (Wet BIG, art. 36a), each with somebody who was registered. */
const ART_36A = [
  ['oud-mondhygienist', 'geregistreerd-mondhygiënist', '2025-07-01'],
  ['oud-hulpverlener', 'bachelor medisch hulpverlener', '2022-05-01'],
] as const;
const folder = temporaryFolder('personas');
type Own = NonNullable<Extract<PersonaFile, { person?: unknown }>['person']>;
type Registration = NonNullable<Own['registraties']>[number];
const write = (slug: string, person: Own): void =>
  writeFileSync(join(folder, `${slug}.json`), JSON.stringify({ slug, extends: 'sanne-de-wit', person }));
const nurse = (uhd: Registration['uhd'], more: Partial<Registration> = {}): Registration => ({
  ...{ beroep: 'verpleegkundige', sinds: { years: -9 }, uhd },
  ...more,
});
const assistant = (uhd: Registration['uhd']) => nurse(uhd, { beroep: 'physician assistant', sinds: { years: -5 } });
const struckOff = (op: object, reden: 'Niet geherregistreerd' | 'Op eigen verzoek') =>
  ({ status: { soort: 'doorgehaald', op, reden } }) as const;
// Somebody with two deadlines a week apart: 6 and 13 July 2026.
write('twee-uhd', {
  registraties: [nurse({ months: 1, days: 5 }), assistant({ months: 1, days: 12 })],
  handmatig: true,
});
// A request that the register decides itself, of somebody who could renew only the last registration.
write('laatste-loopt', {
  registraties: [
    nurse({ days: -1 }, { beroep: 'arts', ...struckOff({}, 'Niet geherregistreerd') }),
    nurse({ years: 2 }),
    assistant({ months: 1 }),
  ],
  aanvragen: [{ type: 'herregistratie', tag: 'InBehandeling', ingediend: { days: -1 }, manual: false }],
});
// Somebody whose request was refused after the deadline, which the file does not give.
const REFUSED = { tag: 'Afgewezen', ingediend: { months: -3 }, besloten: { months: -1 }, reden: 'Te weinig uren.' };
write('zonder-uhd', {
  registraties: [nurse(null, struckOff({ months: -2 }, 'Niet geherregistreerd'))],
  aanvragen: [{ ...REFUSED, tag: 'Afgewezen', type: 'herregistratie', manual: true }],
});
for (const [slug, beroep] of ART_36A) write(slug, { registraties: [{ beroep, sinds: { years: -5 }, uhd: null }] });
// Code 18 is of an arts who also dispenses medicines.
for (const [slug, nummer, more] of [
  ['apotheekarts-gestopt', '90300011118', struckOff({ years: -1 }, 'Op eigen verzoek')],
  ['apotheekarts', '90300011218', {}],
] as const)
  write(slug, {
    registraties: [{ beroep: 'arts', nummer, sinds: { years: -3 }, uhd: { years: 2 }, ...more }],
    diplomas: [{ opleiding: 'geneeskunde', instelling: 'uu', behaaldOp: { years: -3 } }],
  });
const service = await useService({ PERSONAS_DIR: folder });
const control = controlOf(service);

let worlds = 0;
function meet(who: string) {
  worlds += 1;
  const world = `r${worlds}`;
  const as = `${who}@${world}`;
  const api = control.in(world);
  return {
    on: (day: string) => api.post('/clock', { set: day }),
    view: async (): Promise<Reply['body']> => (await service.get('/api/v1/dashboard-view', { as })).body,
    notes: async (): Promise<string[]> =>
      (await service.get('/api/v1/notes', { as })).body.map(({ type }: { type: string }) => type),
    requests: async (): Promise<Reply['body'][]> =>
      (await service.get('/api/v1/applications', { as })).body.map(({ status }: Reply['body']) => status),
    post: (path: string, json: unknown) => service.post(`/api/v1${path}`, as, json),
    put: (path: string, json: unknown) => service.call('PUT', `/api/v1${path}`, { as, json }),
    letters: async (): Promise<string[]> =>
      (await api.get(`/post/${who}`)).body.map(({ date, kind }: { date: string; kind: string }) => `${date} ${kind}`),
    decide: (referentie: string, besluit: object) => api.put(`/zaken/${referentie}/besluit`, besluit),
    undecide: (referentie: string) => api.delete(`/zaken/${referentie}/besluit`),
  };
}
/** Returns worlds with a frozen clock that keep everything in memory. */
function inMemory() {
  const [directory, state] = [createDirectory(), createMemoryState(DEFAULT_SETTINGS)];
  const worlds = createWorlds({ directory, clock: frozenClock(TODAY), state });
  return { directory, state, worlds, world: worlds.at('default') };
}
const BY_HAND = { diplomaHerkomst: 'handmatig', documents: byPost('diploma-gewaarmerkt', 'identiteitsbewijs') };
describe('a request without a flag of the person', () => {
  const registratie = { diplomaHerkomst: 'duo', diplomaDatum: '2021-06-01', opleidingstaal: 'nl' };
  const byPost = [{ categoryId: 'werkervaring', channel: 'post' }];

  it.each<[string, string, string, object, object[], boolean]>([
    ['with a diploma of exactly five years ago', 'noor-bakker', 'registratie', registratie, [], false],
    ['with an older diploma', 'noor-bakker', 'registratie', { ...registratie, diplomaDatum: '2021-05-31' }, [], true],
    ['with a diploma in English', 'noor-bakker', 'registratie', { ...registratie, opleidingstaal: 'en' }, [], true],
    ['of somebody who was struck off', 'wilma-dekker', 'registratie', registratie, [], true],
    ['about hours, of somebody who was struck off', 'wilma-dekker', 'intake', { uren: 2_080 }, [], true],
    ['for another address, of somebody who was struck off', 'wilma-dekker', 'adreswijziging', {}, [], true],
    ['with the hours of the norm', 'sanne-de-wit', 'herregistratie', { uren: 2_080 }, [], false],
    ['with an hour less', 'sanne-de-wit', 'herregistratie', { uren: 2_079 }, [], true],
    ['with a document by post', 'sanne-de-wit', 'herregistratie', { uren: 2_080 }, byPost, true],
    ['of somebody who is suspended', 'pieter-hoekstra', 'intake', {}, [], true],
    ['for another address, of somebody who is suspended', 'pieter-hoekstra', 'adreswijziging', {}, [], true],
    ['for another address, of anybody else', 'sanne-de-wit', 'adreswijziging', {}, [], false],
  ])('%s (%s, %s) has manual review as domain.md 4.4 says', (_, slug, soort, gegevens, documenten, expected) => {
    const { world } = inMemory();
    const found = world.byLogin(slug) as ResidentInWorld;
    const resident = { ...found.resident, person: { ...found.resident.person, handmatig: false } };
    expect(isManual(world, { ...found, resident }, { soort, gegevens: { ...gegevens }, documenten })).toBe(expected);
  });

  it.each([
    ['mila-jansen', false],
    ['ruben-smit', true],
  ])('of %s is in the sample in every world or in none', (slug, expected) => {
    const { worlds: here } = inMemory();
    const request = { soort: 'intake', gegevens: {}, documenten: [] };
    const inSample = ['default', 'a', 'b', 'c', 'd', 'e'].map((name) => {
      const world = here.at(name);
      return isManual(world, world.byLogin(loginOf(name, slug)) as ResidentInWorld, request);
    });
    expect(new Set(inSample)).toEqual(new Set([expected]));
  });
});

describe('somebody with two registrations', () => {
  /** Applies for both, and checks which one the dashboard shows after each application. */
  const askBoth = async () => {
    const me = meet('twee-uhd');
    const beroep = async () => (await me.view()).registration.beroep;
    expect(await beroep()).toBe('verpleegkundige');
    const first = await me.post('/herregistraties', { uren: 2_600 });
    expect([first.status, await beroep()]).toEqual([200, 'physician assistant']);
    const second = await me.post('/herregistraties', { uren: 2_600 });
    expect([second.status, await beroep()]).toEqual([200, 'verpleegkundige']);
    expect(await refusalOf(me.post('/herregistraties', { uren: 2_600 }))).toEqual([422, 'lopende-aanvraag']);
    return { me, references: [first.body.referentie, second.body.referentie] };
  };

  it('can apply for both, and each stands until its own decision', async () => {
    const { me, references } = await askBoth();
    await me.on('2026-07-20');
    await me.decide(references[0], { uitkomst: 'afgewezen' });
    expect((await me.view()).registration).toMatchObject({
      beroep: 'physician assistant',
      status: { tag: 'Geregistreerd', herregistratieDatum: '2026-07-13' },
    });
    await me.decide(references[1], { uitkomst: 'goedgekeurd' });
    expect((await me.view()).registration.status.herregistratieDatum).toBe('2031-07-20');
  });

  it('has a request of the persona file for the one that could be renewed, granted after two days', async () => {
    const me = meet('laatste-loopt');
    expect((await me.view()).registration.beroep).toBe('physician assistant');
    await me.on('2026-06-02');
    expect(await me.requests()).toMatchObject([{ tag: 'Goedgekeurd' }]);
    await me.on('2029-01-01');
    expect((await me.view()).registration.status.herregistratieDatum).toBe('2031-06-02');
  });

  it('submits a draft for each as well', async () => {
    const me = meet('twee-uhd');
    const answers = [];
    for (const _ of ['first', 'second', 'third']) {
      const { body } = await me.post('/applications', { type: 'herregistratie' });
      answers.push(await me.post(`/applications/${body.id}/submit`, { uren: 2_600 }));
    }
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([200, 200, 'lopende-aanvraag']);
  });

  it('has both in progress again after the clock was set back to before both decisions', async () => {
    const { me, references } = await askBoth();
    await me.on('2026-06-10');
    for (const referentie of references) await me.decide(referentie, { uitkomst: 'goedgekeurd' });
    expect((await me.requests()).map(({ tag }) => tag)).toEqual(['Goedgekeurd', 'Goedgekeurd']);
    await me.on('2026-06-02');
    expect((await me.requests()).map(({ tag }) => tag)).toEqual(['InBehandeling', 'InBehandeling']);
    expect(await refusalOf(me.post('/herregistraties', { uren: 2_600 }))).toEqual([422, 'lopende-aanvraag']);
    // The other one can be open too, also when a decision is withdrawn by hand.
    await me.on('2026-06-11');
    expect((await me.undecide(references[1])).status).toBe(200);
    expect((await me.undecide(references[0])).status).toBe(200);
    expect((await me.requests()).map(({ tag }) => tag)).toEqual(['InBehandeling', 'InBehandeling']);
  });

  it('loses the one for which no application was made, and keeps the other while its application runs', async () => {
    const me = meet('twee-uhd');
    await me.post('/herregistraties', { uren: 2_600 });
    await me.on('2026-07-13');
    expect((await me.view()).decisions.eligibleForHerregistratie).toBe(true);
    await me.on('2026-07-14');
    const { beroep, status } = (await me.view()).registration;
    expect([beroep, status.tag]).toEqual(['verpleegkundige', 'Geregistreerd']);
    expect(await me.letters()).toContain('2026-07-14 besluit-doorhaling');
  });
});

it.each([
  ['five years after the diploma', 'noor-bakker', '2023-03-01', '2028-03-01'],
  ['five years after the diploma, when that is the next day', 'noor-bakker', '2021-06-21', '2026-06-21'],
  ['five years after the diploma, when that is the same day', 'noor-bakker', '2021-06-20', '2026-06-20'],
  ['five years after the decision, for an older diploma', 'noor-bakker', '2021-06-19', '2031-06-20'],
  ['five years after the decision, for a former registration', 'wilma-dekker', '2023-03-01', '2031-06-20'],
])('a registration that was granted on 20 June 2026 has its deadline %s (%s)', (_, slug, diplomaDatum, uhd) => {
  const { state, world, found } = personOn(slug, '2026-06-20');
  const gegevens = { beroep: 'verloskundige', diplomaDatum };
  const referentie = addRequest(state, slug, 'registratie', TODAY, gegevens);
  state.storeBesluit('default', referentie, { uitkomst: 'goedgekeurd', reden: null, datum: '2026-06-20' });
  expect(registratiesOf(world, found).at(-1)).toMatchObject({ sinds: '2026-06-20', uhd });
});

it.each([
  ['2026-04-29', 'Goedgekeurd'],
  // Two days later is a Saturday, and the next workday is after the death.
  ['2026-04-30', 'InBehandeling'],
  ['2026-05-01', 'InBehandeling'],
  ['2026-05-02', 'InBehandeling'],
])(
  'a change of address that needs no case handler of somebody who died on 3 May 2026, requested on %s, is afterwards %s',
  async (day, tag) => {
    const truus = meet('truus-visser');
    await truus.on(day);
    await truus.post('/change-requests', { straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Amsterdam' });
    await truus.on('2026-05-20');
    expect(await truus.requests()).toMatchObject([{ tag, manual: false }]);
  },
);

describe('a registration that was struck off on 1 October 2025, after the clock was set back to 10 September', () => {
  const byPost = [{ categoryId: 'werkervaring', channel: 'post' }];
  it.each([
    ['goedgekeurd', '2025-09-20', { tag: 'Geregistreerd', herregistratieDatum: '2030-09-20' }],
    ['goedgekeurd', '2025-10-20', { tag: 'Geregistreerd', herregistratieDatum: '2030-10-20' }],
    ['afgewezen', '2025-09-20', { tag: 'Doorgehaald', doorgehaaldOp: '2025-10-01' }],
    ['afgewezen', '2025-10-01', { tag: 'Doorgehaald', doorgehaaldOp: '2025-10-01' }],
    ['afgewezen', '2025-10-20', { tag: 'Doorgehaald', doorgehaaldOp: '2025-10-20' }],
  ])('with a herregistratie that is %s on %s has on 1 June 2026 the status %j', async (uitkomst, day, expected) => {
    const wilma = meet('wilma-dekker');
    await wilma.on('2025-09-10');
    const { referentie } = (await wilma.post('/herregistraties', { uren: 2_600, documents: byPost })).body;
    await wilma.on(plusDays(day, -1));
    expect((await wilma.view()).registration.status.tag).toBe('Geregistreerd');
    await wilma.on(day);
    await wilma.decide(referentie, { uitkomst, reden: 'Nee.' });
    await wilma.on('2026-06-01');
    expect((await wilma.view()).registration.status).toMatchObject(expected);
  });
});

/** Returns the registrations of Sanne, after `change` replaced facts about her. */
function registratiesOfSanne(change: (sanne: ResidentInWorld['resident']) => Partial<ResidentInWorld['resident']>) {
  const { world } = inMemory();
  const found = world.byLogin('sanne-de-wit') as ResidentInWorld;
  return registratiesOf(world, { ...found, resident: { ...found.resident, ...change(found.resident) } });
}

it.each([
  ['2020-06-30', '2020-07-01'],
  ['2020-07-02', '2020-07-02'],
  ['2025-06-30', '2025-06-30'],
  ['2025-07-01', '2020-07-01'],
])(
  'a registration in a profession of art. 36a, in the register from 2020-07-01 to 2025-07-01 that a persona file starts on %s, starts on %s',
  (given, sinds) => {
    const [registratie] = registratiesOfSanne(({ registraties }) => ({
      registraties: registraties.map((one) => ({ ...one, beroepCode: '79', sinds: given })),
    }));
    expect(registratie).toMatchObject({ sinds, doorhaling: { op: '2025-07-01' } });
  },
);

it.each([
  ['on the deadline', '2026-05-01', { op: '2026-05-01', reden: 'Overlijden' }],
  ['on the day after it', '2026-05-02', { op: '2026-05-02', reden: 'Niet geherregistreerd' }],
  ['later', '2026-05-03', { op: '2026-05-02', reden: 'Niet geherregistreerd' }],
])(
  'a registration with its deadline on 2026-05-01, of somebody who died %s, is struck off for the first of the two reasons',
  (_, overledenOp, doorhaling) => {
    const [registratie] = registratiesOfSanne(({ registraties }) => ({
      overledenOp,
      registraties: registraties.map((one) => ({ ...one, uhd: '2026-05-01', status: null })),
    }));
    expect(registratie).toMatchObject({ doorhaling });
  },
);

describe('a request of a deceased person', () => {
  it('is left to a case handler, who can refuse it but not grant it', async () => {
    const person = meet('truus-visser');
    await person.on('2026-05-01');
    const { referentie } = (await person.post('/registrations', BY_HAND)).body;
    await person.on('2026-06-20');
    expect((await person.requests())[0]).toMatchObject({ tag: 'InBehandeling', manual: true });
    expect(await refusalOf(person.decide(referentie, { uitkomst: 'goedgekeurd' }))).toEqual([409, 'persoon-overleden']);
    expect((await person.decide(referentie, { uitkomst: 'afgewezen' })).status).toBe(200);
  });

  it('is refused, and so are a new draft and the submit of an earlier one', async () => {
    const person = meet('truus-visser');
    await person.on('2026-05-01');
    const draft = await person.post('/applications', { type: 'intake' });
    expect(draft.status).toBe(201);
    await person.on('2026-06-01');
    expect(await refusalOf(person.post('/applications', { type: 'intake' }))).toEqual([409, 'aanvrager-overleden']);
    expect(await refusalOf(person.post('/registrations', BY_HAND))).toEqual([422, 'aanvrager-overleden']);
    const submitted = await person.post(`/applications/${draft.body.id}/submit`, { uren: 5_000 });
    expect([submitted.status, submitted.body.code]).toEqual([409, 'aanvrager-overleden']);
  });

  it('that was granted before the death gave a registration that is struck off on the day of death', async () => {
    const person = meet('truus-visser');
    await person.on('2026-05-01');
    const { referentie } = (await person.post('/registrations', BY_HAND)).body;
    await person.decide(referentie, { uitkomst: 'goedgekeurd', beroep: 'arts' });
    await person.on('2026-05-03');
    expect((await person.view()).registration).toMatchObject({
      beroep: 'arts',
      status: { tag: 'Doorgehaald', reden: 'Overlijden', doorgehaaldOp: '2026-05-03' },
    });
  });
});

describe('an approved request for registration', () => {
  const BY_DUO = { diplomaHerkomst: 'duo', documents: byPost('werkervaring') };
  it.each<[string, object, string, string, string?]>([
    ['gerda-postma', BY_HAND, 'verpleegkundige', '2031-06-20'],
    ['wilma-dekker', BY_HAND, 'verloskundige', '2031-06-20'],
    ['elena-marin', BY_HAND, 'verpleegkundige', '2031-06-20'],
    // Somebody who comes back: as an arts who also dispensed medicines (code 18).
    ['apotheekarts-gestopt', { diplomaHerkomst: 'duo' }, 'arts', '2031-06-20'],
    ['noor-bakker', BY_HAND, 'verpleegkundige', '2031-05-11', 'verpleegkundige'],
    ['noor-bakker', BY_DUO, 'arts', '2031-06-20', 'arts'],
    ['noor-bakker', BY_HAND, 'arts', '2031-06-20', 'arts'],
  ])('with manual review gives %s with %j a registration as %s until %s', async (who, asked, beroep, uhd, named) => {
    const person = meet(who);
    const { referentie } = (await person.post('/registrations', asked)).body;
    expect(await person.requests()).toMatchObject([{ tag: 'InBehandeling', manual: true }]);
    await person.on('2026-06-20');
    expect((await person.decide(referentie, { uitkomst: 'goedgekeurd', beroep: named })).status).toBe(200);
    expect(await person.requests()).toMatchObject([{ tag: 'Goedgekeurd' }]);
    expect((await person.view()).registration).toMatchObject({
      beroep,
      registerNummer: expect.stringMatching(/^\*{9}\d\d$/),
      registratiedatum: '2026-06-20',
      status: { tag: 'Geregistreerd', herregistratieDatum: uhd, doorgehaaldOp: null },
    });
  });

  it('as arts is refused with 409 for an arts who also dispenses medicines (code 18)', async () => {
    const person = meet('apotheekarts');
    const { referentie } = (await person.post('/registrations', BY_HAND)).body;
    const { status, body } = await person.decide(referentie, { uitkomst: 'goedgekeurd', beroep: 'arts' });
    expect([status, body.code]).toEqual([409, 'al-geregistreerd']);
  });

  it('gives a registration in the profession that the draft names', async () => {
    const person = meet('gerda-postma');
    const { id } = (await person.post('/applications', { type: 'registratie' })).body;
    await person.put(`/applications/${id}`, { draft: { beroep: 'psychotherapeut' } });
    const { referentie } = (await person.post(`/applications/${id}/submit`, BY_HAND)).body;
    await person.decide(referentie, { uitkomst: 'goedgekeurd' });
    expect((await person.view()).registration.beroep).toBe('psychotherapeut');
  });

  it('is refused with 409 without a profession, or with a profession in which the person is registered', async () => {
    const person = meet('sanne-de-wit');
    const { referentie } = (await person.post('/registrations', BY_HAND)).body;
    const approve = (more: object) => refusalOf(person.decide(referentie, { uitkomst: 'goedgekeurd', ...more }));
    expect(await approve({})).toEqual([409, 'beroep-nodig']);
    expect(await approve({ beroep: 'verpleegkundige' })).toEqual([409, 'al-geregistreerd']);
  });

  it('stays as it is when it is approved again in a profession in which the person is registered, which is refused with 409', async () => {
    const rosa = meet('rosa-silva');
    const { referentie } = (await rosa.post('/registrations', BY_HAND)).body;
    const approve = (beroep: string) => refusalOf(rosa.decide(referentie, { uitkomst: 'goedgekeurd', beroep }));
    expect(await approve('tandarts')).toEqual([200, undefined]);
    expect(await approve('tandarts')).toEqual([200, undefined]);
    expect(await approve('arts')).toEqual([409, 'al-geregistreerd']);
    await rosa.on('2030-02-01');
    expect((await rosa.view()).registration).toMatchObject({ beroep: 'tandarts', registratiedatum: TODAY });
  });

  it('is refused with 409 on a day before its receipt', async () => {
    const noor = meet('noor-bakker');
    const { referentie } = (await noor.post('/registrations', { diplomaHerkomst: 'duo' })).body;
    await noor.on('2026-05-01');
    expect(await refusalOf(noor.decide(referentie, { uitkomst: 'goedgekeurd' }))).toEqual([409, 'nog-niet-ontvangen']);
    expect((await noor.view()).registration).toBeNull();
  });

  it('is refused with 409 for a burgerservicenummer that the register does not know, which can still be refused', async () => {
    const stranger = '123456782';
    const { status, body } = await service.post('/api/v1/registrations', stranger, BY_HAND);
    expect(status).toBe(200);
    const path = `/zaken/${body.referentie}/besluit`;
    const here = control.in('default');
    const granted = await here.put(path, { uitkomst: 'goedgekeurd', beroep: 'arts' });
    expect([granted.status, granted.body.code]).toEqual([409, 'persoon-onbekend']);
    expect(granted.body.detail).not.toContain(stranger);
    expect((await here.put(path, { uitkomst: 'afgewezen' })).status).toBe(200);
    const { body: requests } = await service.get('/api/v1/applications', { as: stranger });
    expect(requests[0].status.tag).toBe('Afgewezen');
  });
});

describe('a second profession', () => {
  it('is requested with the newest DUO diploma in a new profession, with manual review for an old diploma', async () => {
    const ruben = meet('ruben-smit');
    expect((await ruben.view()).registration.beroep).toBe('physician assistant');
    const { status, body } = await ruben.post('/registrations', { diplomaHerkomst: 'duo' });
    expect(status).toBe(200);
    expect(await ruben.requests()).toContainEqual(
      expect.objectContaining({ referentie: body.referentie, manual: true }),
    );
    await ruben.decide(body.referentie, { uitkomst: 'goedgekeurd' });
    // The other registration has the nearest deadline, and is shown: the new one runs until 2031.
    expect((await ruben.view()).registration.beroep).toBe('physician assistant');
    expect((await ruben.post('/registrations', { diplomaHerkomst: 'duo' })).body.code).toBe('al-geregistreerd');
    // Once that one has lapsed the new one is shown, and can be renewed by itself.
    await ruben.on('2027-09-01');
    expect((await ruben.view()).registration).toMatchObject({
      beroep: 'verpleegkundige',
      status: { tag: 'Geregistreerd', herregistratieDatum: plusYears(TODAY, 5) },
    });
  });

  it('is shown once the registration with the nearest deadline has ended', async () => {
    const mila = meet('mila-jansen');
    expect((await mila.view()).registration).toMatchObject({ beroep: 'verpleegkundige' });
    await mila.on('2026-09-12');
    const { beroep, status } = (await mila.view()).registration;
    expect([beroep, status.tag]).toEqual(['physician assistant', 'Geregistreerd']);
  });

  it('is renewed on its own: a granted herregistratie moves one deadline', async () => {
    const ruben = meet('ruben-smit');
    const { referentie } = (await ruben.post('/registrations', { diplomaHerkomst: 'duo' })).body;
    await ruben.decide(referentie, { uitkomst: 'goedgekeurd' });
    await ruben.on('2027-03-01');
    const renewal = await ruben.post('/herregistraties', { uren: 2_600 });
    await ruben.decide(renewal.body.referentie, { uitkomst: 'goedgekeurd' });
    // Renewed until 2032, so that the nurse of 2031 is the nearest now.
    expect((await ruben.view()).registration).toMatchObject({
      beroep: 'verpleegkundige',
      status: { herregistratieDatum: '2031-06-01' },
    });
  });
});

it('a person whom the disciplinary court struck off is refused a new registration in that profession with herinschrijving-niet-mogelijk', async () => {
  const person = meet('burger-712');
  expect((await person.view()).registration.status).toMatchObject({ tag: 'Doorgehaald', reden: 'Tuchtmaatregel' });
  for (const request of [{ diplomaHerkomst: 'duo' }, BY_HAND]) {
    expect(await refusalOf(person.post('/registrations', request))).toEqual([422, 'herinschrijving-niet-mogelijk']);
  }
  const { id } = (await person.post('/applications', { type: 'registratie' })).body;
  const { status, body } = await person.post(`/applications/${id}/submit`, { diplomaHerkomst: 'duo' });
  const codes = body.errors.map(({ code }: { code: string }) => code);
  expect([status, codes]).toEqual([409, ['herinschrijving-niet-mogelijk']]);
});

it.each([
  ['2026-10-31', 'Geschorst', ['Maatregel']],
  ['2026-11-01', 'Geregistreerd', []],
])('a suspension until 1 November shows the registration on %s as %s', async (day, tag, notes) => {
  const pieter = meet('pieter-hoekstra');
  const { referentie } = (await pieter.post('/herregistraties', { uren: 2_600 })).body;
  await pieter.decide(referentie, { uitkomst: 'goedgekeurd' });
  await pieter.on(day);
  expect((await pieter.view()).registration.status).toMatchObject({
    tag,
    geschorstTot: tag === 'Geschorst' ? '2026-11-01' : null,
  });
  expect(await pieter.notes()).toEqual(notes);
});

describe('the doorhaling (striking off) of a registration', () => {
  it('is shown on the day after a specialist registration ends', async () => {
    const amira = meet('amira-el-idrissi');
    await amira.on('2029-07-05');
    expect((await amira.view()).registration.status.tag).toBe('Geregistreerd');
    expect(await amira.notes()).toEqual(['Specialisme']);
    await amira.on('2029-07-06');
    expect(await amira.notes()).toEqual([]);
    expect((await amira.view()).registration.status).toMatchObject({ tag: 'Doorgehaald', doorgehaaldOp: '2029-07-06' });
  });

  it('leaves room for a new registration in that profession on the same day', async () => {
    const ingrid = meet('ingrid-visser');
    await ingrid.on('2026-07-01');
    await ingrid.decide('HER-2026-000097', { uitkomst: 'afgewezen' });
    const { referentie } = (await ingrid.post('/registrations', BY_HAND)).body;
    const { beroep } = (await ingrid.view()).registration;
    expect((await ingrid.decide(referentie, { uitkomst: 'goedgekeurd', beroep })).status).toBe(200);
    expect((await ingrid.view()).registration).toMatchObject({ beroep, registratiedatum: '2026-07-01' });
  });

  it('has the date of a refusal after a deadline that the persona file does not give', async () => {
    expect((await meet('zonder-uhd').view()).registration.status).toMatchObject({ doorgehaaldOp: '2026-05-01' });
  });

  it('has the date of the decision when herregistratie was refused', async () => {
    const ingrid = meet('ingrid-visser');
    await ingrid.on('2026-07-01');
    await ingrid.decide('HER-2026-000097', { uitkomst: 'afgewezen' });
    expect((await ingrid.view()).registration.status).toMatchObject({ doorgehaaldOp: '2026-07-01' });
    await ingrid.on('2026-12-01');
    expect((await ingrid.view()).registration.status).toMatchObject({ doorgehaaldOp: '2026-07-01' });
  });
});

describe('a change of address', () => {
  const there = { straat: 'Kerkstraat 1', postcode: '1012 GG', woonplaats: 'Amsterdam' };
  const home = { straat: 'Merelstraat 18', postcode: '3514 CN', woonplaats: 'Utrecht' };

  it('after its approval is refused for the same address, and accepted for the former address', async () => {
    const sanne = meet('sanne-de-wit');
    const change = async (adres: object, day: string) => {
      const { status, body } = await sanne.post('/change-requests', adres);
      await sanne.on(plusDays(day, 2));
      return status === 200 ? 'ok' : body.code;
    };
    expect(await change(home, '2026-06-01')).toBe('adres-ongewijzigd');
    expect(await change(there, '2026-06-03')).toBe('ok');
    expect(await change(there, '2026-06-05')).toBe('adres-ongewijzigd');
    expect(await change(home, '2026-06-07')).toBe('ok');
    expect(await change(home, '2026-06-09')).toBe('adres-ongewijzigd');
    expect((await sanne.view()).person.adres).toEqual(home);
  });

  it('that is granted on the day of an earlier change replaces the address of that change', async () => {
    const sanne = meet('sanne-de-wit');
    for (const adres of [there, home]) {
      const { body } = await sanne.post('/change-requests', adres);
      await sanne.decide(body.referentie, { uitkomst: 'goedgekeurd' });
    }
    expect((await sanne.post('/change-requests', home)).body.code).toBe('adres-ongewijzigd');
    expect((await sanne.post('/change-requests', there)).status).toBe(200);
  });
});

it.each(ART_36A)('the profession of art. 36a of %s (%s) has ended by law on %s', async (who, _, doorgehaaldOp) => {
  const { registration } = await meet(who).view();
  expect(registration.registratiedatum < doorgehaaldOp).toBe(true);
  const status = { tag: 'Doorgehaald', doorgehaaldOp, reden: 'Registratie van rechtswege vervallen' };
  expect(registration.status).toMatchObject(status);
});
