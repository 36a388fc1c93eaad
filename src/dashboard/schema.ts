import type * as z from 'zod';
import { AdresDto } from '../wire/adres.ts';
import { b, date, dto, ref, s } from '../wire/primitives.ts';

export const RegistrationStatusDto = dto('RegistrationStatusDto', {
  tag: s,
  herregistratieDatum: date,
  geschorstTot: date,
  reden: s,
  doorgehaaldOp: date,
});
export type RegistrationStatusDto = z.output<typeof RegistrationStatusDto>;

export const RegistrationDto = dto('RegistrationDto', {
  registerNummer: s,
  naam: s,
  beroep: s,
  registratiedatum: date,
  geboortedatum: date,
  status: ref(RegistrationStatusDto),
});
export type RegistrationDto = z.output<typeof RegistrationDto>;

export const PersonDto = dto('PersonDto', { naam: s, geboortedatum: date, adres: ref(AdresDto) });
export type PersonDto = z.output<typeof PersonDto>;

const HerregistratieDecisionsDto = dto('HerregistratieDecisionsDto', {
  eligibleForHerregistratie: b,
  herregistratieReason: s,
});

export const DashboardViewDto = dto('DashboardViewDto', {
  registration: ref(RegistrationDto),
  person: ref(PersonDto),
  decisions: ref(HerregistratieDecisionsDto),
});
export type DashboardViewDto = z.output<typeof DashboardViewDto>;
