import type { WorldSettings } from './settings.ts';

/** A request that was submitted to the simulated register. */
export interface SimulatedZaak {
  readonly referentie: string;
  readonly soort: string;
  readonly kenmerk: string | null;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly handmatig: boolean;
  /** `YYYY-MM-DD`. */
  readonly ontvangenOp: string;
}

/** A request that is about to be stored. */
export interface NewZaak extends Omit<SimulatedZaak, 'referentie'> {
  /** Login of the applicant, `<slug>` or `<slug>@<world>`. */
  readonly resident: string;
  readonly world: string;
  /** The Idempotency-Key of the submission. */
  readonly sleutel: string;
  /** The three capitals that `referentie` begins with. */
  readonly prefix: string;
}

/**
 * A decision on a request, from a letter or set by a developer or test. It replaces the simulated decision. `uitkomst`
 * null: the request is still pending.
 */
export interface SimulatedBesluit {
  readonly uitkomst: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling' | null;
  readonly reden: string | null;
  /** Date from which the decision applies, `YYYY-MM-DD`. */
  readonly datum: string;
  /** Official name of the profession that is granted; null or absent: the profession in the request. */
  readonly beroep?: string | null;
}

/** The sections of a delivered letter, as the register received them. */
export interface SimulatedInhoud {
  readonly secties: readonly {
    readonly sleutel: string;
    readonly titel: string;
    readonly alineas: readonly {
      readonly lijst: 'opsomming' | 'nummering' | null;
      readonly delen: readonly {
        readonly tekst: string;
        readonly vet: boolean;
        readonly cursief: boolean;
        readonly onderstreept: boolean;
      }[];
    }[];
  }[];
}

/** A letter that the simulated register delivered. */
export interface SimulatedVerzending {
  readonly verzendingId: string;
  readonly world: string;
  readonly referentie: string;
  readonly kanaal: string;
  /** The letter as plain text. */
  readonly tekst: string;
  /** The letter in sections; null for a letter from before version 007 of the schema, which had no sections. */
  readonly inhoud: SimulatedInhoud | null;
  /** `YYYY-MM-DD`. */
  readonly verzondenOp: string;
}

/** The stored rows of one world, by table. */
export type StateRows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;

/** Port to the persistent state of the simulated upstreams, by world. */
export interface SimulatorState {
  /** Returns the requests of one resident, the oldest first. */
  zaken(resident: string): readonly SimulatedZaak[];
  /** Returns the request of a resident that was stored with an idempotency key; null when there is none. */
  zaakBy(resident: string, sleutel: string): SimulatedZaak | null;
  /**
   * Stores a request; `nieuw` is true. With an idempotency key that was used before it changes nothing and returns the
   * first request.
   */
  addZaak(zaak: NewZaak): { zaak: SimulatedZaak; nieuw: boolean };
  /** Returns the decision that was set by hand; undefined when there is none. */
  besluit(world: string, referentie: string): SimulatedBesluit | undefined;
  /** Sets the decision about a request by hand; replaces an earlier one. */
  besluiten(world: string, referentie: string, besluit: SimulatedBesluit): void;
  /** Returns all delivered letters of all worlds, the oldest first. */
  verzendingen(): readonly SimulatedVerzending[];
  /** Returns the letter that was stored with an idempotency key; null when there is none. */
  verzendingBy(sleutel: string): SimulatedVerzending | null;
  /** Stores a letter. With an idempotency key that was used before it changes nothing and returns the first letter. */
  addVerzending(
    verzending: Omit<SimulatedVerzending, 'verzendingId'> & { readonly sleutel: string },
  ): SimulatedVerzending;
  /**
   * Returns the fixed first day of a resident, `YYYY-MM-DD`; null when it is not fixed: then the first day of the world
   * applies.
   */
  firstDay(resident: string): string | null;
  /** Fixes the first day of a resident. Does nothing when it is already fixed. */
  settle(resident: string, firstDay: string): void;
  /** True once the seed data of this resident is in the stores. */
  isSeeded(resident: string): boolean;
  /** Records that the seed data of this resident is in the stores. */
  markSeeded(resident: string): void;

  /** Returns the next sequence number of a world; the first is 1. */
  nextId(world: string): number;
  /** Returns the logins of all residents of a world that have stored state. */
  residents(world: string): readonly string[];
  /** Returns the worlds that were used, with the time of last use in milliseconds since 1970. */
  worlds(): readonly { readonly world: string; readonly usedAt: number }[];
  /** Returns the stored settings of a world; null when there are none. */
  settings(world: string): WorldSettings | null;
  keepSettings(world: string, settings: WorldSettings): void;
  /** Records the time of last use of a world, in milliseconds since 1970. */
  use(world: string, at: number): void;

  /** Returns all rows of a world, without its settings. */
  take(world: string): StateRows;
  /** Inserts rows that `take` returned. A row whose key exists already is skipped. */
  put(rows: StateRows): void;
  /** Deletes all rows and settings of a world; without a name, of every world. */
  erase(world?: string): void;
  close(): void;
}

/** Number of the first request that is submitted to the simulator. Lower numbers belong to the fixtures of personas. */
export const FIRST_NUMBER = 10_001;
