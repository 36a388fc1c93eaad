import type { Registratie } from '../ports/register.ts';
import type { Beroep } from '../wire/values.ts';
import { rule } from './rule.ts';

/** Hours in five years (domain 1.3; Stb. 2022, 522): the norm, and the higher one of three professions. */
const URENNORM = 2_080;
const HOGERE_URENNORM = 3_120;
const HOGERE_NORM_VOOR: readonly Beroep[] = [
  'gezondheidszorgpsycholoog',
  'psychotherapeut',
  'orthopedagoog-generalist',
];

/** Hours that a profession demands in five years. */
export const urennorm = (beroep: Beroep): number => (HOGERE_NORM_VOOR.includes(beroep) ? HOGERE_URENNORM : URENNORM);

/**
 * Below how many hours an intake must answer the scholing question: the norm of the profession in which the caller is
 * registered, the highest of several, 2,080 without any (domain 4.7). A registration that was struck off does not count.
 */
export const scholingThreshold = rule(
  'domain 4.7, Threshold',
  function scholingThreshold({ registraties }: { registraties: readonly Registratie[] }): number {
    const active = registraties.filter(({ status }) => status.tag !== 'Doorgehaald');
    return Math.max(URENNORM, ...active.map(({ beroep }) => urennorm(beroep)));
  },
);
