// As in `../openapi.yaml`.
import * as z from 'zod';
import { listOf } from '../../../src/wire/primitives.ts';
import { MAX_KEY_LENGTH } from '../../../src/wire/rich-text.ts';
import { tolerant, tolerantListOf } from '../../http/tolerant.ts';
import { BEROEP_BY_CODE, BesluitWire, referentie, UITKOMSTEN, type UitkomstWire } from '../wire.ts';

const name = z.string().min(1).max(128);
const beroepCode = z.string().refine((code) => BEROEP_BY_CODE.has(code), 'is not the code of a profession');
const uitkomst = z.enum(UITKOMSTEN);
const lijst = z.enum(['opsomming', 'nummering']).nullish();

const AlineaWire = z.object({ lijst: tolerant(lijst), kop: tolerant(z.boolean().nullish()), tekst: z.string() });
export type AlineaWire = z.output<typeof AlineaWire>;

export const OpdrachtWire = z.object({
  opdrachtId: name,
  templateId: name,
  beroepCode,
  referentie,
  indiener: z.union([
    z.object({ burgerservicenummer: z.string().regex(/^\d{9}$/) }),
    z.object({ loginId: z.string().min(1) }),
  ]),
  registratieId: name.nullish(),
  datumAanvraag: z.iso.date(),
  urenOpgegeven: z.int().min(0).nullish(),
  correspondentieadres: z.object({ adresregel: z.string().min(1), postcodeWoonplaats: z.string().min(1) }).nullish(),
  opsteller: name.nullish(),
  besluit: BesluitWire.nullish(),
  passages: listOf(name).max(100),
  feiten: listOf(name).max(100).nullish(),
  uhd: z.iso.date().nullish(),
  eerder: listOf(
    z.object({ templateId: name, verzondenOp: z.iso.date(), reactieTot: z.iso.date(), waarover: z.string() }),
  )
    .max(100)
    .nullish(),
});
export type OpdrachtWire = z.output<typeof OpdrachtWire>;

export const SjabloonWire = z.object({
  templateId: name,
  velden: tolerantListOf(
    z.object({
      sleutel: z
        .string()
        .max(MAX_KEY_LENGTH)
        .regex(/^[a-z][a-z0-9_]*$/),
      omschrijving: z.string(),
      soort: z.enum(['automatisch', 'invulbaar', 'vervallen']),
    }),
    200,
  ),
  secties: listOf(
    z.object({
      sleutel: name,
      titel: z.string(),
      verplicht: z.boolean(),
      vast: z.boolean(),
      alineas: listOf(AlineaWire).max(100),
    }),
  )
    .min(1)
    .max(50),
});
export type SjabloonWire = z.output<typeof SjabloonWire>;

export const PassageWire = z.object({
  passageId: name,
  versie: z.int32().min(1),
  beroepCode: beroepCode.nullish(),
  templateId: name.nullish(),
  sectie: name,
  omschrijving: z.string(),
  besluit: z.object({ uitkomst, reden: z.string().nullish() }).nullish(),
  uitkomsten: listOf(uitkomst).readonly().nullish(),
  uren: z.enum(['genoeg', 'te-weinig']).nullish(),
  uhd: z.enum(['loopt', 'voorbij']).nullish(),
  reactie: z.enum(['geen', 'gegeven', 'niet-nodig']).nullish(),
  feit: name.nullish(),
  alineas: listOf(AlineaWire).max(100),
});
export type PassageWire = z.output<typeof PassageWire>;

export const VerzondenWire = z.object({ verzondenOp: z.iso.date() });

export interface VerzoekWire {
  readonly templateId: string;
  readonly reactieTot: string;
  readonly waarover: string;
}

/** A letter to send, with the register's member names. */
export interface VerzendingWire {
  readonly opdrachtId: string;
  readonly referentie: string;
  readonly kanaal: 'berichtenbox' | 'post';
  readonly besluit: { readonly uitkomst: UitkomstWire; readonly reden: string | null } | null;
  readonly uiterlijk: string | null;
  readonly inhoud: {
    /** Null for a letter with a decision. */
    readonly verzoek: VerzoekWire | null;
    readonly secties: readonly {
      readonly sleutel: string;
      readonly titel: string;
      readonly alineas: readonly {
        readonly lijst: 'opsomming' | 'nummering' | null;
        readonly delen: readonly {
          readonly tekst: string;
          readonly vet: boolean;
          readonly cursief: boolean;
          readonly onderstreept: boolean;
        }[];
      }[];
    }[];
  };
}
