/** What the diploma register sends, as `openapi.yaml` beside this file promises. Members that it adds later do no harm. */
import * as z from 'zod';

export const DiplomaWire = z.looseObject({
  diplomaId: z.string().min(1),
  opleiding: z.looseObject({
    naam: z.string(),
    code: z.string(),
    niveau: z.string().nullish(),
    soort: z.string().nullish(),
    taal: z.string(),
  }),
  instelling: z.looseObject({ naam: z.string(), code: z.string().nullish() }),
  behaaldOp: z.iso.date().nullish(),
  status: z.enum(['passed', 'failed', 'in-progress']),
});
export type DiplomaWire = z.output<typeof DiplomaWire>;

export const AntwoordWire = z.looseObject({ gevonden: z.boolean(), diplomas: z.array(DiplomaWire) });
