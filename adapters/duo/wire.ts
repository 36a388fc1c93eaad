/** Schemas of the diploma register's responses, as in `openapi.yaml` in this folder. Unknown members are ignored. */
import * as z from 'zod';
import { listOf } from '../../src/wire/primitives.ts';

const OpleidingWire = z.object({
  naam: z.string(),
  code: z.string(),
  niveau: z.string().nullish(),
  soort: z.string().nullish(),
  taal: z.string().regex(/^[a-z]{2}$/),
});

export const DiplomaWire = z
  .object({
    diplomaId: z.string().min(1),
    opleiding: OpleidingWire,
    instelling: z.object({ naam: z.string(), code: z.string().nullish() }),
    behaaldOp: z.iso.date().nullish(),
    status: z.enum(['passed', 'failed', 'in-progress']),
  })
  // A diploma that was obtained must have a date. Without this check `toDiploma` would leave it out, as if DUO had no
  // such diploma.
  .refine(({ status, behaaldOp }) => status !== 'passed' || behaaldOp != null, 'was obtained and has no date');
export type DiplomaWire = z.output<typeof DiplomaWire>;

export const DuoAntwoordWire = z
  .object({ gevonden: z.boolean(), diplomas: listOf(DiplomaWire).max(200) })
  .refine(({ gevonden, diplomas }) => gevonden || diplomas.length === 0, 'has diplomas that were not found');
