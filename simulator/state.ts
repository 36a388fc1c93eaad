import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A request that someone handed in at the simulated register. */
export interface Zaak {
  readonly referentie: string;
  readonly soort: string;
  readonly kenmerk: string | null;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly handmatig: boolean;
  /** `YYYY-MM-DD`. */
  readonly ontvangenOp: string;
}

export interface NewZaak extends Omit<Zaak, 'referentie'> {
  /** `<slug>@<world>`. */
  readonly resident: string;
  readonly world: string;
  readonly sleutel: string;
  /** Three capitals. */
  readonly prefix: string;
}

/** A letter that the simulated register delivered, as its reader has it. */
export interface Verzending {
  readonly verzendingId: string;
  readonly referentie: string;
  readonly kanaal: string;
  readonly tekst: string;
  /** `YYYY-MM-DD`. */
  readonly verzondenOp: string;
}

/** What the simulated register remembers: a file beside the store, so that a restart loses neither. */
export interface State {
  /** The requests of one resident, in the order in which they came. */
  zaken(resident: string): readonly Zaak[];
  /** Makes a request, or gives the one that the key made before; the first content stands. */
  addZaak(zaak: NewZaak): { zaak: Zaak; nieuw: boolean };
  /** Every letter that was delivered, in that order. */
  verzendingen(): readonly Verzending[];
  /** Delivers a letter, or gives the one that the key delivered before. */
  addVerzending(verzending: Omit<Verzending, 'verzendingId'> & { readonly sleutel: string }): Verzending;
  /** The first day of a resident of whom something is remembered, or null: theirs is always today. */
  firstDay(resident: string): string | null;
  /** From now on this resident's first day stays what it is. */
  settle(resident: string, firstDay: string): void;
  /** Whether this resident's belongings of before the world began have been put where they keep them. */
  isMovedIn(resident: string): boolean;
  moveIn(resident: string): void;
  erase(): void;
  close(): void;
}

/** Below this the numbers belong to the personas and burgers. */
const FIRST_NUMBER = 10_001;

/** Opens `<folder>/simulator.sqlite`; `:memory:` keeps nothing. */
export function openState(folder: string): State {
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(folder === ':memory:' ? folder : join(folder, 'simulator.sqlite'), { timeout: 5_000 });
  db.exec(`
    pragma journal_mode = wal; pragma synchronous = normal;
    create table if not exists zaken (
      number integer not null, world text not null, prefix text not null, resident text not null, sleutel text not null,
      referentie text not null, soort text not null, kenmerk text, gegevens text not null, handmatig integer not null,
      ontvangenOp text not null, primary key (world, prefix, number), unique (resident, sleutel));
    create index if not exists zaken_by_resident on zaken (resident);
    create table if not exists verzendingen (
      number integer primary key, sleutel text not null unique, referentie text not null, kanaal text not null, tekst text not null,
      verzondenOp text not null);
    create table if not exists residents (resident text primary key, firstDay text not null);
    create table if not exists movedIn as select resident from residents;
    create unique index if not exists movedIn_once on movedIn (resident);
  `);
  const insert = db.prepare(
    `insert into zaken select coalesce(max(number) + 1, ${FIRST_NUMBER}), :world, :prefix, :resident, :sleutel,
       :prefix || '-' || :year || '-' || printf('%06d', coalesce(max(number) + 1, ${FIRST_NUMBER})), :soort, :kenmerk, :gegevens,
       :handmatig, :ontvangenOp
     from zaken where world = :world and prefix = :prefix
     on conflict (resident, sleutel) do nothing`,
  );
  const byKey = db.prepare('select * from zaken where resident = ? and sleutel = ?');
  const byResident = db.prepare('select * from zaken where resident = ? order by ontvangenOp, number');
  const deliver = db.prepare(
    `insert into verzendingen (sleutel, referentie, kanaal, tekst, verzondenOp)
     values (:sleutel, :referentie, :kanaal, :tekst, :verzondenOp) on conflict (sleutel) do nothing`,
  );
  const delivered = db.prepare('select * from verzendingen where sleutel = ?');
  const allDelivered = db.prepare('select * from verzendingen order by number');
  const day = db.prepare('select firstDay from residents where resident = ?');
  const movedIn = db.prepare('select 1 from movedIn where resident = ?');
  const move = db.prepare('insert into movedIn values (?) on conflict do nothing');
  const settleDay = db.prepare('insert into residents values (?, ?) on conflict do nothing');

  return {
    zaken: (resident) => byResident.all(resident).map(toZaak),
    addZaak({ world, prefix, resident, sleutel, soort, kenmerk, gegevens, handmatig, ontvangenOp }) {
      const { changes } = insert.run({
        world,
        prefix,
        resident,
        sleutel,
        year: ontvangenOp.slice(0, 4),
        soort,
        kenmerk,
        gegevens: JSON.stringify(gegevens),
        handmatig: Number(handmatig),
        ontvangenOp,
      });
      return { zaak: toZaak(byKey.get(resident, sleutel) ?? {}), nieuw: changes === 1 };
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
    erase: () => db.exec('delete from zaken; delete from verzendingen; delete from residents; delete from movedIn'),
    close: () => db.close(),
  };
}

const toZaak = (row: Record<string, unknown>): Zaak => ({
  referentie: String(row.referentie),
  soort: String(row.soort),
  kenmerk: row.kenmerk === null ? null : String(row.kenmerk),
  gegevens: JSON.parse(String(row.gegevens)),
  handmatig: row.handmatig === 1,
  ontvangenOp: String(row.ontvangenOp),
});

const toVerzending = (row: Record<string, unknown>): Verzending => ({
  verzendingId: `v-${row.number}`,
  referentie: String(row.referentie),
  kanaal: String(row.kanaal),
  tekst: String(row.tekst),
  verzondenOp: String(row.verzondenOp),
});
