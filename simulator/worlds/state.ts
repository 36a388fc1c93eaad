import type { Settings } from './settings.ts';

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

/** What somebody decided about a request instead of the register; `uitkomst` null: that it is under treatment. */
export interface Besluit {
  readonly uitkomst: 'goedgekeurd' | 'afgewezen' | null;
  readonly reden: string | null;
  /** `YYYY-MM-DD`. */
  readonly datum: string;
}

/** A letter that the simulated register delivered, as its reader has it. */
export interface Verzending {
  readonly verzendingId: string;
  readonly world: string;
  readonly referentie: string;
  readonly kanaal: string;
  readonly tekst: string;
  /** `YYYY-MM-DD`. */
  readonly verzondenOp: string;
}

/** Rows of one world, table by table, as they are kept. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;

/** What the simulated sources remember, world by world. */
export interface State {
  /** The requests of one resident, in the order in which they came. */
  zaken(resident: string): readonly Zaak[];
  /** Makes a request, or gives the one that the key made before; the first content stands. */
  addZaak(zaak: NewZaak): { zaak: Zaak; nieuw: boolean };
  /** What somebody decided about a request, or undefined: nobody did. */
  besluit(world: string, referentie: string): Besluit | undefined;
  besluiten(world: string, referentie: string, besluit: Besluit): void;
  /** Every letter that was delivered, in that order. */
  verzendingen(): readonly Verzending[];
  /** Delivers a letter, or gives the one that the key delivered before. */
  addVerzending(verzending: Omit<Verzending, 'verzendingId'> & { readonly sleutel: string }): Verzending;
  /** The first day of a resident of whom something is remembered, or null: theirs is always that of their world. */
  firstDay(resident: string): string | null;
  /** From now on this resident's first day stays what it is. */
  settle(resident: string, firstDay: string): void;
  /** Whether this resident's belongings of before the world began have been put where they keep them. */
  isMovedIn(resident: string): boolean;
  moveIn(resident: string): void;

  /** One more than the last time, from 1, world by world. */
  nextId(world: string): number;
  /** Everybody in a world of whom something is remembered, as they log in. */
  residents(world: string): readonly string[];
  /** Worlds that were ever named, with the moment (milliseconds since 1970) at which they were last used. */
  worlds(): readonly { readonly world: string; readonly usedAt: number }[];
  settings(world: string): Settings | null;
  keepSettings(world: string, settings: Settings): void;
  use(world: string, at: number): void;

  /** All that is remembered of a world, but for its settings. */
  take(world: string): Rows;
  /** Puts back what was taken. */
  put(rows: Rows): void;
  /** Forgets a world, settings and all; or every world. */
  erase(world?: string): void;
  close(): void;
}

/** Below this the numbers belong to the personas and burgers. */
export const FIRST_NUMBER = 10_001;
