import type { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { applyMigrations, type Migrations } from '../../adapters/store/schema.ts';
import { kyselyDatabase } from '../../adapters/store/sqlite.ts';

type Db = Kysely<unknown>;

/**
 * Migrations of the simulators' database. The first five use `if not exists`, because some databases have these tables
 * without a record of their migrations.
 */
const MIGRATIONS: Migrations = {
  '001-zaken': {
    async up(db: Db) {
      await sql`
        create table if not exists zaken (
          number integer not null, world text not null, prefix text not null, resident text not null,
          sleutel text not null, referentie text not null, soort text not null, kenmerk text, gegevens text not null,
          handmatig integer not null, ontvangenOp text not null,
          primary key (world, prefix, number), unique (resident, sleutel))`.execute(db);
      await sql`create index if not exists zaken_by_resident on zaken (resident)`.execute(db);
      await sql`create table if not exists residents (resident text primary key, firstDay text not null)`.execute(db);
    },
  },
  '002-verzendingen': {
    async up(db: Db) {
      await sql`
        create table if not exists verzendingen (
          number integer primary key, sleutel text not null unique, referentie text not null, kanaal text not null,
          tekst text not null, verzondenOp text not null)`.execute(db);
    },
  },
  '003-moved-in': {
    async up(db: Db) {
      // Every resident with a first day already has their seed data in the stores.
      await sql`create table if not exists movedIn as select resident from residents`.execute(db);
      await sql`create unique index if not exists movedIn_once on movedIn (resident)`.execute(db);
    },
  },
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
  '005-ids': {
    async up(db: Db) {
      await sql`create table if not exists ids (world text primary key, last integer not null)`.execute(db);
    },
  },
  '006-beroep': {
    async up(db: Db) {
      await sql`alter table besluiten add column beroep text`.execute(db);
    },
  },
  '007-inhoud': {
    async up(db: Db) {
      await sql`alter table verzendingen add column inhoud text`.execute(db);
    },
  },
  '008-key-of-a-letter-by-world': {
    async up(db: Db) {
      // SQLite cannot drop the constraint of a column, so the table is made anew. Letters keep their numbers.
      await sql`alter table verzendingen rename to verzendingenOverWorlds`.execute(db);
      await sql`
        create table verzendingen (
          number integer primary key, world text not null, sleutel text not null, referentie text not null,
          kanaal text not null, tekst text not null, inhoud text, verzondenOp text not null,
          unique (world, sleutel))`.execute(db);
      await sql`
        insert into verzendingen select number, world, sleutel, referentie, kanaal, tekst, inhoud, verzondenOp
        from verzendingenOverWorlds`.execute(db);
      await sql`drop table verzendingenOverWorlds`.execute(db);
    },
  },
  '009-outcome-of-a-letter': {
    async up(db: Db) {
      await sql`alter table verzendingen add column uitkomst text`.execute(db);
    },
  },
};

let lastMigration: Promise<unknown> = Promise.resolve();

/**
 * Updates the tables of the simulators' database to the current schema, and leaves the database open. When that fails,
 * rejects and leaves the database unchanged. Migrations in one process run one after another, because one that waits
 * for the SQLite lock would block the one that has it.
 */
export function migrateState(db: DatabaseSync): Promise<void> {
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
