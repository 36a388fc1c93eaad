import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../simulator/worlds/settings.ts';
import type { NewZaak, SimulatorState } from '../../simulator/worlds/state.ts';
import { createMemoryState } from '../../simulator/worlds/state-memory.ts';
import { openState } from '../../simulator/worlds/state-sqlite.ts';
import { temporaryFolder } from '../support/run-folder.ts';

const makeFolder = (): string => temporaryFolder('state');

const zaak = (over: Partial<NewZaak> = {}): NewZaak => ({
  resident: 'sanne-de-wit',
  world: 'default',
  sleutel: 'k1',
  prefix: 'INT',
  soort: 'intake',
  kenmerk: null,
  gegevens: { uren: 2_000 },
  handmatig: true,
  ontvangenOp: '2026-06-01',
  ...over,
});
const verzending = {
  world: 'default',
  sleutel: 's1',
  referentie: 'HER-2026-000412',
  kanaal: 'post',
  tekst: 'Besluit',
  inhoud: { secties: [] },
  uitkomst: 'afgewezen' as const,
  verzondenOp: '2026-06-01',
};

describe.each<[string, () => SimulatorState | Promise<SimulatorState>]>([
  ['memory', () => createMemoryState(DEFAULT_SETTINGS)],
  ['SQLite in memory', () => openState(':memory:')],
  ['SQLite in a file', () => openState(makeFolder())],
])('the state of the simulated upstreams in %s', (_, open) => {
  let state: SimulatorState;
  beforeEach(async () => {
    state = await open();
  });
  afterEach(() => state.close());

  it('stores one request for each idempotency key, numbered by world and prefix', () => {
    expect(state.addZaak(zaak())).toMatchObject({
      nieuw: true,
      zaak: { referentie: 'INT-2026-010001', handmatig: true },
    });
    expect(state.addZaak(zaak({ gegevens: { uren: 1 } }))).toMatchObject({
      nieuw: false,
      zaak: { referentie: 'INT-2026-010001', gegevens: { uren: 2_000 } },
    });
    const referenties = [
      zaak({ sleutel: 'k2' }),
      zaak({ sleutel: 'k3', prefix: 'HER' }),
      zaak({ sleutel: 'k4', world: 'demo', resident: 'sanne-de-wit@demo' }),
      zaak({ sleutel: 'k5', ontvangenOp: '2027-01-01', handmatig: false }),
    ].map((one) => state.addZaak(one).zaak.referentie);
    expect(referenties).toEqual(['INT-2026-010002', 'HER-2026-010001', 'INT-2026-010001', 'INT-2027-010003']);
    const expected = ['INT-2026-010001', 'HER-2026-010001', 'INT-2026-010002', 'INT-2027-010003'];
    expect(state.zaken('sanne-de-wit').map(({ referentie }) => referentie)).toEqual(expected);
  });

  it('stores one letter for each idempotency key of a world', () => {
    const first = state.addVerzending(verzending);
    expect(state.addVerzending({ ...verzending, tekst: 'Anders' })).toEqual(first);
    expect(state.addVerzending({ ...verzending, sleutel: 's2' }).verzendingId).toBe('v-2');
    expect(state.addVerzending({ ...verzending, world: 'demo', tekst: 'Anders' }).verzendingId).toBe('v-3');
    expect(state.verzendingBy('demo', 's1')?.tekst).toBe('Anders');
    expect(state.verzendingBy('demo', 's2')).toBeNull();
    const expected = [
      ['v-1', 'Besluit'],
      ['v-2', 'Besluit'],
      ['v-3', 'Anders'],
    ];
    expect(state.verzendingen().map(({ verzendingId, tekst }) => [verzendingId, tekst])).toEqual(expected);
    // A restored world keeps its letter, also when another world used the key in the meantime.
    const rows = state.copyRows('demo');
    state.erase('demo');
    state.insertRows(rows);
    expect(state.verzendingBy('demo', 's1')).toMatchObject({ tekst: 'Anders', uitkomst: 'afgewezen' });
  });

  it('keeps the first of two first days of a resident, the last of two decisions on a request, and the residents with seed data', () => {
    state.setFirstDayOnce('sanne-de-wit', '2026-06-01');
    state.setFirstDayOnce('sanne-de-wit', '2026-07-01');
    expect([state.firstDay('sanne-de-wit'), state.firstDay('joost-van-buren')]).toEqual(['2026-06-01', null]);
    state.storeBesluit('default', 'INT-1', { uitkomst: 'afgewezen', reden: 'Nee', datum: '2026-06-02' });
    state.storeBesluit('default', 'INT-1', { uitkomst: null, reden: null, datum: '2026-06-03' });
    expect(state.besluit('default', 'INT-1')).toMatchObject({ uitkomst: null, reden: null, datum: '2026-06-03' });
    expect(state.besluit('demo', 'INT-1')).toBeUndefined();
    state.markSeeded('joost-van-buren@demo');
    expect([state.isSeeded('joost-van-buren'), state.isSeeded('joost-van-buren@demo')]).toEqual([false, true]);
    expect([state.residents('default'), state.residents('demo')]).toEqual([['sanne-de-wit'], ['joost-van-buren@demo']]);
  });

  it('restores the rows of a world after they were taken and erased', () => {
    state.addZaak(zaak());
    state.addZaak(zaak({ world: 'demo', resident: 'sanne-de-wit@demo' }));
    state.addVerzending(verzending);
    state.setFirstDayOnce('sanne-de-wit', '2026-06-01');
    state.markSeeded('sanne-de-wit');
    state.storeBesluit('default', 'INT-2026-010001', { uitkomst: 'goedgekeurd', reden: null, datum: '2026-06-02' });
    state.nextId('default');
    state.storeSettings('default', { ...DEFAULT_SETTINGS, scenarios: ['duo-down'] });
    const before = state.copyRows('default');
    expect(Object.keys(before).sort()).toEqual(['besluiten', 'ids', 'movedIn', 'residents', 'verzendingen', 'zaken']);
    expect(Object.values(before).map((rows) => rows.length)).toEqual(Array(6).fill(1));
    state.erase('default');
    expect(state.zaken('sanne-de-wit')).toEqual([]);
    expect(state.settings('default')?.scenarios ?? []).toEqual([]);
    expect(state.zaken('sanne-de-wit@demo')).toHaveLength(1);
    state.insertRows(JSON.parse(JSON.stringify(before)));
    expect(state.copyRows('default')).toEqual(before);
    expect(state.besluit('default', 'INT-2026-010001')?.uitkomst).toBe('goedgekeurd');
    expect(state.nextId('default')).toBe(2);
    state.erase();
    expect([state.zaken('sanne-de-wit@demo'), state.verzendingen(), state.worlds()]).toEqual([[], [], []]);
  });

  it('counts the ids of each world from 1', () => {
    expect([state.nextId('default'), state.nextId('demo'), state.nextId('default')]).toEqual([1, 1, 2]);
  });

  it('lists the worlds that were used, with the time of last use', () => {
    state.recordUse('demo', 1);
    state.recordUse('a', 2);
    state.recordUse('demo', 3);
    expect(state.worlds()).toEqual([
      { world: 'a', usedAt: 2 },
      { world: 'demo', usedAt: 3 },
    ]);
    expect([state.usedAt('demo'), state.usedAt('b')]).toEqual([3, null]);
  });
});

