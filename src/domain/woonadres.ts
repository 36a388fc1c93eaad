import type { Verblijf } from '../ports/brp.ts';
import type { AdresDto } from '../wire/records.ts';

// Not that of a deceased person, or of somebody who does not live where the BRP says.
const isResidence = (persoon: Verblijf | null): persoon is Verblijf =>
  persoon !== null && !persoon.overleden && !persoon.verblijftNietOpAdres;

/**
 * Null when there is none, for example for a deceased person (domain.md 4.3). A secret address is returned too, because
 * people may see their own.
 */
export const woonadres = (persoon: Verblijf | null): AdresDto | null => (isResidence(persoon) ? persoon.adres : null);

/**
 * Returns true for a person who lives in the Netherlands. The person need not have an address: a houseboat can have
 * none.
 */
export const livesInNederland = (persoon: Verblijf | null): boolean => isResidence(persoon) && persoon.inNederland;
