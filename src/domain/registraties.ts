import type { Registratie } from '../ports/register.ts';
import { type Beroep, DOORHALING } from '../wire/values.ts';
import { checkHerregistratie, effectiveUhd } from './herregistratie.ts';
import { rule } from './rule.ts';

/** All registrations of one person, those that were struck off included. */
type Registraties = readonly Registratie[];

/** Returns true for a valid registration: one that was not struck off (Doorgehaald). */
export const stands = ({ status }: Registratie): boolean => status.tag !== 'Doorgehaald';

/** Returns the valid registration in a profession; undefined when there is none. */
export const standingIn = (registraties: Registraties, beroep: Beroep): Registratie | undefined =>
  registraties.find((one) => one.beroep === beroep && stands(one));

/**
 * Returns true when the disciplinary court struck the person off and the person was not registered again in the same
 * profession. With `beroep` null, any profession counts.
 */
export const isBarred = (registraties: Registraties, beroep: Beroep | null): boolean =>
  registraties.some(
    (one) =>
      (beroep === null || one.beroep === beroep) &&
      one.status.tag === 'Doorgehaald' &&
      one.status.reden === DOORHALING.tuchtmaatregel &&
      !registraties.some((other) => other.beroep === one.beroep && other.registratiedatum > one.registratiedatum),
  );

/** Input of the rule `currentRegistration`, which selects one of a person's registrations. */
interface CurrentFacts {
  readonly registraties: Registraties;
  readonly today: string;
}

/** Returns the rank of a registration for the order of domain 4.2; the lowest rank comes first. */
function rankOf(registratie: Registratie, today: string): number {
  if (registratie.lopendeHerregistratie !== null) return 0;
  if (checkHerregistratie({ registratie, today }).eligibleForHerregistratie) return 1;
  return stands(registratie) ? 2 : 3;
}

/** A date later than every real date, to sort registrations without an end date last. */
const NEVER = '9999-12-31';

/**
 * Returns the one registration of a person that the dashboard shows and that other rules use, by the order of domain
 * 4.2; null when there is none.
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
