import type { Persoon } from '../ports/brp.ts';
import type { AdresDto } from '../wire/adres.ts';

/**
 * The address where a person lives according to the BRP. Null when the BRP has none: unknown person, deceased, established
 * not to live there, abroad, or a place without street and number (domain 4.3). An address under investigation counts, and
 * so does a secret one: people may see their own.
 */
export function woonadres(persoon: Persoon | null): AdresDto | null {
  if (persoon === null || persoon.overleden || persoon.verblijftNietOpAdres) return null;
  return persoon.adres;
}
