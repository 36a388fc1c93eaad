/** The addresses for letters in the simulated register: the correspondence address, or else the home (domain.md 4.7). */
import type { OpdrachtWire } from '../../../adapters/register/brieven/wire.ts';
import type { CorrespondentieadresWire } from '../../../adapters/register/wire.ts';
import type { Resident } from '../../people/resident.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { adresregelsOf } from '../brp/place.ts';
import { isGiven } from '../brp/record.ts';
import { requestsOf } from './besluiten.ts';

/** Of changes that were granted on the same day, the one that was requested last counts. */
function correspondentieadresOf(world: World, found: ResidentInWorld): CorrespondentieadresWire | null {
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

/**
 * Returns the address to which the register writes, when it does not write to the address in the BRP: the correspondence
 * address or, for a person without a burgerservicenummer, the home. Null for every other person.
 */
export function ownAddressOf(world: World, found: ResidentInWorld): CorrespondentieadresWire | null {
  const granted = correspondentieadresOf(world, found);
  if (granted !== null || found.resident.bsn !== null) return granted;
  const [straat, place] = homeLinesOf(found.resident);
  if (!straat || !place) return null;
  const [, postcode = null, woonplaats = place] = /^(\d{4} [A-Z]{2}|[^\s\d]*\d\S*) +(\S.*)$/.exec(place) ?? [];
  return { straat, postcode, woonplaats };
}

/**
 * Returns the address lines for a letter to a person: those of the correspondence address, or of the home when there is
 * none. An empty list when no address is known. A request names no country: an address with a foreign postcode is in the
 * country of the home.
 */
export function addressLinesOf(world: World, found: ResidentInWorld): string[] {
  const adres = correspondentieadresOf(world, found);
  if (adres === null) return homeLinesOf(found.resident);
  const { verblijfplaats: home } = found.resident;
  const isAbroad = home.soort === 'buitenland' && !DUTCH_POSTCODE.test(adres.postcode ?? '');
  return [
    adres.straat,
    [adres.postcode && withSpace(adres.postcode), adres.woonplaats].filter(Boolean).join(' '),
    ...(isAbroad ? [home.land.omschrijving] : []),
  ];
}

/**
 * Returns the address that a letter assignment has. That is the correspondence address or, for a person without a
 * burgerservicenummer, the home. Null when the address must come from the BRP, and when none is known.
 */
export function assignedAddressOf(world: World, found: ResidentInWorld): OpdrachtWire['correspondentieadres'] {
  if (found.resident.bsn !== null && correspondentieadresOf(world, found) === null) return null;
  const [adresregel, ...others] = addressLinesOf(world, found);
  // A letter has one line for all that comes after the street.
  return adresregel && others.length > 0 ? { adresregel, postcodeWoonplaats: others.join(', ') } : null;
}

/** As the BRP writes them, so that a letter of the register has the same lines as one of a case handler. */
export function homeLinesOf(resident: Resident): string[] {
  const { bsn, verblijfplaats, nietOpAdresOp } = resident;
  if (nietOpAdresOp !== null || (bsn !== null && !isGiven(resident))) return [];
  const { land, ...lines } = adresregelsOf(verblijfplaats);
  return [...Object.values(lines), ...(land ? [land.omschrijving] : [])];
}

const DUTCH_POSTCODE = /^(\d{4})\s*([A-Za-z]{2})$/;
const withSpace = (postcode: string): string => postcode.replace(DUTCH_POSTCODE, '$1 $2').toUpperCase();
