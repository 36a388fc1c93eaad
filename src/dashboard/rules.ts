import { rule } from '../domain/rule.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Persoon } from '../ports/brp.ts';
import type { Registratie, RegistratieStatus } from '../ports/register.ts';
import type { PersonDto, RegistrationDto, RegistrationStatusDto } from './schema.ts';

/**
 * Returns a registration as RegistrationDto.
 *
 * @param registerNummer - the number as this caller may see it: masked, or in full after a step-up
 */
export const toRegistration = (registratie: Registratie, registerNummer: string | null): RegistrationDto => ({
  registerNummer,
  naam: registratie.naam,
  beroep: registratie.beroep,
  registratiedatum: registratie.registratiedatum,
  geboortedatum: registratie.geboortedatum,
  status: toRegistrationStatus(registratie.status, registratie.uhd),
});

/**
 * Returns the status of a registration for a response. The dates and the reason that do not belong to its tag are null
 * (domain 4.2). A suspended registration keeps its `uhd` (uiterste herregistratiedatum, the last date for renewal).
 */
function toRegistrationStatus(status: RegistratieStatus, uhd: string | null): RegistrationStatusDto {
  const none = { tag: status.tag, herregistratieDatum: null, geschorstTot: null, reden: null, doorgehaaldOp: null };
  switch (status.tag) {
    case 'Geregistreerd':
      return { ...none, herregistratieDatum: uhd };
    case 'Geschorst':
      return { ...none, herregistratieDatum: uhd, geschorstTot: status.tot, reden: status.reden };
    case 'Doorgehaald':
      return { ...none, doorgehaaldOp: status.op, reden: status.reden };
  }
}

/** Input of the rule `toPerson`: the data of the register and the BRP about the caller. */
interface PersonFacts {
  /** The caller's registration; null when the register has none. */
  readonly registratie: Registratie | null;
  /**
   * The caller in the BRP. Null when the BRP has no such person or the caller has no burgerservicenummer; undefined
   * when the BRP did not answer.
   */
  readonly persoon: Persoon | null | undefined;
}

/**
 * Returns name, birth date and address from the BRP. When the BRP has no such person or does not answer, returns name
 * and birth date from the register, without an address (domain 4.1, "Dashboard without the BRP"). When the register has
 * no registration either, returns null if the BRP answered, and only null members if it did not.
 */
export const toPerson = rule(
  'domain 4.1, "Dashboard without the BRP"; 4.3',
  function toPerson({ registratie, persoon }: PersonFacts): PersonDto | null {
    if (persoon) return { naam: persoon.naam, geboortedatum: persoon.geboortedatum, adres: woonadres(persoon) };
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
