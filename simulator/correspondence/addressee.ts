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

/** Returns the salutation of a letter to this person, such as `Geachte mevrouw De Wit,`. */
export const salutationOf = ({ resident, today, firstDay }: ResidentInWorld): string =>
  `${brpRecord(resident, today, firstDay).adressering.aanhef},`;

/**
 * Returns the name and the address lines for a letter to a person: the correspondence address on the day of `found`, or
 * the home address when there is none.
 */
export function addresseeOf({ world, found }: RegisterOnDay): string[] {
  return [found.resident.naam, ...addressLinesOf(world, found)];
}
