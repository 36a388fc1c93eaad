import type { Registratie } from '../ports/register.ts';
import { type Beroep, DOORHALING } from '../wire/values.ts';
import { checkHerregistratie, effectiveUhd } from './herregistratie.ts';
import { rule } from './rule.ts';

type Registraties = readonly Registratie[];

/** Returns true for a valid registration: one that was not struck off (Doorgehaald). */
export const isValid = ({ status }: Registratie): boolean => status.tag !== 'Doorgehaald';

/** Returns the valid registration in a profession; undefined when there is none. */
export const validRegistrationIn = (registraties: Registraties, beroep: Beroep): Registratie | undefined =>
  registraties.find((one) => one.beroep === beroep && isValid(one));

/**
 * The disciplinary court struck the person off, who was not registered again in the same profession. With `beroep`
 * null, any profession counts.
 */
export const isBarred = (registraties: Registraties, beroep: Beroep | null): boolean =>
  registraties.some(
    (one) =>
      (beroep === null || one.beroep === beroep) &&
      one.status.tag === 'Doorgehaald' &&
      one.status.reden === DOORHALING.tuchtmaatregel &&
      !registraties.some((other) => other.beroep === one.beroep && other.registratiedatum > one.registratiedatum),
  );

/** Returns true when the register struck the person off because of death. */
export const isDeceased = (registraties: Registraties): boolean =>
  registraties.some(({ status }) => status.tag === 'Doorgehaald' && status.reden === DOORHALING.overlijden);

interface CurrentFacts {
  readonly registraties: Registraties;
  readonly today: string;
}

// The order of domain 4.2: 0 comes first, 3 last.
function rankOf(registratie: Registratie, today: string): number {
  // A registration with a request in progress of its own is not eligible.
  if (checkHerregistratie({ registratie, today }).eligibleForHerregistratie) return 0;
  if (registratie.lopendeHerregistratie !== null && isValid(registratie)) return 1;
  return isValid(registratie) ? 2 : 3;
}

// Sorts registrations without an end date last.
const NEVER = '9999-12-31';

/** The first in the order of domain 4.2. Null when the person has no registration. */
export const currentRegistration = rule(
  'domain 4.2',
  function currentRegistration({ registraties, today }: CurrentFacts): Registratie | null {
    const ranked = registraties.map((registratie) => ({
      registratie,
      rank: rankOf(registratie, today),
      until: isValid(registratie) ? (effectiveUhd(registratie) ?? NEVER) : NEVER,
    }));
    const [first] = ranked.sort(
      (a, b) =>
        a.rank - b.rank ||
        a.until.localeCompare(b.until) ||
        b.registratie.registratiedatum.localeCompare(a.registratie.registratiedatum),
    );
    return first?.registratie ?? null;
  },
  { outcome: (current) => current?.id ?? null },
);
