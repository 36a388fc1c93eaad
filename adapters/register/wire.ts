/** What the register sends, as `openapi.yaml` beside this file promises. Members that it adds later do no harm. */
import * as z from 'zod';

const day = z.iso.date();

export const RegistratieWire = z.looseObject({
  registratieId: z.string().min(1),
  registerNummer: z.string().regex(/^\d{11}$/),
  naam: z.string(),
  beroepCode: z.string().regex(/^\d{2}$/),
  registratiedatum: day,
  geboortedatum: day.nullish(),
  uhd: day.nullish(),
  status: z.looseObject({
    soort: z.enum(['geregistreerd', 'geschorst', 'doorgehaald']),
    datum: day.nullish(),
    tot: day.nullish(),
    reden: z.string().nullish(),
  }),
  specialistTot: day.nullish(),
  lopendeHerregistratie: z.looseObject({ referentie: z.string().min(1) }).nullish(),
});
export type RegistratieWire = z.output<typeof RegistratieWire>;

export const AantekeningWire = z.looseObject({
  soort: z.enum(['specialisme', 'vermelding', 'maatregel', 'beperking']),
  omschrijving: z.string(),
  ingangsdatum: day,
  einddatum: day.nullish(),
  openbaar: z.boolean(),
});
export type AantekeningWire = z.output<typeof AantekeningWire>;
