/** What the diploma register sends, as `openapi.yaml` beside this file promises. Members that it adds later do no harm. */
import * as z from 'zod';
import { listOf } from '../http/list.ts';

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
  // Obtained without a date would drop out in silence, and an empty list says that DUO has none.
  .refine(({ status, behaaldOp }) => status !== 'passed' || behaaldOp != null);
export type DiplomaWire = z.output<typeof DiplomaWire>;

export const AntwoordWire = z
  .object({ gevonden: z.boolean(), diplomas: listOf(DiplomaWire, 200) })
  .refine(({ gevonden, diplomas }) => gevonden || diplomas.length === 0);
