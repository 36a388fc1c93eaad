import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Settings } from './settings.ts';
import { type Besluit, FIRST_NUMBER, type State } from './state.ts';
import { toVerzending, toZaak } from './state-rows.ts';
import { migrateState } from './state-schema.ts';

/** Which rows are of a world: by its name, or by a login that ends in it. */
const OF_WORLD = {
  zaken: 'world = :world',
  verzendingen: 'world = :world',
  besluiten: 'world = :world',
  ids: 'world = :world',
  residents: `case :world when 'default' then resident not like '%@%' else resident like '%@' || :world end`,
  movedIn: `case :world when 'default' then resident not like '%@%' else resident like '%@' || :world end`,
} as const;

/** A row without what it has of all worlds together: letters are numbered over all of them. */
const ownOf =
  (table: string) =>
  ({ number, ...row }: Record<string, unknown>) =>
    (table === 'verzendingen' || number === undefined ? row : { number, ...row }) as Record<string, string>;

/** Opens `<folder>/simulator.sqlite`, with the present schema; `:memory:` keeps nothing. A restart loses nothing of the rest. */
export async function openState(folder: string): Promise<State> {
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = folder === ':memory:' ? folder : join(folder, 'simulator.sqlite');
  // Made here it is its owner's alone, and SQLite gives `-wal` and `-shm` the same mode.
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    db.exec('pragma journal_mode = wal; pragma synchronous = normal');
    await migrateState(db);
  } catch (error) {
    db.close();
    throw error;
  }
  const insert = db.prepare(
    `insert into zaken select coalesce(max(number) + 1, ${FIRST_NUMBER}), :world, :prefix, :resident, :sleutel,
       :prefix || '-' || :year || '-' || printf('%06d', coalesce(max(number) + 1, ${FIRST_NUMBER})), :soort, :kenmerk, :gegevens,
       :handmatig, :ontvangenOp
     from zaken where world = :world and prefix = :prefix
     on conflict (resident, sleutel) do nothing`,
  );
  const byKey = db.prepare('select * from zaken where resident = ? and sleutel = ?');
  const byResident = db.prepare('select * from zaken where resident = ? order by ontvangenOp, number');
  const decided = db.prepare('select uitkomst, reden, datum from besluiten where world = ? and referentie = ?');
  const decide = db.prepare('insert or replace into besluiten values (?, ?, ?, ?, ?)');
  const deliver = db.prepare(
    `insert into verzendingen (world, sleutel, referentie, kanaal, tekst, verzondenOp)
     values (:world, :sleutel, :referentie, :kanaal, :tekst, :verzondenOp) on conflict (sleutel) do nothing`,
  );
  const delivered = db.prepare('select * from verzendingen where sleutel = ?');
  const allDelivered = db.prepare('select * from verzendingen order by number');
  const day = db.prepare('select firstDay from residents where resident = ?');
  const movedIn = db.prepare('select 1 from movedIn where resident = ?');
  const move = db.prepare('insert into movedIn values (?) on conflict do nothing');
  const settleDay = db.prepare('insert into residents values (?, ?) on conflict do nothing');
  const settingsOf = db.prepare('select settings from settings where world = ?');
  const keep = db.prepare('insert or replace into settings values (?, ?)');
  const used = db.prepare('insert or replace into worlds values (?, ?)');
  const counted = db.prepare(
    'insert into ids values (?, 1) on conflict (world) do update set last = last + 1 returning last',
  );
  const remembered = db.prepare(
    `select resident from residents where ${OF_WORLD.residents} union select resident from movedIn where ${OF_WORLD.movedIn}
     union select resident from zaken where world = :world order by 1`,
  );

  return {
    zaken: (resident) => byResident.all(resident).map(toZaak),
    addZaak({ ontvangenOp, gegevens, handmatig, ...zaak }) {
      const { changes } = insert.run({
        ...zaak,
        year: ontvangenOp.slice(0, 4),
        gegevens: JSON.stringify(gegevens),
        handmatig: Number(handmatig),
        ontvangenOp,
      });
      return { zaak: toZaak(byKey.get(zaak.resident, zaak.sleutel) ?? {}), nieuw: changes === 1 };
    },
    besluit: (world, referentie) => decided.get(world, referentie) as Besluit | undefined,
    besluiten: (world, referentie, { uitkomst, reden, datum }) => {
      decide.run(world, referentie, uitkomst, reden, datum);
    },
    verzendingen: () => allDelivered.all().map(toVerzending),
    addVerzending(verzending) {
      deliver.run({ ...verzending });
      return toVerzending(delivered.get(verzending.sleutel) ?? {});
    },
    firstDay: (resident) => (day.get(resident)?.firstDay as string | undefined) ?? null,
    settle: (resident, firstDay) => {
      settleDay.run(resident, firstDay);
    },
    isMovedIn: (resident) => movedIn.get(resident) !== undefined,
    moveIn: (resident) => {
      move.run(resident);
    },
    nextId: (world) => Number(counted.get(world)?.last),
    residents: (world) => remembered.all({ world }).map(({ resident }) => String(resident)),
    worlds: () =>
      db
        .prepare('select world, usedAt from worlds order by world')
        .all()
        .map(({ world, usedAt }) => ({ world: String(world), usedAt: Number(usedAt) })),
    settings: (world) => {
      const row = settingsOf.get(world);
      return row === undefined ? null : (JSON.parse(String(row.settings)) as Settings);
    },
    keepSettings: (world, settings) => {
      keep.run(world, JSON.stringify(settings));
    },
    use: (world, at) => {
      used.run(world, at);
    },
    take: (world) =>
      Object.fromEntries(
        Object.entries(OF_WORLD).map(([table, where]) => [
          table,
          db.prepare(`select * from ${table} where ${where} order by 1`).all({ world }).map(ownOf(table)),
        ]),
      ),
    put(rows) {
      db.exec('begin immediate');
      try {
        for (const table of Object.keys(OF_WORLD)) {
          for (const row of rows[table] ?? []) {
            const columns = Object.keys(row).filter((column) => !(table === 'verzendingen' && column === 'number'));
            const values = columns.map((column) => row[column] ?? null);
            const names = columns.map((column) => `"${column.replaceAll('"', '')}"`).join(', ');
            db.prepare(`insert or ignore into ${table} (${names}) values (${columns.map(() => '?').join(', ')})`).run(
              ...values,
            );
          }
        }
        db.exec('commit');
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
    erase(world) {
      if (world === undefined) {
        for (const table of [...Object.keys(OF_WORLD), 'worlds', 'settings']) db.exec(`delete from ${table}`);
        return;
      }
      for (const [table, where] of Object.entries(OF_WORLD))
        db.prepare(`delete from ${table} where ${where}`).run({ world });
      for (const table of ['worlds', 'settings']) db.prepare(`delete from ${table} where world = ?`).run(world);
    },
    close: () => db.close(),
  };
}
