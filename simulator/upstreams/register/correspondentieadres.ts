/** The correspondence address in the simulated register (domain.md 4.7). */
import type { CorrespondentieadresWire } from '../../../adapters/register/wire.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { requestsOf } from './besluiten.ts';

/**
 * Returns the address in the last change of address that was granted to a person; null when none was granted. Of
 * changes that were granted on the same day, the one that was requested last counts.
 */
export function correspondentieadresOf(world: World, found: ResidentInWorld): CorrespondentieadresWire | null {
  const last = requestsOf(world, found)
    .filter(({ soort, besluit }) => soort === 'adreswijziging' && besluit?.uitkomst === 'goedgekeurd')
    .sort((one, other) => (one.besluit?.datum ?? '').localeCompare(other.besluit?.datum ?? ''))
    .at(-1);
  if (last === undefined) return null;
  const { straat, postcode, woonplaats } = last.gegevens;
  return {
    straat: String(straat),
    postcode: typeof postcode === 'string' ? postcode : null,
    woonplaats: String(woonplaats),
  };
}
