import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type RawBuilder, SqliteDialect, sql } from 'kysely';
import { createSqliteFile, makeFolder } from '../../adapters/store/files.ts';
import { applyMigrations, type Migrations } from '../../adapters/store/schema.ts';
import { kyselyDatabase } from '../../adapters/store/sqlite.ts';
import type { WorldSettings } from './settings.ts';
import { FIRST_NUMBER, type SimulatedBesluit, type SimulatorState, toVerzending, toZaak } from './state.ts';

/** For each table, the SQL condition that selects the rows of one world. */
const WORLD_CONDITION = {
  zaken: 'world = :world',
  verzendingen: 'world = :world',
  besluiten: 'world = :world',
  ids: 'world = :world',
  residents: `case :world when 'default' then resident not like '%@%' else resident like '%@' || :world end`,
  movedIn: `case :world when 'default' then resident not like '%@%' else resident like '%@' || :world end`,
} as const;

/** Letters are numbered over all worlds, so the number of a letter is not copied. */
const withoutGlobalNumber =
  (table: string) =>
  ({ number, ...row }: Record<string, unknown>) =>
    (table === 'verzendingen' || number === undefined ? row : { number, ...row }) as Record<string, string>;

/** Opens `<folder>/simulator.sqlite`, or `:memory:`, updated to the current schema. Rejects when that fails. */
export async function openState(folder: string): Promise<SimulatorState> {
  if (folder !== ':memory:') makeFolder(folder);
  const file = folder === ':memory:' ? folder : join(folder, 'simulator.sqlite');
  // Only the owner may read a file with this mode. SQLite gives the files `-wal` and `-shm` the same mode.
  if (file !== ':memory:') createSqliteFile(file);
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    db.exec('pragma journal_mode = wal; pragma synchronous = normal');
    await migrateState(db);
  } catch (error) {
    db.close();
    throw error;
  }
  const insertZaak = db.prepare(
    `insert into zaken select coalesce(max(number) + 1, ${FIRST_NUMBER}), :world, :prefix, :resident, :sleutel,
       :prefix || '-' || :year || '-' || printf('%06d', coalesce(max(number) + 1, ${FIRST_NUMBER})), :soort, :kenmerk, :gegevens,
       :handmatig, :ontvangenOp
     from zaken where world = :world and prefix = :prefix
     on conflict (resident, sleutel) do nothing`,
  );
  const zaakByKey = db.prepare('select * from zaken where resident = ? and sleutel = ?');
  const zakenByResident = db.prepare('select * from zaken where resident = ? order by ontvangenOp, number');
  const besluitOf = db.prepare(
    'select uitkomst, reden, datum, beroep from besluiten where world = ? and referentie = ?',
  );
  const setBesluit = db.prepare(
    'insert or replace into besluiten (world, referentie, uitkomst, reden, datum, beroep) values (?, ?, ?, ?, ?, ?)',
  );
  const insertVerzending = db.prepare(
    `insert into verzendingen (world, sleutel, referentie, kanaal, tekst, inhoud, uitkomst, verzondenOp)
     values (:world, :sleutel, :referentie, :kanaal, :tekst, :inhoud, :uitkomst, :verzondenOp)
     on conflict (world, sleutel) do nothing`,
  );
  const verzendingByKey = db.prepare('select * from verzendingen where world = ? and sleutel = ?');
  const allVerzendingen = db.prepare('select * from verzendingen order by number');
  const verzendingenOf = db.prepare('select * from verzendingen where world = ? order by number');
  const firstDayOf = db.prepare('select firstDay from residents where resident = ?');
  const movedIn = db.prepare('select 1 from movedIn where resident = ?');
  const setMovedIn = db.prepare('insert into movedIn values (?) on conflict do nothing');
  const setFirstDay = db.prepare('insert into residents values (?, ?) on conflict do nothing');
  const settingsOf = db.prepare('select settings from settings where world = ?');
  const setSettings = db.prepare('insert or replace into settings values (?, ?)');
  const usedAtOf = db.prepare('select usedAt from worlds where world = ?');
  const setUsedAt = db.prepare('insert or replace into worlds values (?, ?)');
  const incrementId = db.prepare(
    'insert into ids values (?, 1) on conflict (world) do update set last = last + 1 returning last',
  );
  const residentsOf = db.prepare(
    `select resident from residents where ${WORLD_CONDITION.residents} union select resident from movedIn where ${WORLD_CONDITION.movedIn}
     union select resident from zaken where world = :world order by 1`,
  );

  return {
    zaken: (resident) => zakenByResident.all(resident).map(toZaak),
    zaakBy(resident, sleutel) {
      const row = zaakByKey.get(resident, sleutel);
      return row === undefined ? null : toZaak(row);
    },
    addZaak({ ontvangenOp, gegevens, handmatig, ...zaak }) {
      const stored = { gegevens: JSON.stringify(gegevens), handmatig: Number(handmatig) };
      const { changes } = insertZaak.run({ ...zaak, ...stored, year: ontvangenOp.slice(0, 4), ontvangenOp });
      return { zaak: toZaak(zaakByKey.get(zaak.resident, zaak.sleutel) ?? {}), nieuw: changes === 1 };
    },
    besluit: (world, referentie) => besluitOf.get(world, referentie) as SimulatedBesluit | undefined,
    storeBesluit: (world, referentie, { uitkomst, reden, datum, beroep = null }) => {
      setBesluit.run(world, referentie, uitkomst, reden, datum, beroep);
    },
    verzendingen: (world) =>
      (world === undefined ? allVerzendingen.all() : verzendingenOf.all(world)).map(toVerzending),
    verzendingBy(world, sleutel) {
      const row = verzendingByKey.get(world, sleutel);
      return row === undefined ? null : toVerzending(row);
    },
    addVerzending({ inhoud, ...verzending }) {
      insertVerzending.run({ ...verzending, inhoud: JSON.stringify(inhoud) });
      return toVerzending(verzendingByKey.get(verzending.world, verzending.sleutel) ?? {});
    },
    firstDay: (resident) => (firstDayOf.get(resident)?.firstDay as string | undefined) ?? null,
    setFirstDayOnce: (resident, firstDay) => {
      setFirstDay.run(resident, firstDay);
    },
    isSeeded: (resident) => movedIn.get(resident) !== undefined,
    markSeeded: (resident) => {
      setMovedIn.run(resident);
    },
    nextId: (world) => Number(incrementId.get(world)?.last),
    residents: (world) => residentsOf.all({ world }).map(({ resident }) => String(resident)),
    worlds: () =>
      db
        .prepare('select world, usedAt from worlds order by world')
        .all()
        .map(({ world, usedAt }) => ({ world: String(world), usedAt: Number(usedAt) })),
    usedAt: (world) => (usedAtOf.get(world)?.usedAt as number | undefined) ?? null,
    settings: (world) => {
      const row = settingsOf.get(world);
      return row === undefined ? null : (JSON.parse(String(row.settings)) as WorldSettings);
    },
    storeSettings: (world, settings) => {
      setSettings.run(world, JSON.stringify(settings));
    },
    recordUse: (world, at) => {
      setUsedAt.run(world, at);
    },
    copyRows: (world) =>
      Object.fromEntries(
        Object.entries(WORLD_CONDITION).map(([table, where]) => [
          table,
          db.prepare(`select * from ${table} where ${where} order by 1`).all({ world }).map(withoutGlobalNumber(table)),
        ]),
      ),
    insertRows(rows) {
      db.exec('begin immediate');
      try {
        for (const table of Object.keys(WORLD_CONDITION)) {
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
        for (const table of [...Object.keys(WORLD_CONDITION), 'worlds', 'settings']) db.exec(`delete from ${table}`);
        return;
      }
      for (const [table, where] of Object.entries(WORLD_CONDITION))
        db.prepare(`delete from ${table} where ${where}`).run({ world });
      for (const table of ['worlds', 'settings']) db.prepare(`delete from ${table} where world = ?`).run(world);
    },
    close: () => db.close(),
  };
}

