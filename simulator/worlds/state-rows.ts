import type { Verzending, Zaak } from './state.ts';

/** A row of what the simulated sources remember, as every engine keeps it and as snapshots have it. */
export type Row = Record<string, unknown>;

export const toZaak = (row: Row): Zaak => ({
  referentie: String(row.referentie),
  soort: String(row.soort),
  kenmerk: row.kenmerk === null ? null : String(row.kenmerk),
  gegevens: JSON.parse(String(row.gegevens)),
  handmatig: row.handmatig === 1,
  ontvangenOp: String(row.ontvangenOp),
});

export const toVerzending = (row: Row): Verzending => ({
  verzendingId: `v-${row.number}`,
  world: String(row.world),
  referentie: String(row.referentie),
  kanaal: String(row.kanaal),
  tekst: String(row.tekst),
  verzondenOp: String(row.verzondenOp),
});
