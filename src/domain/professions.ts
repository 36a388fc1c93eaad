import type { Diploma } from '../ports/duo.ts';
import type { Registratie } from '../ports/register.ts';
import type { Beroep } from '../wire/values.ts';
import { rule } from './rule.ts';

// Hours in five years, in most professions (domain.md 1.3; Stb. 2022, 522).
const URENNORM = 2_080;
// Hours in five years, in three professions (domain.md 1.3; Stb. 2022, 522).
const HOGERE_URENNORM = 3_120;
const HOGERE_NORM_VOOR: readonly (Beroep | undefined)[] = [
  'gezondheidszorgpsycholoog',
  'psychotherapeut',
  'orthopedagoog-generalist',
];

/**
 * Returns the number of hours of work in five years that renewal of a registration in this profession requires; that of
 * most professions when it is unknown.
 */
export const urennorm = (beroep: Beroep | undefined): number =>
  HOGERE_NORM_VOOR.includes(beroep) ? HOGERE_URENNORM : URENNORM;

/**
 * Hours in five years below which an intake must say whether training was followed: the highest norm of the professions
 * in which the person is or was registered, and at least 2,080. Returning after a strike-off has the same criteria.
 */
export const scholingThreshold = rule(
  'domain.md 4.7, "Threshold"',
  function scholingThreshold({ registraties }: { registraties: readonly Registratie[] }): number {
    return Math.max(URENNORM, ...registraties.map(({ beroep }) => urennorm(beroep)));
  },
);

/** domain.md 4.5: B1 for a verpleegkundige, B2+ after a training at a university, and B2 for the others. */
export const taalniveau = (beroep: Beroep): string => TAALNIVEAU[beroep] ?? 'B2+';

const TAALNIVEAU: Readonly<Partial<Record<Beroep, string>>> = {
  verpleegkundige: 'B1',
  fysiotherapeut: 'B2',
  verloskundige: 'B2',
  'physician assistant': 'B2',
  'geregistreerd-mondhygiënist': 'B2',
  'bachelor medisch hulpverlener': 'B2',
};

/** For each profession, the article of the Wet BIG (law on health professions) with its training requirements. */
export const WETSARTIKEL: Readonly<Record<Beroep, string>> = {
  arts: '18',
  tandarts: '20',
  apotheker: '22',
  gezondheidszorgpsycholoog: '24',
  psychotherapeut: '26',
  fysiotherapeut: '28',
  verloskundige: '30',
  verpleegkundige: '32',
  'physician assistant': '33a',
  'klinisch technoloog': '33c',
  'orthopedagoog-generalist': '33e',
  'geregistreerd-mondhygiënist': '36a',
  'bachelor medisch hulpverlener': '36a',
};

/** A diploma that gives access to a profession of the register. */
export type UsableDiploma = Diploma & { readonly beroep: Beroep };

/** Returns the diplomas of at most `today` that give access to a profession of the register, newest first. */
export const usableDiplomas = (diplomas: readonly Diploma[], today: string): UsableDiploma[] =>
  diplomas
    .filter((diploma): diploma is UsableDiploma => diploma.beroep !== null && diploma.behaaldOp <= today)
    .sort((a, b) => b.behaaldOp.localeCompare(a.behaaldOp));