type Db = Kysely<unknown>;

/** Returns a migration that executes these statements one after the other. */
const statements = (...all: readonly RawBuilder<unknown>[]) => ({
  async up(db: Db) {
    for (const one of all) await one.execute(db);
  },
});

// The first five use `if not exists`, because some databases have these tables without a record of their migrations.
const MIGRATIONS: Migrations = {
  '001-zaken': statements(
    sql`
        create table if not exists zaken (
          number integer not null, world text not null, prefix text not null, resident text not null,
          sleutel text not null, referentie text not null, soort text not null, kenmerk text, gegevens text not null,
          handmatig integer not null, ontvangenOp text not null,
          primary key (world, prefix, number), unique (resident, sleutel))`,
    sql`create index if not exists zaken_by_resident on zaken (resident)`,
    sql`create table if not exists residents (resident text primary key, firstDay text not null)`,
  ),
  '002-verzendingen': statements(sql`
        create table if not exists verzendingen (
          number integer primary key, sleutel text not null unique, referentie text not null, kanaal text not null,
          tekst text not null, verzondenOp text not null)`),
  '003-moved-in': statements(
    // Every resident with a first day already has their seed data in the stores.
    sql`create table if not exists movedIn as select resident from residents`,
    sql`create unique index if not exists movedIn_once on movedIn (resident)`,
  ),
  '004-worlds': {
    async up(db: Db) {
      await sql`
        create table if not exists besluiten (
          world text not null, referentie text not null, uitkomst text, reden text, datum text not null,
          primary key (world, referentie))`.execute(db);
      await sql`create table if not exists worlds (world text primary key, usedAt integer not null)`.execute(db);
      await sql`create table if not exists settings (world text primary key, settings text not null)`.execute(db);
      // Letters from before this migration belong to the default world.
      const { rows } = await sql<{ name: string }>`pragma table_info(verzendingen)`.execute(db);
      if (!rows.some(({ name }) => name === 'world'))
        await sql`alter table verzendingen add column world text not null default 'default'`.execute(db);
    },
  },
  '005-ids': statements(sql`create table if not exists ids (world text primary key, last integer not null)`),
  '006-beroep': statements(sql`alter table besluiten add column beroep text`),
  '007-inhoud': statements(sql`alter table verzendingen add column inhoud text`),
  '008-key-of-a-letter-by-world': statements(
    // SQLite cannot drop the constraint of a column, so the table is made anew. Letters keep their numbers.
    sql`alter table verzendingen rename to verzendingenOverWorlds`,
    sql`
        create table verzendingen (
          number integer primary key, world text not null, sleutel text not null, referentie text not null,
          kanaal text not null, tekst text not null, inhoud text, verzondenOp text not null,
          unique (world, sleutel))`,
    sql`
        insert into verzendingen select number, world, sleutel, referentie, kanaal, tekst, inhoud, verzondenOp
        from verzendingenOverWorlds`,
    sql`drop table verzendingenOverWorlds`,
  ),
  '009-outcome-of-a-letter': statements(sql`alter table verzendingen add column uitkomst text`),
};

let lastMigration: Promise<unknown> = Promise.resolve();

/** One after another in a process, because one that waits for the SQLite lock would block the one that has it. */
function migrateState(db: DatabaseSync): Promise<void> {
  const migration = lastMigration.then(() => migrate(db));
  lastMigration = migration.catch(() => undefined);
  return migration;
}

async function migrate(db: DatabaseSync): Promise<void> {
  db.exec('begin exclusive');
  try {
    await applyMigrations(new Kysely({ dialect: new SqliteDialect({ database: kyselyDatabase(db) }) }), MIGRATIONS);
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}
