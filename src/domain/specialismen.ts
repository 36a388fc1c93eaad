import type { Beroep } from '../wire/values.ts';

// The professions with specialisms that the law recognizes (Wet BIG art. 14).
const MET_SPECIALISMEN: readonly (Beroep | null | undefined)[] = [
  'apotheker',
  'arts',
  'gezondheidszorgpsycholoog',
  'tandarts',
  'verpleegkundige',
];

/** Returns whether a profession has specialisms; false when it is unknown. The pages import this file alone. */
export const hasSpecialismen = (beroep: Beroep | null | undefined): boolean => MET_SPECIALISMEN.includes(beroep);
