import type { SimulatedVerzending, SimulatedZaak } from './state.ts';

/** A row of a table of the simulators' state, in memory or in SQLite: the value of each column. */
export type StateRow = Record<string, unknown>;

/** Returns the request in a row of the table `zaken`. */
export const toZaak = (row: StateRow): SimulatedZaak => ({
  referentie: String(row.referentie),
  soort: String(row.soort),
  kenmerk: row.kenmerk === null ? null : String(row.kenmerk),
  gegevens: JSON.parse(String(row.gegevens)),
  handmatig: row.handmatig === 1,
  ontvangenOp: String(row.ontvangenOp),
});

/** Returns the letter in a row of the table `verzendingen`. */
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
