import type { Verblijf } from '../ports/brp.ts';
import type { AdresDto } from '../wire/adres.ts';

/**
 * Returns the address where a person lives according to the BRP; null when there is none, for example for a deceased
 * person (domain 4.3). A secret address is returned too, because people may see their own.
 */
export function woonadres(persoon: Verblijf | null): AdresDto | null {
  if (persoon === null || persoon.overleden || persoon.verblijftNietOpAdres) return null;
  return persoon.adres;
}
