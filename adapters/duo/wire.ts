// As in `openapi.yaml` in this folder.
import * as z from 'zod';
import { someOf, tolerant } from '../http/tolerant.ts';

const OpleidingWire = z.object({
  naam: z.string(),
  code: z.string(),
  /** Empty for a language that is unknown. */
  taal: tolerant(z.string().regex(/^([a-z]{2})?$/), ''),
});

export const DiplomaWire = z
  .object({
    diplomaId: z.string().min(1),
    opleiding: OpleidingWire,
    instelling: z.object({ naam: z.string() }),
    behaaldOp: z.iso.date().nullish(),
    status: z.enum(['passed', 'failed', 'in-progress', 'unknown']),
  })
  // A diploma that was obtained must have a date. Without this check `toDiploma` would leave it out, as if DUO had no
  // such diploma.
  .refine(({ status, behaaldOp }) => status !== 'passed' || behaaldOp != null, 'was obtained and has no date');
export type DiplomaWire = z.output<typeof DiplomaWire>;

export const DuoAntwoordWire = z
  .object({ gevonden: z.boolean(), diplomas: someOf(DiplomaWire, 200).nullish() })
  .refine(
    ({ gevonden, diplomas }) => (gevonden ? diplomas != null : !diplomas?.length),
    'has diplomas exactly when a person is found',
  );
