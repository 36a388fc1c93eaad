import type { Resident } from '../people/resident.ts';
import { brpRecord } from '../upstreams/brp/record.ts';
import { addressLinesOf } from '../upstreams/register/correspondentieadres.ts';
import type { ResidentInWorld } from '../worlds/index.ts';
import type { RegisterOnDay } from './register-on-day.ts';

/** The way in which a letter is sent: to the Berichtenbox of MijnOverheid, or on paper by post. */
export type Channel = 'berichtenbox' | 'post';

/**
 * Returns the way in which letters are sent to a person: by the Berichtenbox when the person has activated it and has a
 * burgerservicenummer, and otherwise by post.
 */
export const channelOf = ({ bsn, person }: Pick<Resident, 'bsn' | 'person'>): Channel =>
  person.berichtenbox === true && bsn !== null ? 'berichtenbox' : 'post';

const adresseringOf = ({ resident, today, firstDay }: ResidentInWorld) =>
  brpRecord(resident, today, firstDay).adressering;

/** Returns the salutation of a letter to this person, such as `Geachte mevrouw De Wit,`. */
export const salutationOf = (found: ResidentInWorld): string => `${adresseringOf(found).aanhef},`;

/**
 * Returns the name (such as `S. de Wit`) and the address lines for a letter to a person: the correspondence address on the day of `found`, or
 * the home address when there is none.
 */
export function addresseeOf({ world, found }: RegisterOnDay): string[] {
  return [adresseringOf(found).aanschrijfwijze.naam, ...addressLinesOf(world, found)];
}
