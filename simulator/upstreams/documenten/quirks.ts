import type { SimulatedDocument } from './simulated-document.ts';

/**
 * The file names, without extension, that switch on a fault of the simulated document store, each with its effect in
 * English. A tester who uploads a file with such a name can see every state of an upload without other tools.
 */
export const QUIRKS = {
  'sim-traag': 'Is stored after four seconds.',
  'sim-storing': 'Is refused with 503: `bron-niet-beschikbaar`.',
  'sim-kwijt': 'Is stored, and the answer is lost: the upload succeeds all the same.',
  'sim-half': 'Breaks off half-way when it is downloaded.',
  'sim-leeg': 'Has no content when it is downloaded: 503.',
  'sim-in-gebruik': 'Cannot be deleted, as others refer to it: 409.',
} as const;

/** The delay in milliseconds when the name of a document is `sim-traag`. */
export const SIM_TRAAG_DELAY = 4_000;

/** A file name, without extension, that switches on a fault. */
export type Quirk = keyof typeof QUIRKS;

/** Returns the fault that the file name of a document switches on; undefined for any other name. */
export const quirkOf = ({ metadata }: Pick<SimulatedDocument, 'metadata'>): Quirk | undefined =>
  (Object.keys(QUIRKS) as Quirk[]).find((quirk) => String(metadata.bestandsnaam ?? '').startsWith(`${quirk}.`));
