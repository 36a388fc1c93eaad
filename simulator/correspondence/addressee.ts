import type { Resident } from '../people/resident.ts';
import { adresregelsOf } from '../upstreams/brp/place.ts';
import { brpRecord } from '../upstreams/brp/record.ts';
import { correspondentieadresOf } from '../upstreams/register/correspondentieadres.ts';
import type { ResidentInWorld } from '../worlds/index.ts';
import type { RegisterOnDay } from './earlier.ts';

/** How a letter reaches a person: through MijnOverheid, or on paper. */
export type Channel = 'berichtenbox' | 'post';

/** Returns the channel of a person. Only the person can activate the Berichtenbox, and it needs a burgerservicenummer. */
export const channelOf = ({ bsn, person }: Pick<Resident, 'bsn' | 'person'>): Channel =>
  person.berichtenbox === true && bsn !== null ? 'berichtenbox' : 'post';

/** Returns the salutation: `Geachte mevrouw De Wit,`. */
export const salutation = ({ resident, today, firstDay }: ResidentInWorld): string =>
  `${brpRecord(resident, today, firstDay).adressering.aanhef},`;

/**
 * Returns the lines of the addressee: name and address. The address is the correspondence address of that day, else where
 * the person lives. Only the name when no address is known.
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

/** Returns the lines of a home. The number is written as the BRP writes it, so that every letter has the same address. */
function homeOf({ verblijfplaats: home }: Resident): string[] {
  if (home.soort === 'onbekend') return [];
  if (home.soort === 'locatie') return [home.beschrijving, home.gemeente.omschrijving];
  if (home.soort === 'buitenland') return [...home.regels, home.land.omschrijving];
  return [adresregelsOf(home).adresregel1 ?? '', `${withSpace(home.postcode)} ${home.woonplaats}`];
}

/** Returns a Dutch postcode as it is written on an envelope: `3514 CN`. */
const withSpace = (postcode: string): string => postcode.replace(/^(\d{4})\s*([A-Za-z]{2})$/, '$1 $2').toUpperCase();
