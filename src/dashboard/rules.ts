import { effectiveUhd } from '../domain/registraties.ts';
import { rule } from '../domain/rule.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Persoon } from '../ports/brp.ts';
import type { Registratie, RegistratieStatus } from '../ports/register.ts';
import type { PersonDto, RegistrationDto, RegistrationStatusDto } from './schema.ts';

/** @param registerNummer - as this caller may see it: masked, or in full */
export const toRegistration = (registratie: Registratie, registerNummer: string | null): RegistrationDto => ({
  registerNummer,
  naam: registratie.naam,
  beroep: registratie.beroep,
  registratiedatum: registratie.registratiedatum,
  geboortedatum: registratie.geboortedatum,
  status: toRegistrationStatus(registratie.status, effectiveUhd(registratie)),
});

// domain.md 4.2. Dates and reasons that do not belong to the tag are null, and so is a status that the service does not
// know.
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
  // Null when there is no such person or no BSN, undefined when the BRP did not answer.
  readonly persoon: Persoon | null | undefined;
}

/**
 * Returns the person of the dashboard from the BRP; the name and birth date that it does not give, from the register
 * (domain.md 4.1, "Dashboard without the BRP"). When the register has no data either: null, or only null members if the
 * BRP did not answer.
 */
export const toPerson = rule(
  'domain.md 4.1, "Dashboard without the BRP"; domain.md 4.3',
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
