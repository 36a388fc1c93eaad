import type * as z from 'zod';
import { dto, s } from './primitives.ts';

/** `straat` is street, number and suffix in one; the record has no house number (domain.md 4.3). */
export const AdresDto = dto('AdresDto', { straat: s, postcode: s, woonplaats: s });
export type AdresDto = z.output<typeof AdresDto>;
