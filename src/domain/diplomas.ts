import type { Diploma } from '../ports/duo.ts';
import type { Beroep } from '../wire/values.ts';

/** A diploma that gives access to a profession of the register. */
export type UsableDiploma = Diploma & { readonly beroep: Beroep };

/** Returns the diplomas that give access to a profession of the register, newest first. */
export const usableDiplomas = (diplomas: readonly Diploma[]): UsableDiploma[] =>
  diplomas
    .filter((diploma): diploma is UsableDiploma => diploma.beroep !== null)
    .sort((a, b) => b.behaaldOp.localeCompare(a.behaaldOp));
