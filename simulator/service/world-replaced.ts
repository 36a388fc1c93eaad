/** The refusal of requests whose world does not exist any more. */
import { Problem } from '../../src/problem.ts';

/**
 * The problem of a request whose world was reset or deleted while the request was in progress: what it would still
 * write does not belong in the new world.
 */
export const WORLD_REPLACED = new Problem(
  'overbelast',
  'Deze wereld is opnieuw begonnen of verwijderd terwijl uw verzoek onderweg was. Probeer het opnieuw.',
  { headers: { 'Retry-After': '1' }, reason: 'the world was reset or deleted during the request' },
);
