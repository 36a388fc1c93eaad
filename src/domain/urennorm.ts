import type { Registratie } from '../ports/register.ts';
import type { Beroep } from '../wire/values.ts';
import { isValid } from './registraties.ts';
import { rule } from './rule.ts';

/** Hours of work in five years that herregistratie (renewal) usually requires (domain 1.3; Stb. 2022, 522). */
const URENNORM = 2_080;
/** Hours of work in five years that herregistratie requires in three professions (domain 1.3; Stb. 2022, 522). */
const HOGERE_URENNORM = 3_120;
const HOGERE_NORM_VOOR: readonly Beroep[] = [
  'gezondheidszorgpsycholoog',
  'psychotherapeut',
  'orthopedagoog-generalist',
];

/** Returns the number of hours of work in five years that herregistratie in a profession requires. */
export const urennorm = (beroep: Beroep): number => (HOGERE_NORM_VOOR.includes(beroep) ? HOGERE_URENNORM : URENNORM);

/**
 * Returns the number of hours below which an intake must answer the scholing (training) question. It is the norm of the
 * profession in which the caller is registered, and the highest norm for several professions. Without a valid
 * registration it is 2,080: struck-off registrations do not count.
 */
export const scholingThreshold = rule(
  'domain 4.7, Threshold',
  function scholingThreshold({ registraties }: { registraties: readonly Registratie[] }): number {
    return Math.max(URENNORM, ...registraties.filter(isValid).map(({ beroep }) => urennorm(beroep)));
  },
);
