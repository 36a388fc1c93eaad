import type { Beroep } from '../wire/values.ts';

// The professions with specialisms that the law recognizes (Wet BIG art. 14).
const MET_SPECIALISMEN: readonly (Beroep | null | undefined)[] = [
  'apotheker',
  'arts',
  'gezondheidszorgpsycholoog',
  'tandarts',
  'verpleegkundige',
];

/** False when the profession is unknown. */
export const hasSpecialismen = (beroep: Beroep | null | undefined): boolean => MET_SPECIALISMEN.includes(beroep);
