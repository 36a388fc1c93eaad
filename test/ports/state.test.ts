import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNCHANGED } from '../../simulator/settings.ts';
import type { NewZaak, State } from '../../simulator/state.ts';
import { createMemoryState } from '../../simulator/state-memory.ts';
import { openState } from '../../simulator/state-sqlite.ts';

const folders: string[] = [];
const inFile = (): State => {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-state-'));
  folders.push(folder);
  return openState(folder);
};

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
  verzondenOp: '2026-06-01',
};

describe.each<[string, () => State]>([
  ['memory', () => createMemoryState(UNCHANGED)],
  ['SQLite in memory', () => openState(':memory:')],
  ['SQLite in a file', inFile],
])('what the simulated sources remember, in %s', (_, open) => {
  let state: State;
  beforeEach(() => {
    state = open();
  });
  afterEach(() => {
    state.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  it('is a request once for each key, numbered by world and kind', () => {
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
    expect(state.zaken('sanne-de-wit').map(({ referentie }) => referentie)).toEqual([
      'INT-2026-010001',
      'HER-2026-010001',
      'INT-2026-010002',
      'INT-2027-010003',
    ]);
  });

  it('is a letter once for each key', () => {
    const first = state.addVerzending(verzending);
    expect(state.addVerzending({ ...verzending, tekst: 'Anders' })).toEqual(first);
    expect(state.addVerzending({ ...verzending, sleutel: 's2' }).verzendingId).toBe('v-2');
    expect(state.verzendingen().map(({ verzendingId, tekst }) => [verzendingId, tekst])).toEqual([
      ['v-1', 'Besluit'],
      ['v-2', 'Besluit'],
    ]);
  });

  it('is a first day that stays, a decision that is the last, and who has moved in', () => {
    state.settle('sanne-de-wit', '2026-06-01');
    state.settle('sanne-de-wit', '2026-07-01');
    expect([state.firstDay('sanne-de-wit'), state.firstDay('joost-van-buren')]).toEqual(['2026-06-01', null]);
    state.besluiten('default', 'INT-1', { uitkomst: 'afgewezen', reden: 'Nee', datum: '2026-06-02' });
    state.besluiten('default', 'INT-1', { uitkomst: null, reden: null, datum: '2026-06-03' });
    expect({ ...state.besluit('default', 'INT-1') }).toEqual({ uitkomst: null, reden: null, datum: '2026-06-03' });
    expect(state.besluit('demo', 'INT-1')).toBeUndefined();
    state.moveIn('joost-van-buren@demo');
    expect([state.isMovedIn('joost-van-buren'), state.isMovedIn('joost-van-buren@demo')]).toEqual([false, true]);
    expect([state.residents('default'), state.residents('demo')]).toEqual([['sanne-de-wit'], ['joost-van-buren@demo']]);
  });

  it('is taken from a world, and put back as it was', () => {
    state.addZaak(zaak());
    state.addZaak(zaak({ world: 'demo', resident: 'sanne-de-wit@demo' }));
    state.addVerzending(verzending);
    state.settle('sanne-de-wit', '2026-06-01');
    state.moveIn('sanne-de-wit');
    state.besluiten('default', 'INT-2026-010001', { uitkomst: 'goedgekeurd', reden: null, datum: '2026-06-02' });
    state.nextId('default');
    state.keepSettings('default', { ...UNCHANGED, scenarios: ['duo-down'] });
    const before = state.take('default');
    expect(Object.keys(before).sort()).toEqual(['besluiten', 'ids', 'movedIn', 'residents', 'verzendingen', 'zaken']);
    expect(Object.values(before).map((rows) => rows.length)).toEqual(Array(6).fill(1));
    state.erase('default');
    expect(state.zaken('sanne-de-wit')).toEqual([]);
    expect(state.settings('default')?.scenarios ?? []).toEqual([]);
    expect(state.zaken('sanne-de-wit@demo')).toHaveLength(1);
    state.put(JSON.parse(JSON.stringify(before)));
    expect(state.take('default')).toEqual(before);
    expect(state.besluit('default', 'INT-2026-010001')?.uitkomst).toBe('goedgekeurd');
    expect(state.nextId('default')).toBe(2);
    state.erase();
    expect([state.zaken('sanne-de-wit@demo'), state.verzendingen(), state.worlds()]).toEqual([[], [], []]);
  });

  it('is how many ids a world has made', () => {
    expect([state.nextId('default'), state.nextId('demo'), state.nextId('default')]).toEqual([1, 1, 2]);
  });

  it('is which worlds were used, and when last', () => {
    state.use('demo', 1);
    state.use('a', 2);
    state.use('demo', 3);
    expect(state.worlds()).toEqual([
      { world: 'a', usedAt: 2 },
      { world: 'demo', usedAt: 3 },
    ]);
  });
});

it('goes from one engine to another', () => {
  const [from, to] = [openState(':memory:'), createMemoryState(UNCHANGED)];
  from.addZaak(zaak());
  from.addVerzending(verzending);
  to.put(JSON.parse(JSON.stringify(from.take('default'))));
  expect([to.zaken('sanne-de-wit'), to.verzendingen()]).toEqual([from.zaken('sanne-de-wit'), from.verzendingen()]);
  from.close();
});
