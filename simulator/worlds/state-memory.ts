import { compareText } from '../../src/domain/text-order.ts';
import { worldOf } from '../people/directory.ts';
import type { Settings } from './settings.ts';
import { type Besluit, FIRST_NUMBER, type Rows, type State } from './state.ts';
import { toVerzending, toZaak } from './state-rows.ts';

type Row = Record<string, string | number | null>;

/** What makes a row the same row as another of its table. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  zaken: ['resident', 'sleutel'],
  verzendingen: ['sleutel'],
  besluiten: ['world', 'referentie'],
  residents: ['resident'],
  movedIn: ['resident'],
  ids: ['world'],
};

/** What the simulated sources remember for as long as somebody holds it. A world of which nobody said otherwise is as `initial`. */
export function createMemoryState(initial: Settings): State {
  const tables = Object.fromEntries(Object.keys(KEYS).map((table) => [table, new Map<string, Row>()]));
  const settings = new Map<string, Settings>();
  const used = new Map<string, number>();
  const of = (table: string): Map<string, Row> => tables[table] ?? new Map();
  const keyOf = (table: string, row: Row): string => JSON.stringify(KEYS[table]?.map((column) => row[column]));
  /** False: it is there already, and stays what it is. */
  function add(table: string, row: Row): boolean {
    const key = keyOf(table, row);
    if (of(table).has(key)) return false;
    of(table).set(key, row);
    return true;
  }
  const next = (rows: Iterable<Row>, first: number): number =>
    [...rows].reduce((most, { number }) => Math.max(most, Number(number) + 1), first);
  const isOf = (row: Row, world: string): boolean => (row.world ?? worldOf(String(row.resident))) === world;
  const rowsOf = (table: string, world: string): Row[] => [...of(table).values()].filter((row) => isOf(row, world));

  return {
    zaken: (resident) =>
      [...of('zaken').values()]
        .filter((row) => row.resident === resident)
        .sort(
          (a, b) => compareText(String(a.ontvangenOp), String(b.ontvangenOp)) || Number(a.number) - Number(b.number),
        )
        .map(toZaak),
    addZaak({ gegevens, handmatig, ...zaak }) {
      const { world, prefix, ontvangenOp } = zaak;
      const others = rowsOf('zaken', world).filter((row) => row.prefix === prefix);
      const number = next(others, FIRST_NUMBER);
      const referentie = `${prefix}-${ontvangenOp.slice(0, 4)}-${String(number).padStart(6, '0')}`;
      const row: Row = {
        ...zaak,
        number,
        referentie,
        gegevens: JSON.stringify(gegevens),
        handmatig: Number(handmatig),
      };
      const nieuw = add('zaken', row);
      return { zaak: toZaak(of('zaken').get(keyOf('zaken', row)) ?? row), nieuw };
    },
    besluit(world, referentie) {
      const row = of('besluiten').get(JSON.stringify([world, referentie]));
      if (row === undefined) return undefined;
      const { uitkomst, reden, datum } = row;
      return { uitkomst, reden, datum } as Besluit;
    },
    besluiten(world, referentie, besluit) {
      of('besluiten').set(JSON.stringify([world, referentie]), { world, referentie, ...besluit });
    },
    verzendingen: () => [...of('verzendingen').values()].map(toVerzending),
    addVerzending(verzending) {
      const row = { ...verzending, number: next(of('verzendingen').values(), 1) };
      add('verzendingen', row);
      return toVerzending(of('verzendingen').get(keyOf('verzendingen', row)) ?? row);
    },
    firstDay: (resident) => (of('residents').get(JSON.stringify([resident]))?.firstDay as string | undefined) ?? null,
    settle(resident, firstDay) {
      add('residents', { resident, firstDay });
    },
    isMovedIn: (resident) => of('movedIn').has(JSON.stringify([resident])),
    moveIn(resident) {
      add('movedIn', { resident });
    },
    nextId(world) {
      const key = JSON.stringify([world]);
      const last = Number(of('ids').get(key)?.last ?? 0) + 1;
      of('ids').set(key, { world, last });
      return last;
    },
    residents: (world) =>
      [
        ...new Set(
          ['residents', 'movedIn', 'zaken'].flatMap((table) =>
            rowsOf(table, world).map(({ resident }) => String(resident)),
          ),
        ),
      ].sort(compareText),
    worlds: () => [...used].map(([world, usedAt]) => ({ world, usedAt })).sort((a, b) => compareText(a.world, b.world)),
    settings: (world) => settings.get(world) ?? initial,
    keepSettings(world, changed) {
      settings.set(world, changed);
    },
    use(world, at) {
      used.set(world, at);
    },
    take: (world): Rows =>
      Object.fromEntries(
        Object.keys(KEYS).map((table) => [
          table,
          rowsOf(table, world).map(({ number = null, ...row }) =>
            // Letters are numbered over all worlds, and that is not of this one.
            table === 'verzendingen' || number === null ? row : { ...row, number },
          ),
        ]),
      ),
    put(rows) {
      for (const table of Object.keys(KEYS))
        for (const row of rows[table] ?? [])
          add(table, table === 'verzendingen' ? { ...row, number: next(of(table).values(), 1) } : { ...row });
    },
    erase(world) {
      for (const [table, rows] of Object.entries(tables))
        for (const [key, row] of rows) if (world === undefined || isOf(row, world)) of(table).delete(key);
      for (const kept of [settings, used]) {
        if (world === undefined) kept.clear();
        else kept.delete(world);
      }
    },
    close: () => undefined,
  };
}