it('the rows of a world can be moved from SQLite to the state in memory', async () => {
  const [from, to] = [await openState(':memory:'), createMemoryState(DEFAULT_SETTINGS)];
  from.addZaak(zaak());
  from.addVerzending(verzending);
  to.insertRows(JSON.parse(JSON.stringify(from.copyRows('default'))));
  expect([to.zaken('sanne-de-wit'), to.verzendingen()]).toEqual([from.zaken('sanne-de-wit'), from.verzendingen()]);
  from.close();
});

/** SQL of the tables in three older versions: the first, the first with letters, and the last without migrations. */
const FIRST = `
  create table zaken (
    number integer not null, world text not null, prefix text not null, resident text not null, sleutel text not null,
    referentie text not null, soort text not null, kenmerk text, gegevens text not null, handmatig integer not null,
    ontvangenOp text not null, primary key (world, prefix, number), unique (resident, sleutel));
  create index zaken_by_resident on zaken (resident);
  create table residents (resident text primary key, firstDay text not null);`;
const WITH_LETTERS = `${FIRST}
  create table verzendingen (
    number integer primary key, sleutel text not null unique, referentie text not null, kanaal text not null, tekst text not null,
    verzondenOp text not null);
  insert into verzendingen values (1, 's0', 'HER-2026-000411', 'post', 'Besluit', '2026-05-31');`;
