/** Finds the profession in which an applicant wants to be registered (domain 4.7). */
import { type UsableDiploma, usableDiplomas } from '../domain/diplomas.ts';
import { isBarred, validRegistrationIn } from '../domain/registraties.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Registratie } from '../ports/register.ts';
import { BEROEPEN, type Beroep } from '../wire/values.ts';

/** Input of `requestedProfession`: what the applicant answered, and the applicant's registrations and diplomas. */
export interface GoalFacts {
  readonly asked: { readonly diplomaHerkomst?: string | null; readonly beroep?: unknown };
  readonly registraties: readonly Registratie[];
  readonly diplomas: readonly Diploma[];
}

/**
 * Returns the profession in which the applicant wants to be registered, or null when it is unknown. With `duo` as
 * source of the diploma, also returns the diploma from DUO: preferably the newest for a profession in which the
 * applicant can still be registered.
 */
export function requestedProfession({ asked, registraties, diplomas }: GoalFacts): {
  readonly beroep: Beroep | null;
  readonly diploma: UsableDiploma | null;
} {
  if (asked.diplomaHerkomst !== 'duo')
    return { beroep: BEROEPEN.find((beroep) => beroep === asked.beroep) ?? null, diploma: null };
  const usable = usableDiplomas(diplomas);
  const isFree = ({ beroep }: UsableDiploma) => validRegistrationIn(registraties, beroep) === undefined;
  const diploma =
    usable.find((one) => isFree(one) && !isBarred(registraties, one.beroep)) ??
    usable.find(isFree) ??
    usable[0] ??
    null;
  return { beroep: diploma?.beroep ?? null, diploma };
}
