/**
 * The eIDAS levels of assurance (how certain it is who logged in), from low to high. `acr` is the value of the claim
 * `acr`; `name` is shown on the login page.
 */
export const LEVELS = [
  { acr: 'http://eidas.europa.eu/LoA/low', name: 'Laag (zoals DigiD Midden)' },
  { acr: 'http://eidas.europa.eu/LoA/substantial', name: 'Substantieel (zoals DigiD Substantieel)' },
  { acr: 'http://eidas.europa.eu/LoA/high', name: 'Hoog (zoals DigiD Hoog)' },
] as const;

/** The values of `acr` that are high enough for a step-up (a login on a higher level). */
export const STEP_UP_LEVELS = LEVELS.slice(1).map(({ acr }) => acr);

/** Returns the index in `LEVELS` of the level with this `acr`; -1 when there is none. */
export const levelIndexOf = (acr: unknown): number => LEVELS.findIndex((level) => level.acr === acr);

/**
 * Returns the index in `LEVELS` of the lowest level in `acr_values`, a parameter of the login request with values of
 * `acr` separated by spaces; 0 when it has no known level.
 */
export function lowestLevelIndex(acrValues: unknown): number {
  const ranks = typeof acrValues === 'string' ? acrValues.split(' ').map(levelIndexOf) : [];
  const known = ranks.filter((rank) => rank >= 0);
  return known.length === 0 ? 0 : Math.min(...known);
}
