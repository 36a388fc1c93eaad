import type { VerzendingWire } from '../../adapters/register/brieven/wire.ts';
import type { UitkomstWire } from '../../adapters/register/wire.ts';
import type { WorldSettings } from './settings.ts';

/** A request (zaak, a case at the register) that was submitted to the simulated register. */
export interface SimulatedZaak {
  readonly referentie: string;
  readonly soort: string;
  readonly kenmerk: string | null;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly handmatig: boolean;
  readonly ontvangenOp: string;
}

/** A request (zaak) that is about to be stored. Its reference is made when it is stored. */
export interface NewZaak extends Omit<SimulatedZaak, 'referentie'> {
  /** Login of the applicant, `<slug>` or `<slug>@<world>`. */
  readonly resident: string;
  readonly world: string;
  /** The idempotency key of the submission. */
  readonly sleutel: string;
  /** The three capital letters at the start of `referentie`, such as `HER`. */
  readonly prefix: string;
}

/** A decision that a tester chose in place of the automatic decision. `uitkomst` null keeps the request undecided. */
export interface SimulatedBesluit {
  readonly uitkomst: UitkomstWire | null;
  readonly reden: string | null;
  /** Date from which the decision applies, `YYYY-MM-DD`. */
  readonly datum: string;
  /** Official name of the granted profession; null or absent when the decision names none. */
  readonly beroep?: string | null;
}

export interface SimulatedVerzending {
  readonly verzendingId: string;
  readonly world: string;
  readonly referentie: string;
  readonly kanaal: string;
  readonly tekst: string;
  /**
   * The letter in sections; null for a letter that was stored before sections were stored. Without `verzoek` when it was
   * stored before that was stored.
   */
  readonly inhoud:
    | (Pick<VerzendingWire['inhoud'], 'secties'> & Partial<Pick<VerzendingWire['inhoud'], 'verzoek'>>)
    | null;
  /** Outcome that the letter states; null for none, and for a letter that was stored before outcomes were stored. */
  readonly uitkomst: UitkomstWire | null;
  readonly verzondenOp: string;
}

/** The stored rows of one world, keyed by name of the table. A row is an object with the values of its columns. */
export type StateRows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;

/** The stored state of the simulated upstreams, for all worlds. */
export interface SimulatorState {
  zaken(resident: string): readonly SimulatedZaak[];
  /** Returns the request of a resident that was stored with an idempotency key; null when there is none. */
  zaakBy(resident: string, sleutel: string): SimulatedZaak | null;
  /** `nieuw` is false for the existing request of the resident with the same idempotency key (`sleutel`). */
  addZaak(zaak: NewZaak): { zaak: SimulatedZaak; nieuw: boolean };
  /** Returns the decision on a request that `storeBesluit` stored; undefined when there is none. */
  besluit(world: string, referentie: string): SimulatedBesluit | undefined;
  /** Replaces the automatic decision of the simulated register, and an earlier stored one. */
  storeBesluit(world: string, referentie: string, besluit: SimulatedBesluit): void;
  /** Returns the delivered letters of a world, or of all worlds, oldest first. */
  verzendingen(world?: string): readonly SimulatedVerzending[];
  /** Returns the letter of a world that was stored with an idempotency key; null when no letter was. */
  verzendingBy(world: string, sleutel: string): SimulatedVerzending | null;
  /** Changes nothing, and returns the first letter, when its idempotency key was used before in its world. */
  addVerzending(
    verzending: Omit<SimulatedVerzending, 'verzendingId'> & { readonly sleutel: string },
  ): SimulatedVerzending;
  /** The date to which dates in the fixture are relative, `YYYY-MM-DD`. Null when none is stored. */
  firstDay(resident: string): string | null;
  /** Stores the first day of a resident (`firstDay`). Changes nothing when one is stored already. */
  setFirstDayOnce(resident: string, firstDay: string): void;
  /** Returns true when the seed data of this resident (drafts, requests, documents) are in the service's stores. */
  isSeeded(resident: string): boolean;
  markSeeded(resident: string): void;

  /** Returns the next number of a world's sequence for reproducible ids: 1 at the first call. */
  nextId(world: string): number;
  /** `<slug>` or `<slug>@<world>`, of those for whom something is stored, such as a request. */
  residents(world: string): readonly string[];
  /** Returns all worlds that were used, with the time of their last use in milliseconds since 1970. */
  worlds(): readonly { readonly world: string; readonly usedAt: number }[];
  /** Returns the time of last use of a world, in milliseconds since 1970; null when it was never used. */
  usedAt(world: string): number | null;
  settings(world: string): WorldSettings | null;
  storeSettings(world: string, settings: WorldSettings): void;
  /** Records the time of last use of a world, in milliseconds since 1970. */
  recordUse(world: string, at: number): void;

  /** Returns a copy of all rows of a world, without its settings and its time of last use. */
  copyRows(world: string): StateRows;
  /** Inserts rows that `copyRows` returned. Skips a row that already exists or conflicts with an existing row. */
  insertRows(rows: StateRows): void;
  /** Deletes all rows and settings of a world, or of every world when `world` is absent. */
  erase(world?: string): void;
  close(): void;
}

/** The number of the first case that is submitted, as in `HER-2026-010001`. Fixtures use lower numbers. */
export const FIRST_NUMBER = 10_001;

/** A row of a table of the simulators' state, in memory or in SQLite: the value of each column. */
export type StateRow = Record<string, unknown>;

export const toZaak = (row: StateRow): SimulatedZaak => ({
  referentie: String(row.referentie),
  soort: String(row.soort),
  kenmerk: row.kenmerk === null ? null : String(row.kenmerk),
  gegevens: JSON.parse(String(row.gegevens)),
  handmatig: row.handmatig === 1,
  ontvangenOp: String(row.ontvangenOp),
});

export const toVerzending = (row: StateRow): SimulatedVerzending => ({
  verzendingId: `v-${row.number}`,
  world: String(row.world),
  referentie: String(row.referentie),
  kanaal: String(row.kanaal),
  tekst: String(row.tekst),
  inhoud: typeof row.inhoud === 'string' ? JSON.parse(row.inhoud) : null,
  uitkomst: (row.uitkomst ?? null) as SimulatedVerzending['uitkomst'],
  verzondenOp: String(row.verzondenOp),
});
