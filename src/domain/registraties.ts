import type { Registratie } from '../ports/register.ts';
import { type Beroep, DOORHALING } from '../wire/values.ts';
import { checkHerregistratie, effectiveUhd } from './herregistratie.ts';
import { rule } from './rule.ts';

/** The registrations of one person, at most one that stands in each profession (domain 4.2). */
type Registraties = readonly Registratie[];

/** True when the person is registered or suspended: not struck off. */
export const stands = ({ status }: Registratie): boolean => status.tag !== 'Doorgehaald';

/** Returns the registration that stands in a profession; undefined when there is none. */
export const standingIn = (registraties: Registraties, beroep: Beroep): Registratie | undefined =>
  registraties.find((one) => one.beroep === beroep && stands(one));

/**
 * True when the disciplinary court struck the person off in this profession, and no registration came after it. Null
 * asks about every profession, for a request that names none.
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

/** Returns how early a registration comes in the order of domain 4.2: 0 is shown before 1. */
function rankOf(registratie: Registratie, today: string): number {
  if (registratie.lopendeHerregistratie !== null) return 0;
  if (checkHerregistratie({ registratie, today }).eligibleForHerregistratie) return 1;
  return stands(registratie) ? 2 : 3;
}

/** Sorts after every date. */
const NEVER = '9999-12-31';

/**
 * Returns the registration that the dashboard, the notes and the decisions are about; null when there are none. In this
 * order: one with a running herregistratie, one that can be re-registered now, one that stands, and then the others.
 * Of several that stand it is the one with the nearest effective UHD; of several that are struck off the newest.
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
