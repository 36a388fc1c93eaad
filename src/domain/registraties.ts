import type { Registratie } from '../ports/register.ts';
import { type Beroep, DOORHALING } from '../wire/values.ts';
import { checkHerregistratie, effectiveUhd } from './herregistratie.ts';
import { rule } from './rule.ts';

/**
 * The registrations of one person. In each profession at most one is valid, which means not struck off (domain 4.2).
 */
type Registraties = readonly Registratie[];

/** Returns true when a registration is valid: Geregistreerd or Geschorst, not Doorgehaald. */
export const stands = ({ status }: Registratie): boolean => status.tag !== 'Doorgehaald';

/** Returns the valid registration in a profession; undefined when there is none. */
export const standingIn = (registraties: Registraties, beroep: Beroep): Registratie | undefined =>
  registraties.find((one) => one.beroep === beroep && stands(one));

/**
 * Returns true when the disciplinary court struck the person off in this profession and the person was not registered
 * in it again. With `beroep` null it checks all professions, for a request that names none.
 */
export const isBarred = (registraties: Registraties, beroep: Beroep | null): boolean =>
  registraties.some(
    (one) =>
      (beroep === null || one.beroep === beroep) &&
      one.status.tag === 'Doorgehaald' &&
      one.status.reden === DOORHALING.tuchtmaatregel &&
      !registraties.some((other) => other.beroep === one.beroep && other.registratiedatum > one.registratiedatum),
  );

/** Facts of `currentRegistration`. */
interface CurrentFacts {
  readonly registraties: Registraties;
  /** Date in the Netherlands, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Returns the rank of a registration in the order of domain 4.2; the registration with the lowest rank is shown. */
function rankOf(registratie: Registratie, today: string): number {
  if (registratie.lopendeHerregistratie !== null) return 0;
  if (checkHerregistratie({ registratie, today }).eligibleForHerregistratie) return 1;
  return stands(registratie) ? 2 : 3;
}

/** A date that sorts after every real date. */
const NEVER = '9999-12-31';

/**
 * Returns the registration that the dashboard, the notes and the decisions are about; null when there are none. The
 * first that exists is returned: one with a herregistratie in progress, one that can be re-registered now, a valid one,
 * a struck-off one. Of several valid ones it is the one with the nearest effective UHD; of several struck-off ones the
 * newest.
 */
export const currentRegistration = rule(
  'domain 4.2',
  function currentRegistration({ registraties, today }: CurrentFacts): Registratie | null {
    const ranked = registraties.map((registratie) => ({
      registratie,
      rank: rankOf(registratie, today),
      until: stands(registratie) ? (effectiveUhd(registratie) ?? NEVER) : NEVER,
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
