import { rule } from '../domain/rule.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Persoon } from '../ports/brp.ts';
import type { Registratie, RegistratieStatus } from '../ports/register.ts';
import type { PersonDto, RegistrationDto, RegistrationStatusDto } from './schema.ts';

/**
 * Returns a registration as RegistrationDto.
 *
 * @param registerNummer - the number as the caller may see it: masked or in full
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
 * Returns the status for a response. Dates and reason that do not belong to its tag are null (domain 4.2). A suspended
 * registration keeps its UHD.
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

/** Facts of `toPerson`: the data of the register and the BRP about the caller. */
interface PersonFacts {
  /** Null: the register has no registration of the caller. */
  readonly registratie: Registratie | null;
  /** Null: the BRP has no such person, or the caller has no burgerservicenummer. Undefined: the BRP did not answer. */
  readonly persoon: Persoon | null | undefined;
}

/**
 * Returns name, birth date and address from the BRP. Without them it returns name and birth date from the register, and
 * no address (domain 4.1, "Dashboard without the BRP"). Returns null when both answer that they do not have the person.
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
