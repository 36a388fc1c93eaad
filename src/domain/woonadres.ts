import type { Persoon } from '../ports/brp.ts';
import type { AdresDto } from '../wire/adres.ts';

/**
 * Returns the address where a person lives according to the BRP. Returns null for an unknown or deceased person, a
 * person who does not live at the recorded address, an address abroad, and an address without street and number (domain
 * 4.3). A secret address and an address under investigation are returned too, because people may see their own.
 */
export function woonadres(persoon: Persoon | null): AdresDto | null {
  if (persoon === null || persoon.overleden || persoon.verblijftNietOpAdres) return null;
  return persoon.adres;
}
