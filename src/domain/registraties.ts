import type { Registratie } from '../ports/register.ts';
import { type Beroep, DOORHALING } from '../wire/values.ts';
import { checkHerregistratie, effectiveUhd } from './herregistratie.ts';
import { rule } from './rule.ts';

/**
 * The registrations of one person. In each profession the person has at most one valid registration: one that is not
 * struck off (domain 4.2).
 */
type Registraties = readonly Registratie[];

/** Returns true when a registration is valid: Geregistreerd or Geschorst, not Doorgehaald. */
export const isValid = ({ status }: Registratie): boolean => status.tag !== 'Doorgehaald';

/** Returns the valid registration in a profession; undefined when there is none. */
export const validRegistrationIn = (registraties: Registraties, beroep: Beroep): Registratie | undefined =>
  registraties.find((one) => one.beroep === beroep && isValid(one));

/**
 * Returns true when the disciplinary court struck the person off in this profession, and the person was not registered
 * in that profession again. With `beroep` null it checks all professions, for a request that names no profession.
 */
export const isBarred = (registraties: Registraties, beroep: Beroep | null): boolean =>
  registraties.some(
    (one) =>
      (beroep === null || one.beroep === beroep) &&
      one.status.tag === 'Doorgehaald' &&
      one.status.reden === DOORHALING.tuchtmaatregel &&
      !registraties.some((other) => other.beroep === one.beroep && other.registratiedatum > one.registratiedatum),
  );

/** Input of the rule `currentRegistration`: the registrations of a person and the date. */
interface CurrentFacts {
  readonly registraties: Registraties;
  /** Date in the Netherlands, `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Returns the rank of a registration in the order of domain 4.2. `currentRegistration` returns the registration with
 * the lowest rank.
 */
function rankOf(registratie: Registratie, today: string): number {
  if (registratie.lopendeHerregistratie !== null) return 0;
  if (checkHerregistratie({ registratie, today }).eligibleForHerregistratie) return 1;
  return isValid(registratie) ? 2 : 3;
}

/** A date later than every real date. It sorts registrations without an end date after those with one. */
const NEVER = '9999-12-31';

/**
 * Returns the registration that the dashboard shows and that the rules judge; null when the person has none. A
 * registration with a herregistratie in progress comes first, then one that can be renewed now, then any other valid
 * one, then one that was struck off. Of several equal valid ones it returns the one with the nearest effective UHD
 * (last date for renewal); of several that were struck off, the newest.
 */
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
