import type { SimulatedDocument } from './simulated-document.ts';

/** File names (without extension) that cause a fault, for testers who can only upload files. */
export const QUIRKS = {
  'sim-traag': 'Is stored after four seconds.',
  'sim-storing': 'Is refused with 503: `bron-niet-beschikbaar`.',
  'sim-kwijt': 'Is stored, and the answer is lost: the upload succeeds all the same.',
  'sim-half': 'Breaks off half-way when it is downloaded.',
  'sim-leeg': 'Has no content when it is downloaded: 503.',
  'sim-in-gebruik': 'Cannot be deleted, as others refer to it: 409.',
} as const;

/** Delay in milliseconds for a document with the file name `sim-traag`. */
export const SIM_TRAAG_DELAY = 4_000;

export type Quirk = keyof typeof QUIRKS;

export const quirkOf = ({ metadata }: Pick<SimulatedDocument, 'metadata'>): Quirk | undefined =>
  (Object.keys(QUIRKS) as Quirk[]).find((quirk) => String(metadata.bestandsnaam ?? '').startsWith(`${quirk}.`));
