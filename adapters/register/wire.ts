// As in `openapi.yaml` in this folder.
import * as z from 'zod';
import type { Beroep } from '../../src/wire/values.ts';
import { tolerant } from '../http/tolerant.ts';

const day = z.iso.date();

/** The keys are codes of the register (domain.md 1.1). Code 18 is an arts who may also dispense medicines. */
export const BEROEP_BY_CODE: ReadonlyMap<string, Beroep> = new Map(
  Object.entries({
    '01': 'arts',
    '02': 'tandarts',
    '03': 'verloskundige',
    '04': 'fysiotherapeut',
    '16': 'psychotherapeut',
    '17': 'apotheker',
    '18': 'arts',
    '25': 'gezondheidszorgpsycholoog',
    '30': 'verpleegkundige',
    '31': 'orthopedagoog-generalist',
    '79': 'geregistreerd-mondhygiënist',
    '80': 'bachelor medisch hulpverlener',
    '81': 'physician assistant',
    '82': 'klinisch technoloog',
  } as const),
);

/** The lowest code for a profession with two. */
export const CODE_BY_BEROEP: ReadonlyMap<Beroep, string> = new Map(
  [...BEROEP_BY_CODE].sort(([one], [other]) => Number(other) - Number(one)).map(([code, beroep]) => [beroep, code]),
);

// Professions of art. 34 of the Wet BIG, which are not in this register.
const ART_34 = /^(8[3-9]|9\d)$/;

export const RegistratieWire = z.object({
  registratieId: z.string().min(1),
  registerNummer: z.string().regex(/^\d{11}$/),
  naam: z.string(),
  beroepCode: z
    .string()
    .refine((code) => BEROEP_BY_CODE.has(code) || ART_34.test(code), 'is not the code of a profession'),
  registratiedatum: day,
  geboortedatum: tolerant(day.nullish()),
  uhd: day.nullish(),
  status: tolerant(
    z.object({
      soort: z.enum(['geregistreerd', 'geschorst', 'doorgehaald', 'onbekend']),
      datum: day.nullish(),
      tot: day.nullish(),
      reden: z.string().nullish(),
    }),
    { soort: 'onbekend' },
  ),
  specialistTot: day.nullish(),
  /** In doubt, a request is in progress: without reference. */
  lopendeHerregistratie: tolerant(z.object({ referentie: z.string() }).nullish(), { referentie: '' }),
});
export type RegistratieWire = z.output<typeof RegistratieWire>;

export const CorrespondentieadresWire = z.object({
  straat: z.string().min(1),
  postcode: z.string().nullish(),
  woonplaats: z.string().min(1),
});
export type CorrespondentieadresWire = z.output<typeof CorrespondentieadresWire>;

/** The reference of a case, usually like `HER-2026-000118`. */
export const referentie = z
  .string()
  .max(64)
  .regex(/^[\w./-]+$/);

export const OntvangstWire = z.object({ referentie, handmatig: z.boolean(), nieuw: z.boolean() });
export type OntvangstWire = z.output<typeof OntvangstWire>;

export const UITKOMSTEN = ['goedgekeurd', 'afgewezen', 'buiten-behandeling'] as const;
export type UitkomstWire = (typeof UITKOMSTEN)[number];

export const BesluitWire = z.object({ uitkomst: z.enum(UITKOMSTEN), reden: z.string().nullish(), datum: day });

export const ZaakWire = z
  .object({
    referentie,
    kenmerk: z.string().nullish(),
    /** Absent for a status or a decision that is not understood: nothing is known of a decision then. */
    status: tolerant(z.enum(['ontvangen', 'in-behandeling', 'besloten']).optional()),
    handmatig: z.boolean(),
    besluit: tolerant(BesluitWire.nullish()),
  })
  .refine(({ status, besluit }) => status === undefined || (status === 'besloten') === (besluit != null), {
    error: 'has a decision exactly when it is besloten',
    path: ['status'],
  });
export type ZaakWire = z.output<typeof ZaakWire>;

/** `zaak` is required, so that the answer of another operation is not read as "there is no such case". */
export const ZaakBijSleutelWire = z.object({ zaak: ZaakWire.nullable() });
export type ZaakBijSleutelWire = z.output<typeof ZaakBijSleutelWire>;

export const AantekeningWire = z.object({
  soort: z.enum(['specialisme', 'vermelding', 'maatregel', 'beperking']),
  omschrijving: z.string(),
  ingangsdatum: day,
  einddatum: day.nullish(),
  openbaar: z.boolean(),
});
export type AantekeningWire = z.output<typeof AantekeningWire>;
