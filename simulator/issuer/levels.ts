/**
 * The eIDAS levels of assurance (how sure it is who logged in), from low to high. `acr` is the value of the claim `acr`
 * (NL GOV profile for OpenID Connect); `name` is the Dutch name on the login page.
 */
export const LEVELS = [
  { acr: 'http://eidas.europa.eu/LoA/low', name: 'Laag (zoals DigiD Midden)' },
  { acr: 'http://eidas.europa.eu/LoA/substantial', name: 'Substantieel (zoals DigiD Substantieel)' },
  { acr: 'http://eidas.europa.eu/LoA/high', name: 'Hoog (zoals DigiD Hoog)' },
] as const;

/** The values of `acr` that are high enough for a step-up, which shows full register numbers. */
export const STEP_UP_LEVELS = LEVELS.slice(1).map(({ acr }) => acr);

/** Returns the index in `LEVELS` of the level with this value of `acr`; -1 when there is no such level. */
export const rankOf = (acr: unknown): number => LEVELS.findIndex((level) => level.acr === acr);

/**
 * Returns the index in `LEVELS` of the lowest level that a login request accepts. `acrValues` is the parameter
 * `acr_values` of that request: values of `acr` separated by spaces. Returns 0 when it is absent or has no known level.
 */
export function lowestAccepted(acrValues: unknown): number {
  const ranks = typeof acrValues === 'string' ? acrValues.split(' ').map(rankOf) : [];
  const known = ranks.filter((rank) => rank >= 0);
  return known.length === 0 ? 0 : Math.min(...known);
}
