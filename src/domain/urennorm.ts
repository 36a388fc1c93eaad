import type { Registratie } from '../ports/register.ts';
import type { Beroep } from '../wire/values.ts';
import { rule } from './rule.ts';

// Hours in five years, in most professions (domain 1.3; Stb. 2022, 522).
const URENNORM = 2_080;
// Hours in five years, in three professions (domain 1.3; Stb. 2022, 522).
const HOGERE_URENNORM = 3_120;
const HOGERE_NORM_VOOR: readonly Beroep[] = [
  'gezondheidszorgpsycholoog',
  'psychotherapeut',
  'orthopedagoog-generalist',
];

/** Returns the number of hours of work in five years that renewal of a registration in this profession requires. */
export const urennorm = (beroep: Beroep): number => (HOGERE_NORM_VOOR.includes(beroep) ? HOGERE_URENNORM : URENNORM);

/**
 * Hours in five years below which an intake must say whether training was followed: the highest norm of the professions
 * in which the person is or was registered, and at least 2,080. Returning after a strike-off has the same criteria.
 */
export const scholingThreshold = rule(
  'domain 4.7, Threshold',
  function scholingThreshold({ registraties }: { registraties: readonly Registratie[] }): number {
    return Math.max(URENNORM, ...registraties.map(({ beroep }) => urennorm(beroep)));
  },
);
