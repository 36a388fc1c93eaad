import type { Beroep } from '../wire/values.ts';

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
