import type * as z from 'zod';
import type { Persoon } from '../ports/brp.ts';
import { dto, s } from './primitives.ts';

/** `straat` is street, number and suffix in one; the record has no house number (domain.md 4.3). */
export const AdresDto = dto('AdresDto', { straat: s, postcode: s, woonplaats: s });
export type AdresDto = z.output<typeof AdresDto>;

/**
 * The address at which the BRP says that someone lives, or null when it says of none: no such person, deceased,
 * established not to live there, abroad, unknown, or a place without street and number (domain.md 4.3).
 * An address under investigation counts, and so does a secret one: people see their own.
 */
export function woonadres(persoon: Persoon | null): AdresDto | null {
  if (persoon === null || persoon.overleden || persoon.verblijftNietOpAdres) return null;
  return persoon.adres;
}
