import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../../fixtures/personas/index.ts';
import { createDirectory } from '../../../simulator/people/directory.ts';
import { findContradictions } from '../../../simulator/persona-files/rules.ts';
import { frozenClock, keep, startService, useService } from '../../support/service.ts';

const service = await useService();

const dashboard = async (as: string, from = service) =>
  (await from.get('/api/v1/dashboard-view', { as, headers: { 'x-step-up': '1' } })).body;

const elfproef = (bsn: string): boolean =>
  [...bsn].reduce((sum, digit, index) => sum + Number(digit) * (index === 8 ? -1 : 9 - index), 0) % 11 === 0;

it('the directory of simulated persons frees the numbers of a deleted world, and gives each person there the same number again', () => {
  const directory = createDirectory();
  const numberOf = (subject: string) => directory.professional(subject)?.bsn ?? '';
  const [kept, freed] = [numberOf('burger-1@kept'), numberOf('sanne-de-wit@freed')];
  directory.forget('freed');
  expect(directory.byBsn(kept)).toEqual({ world: 'kept', slug: 'burger-1' });
  expect(directory.byBsn(freed)).toBeNull();
  expect(numberOf('sanne-de-wit@freed')).toBe(freed);
  expect(directory.byBsn(freed)).toEqual({ world: 'freed', slug: 'sanne-de-wit' });
});

