import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../../scripts/burger-index.ts';
import { runCli } from '../../../simulator/cli/index.ts';
import { RARE } from '../../../simulator/search/burger-index.ts';
import { parseCondition } from '../../../simulator/search/conditions.ts';
import { createPeopleSearch } from '../../../simulator/search/search.ts';
import { hasWords } from '../../../simulator/words.ts';
import { controlOf } from '../../support/control.ts';
import { temporaryFolder } from '../../support/run-folder.ts';
import { keep, startService, useService } from '../../support/service.ts';

const service = await useService();
const control = controlOf(service);

async function sim(...words: string[]): Promise<string> {
  let printed = '';
  const out = (text: string) => {
    printed += text;
  };
  await runCli(words, { out, url: service.url });
  return printed;
}

const people = (where: readonly string[], n = 5, world = 'default') =>
  control.call(
    'GET',
    `/people?${new URLSearchParams([...where.map((one) => ['where', one]), ['n', String(n)], ['world', world]] as [string, string][])}`,
  );
const dashboard = async (as: string) => (await service.get('/api/v1/dashboard-view', { as })).body;

interface Found {
  readonly slug: string;
  readonly beroep: string;
  readonly uhd: string;
  readonly leeftijd: number;
  readonly situaties: string[];
}

it.each([
  ['yilmaz fatima', 'Fatima Yılmaz'],
  ['SAHIN', 'Şahin'],
  ['Şahin', 'sahin'],
  ['lukasz dorde', 'Đorđe Łukasz'],
  ['ijssel', 'Ĳssel'],
  [' ', ''],
])('a search for "%s" finds "%s"', (search, text) => {
  expect(hasWords(() => text, search)).toBe(true);
  expect(hasWords(() => text, `${search} ander`)).toBe(false);
});