const UNRECORDED = `${WITH_LETTERS}
  create table movedIn as select resident from residents;
  create unique index movedIn_once on movedIn (resident);
  create table besluiten (
    world text not null, referentie text not null, uitkomst text, reden text, datum text not null, primary key (world, referentie));
  create table ids (world text primary key, last integer not null);
  create table worlds (world text primary key, usedAt integer not null);
  create table settings (world text primary key, settings text not null);
  alter table verzendingen add column world text not null default 'default';
  insert into movedIn values ('sanne-de-wit');
  insert into ids values ('default', 1);`;
const ROWS = `
  insert into zaken values (10001, 'default', 'INT', 'sanne-de-wit', 'k0', 'INT-2026-010001', 'intake', null, '{"uren":1}', 1, '2026-05-31');
  insert into residents values ('sanne-de-wit', '2026-05-31');`;

describe('a simulator.sqlite file', () => {
  function fileWith(tables: string): string {
    const folder = makeFolder();
    const db = new DatabaseSync(join(folder, 'simulator.sqlite'));
    db.exec(tables + ROWS);
    db.close();
    return folder;
  }

  it.each([
    ['of the first version', FIRST, 0],
    ['with letters that have no world', WITH_LETTERS, 1],
    ['of the last version without recorded migrations', UNRECORDED, 1],
  ])('%s is migrated and keeps its rows', async (_, tables, letters) => {
    const folder = fileWith(tables);
    for (let opened = 1; opened <= 2; opened += 1) {
      const state = await openState(folder);
      expect(state.zaken('sanne-de-wit')).toMatchObject([{ referentie: 'INT-2026-010001', gegevens: { uren: 1 } }]);
      expect(state.firstDay('sanne-de-wit')).toBe('2026-05-31');
      expect(state.verzendingen().filter(({ world }) => world === 'default')).toHaveLength(letters);
      state.close();
    }
    const state = await openState(folder);
    expect(state.isSeeded('sanne-de-wit')).toBe(true);
    expect(state.addZaak(zaak()).zaak.referentie).toBe('INT-2026-010002');
    expect(state.verzendingBy('default', 's0')?.verzendingId).toBe(letters === 1 ? 'v-1' : undefined);
    expect(state.addVerzending({ ...verzending, sleutel: 's0', world: 'demo' })).toMatchObject({ world: 'demo' });
    state.storeBesluit('default', 'INT-2026-010001', { uitkomst: 'goedgekeurd', reden: null, datum: '2026-06-01' });
    expect(state.besluit('default', 'INT-2026-010001')?.uitkomst).toBe('goedgekeurd');
    state.storeSettings('demo', DEFAULT_SETTINGS);
    expect(state.settings('demo')).toEqual(DEFAULT_SETTINGS);
    expect(state.nextId('default')).toBe(tables === UNRECORDED ? 2 : 1);
    state.close();
  });

  it('of an older version is migrated once when it is opened twice at the same time', async () => {
    const folder = fileWith(FIRST);
    const opened = await Promise.all([openState(folder), openState(folder), openState(makeFolder())]);
    expect(opened.map((state) => state.zaken('sanne-de-wit').length)).toEqual([1, 1, 0]);
    for (const state of opened) state.close();
  });
});
