import type { Kept } from './kept.ts';

/**
 * File names that make the simulated store behave as real ones do on a bad day. A name is what a person at a screen can
 * choose, so that every state of an upload can be shown without anything else.
 */
export const QUIRKS = {
  'sim-traag': 'Is stored after four seconds.',
  'sim-storing': 'Is refused with 503: `bron-niet-beschikbaar`.',
  'sim-kwijt': 'Is stored, and the answer is lost: the upload succeeds all the same.',
  'sim-half': 'Breaks off half-way when it is downloaded.',
  'sim-leeg': 'Has no content when it is downloaded: 503.',
  'sim-in-gebruik': 'Cannot be deleted, as others refer to it: 409.',
} as const;

/** Milliseconds that `sim-traag` takes. */
export const SLOW = 4_000;

export type Quirk = keyof typeof QUIRKS;

/** What a document's name asks for, or undefined for an honest one. */
export const quirkOf = ({ metadata }: Pick<Kept, 'metadata'>): Quirk | undefined =>
  (Object.keys(QUIRKS) as Quirk[]).find((quirk) => String(metadata.bestandsnaam ?? '').startsWith(`${quirk}.`));