describe('a search for people', () => {
  it('finds citizens who have the same status and deadline on their dashboard', async () => {
    const found = async () => (await people(['status=Geschorst', 'uhd<+12months'], 3)).body;
    // A search stops after a while; the next one goes on where it stopped.
    await expect.poll(async () => (await found()).burgers).toHaveLength(3);
    const { burgers, searched } = await found();
    for (const { slug, uhd } of burgers as Found[]) {
      const { registration } = await dashboard(slug);
      expect(registration.status).toMatchObject({ tag: 'Geschorst', herregistratieDatum: uhd });
      expect(uhd < '2027-06-01').toBe(true);
    }
    expect(searched).toBe(Number(burgers[2].slug.slice('burger-'.length)));
  });

  it.each([
    ['specialist', 'with the deadline of their dashboard, which can be that of the specialism', 2],
    ['twee-beroepen', 'with the registration that their dashboard shows', 1],
  ])('finds people in the situation %s %s', async (situatie, _, count) => {
    const found = async () => (await people([`situatie=${situatie}`], 10)).body;
    await expect.poll(async () => (await found()).burgers).toHaveLength(10);
    const { personas, burgers } = await found();
    for (const { slug, beroep, uhd } of [...personas, ...burgers] as Found[]) {
      const { registration } = await dashboard(slug);
      const shown = [registration.beroep, registration.status.herregistratieDatum];
      expect([slug, beroep, uhd]).toEqual([slug, ...shown]);
    }
    expect(personas).toHaveLength(count);
  });

  it.each([
    [['situatie=buitenland'], (one: Found) => one.situaties.includes('buitenland')],
    [['beroep=klinisch technoloog', 'geslacht=M'], () => true],
    [['beroep=geregistreerd-mondhygiënist'], (one: Found) => one.situaties.includes('van-rechtswege-vervallen')],
    [['leeftijd>=60', 'leeftijd<62'], (one: Found) => one.leeftijd === 60 || one.leeftijd === 61],
    [['uhd>2026-06-30', 'uhd<=2026-08-01'], (one: Found) => one.uhd > '2026-06-30' && one.uhd <= '2026-08-01'],
    [['woonplaats=UTRECHT'], (one: Found & { woonplaats?: string }) => one.woonplaats === 'Utrecht'],
    [['status=NietGeregistreerd', 'herkomst=duo'], (one: Found) => one.uhd === null],
    [['status=NietGeregistreerd', 'uhd!=2026-09-01'], (one: Found) => one.uhd === null],
    [['situatie!=geheim-adres', 'beroep!=verpleegkundige'], (one: Found) => !one.situaties.includes('geheim-adres')],
  ])('for %j finds only people who meet these conditions', async (where, holds) => {
    // A search stops after a while; the next one goes on where it stopped.
    await expect.poll(async () => (await people(where)).body.burgers.length).toBeGreaterThan(0);
    const { burgers } = (await people(where)).body;
    expect(burgers.filter((one: Found) => !holds(one))).toEqual([]);
  });

  it('for aan-de-beurt finds citizens who can apply for herregistratie, or whose application is in progress', async () => {
    const found = async () => (await people(['situatie=aan-de-beurt'])).body.burgers;
    // A search stops after a while; the next one goes on where it stopped.
    await expect.poll(found).toHaveLength(5);
    for (const { slug } of (await found()) as Found[]) {
      const { eligibleForHerregistratie, herregistratieReason } = (await dashboard(slug)).decisions;
      expect(herregistratieReason).toEqual(eligibleForHerregistratie ? null : expect.stringMatching(/loopt\.$/));
    }
  });

  it('finds personas as well as citizens', async () => {
    const found = (await people(['status=Geschorst'])).body.personas;
    expect(found.map(({ slug }: Found) => slug)).toEqual(['pieter-hoekstra']);
  });

  it('for a rare combination returns how many citizens it searched, and no fewer the next time', async () => {
    const fresh = keep(await startService());
    const search = async (): Promise<number> => {
      const path = '/people?where=situatie%3Dvoorlopig-geschorst&where=leeftijd%3C30&n=3';
      return (await controlOf(fresh).call('GET', path)).body.searched;
    };
    const first = await search();
    expect(first).toBeGreaterThan(0);
    expect(await search()).toBeGreaterThanOrEqual(first);
  });

  it('that finds no citizen continues at the next call where it stopped, also beyond the citizens whose data it keeps', () => {
    const search = createPeopleSearch({ maxKept: 1, budget: 0 });
    const day = { firstDay: '2026-06-01', today: '2026-06-01' };
    const conditions = [parseCondition('leeftijd=16', day.today)];
    const reached = [1, 2, 3].map(() => search(conditions, { n: 5, day, personas: [] }).searched);
    expect(reached).toEqual([...new Set(reached)].sort((one, other) => one - other));
    const older = [parseCondition('leeftijd>16', day.today)];
    expect([1, 2, 3, 4, 5, 6].map(() => search(older, { n: 5, day, personas: [] }).searched)).toEqual([
      1, 2, 3, 4, 5, 5,
    ]);
  });

  it('for fewer citizens than in an earlier search returns the first citizens of that search', async () => {
    const five = (await people(['leeftijd>20'], 5)).body;
    const two = (await people(['leeftijd>20'], 2)).body;
    expect(two.burgers).toEqual(five.burgers.slice(0, 2));
    expect(`burger-${two.searched}`).toBe(two.burgers[1].slug);
  });

  it('uses the clock of the world that is named', async () => {
    await control.in('later').post('/clock', { set: '2026-12-01', frozen: true });
    const where = ['uhd<today', 'status=Doorgehaald', 'situatie=niet-geherregistreerd'];
    const found = async () => (await people(where, 2, 'later')).body.burgers;
    await expect.poll(found).toHaveLength(2);
    const burgers = await found();
    for (const { slug } of burgers as Found[])
      expect((await dashboard(`${slug}@later`)).registration.status.tag).toBe('Doorgehaald');
    expect(burgers).toHaveLength(2);
  });

  it.each([
    ['status', /geen voorwaarde.+Velden: status, beroep/],
    ['age>3', /age is geen veld\. Er zijn: /],
    ['stauts=Geschorst', /Bedoelde u status\?.+Er zijn: status, beroep, situatie, herkomst/],
    ['status=Weg', /Kies uit Geregistreerd, Geschorst, Doorgehaald, NietGeregistreerd/],
    ['status<Geschorst', /Bij status kan alleen = of !=/],
    ['uhd<soon', /\+6months, -1year/],
    ['uhd<2026-02-30', /2026-02-30/],
    ['leeftijd>oud', /heel getal/],
    ['woonplaats=', /waarde/],
  ])('for "%s" is refused with 400 voorwaarde-onbruikbaar and what is allowed', async (where, said) => {
    const { status, body } = await people([where]);
    expect([status, body.code]).toEqual([400, 'voorwaarde-onbruikbaar']);
    expect(body.detail).toMatch(said);
  });

  it.each(['0', '101', 'x'])('for %s citizens is refused with 400', async (n) => {
    expect((await control.call('GET', `/people?n=${n}`)).status).toBe(400);
  });

  it('on the command line prints one line for each person, as many as -n says, the personas first', async () => {
    const search = ['people', '--where', 'status=Geschorst', '--where', 'uhd<+6months', '-n'];
    const found = async (n = '3') => (await sim(...search, n)).trim().split('\n');
    const isWhole = (lines: readonly string[]) => lines.filter((line) => /Geschorst/.test(line)).length === 3;
    await expect.poll(async () => isWhole(await found())).toBe(true);
    const lines = await found();
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^pieter-hoekstra {2}Geschorst {2}tandarts {2}UHD 2026-09-01/);
    expect(lines[1]).toMatch(/^burger-\d+ {2}Geschorst/);
    expect(await found('2')).toEqual(lines.slice(0, 2));
    expect(await found('1')).toEqual(lines.slice(0, 1));
    const json = JSON.parse(await sim('--json', ...search, '2'));
    expect([json.personas.length, json.burgers.length]).toEqual([1, 1]);
    await expect(sim('people', '--where', 'uhd')).rejects.toThrow(/is no condition/);
  });
});

