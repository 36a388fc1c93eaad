/** Finds the profession that a request for registration is about (domain 4.7). */
import { isBarred, validRegistrationIn } from '../domain/registraties.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Registratie } from '../ports/register.ts';
import { BEROEPEN, type Beroep } from '../wire/values.ts';

/** Input of the rule `requestedProfession`: the request, the registrations and the diplomas of the applicant. */
export interface GoalFacts {
  readonly asked: { readonly diplomaHerkomst?: string | null; readonly beroep?: unknown };
  readonly registraties: readonly Registratie[];
  readonly diplomas: readonly Diploma[];
}

/** A diploma that gives access to a profession of the register. */
export type UsableDiploma = Diploma & { readonly beroep: Beroep };

/** Returns only the diplomas that give access to a profession of the register, newest first. */
export const usableDiplomas = (diplomas: readonly Diploma[]): UsableDiploma[] =>
  diplomas
    .filter((diploma): diploma is UsableDiploma => diploma.beroep !== null)
    .sort((a, b) => b.behaaldOp.localeCompare(a.behaaldOp));

/**
 * Returns the profession that the applicant asks for, and DUO's diploma for that profession. When the request names DUO
 * as the source of the diploma, returns the newest usable diploma for a profession in which the applicant may be
 * registered and is not yet. When there is no such diploma, returns another usable one, so that the refusal can give
 * the reason; `beroep` and `diploma` are both null when DUO has no usable diploma. For any other source, `beroep` is
 * the profession in the draft, or null when the draft names none, and `diploma` is null.
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
