import { effectiveUhd } from '../domain/herregistratie.ts';
import { rule } from '../domain/rule.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Persoon } from '../ports/brp.ts';
import type { Registratie, RegistratieStatus } from '../ports/register.ts';
import type { PersonDto, RegistrationDto, RegistrationStatusDto } from './schema.ts';

/**
 * Returns a registration in the form of the response.
 *
 * @param registerNummer - the register number as this caller may see it: masked, or in full
 */
export const toRegistration = (registratie: Registratie, registerNummer: string | null): RegistrationDto => ({
  registerNummer,
  naam: registratie.naam,
  beroep: registratie.beroep,
  registratiedatum: registratie.registratiedatum,
  geboortedatum: registratie.geboortedatum,
  status: toRegistrationStatus(registratie.status, effectiveUhd(registratie)),
});

/**
 * Returns the status of a registration in the form of the response (domain 4.2); null for a status that the service does
 * not know. Dates and reasons that do not belong to its tag are null.
 */
function toRegistrationStatus(status: RegistratieStatus, uhd: string | null): RegistrationStatusDto | null {
  const none = { tag: status.tag, herregistratieDatum: null, geschorstTot: null, reden: null, doorgehaaldOp: null };
  switch (status.tag) {
    case 'Geregistreerd':
      return { ...none, herregistratieDatum: uhd };
    case 'Geschorst':
      return { ...none, herregistratieDatum: uhd, geschorstTot: status.tot, reden: status.reden };
    case 'Doorgehaald':
      return { ...none, doorgehaaldOp: status.op, reden: status.reden };
    case 'Onbekend':
      return null;
  }
}

interface PersonFacts {
  readonly registratie: Registratie | null;
  /**
   * The caller in the BRP: null when there is no such person or no burgerservicenummer, undefined when the BRP did not
   * answer.
   */
  readonly persoon: Persoon | null | undefined;
}

/**
 * Returns the caller's name, birth date and address from the BRP; what the BRP does not give, the name and birth date,
 * from the register (domain 4.1, "Dashboard without the BRP"). When the register has no data either, returns null, or
 * an object with only null members if the BRP did not answer.
 */
export const toPerson = rule(
  'domain 4.1, "Dashboard without the BRP"; 4.3',
  function toPerson({ registratie, persoon }: PersonFacts): PersonDto | null {
    if (persoon) {
      // Undefined: the BRP may not give it to the service.
      const { naam = registratie?.naam ?? null, geboortedatum = registratie?.geboortedatum ?? null } = persoon;
      return { naam, geboortedatum, adres: woonadres(persoon) };
    }
    if (registratie !== null) return { naam: registratie.naam, geboortedatum: registratie.geboortedatum, adres: null };
    return persoon === undefined ? { naam: null, geboortedatum: null, adres: null } : null;
  },
  {
    facts: ({ registratie, persoon }) => ({
      brp: persoon === undefined ? 'geen antwoord' : persoon,
      register: registratie?.naam ?? null,
    }),
  },
);