describe('the index of citizens with a rare value', () => {
  it('is up to date (npm run generate)', () => {
    for (let n = 1; n <= 20_000; n += 101)
      for (const value of valuesOf(n))
        if (value in RARE) expect([value, numbers(value).includes(n)]).toEqual([value, true]);
    for (const value of Object.keys(RARE)) {
      const [first] = numbers(value);
      if (first !== undefined) expect([first, valuesOf(first)]).toEqual([first, expect.arrayContaining([value])]);
    }
  });

  it('leaves out nobody who has the value on another day', () => {
    const leftOut: string[] = [];
    for (let n = 1; n <= 20_000; n += 41)
      for (const value of valuesOf(n, '2026-11-23'))
        if (value in RARE && !numbers(value).includes(n)) leftOut.push(`burger-${n}: ${value}`);
    expect(leftOut).toEqual([]);
  });

  function numbers(value: string): number[] {
    let number = 0;
    return (RARE[value] ?? '')
      .split(' ')
      .filter(Boolean)
      .map((difference) => {
        number += Number(difference);
        return number;
      });
  }
});

describe('an export of people', () => {
  const elfproef = (bsn: string): boolean =>
    [...bsn].reduce((sum, digit, index) => sum + Number(digit) * (index === 8 ? -1 : 9 - index), 0) % 11 === 0;

  it('has the same data as the upstreams, with burgerservicenummers for tests only', async () => {
    const { toelichting, personen } = (await control.call('GET', '/worlds/default/people/export?count=60')).body;
    expect(toelichting).toContain('Verzonnen personen');
    expect(personen).toHaveLength(60);
    for (const { burgerservicenummer, brp } of personen) {
      expect(burgerservicenummer).toMatch(/^9\d{8}$/);
      expect(elfproef(burgerservicenummer)).toBe(true);
      expect(brp.burgerservicenummer).toBe(burgerservicenummer);
    }
    const [{ subject, register, brp, duo }] = personen.filter(
      (one: { register: unknown[] }) => one.register.length > 0,
    );
    const { registration, person } = (
      await service.get('/api/v1/dashboard-view', { as: subject, headers: { 'x-step-up': '1' } })
    ).body;
    expect(register[0]).toMatchObject({ registerNummer: registration.registerNummer, naam: registration.naam });
    expect(register[0].aantekeningen).toEqual(expect.any(Array));
    expect(brp.naam.volledigeNaam).toBe(person.naam);
    expect(brp.verblijfplaats.type).toBeDefined();
    expect(duo).toMatchObject({ gevonden: expect.any(Boolean), diplomas: expect.any(Array) });
  });

  it('as CSV has a comment, a header and one row for each person', async () => {
    const folder = temporaryFolder('export');
    const file = join(folder, 'people.csv');
    expect(await sim('export-people', '--count', '3', '--format', 'csv', '--out', file, '--world', 'demo')).toContain(
      file,
    );
    const [note, head, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(note).toMatch(/^# Verzonnen personen.+reeks voor tests/);
    expect(head).toBe(
      'subject,burgerservicenummer,naam,registerNummer,beroep,status,registratiedatum,uhd,register,brp,duo',
    );
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/^burger-1@demo,9\d{8},.+,"\[\{""registratieId""/);
  });

  it.each(['count=0', 'count=20001', 'format=xml'])('with the query %s is refused with 400', async (query) => {
    expect((await control.call('GET', `/worlds/default/people/export?${query}`)).status).toBe(400);
  });
});
