import type { Beroep } from '../wire/values.ts';

/** domain 4.5: B1 for a verpleegkundige, B2+ after a training at a university, and B2 for the others. */
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
