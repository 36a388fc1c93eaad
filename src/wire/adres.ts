import type * as z from 'zod';
import { dto, s } from './primitives.ts';

/** An address. `straat` contains street, house number and suffix (domain.md 4.3). */
export const AdresDto = dto('AdresDto', { straat: s, postcode: s, woonplaats: s });
export type AdresDto = z.output<typeof AdresDto>;