describe('a persona', () => {
  const professionals = PERSONAS.flatMap((persona) => (persona.kind === 'professional' ? [persona] : []));

  it.each(professionals.map(({ slug }) => [slug]))(
    '%s has the same name and date of birth in the register and the BRP',
    async (slug) => {
      const { registration, person } = await dashboard(slug);
      if (registration === null) return;
      // The BRP knows only the month of birth of this one; then no date is shown (domain.md 4.1).
      const inBrp = slug === 'maria-de-graaf' ? null : registration.geboortedatum;
      expect(person).toMatchObject({ naam: registration.naam, geboortedatum: inBrp });
    },
  );

  it('has a burgerservicenummer that is unique and passes the 11-test', () => {
    const numbers = professionals.flatMap(({ person }) => (person.bsn === null ? [] : [person.bsn]));
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.filter((bsn, at) => numbers.indexOf(bsn) !== at)).toEqual([]);
    expect(numbers.filter((bsn) => !/^(99999|99985)\d{4}$/.test(bsn) || !elfproef(bsn))).toEqual([]);
  });

  it('has a register number of its own', () => {
    const numbers = professionals.flatMap(({ slug, person }) =>
      person.registraties.map(({ nummer }) => `${nummer} ${slug}`),
    );
    const owners = Map.groupBy(new Set(numbers), (one) => one.slice(0, 11));
    expect([...owners.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  it('has nothing that a persona file may not have', () => {
    expect(professionals.flatMap(({ slug, person }) => findContradictions(person).map((one) => [slug, one]))).toEqual(
      [],
    );
  });

  it('has a description that is one sentence', () => {
    for (const { shows } of PERSONAS) expect(shows).toMatch(/^[A-Z].+\.$/);
  });
});

const EXAMPLES = {
  Geregistreerd: 'burger-1',
  eligible: 'burger-128',
  Geschorst: 'burger-140',
  Doorgehaald: 'burger-40',
  none: 'burger-2',
};

const SHOWN: Readonly<Record<string, readonly [status: string | null, eligible: boolean, address: boolean]>> = {
  'mila-jansen': ['Geregistreerd', true, true],
  'youssef-amrani': ['Geregistreerd', false, true],
  'sofie-peeters': ['Geregistreerd', false, true],
  'henk-de-boer': ['Geregistreerd', true, true],
  'rosa-silva': ['Geregistreerd', false, true],
  'chidi-okafor': [null, false, true],
  'truus-visser': ['Doorgehaald', false, false],
  'jan-kuipers': ['Geregistreerd', false, false],
  'maria-de-graaf': ['Geregistreerd', false, true],
};

describe('the persona', () => {
  it.each(Object.entries(SHOWN))('%s has its documented status, eligibility and address', async (as, expected) => {
    const { registration, decisions, person } = await dashboard(as);
    const { gevonden } = (await service.get('/api/v1/brp/address', { as })).body;
    expect([registration?.status.tag ?? null, decisions.eligibleForHerregistratie, gevonden]).toEqual(expected);
    expect(person.adres !== null).toBe(gevonden);
  });

  it('henk-de-boer has the note Beperking', async () => {
    expect((await service.get('/api/v1/notes', { as: 'henk-de-boer' })).body).toMatchObject([{ type: 'Beperking' }]);
  });

  it('truus-visser has the reason Overlijden in the status', async () => {
    expect((await dashboard('truus-visser')).registration.status).toMatchObject({ reden: 'Overlijden' });
  });
});

describe('a generated citizen', () => {
  it('is the same in every run', async () => {
    const other = keep(await startService());
    for (const as of ['burger-1', 'burger-42', 'burger-999999'])
      expect(await dashboard(as, other)).toEqual(await dashboard(as));
  });

  it('is found by a burgerservicenummer that passes the 11-test', () => {
    const directory = createDirectory();
    for (const n of [1, 2, 3, 10, 11, 12_345, 999_998, 999_999]) {
      const bsn = directory.professional(`burger-${n}`)?.bsn ?? '';
      expect(elfproef(bsn)).toBe(true);
      expect(directory.byBsn(bsn)).toEqual({ world: 'default', slug: `burger-${n}` });
    }
  });

  it('can have every status of the register, be eligible, or not be registered', async () => {
    const seen: [string, string][] = [];
    for (const [state, slug] of Object.entries(EXAMPLES)) {
      const { registration, decisions } = await dashboard(slug);
      const tag = decisions.eligibleForHerregistratie ? 'eligible' : (registration?.status.tag ?? 'none');
      seen.push([state, tag]);
    }
    expect(seen).toEqual(Object.keys(EXAMPLES).map((state) => [state, state]));
  });
});

describe('a world', () => {
  it('has the same people with different burgerservicenummers', async () => {
    const directory = createDirectory();
    const [here, there] = [directory.professional('sanne-de-wit'), directory.professional('sanne-de-wit@demo')];
    expect(there?.bsn).not.toBe(here?.bsn);
    expect(elfproef(there?.bsn ?? '')).toBe(true);
    expect(await dashboard('sanne-de-wit@demo')).toEqual(await dashboard('sanne-de-wit'));
  });

  it('has no burgerservicenummer that occurs twice, or in one of 200 other worlds', () => {
    const directory = createDirectory();
    const numbers = new Set<string>();
    for (let world = 0; world < 200; world += 1) {
      for (const { slug } of PERSONAS) {
        const bsn = directory.professional(`${slug}@w-${world}`)?.bsn;
        if (bsn) numbers.add(bsn);
      }
    }
    const people = PERSONAS.filter(({ slug }) => directory.professional(slug)?.bsn);
    expect(numbers.size).toBe(200 * people.length);
  });

  it('named "default" is the world of a login without a name', async () => {
    const directory = createDirectory();
    expect(directory.professional('sanne-de-wit@default')).toEqual(directory.professional('sanne-de-wit'));
  });
});

describe('the date', () => {
  it.each([
    ['2024-02-29', '2024-06-29'],
    ['2026-11-21', '2027-03-21'],
    ['2031-10-31', '2032-02-29'],
  ])('%s as today gives sanne-de-wit the deadline %s and open herregistratie', async (today, herregistratieDatum) => {
    const later = keep(await startService({}, frozenClock(today)));
    const { decisions, registration } = await dashboard('sanne-de-wit', later);
    expect(registration.status.herregistratieDatum).toBe(herregistratieDatum);
    expect(decisions.eligibleForHerregistratie).toBe(true);
  });

  it.each([
    ['2026-06-01', '2023-07-19'],
    ['2026-11-27', '2024-01-12'],
  ])('%s as today gives tomasz-wolski a limitation from the workday of his registration, %s', async (today, sinds) => {
    const later = keep(await startService({}, frozenClock(today)));
    const { registration } = await dashboard('tomasz-wolski', later);
    const [limitation] = (await later.get('/api/v1/notes', { as: 'tomasz-wolski' })).body;
    expect([registration.registratiedatum, limitation.datum]).toEqual([sinds, sinds]);
  });

  it('of SIMULATOR_TODAY is today for the personas', async () => {
    const stopped = keep(await startService({ SIMULATOR_TODAY: '2030-01-15' }, 'as-configured'));
    expect((await dashboard('sanne-de-wit', stopped)).registration.status.herregistratieDatum).toBe('2030-05-15');
  });
});
