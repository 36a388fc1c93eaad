import * as z from 'zod';
import { b, day, dayOrNull, dto, none, type Open, text, textOrNull, variants } from '../wire/primitives.ts';
import { AdresDto, Beroep } from '../wire/records.ts';

const RegistrationStatusDto = variants(
  'RegistrationStatusDto',
  'tag',
  [
    {
      tag: z.literal('Geregistreerd'),
      herregistratieDatum: dayOrNull,
      geschorstTot: none,
      reden: none,
      doorgehaaldOp: none,
    },
    {
      tag: z.literal('Geschorst'),
      herregistratieDatum: dayOrNull,
      geschorstTot: dayOrNull,
      reden: textOrNull,
      doorgehaaldOp: none,
    },
    {
      tag: z.literal('Doorgehaald'),
      herregistratieDatum: none,
      geschorstTot: none,
      reden: textOrNull,
      doorgehaaldOp: dayOrNull,
    },
  ],
  {
    tag: '`Geregistreerd` is registered, `Geschorst` suspended, `Doorgehaald` struck off.',
    herregistratieDatum: 'Last day on which the registration can be renewed, `YYYY-MM-DD`; null when there is none.',
    geschorstTot: 'First day without the suspension, `YYYY-MM-DD`; null for a provisional suspension.',
    doorgehaaldOp: 'Date on which the registration was struck off, `YYYY-MM-DD`.',
    reden: 'The reason, in Dutch.',
  },
);
export type RegistrationStatusDto = Open<typeof RegistrationStatusDto>;

const RegistrationDto = dto(
  'RegistrationDto',
  {
    registerNummer: text,
    naam: text,
    beroep: Beroep,
    registratiedatum: day,
    geboortedatum: dayOrNull,
    status: RegistrationStatusDto.nullable(),
  },
  {
    registerNummer: 'Register number of eleven digits. Without `X-Step-Up` all digits but the last two are masked.',
    naam: 'The full name in the register.',
    beroep: 'The profession.',
    registratiedatum: 'Date of the registration, `YYYY-MM-DD`.',
    geboortedatum: 'Date of birth, `YYYY-MM-DD`; null when it is not known.',
  },
);
export type RegistrationDto = Open<typeof RegistrationDto>;

const PersonDto = dto(
  'PersonDto',
  { naam: textOrNull, geboortedatum: dayOrNull, adres: AdresDto.nullable() },
  {
    naam: 'The name to show; null when no upstream gives one.',
    geboortedatum: 'Date of birth, `YYYY-MM-DD`; null when it is unknown or partly known.',
    adres: 'Home address; null when the BRP has no Dutch address of the person, or did not answer.',
  },
);
export type PersonDto = Open<typeof PersonDto>;

const HerregistratieDecisionsDto = dto(
  'HerregistratieDecisionsDto',
  { eligibleForHerregistratie: b, herregistratieReason: textOrNull },
  {
    eligibleForHerregistratie: 'True when the caller can renew the registration today.',
    herregistratieReason: 'Why the registration cannot be renewed: a Dutch sentence to show. Null when it can.',
  },
);

export const DashboardViewDto = dto(
  'DashboardViewDto',
  { registration: RegistrationDto.nullable(), person: PersonDto.nullable(), decisions: HerregistratieDecisionsDto },
  {
    registration: 'Null when the register has no registration of the caller, not even one that was struck off.',
    person: 'Personal data of the caller; null when neither the BRP nor the register has the caller.',
  },
);
export type DashboardViewDto = Open<typeof DashboardViewDto>;
