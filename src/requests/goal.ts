/** The profession that a request for registration is about (domain 4.7). */
import { isBarred, standingIn } from '../domain/registraties.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Registratie } from '../ports/register.ts';
import { BEROEPEN, type Beroep } from '../wire/values.ts';

/** What names the profession of a request for registration. */
export interface GoalFacts {
  readonly asked: { readonly diplomaHerkomst?: string | null; readonly beroep?: unknown };
  readonly registraties: readonly Registratie[];
  readonly diplomas: readonly Diploma[];
}

/** A diploma that leads to a profession of the register. */
export type UsableDiploma = Diploma & { readonly beroep: Beroep };

/** Returns the diplomas that lead to a profession in this register, newest first. */
export const usableDiplomas = (diplomas: readonly Diploma[]): UsableDiploma[] =>
  diplomas
    .filter((diploma): diploma is UsableDiploma => diploma.beroep !== null)
    .sort((a, b) => b.behaaldOp.localeCompare(a.behaaldOp));

/**
 * Returns the profession that the applicant asks for, with the diploma of DUO for it. With `duo` it is the newest usable
 * diploma in a profession in which the applicant may be registered and is not; when there is none, the newest of all, so
 * that the refusal says why. Otherwise the top level of the draft names it. Null: the decision names it.
 */
export function goalOf({ asked, registraties, diplomas }: GoalFacts): {
  readonly beroep: Beroep | null;
  readonly diploma: UsableDiploma | null;
} {
  if (asked.diplomaHerkomst !== 'duo')
    return { beroep: BEROEPEN.find((beroep) => beroep === asked.beroep) ?? null, diploma: null };
  const usable = usableDiplomas(diplomas);
  const isFree = ({ beroep }: UsableDiploma) => standingIn(registraties, beroep) === undefined;
  const diploma =
    usable.find((one) => isFree(one) && !isBarred(registraties, one.beroep)) ??
    usable.find(isFree) ??
    usable[0] ??
    null;
  return { beroep: diploma?.beroep ?? null, diploma };
}
