import * as z from 'zod';
import { AdresDto } from '../wire/adres.ts';
import { b, date, dto, i32, list, ref, s } from '../wire/primitives.ts';

export const AantekeningDto = dto('AantekeningDto', { type: s, omschrijving: s, datum: date });
export type AantekeningDto = z.output<typeof AantekeningDto>;

export const BrpAddressDto = dto('BrpAddressDto', { gevonden: b, adres: ref(AdresDto) });
export type BrpAddressDto = z.output<typeof BrpAddressDto>;

export const PolicyQuestionDto = dto('PolicyQuestionDto', { id: s, vraag: s, type: s });
export type PolicyQuestionDto = z.output<typeof PolicyQuestionDto>;

export const DuoDiplomaDto = dto('DuoDiplomaDto', {
  id: s,
  naam: s,
  instelling: s,
  jaar: i32,
  beroep: s,
  policyQuestions: list(PolicyQuestionDto),
});
export type DuoDiplomaDto = z.output<typeof DuoDiplomaDto>;

export const ManualDiplomaPolicyDto = dto('ManualDiplomaPolicyDto', {
  beroepen: list(z.string()),
  policyQuestions: list(PolicyQuestionDto),
});
export type ManualDiplomaPolicyDto = z.output<typeof ManualDiplomaPolicyDto>;

export const DuoLookupDto = dto('DuoLookupDto', {
  diplomas: list(DuoDiplomaDto),
  handmatig: ref(ManualDiplomaPolicyDto),
});
export type DuoLookupDto = z.output<typeof DuoLookupDto>;

export const IntakePolicyDto = dto('IntakePolicyDto', { scholingThreshold: i32 });
export type IntakePolicyDto = z.output<typeof IntakePolicyDto>;
