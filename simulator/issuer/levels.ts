/** The levels of assurance of eIDAS, from low to high, as values of `acr` (NL GOV profile for OpenID Connect). */
export const LEVELS = [
  { acr: 'http://eidas.europa.eu/LoA/low', name: 'Laag (zoals DigiD Midden)' },
  { acr: 'http://eidas.europa.eu/LoA/substantial', name: 'Substantieel (zoals DigiD Substantieel)' },
  { acr: 'http://eidas.europa.eu/LoA/high', name: 'Hoog (zoals DigiD Hoog)' },
] as const;

/** The values of `acr` that are enough to see full register numbers. */
export const STEP_UP_LEVELS = LEVELS.slice(1).map(({ acr }) => acr);

/** Returns the place of a level in `LEVELS`; -1 when it is none of them. */
export const rankOf = (acr: unknown): number => LEVELS.findIndex((level) => level.acr === acr);

/**
 * Returns the place of the lowest level that a request accepts. `acrValues` is its parameter `acr_values`: names that are
 * separated by spaces, or undefined. A request that names no known level accepts each of them.
 */
export function lowestAccepted(acrValues: unknown): number {
  const ranks = typeof acrValues === 'string' ? acrValues.split(' ').map(rankOf) : [];
  const known = ranks.filter((rank) => rank >= 0);
  return known.length === 0 ? 0 : Math.min(...known);
}
