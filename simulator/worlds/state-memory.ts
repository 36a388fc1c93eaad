import { worldOfLogin } from '../people/directory.ts';
import type { WorldSettings } from './settings.ts';
import {
  FIRST_NUMBER,
  type SimulatedBesluit,
  type SimulatorState,
  type StateRows,
  toVerzending,
  toZaak,
} from './state.ts';

type MemoryRow = Record<string, string | number | null>;

const KEY_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  zaken: ['resident', 'sleutel'],
  verzendingen: ['world', 'sleutel'],
  besluiten: ['world', 'referentie'],
  residents: ['resident'],
  movedIn: ['resident'],
  ids: ['world'],
};

export function createMemoryState(initial: WorldSettings): SimulatorState {
  const tables = Object.fromEntries(Object.keys(KEY_COLUMNS).map((table) => [table, new Map<string, MemoryRow>()]));
  const settings = new Map<string, WorldSettings>();
  const used = new Map<string, number>();
  const tableOf = (table: string): Map<string, MemoryRow> => tables[table] ?? new Map();
  const keyOf = (table: string, row: MemoryRow): string =>
    JSON.stringify(KEY_COLUMNS[table]?.map((column) => row[column]));
  /** Adds a row. Returns false, and changes nothing, when a row with the same key exists. */
  function add(table: string, row: MemoryRow): boolean {
    const key = keyOf(table, row);
    if (tableOf(table).has(key)) return false;
    tableOf(table).set(key, row);
    return true;
  }
  const next = (rows: Iterable<MemoryRow>, first: number): number =>
    [...rows].reduce((highest, { number }) => Math.max(highest, Number(number) + 1), first);
  const isOf = (row: MemoryRow, world: string): boolean => (row.world ?? worldOfLogin(String(row.resident))) === world;
  const rowsOf = (table: string, world: string): MemoryRow[] =>
    [...tableOf(table).values()].filter((row) => isOf(row, world));

  return {
    zaken: (resident) =>
      [...tableOf('zaken').values()]
        .filter((row) => row.resident === resident)
        .sort(
          (a, b) => compareText(String(a.ontvangenOp), String(b.ontvangenOp)) || Number(a.number) - Number(b.number),
        )
        .map(toZaak),
    zaakBy(resident, sleutel) {
      const row = tableOf('zaken').get(keyOf('zaken', { resident, sleutel }));
      return row === undefined ? null : toZaak(row);
    },
    addZaak({ gegevens, handmatig, ...zaak }) {
      const { world, prefix, ontvangenOp } = zaak;
      const others = rowsOf('zaken', world).filter((row) => row.prefix === prefix);
      const number = next(others, FIRST_NUMBER);
      const referentie = `${prefix}-${ontvangenOp.slice(0, 4)}-${String(number).padStart(6, '0')}`;
      const stored = { gegevens: JSON.stringify(gegevens), handmatig: Number(handmatig) };
      const row: MemoryRow = { ...zaak, ...stored, number, referentie };
      const nieuw = add('zaken', row);
      return { zaak: toZaak(tableOf('zaken').get(keyOf('zaken', row)) ?? row), nieuw };
    },
    besluit(world, referentie) {
      const row = tableOf('besluiten').get(JSON.stringify([world, referentie]));
      if (row === undefined) return undefined;
      const { uitkomst, reden, datum, beroep = null } = row;
      return { uitkomst, reden, datum, beroep } as SimulatedBesluit;
    },
    storeBesluit(world, referentie, besluit) {
      tableOf('besluiten').set(JSON.stringify([world, referentie]), { world, referentie, ...besluit });
    },
    verzendingen: (world) =>
      [...tableOf('verzendingen').values()]
        .map(toVerzending)
        .filter((one) => world === undefined || one.world === world),
    verzendingBy(world, sleutel) {
      const row = tableOf('verzendingen').get(keyOf('verzendingen', { world, sleutel }));
      return row === undefined ? null : toVerzending(row);
    },
    addVerzending({ inhoud, ...verzending }) {
      const row = { ...verzending, inhoud: JSON.stringify(inhoud), number: next(tableOf('verzendingen').values(), 1) };
      add('verzendingen', row);
      return toVerzending(tableOf('verzendingen').get(keyOf('verzendingen', row)) ?? row);
    },
    firstDay: (resident) =>
      (tableOf('residents').get(JSON.stringify([resident]))?.firstDay as string | undefined) ?? null,
    setFirstDayOnce(resident, firstDay) {
      add('residents', { resident, firstDay });
    },
    isSeeded: (resident) => tableOf('movedIn').has(JSON.stringify([resident])),
    markSeeded(resident) {
      add('movedIn', { resident });
    },
    nextId(world) {
      const key = JSON.stringify([world]);
      const last = Number(tableOf('ids').get(key)?.last ?? 0) + 1;
      tableOf('ids').set(key, { world, last });
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
    usedAt: (world) => used.get(world) ?? null,
    worlds: () => [...used].map(([world, usedAt]) => ({ world, usedAt })).sort((a, b) => compareText(a.world, b.world)),
    settings: (world) => settings.get(world) ?? initial,
    storeSettings(world, changed) {
      settings.set(world, changed);
    },
    recordUse(world, at) {
      used.set(world, at);
    },
    copyRows: (world): StateRows =>
      Object.fromEntries(
        Object.keys(KEY_COLUMNS).map((table) => [
          table,
          rowsOf(table, world).map(({ number = null, ...row }) =>
            // Letters are numbered over all worlds, so their number is not part of one world.
            table === 'verzendingen' || number === null ? row : { ...row, number },
          ),
        ]),
      ),
    insertRows(rows) {
      for (const table of Object.keys(KEY_COLUMNS))
        for (const row of rows[table] ?? [])
          add(table, table === 'verzendingen' ? { ...row, number: next(tableOf(table).values(), 1) } : { ...row });
    },
    erase(world) {
      for (const [table, rows] of Object.entries(tables))
        for (const [key, row] of rows) if (world === undefined || isOf(row, world)) tableOf(table).delete(key);
      for (const byWorld of [settings, used]) {
        if (world === undefined) byWorld.clear();
        else byWorld.delete(world);
      }
    },
    close: () => undefined,
  };
}

/** Compares two texts by code unit, for `sort`. The databases sort ids and times in the same order. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
