import type { Resident } from '../people/resident.ts';
import { adresregelsOf } from '../upstreams/brp/place.ts';
import { brpRecord } from '../upstreams/brp/record.ts';
import { correspondentieadresOf } from '../upstreams/register/correspondentieadres.ts';
import type { ResidentInWorld } from '../worlds/index.ts';
import type { RegisterOnDay } from './earlier.ts';

/** The way in which a letter is sent: to the Berichtenbox of MijnOverheid, or on paper by post. */
export type Channel = 'berichtenbox' | 'post';

/**
 * Returns the way in which letters are sent to a person. It is the Berichtenbox only when the person has activated it
 * and has a burgerservicenummer, which the Berichtenbox requires.
 */
export const channelOf = ({ bsn, person }: Pick<Resident, 'bsn' | 'person'>): Channel =>
  person.berichtenbox === true && bsn !== null ? 'berichtenbox' : 'post';

/** Returns the salutation of a letter to this person, such as `Geachte mevrouw De Wit,`. */
export const salutation = ({ resident, today, firstDay }: ResidentInWorld): string =>
  `${brpRecord(resident, today, firstDay).adressering.aanhef},`;

/**
 * Returns the name and address lines of the person to whom a letter is sent. The address is the correspondence address
 * on that day or, without one, the home address. Returns only the name when no address is known.
 */
export function addresseeOf({ world, found }: RegisterOnDay): string[] {
  const { resident } = found;
  const adres = correspondentieadresOf(world, found);
  const lines =
    adres === null
      ? homeOf(resident)
      : [adres.straat, [adres.postcode && withSpace(adres.postcode), adres.woonplaats].filter(Boolean).join(' ')];
  return [resident.naam, ...lines];
}

/**
 * Returns the address lines of a person's home; an empty list when the home is unknown. The line with street and house
 * number is written as in the BRP, so that all letters to a person show the address in the same form.
 */
function homeOf({ verblijfplaats: home }: Resident): string[] {
  if (home.soort === 'onbekend') return [];
  if (home.soort === 'locatie') return [home.beschrijving, home.gemeente.omschrijving];
  if (home.soort === 'buitenland') return [...home.regels, home.land.omschrijving];
  return [adresregelsOf(home).adresregel1 ?? '', `${withSpace(home.postcode)} ${home.woonplaats}`];
}

/** Returns a Dutch postcode as it is written on an envelope, such as `3514 CN`. */
const withSpace = (postcode: string): string => postcode.replace(/^(\d{4})\s*([A-Za-z]{2})$/, '$1 $2').toUpperCase();
