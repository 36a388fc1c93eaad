import * as z from 'zod';
import { day, dto, i32, none, type Open, text, variants } from '../wire/primitives.ts';
import { AdresDto, Beroep } from '../wire/records.ts';
import { AANTEKENING_TYPES, POLICY_QUESTION_TYPES } from '../wire/values.ts';

export const AantekeningDto = dto(
  'AantekeningDto',
  { type: z.enum(AANTEKENING_TYPES), omschrijving: text, datum: day },
  {
    type: '`Specialisme` is a specialism, `Vermelding` a mention, `Maatregel` a measure, `Beperking` a limitation.',
    omschrijving: 'The note, in Dutch.',
    datum: 'Start of the note, `YYYY-MM-DD`.',
  },
);
export type AantekeningDto = Open<typeof AantekeningDto>;

export const BrpAddressDto = variants(
  'BrpAddressDto',
  'gevonden',
  [
    { gevonden: z.literal(true), adres: AdresDto },
    { gevonden: z.literal(false), adres: none },
  ],
  {
    gevonden:
      'False when the BRP has no home address of the caller. When the BRP does not answer, the answer is a problem.',
  },
);
export type BrpAddressDto = Open<typeof BrpAddressDto>;

const PolicyQuestionDto = dto(
  'PolicyQuestionDto',
  { id: text, vraag: text, type: z.enum(POLICY_QUESTION_TYPES) },
  { vraag: 'The question, in Dutch.', type: '`ja-nee` is yes or no, `tekst` text, `datum` a date.' },
);
export type PolicyQuestionDto = Open<typeof PolicyQuestionDto>;

const DuoDiplomaDto = dto(
  'DuoDiplomaDto',
  { id: text, naam: text, instelling: text, jaar: i32, beroep: Beroep, policyQuestions: z.array(PolicyQuestionDto) },
  {
    instelling: 'The school or university of the diploma.',
    jaar: 'Year of graduation.',
    beroep: 'Profession that the diploma gives access to.',
  },
);
export type DuoDiplomaDto = Open<typeof DuoDiplomaDto>;

const ManualDiplomaPolicyDto = dto('ManualDiplomaPolicyDto', {
  beroepen: z.array(Beroep),
  policyQuestions: z.array(PolicyQuestionDto),
});
export type ManualDiplomaPolicyDto = Open<typeof ManualDiplomaPolicyDto>;

export const DuoLookupDto = dto(
  'DuoLookupDto',
  { diplomas: z.array(DuoDiplomaDto), handmatig: ManualDiplomaPolicyDto },
  {
    diplomas: 'The diplomas at DUO; empty when there are none. When DUO does not answer, the answer is a problem.',
    handmatig: 'The professions and questions for a diploma that DUO does not have.',
  },
);
export type DuoLookupDto = Open<typeof DuoLookupDto>;

export const IntakePolicyDto = dto(
  'IntakePolicyDto',
  { scholingThreshold: i32 },
  { scholingThreshold: 'With fewer hours than this, an intake must say whether there was training (`scholing`).' },
);
export type IntakePolicyDto = Open<typeof IntakePolicyDto>;
