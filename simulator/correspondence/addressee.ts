import type { Resident } from '../people/resident.ts';
import { brpRecord } from '../upstreams/brp/record.ts';
import { addressLinesOf } from '../upstreams/register/correspondentieadres.ts';
import type { ResidentInWorld } from '../worlds/index.ts';
import type { RegisterOnDay } from './register-on-day.ts';

/** The way in which a letter is sent: to the Berichtenbox of MijnOverheid, or on paper by post. */
export type Channel = 'berichtenbox' | 'post';

/**
 * Returns how a letter is sent: by the Berichtenbox when it is activated and the person has a burgerservicenummer,
 * otherwise by post.
 */
export const channelOf = ({ bsn, person }: Pick<Resident, 'bsn' | 'person'>): Channel =>
  person.berichtenbox === true && bsn !== null ? 'berichtenbox' : 'post';

/** Returns true when a letter can be sent: by post to nobody whose address is not known on that day (domain.md 6). */
export const canSend = ({ world, found }: RegisterOnDay): boolean =>
  channelOf(found.resident) === 'berichtenbox' || addressLinesOf(world, found).length > 0;

const adresseringOf = ({ resident, today, firstDay }: ResidentInWorld) =>
  brpRecord(resident, today, firstDay).adressering;

/** A person without any name, which is a full stop, is addressed as a stranger. */
export function salutationOf(found: ResidentInWorld): string {
  const { naam } = found.resident;
  return `${adresseringOf(found).aanhef ?? `Geachte ${naam === '.' ? 'heer of mevrouw' : naam}`},`;
}

/**
 * Returns the lines of the addressee of a letter: the form of address (for somebody with a title), the name (such as
 * `S. de Wit`), and the lines of the correspondence address on the day of `found` or, when there is none, of the home.
 */
export function addresseeOf({ world, found }: RegisterOnDay): string[] {
  const { naam = found.resident.naam, aanspreekvorm } = adresseringOf(found).aanschrijfwijze ?? {};
  return [...(aanspreekvorm === undefined ? [] : [aanspreekvorm]), naam, ...addressLinesOf(world, found)];
}
