import { faker } from '@faker-js/faker/locale/nl';
import type { Person, PersonRegistratie } from '../../fixtures/person.ts';
import { DOORHALING } from '../../src/wire/values.ts';

/** Returns what is special about the registration of a generated citizen, drawn at random; null: not registered. */
export type Situation = () => (Partial<PersonRegistratie> & { aanvragen?: Person['aanvragen'] }) | null;

/** Returns a random whole number from `min` to `max`, both included. */
export const between = (min: number, max: number): number => faker.number.int({ min, max });
/** Returns a random number of days, so that not all dates fall on the same day of the month. */
const someDay = (): number => between(-14, 14);

export const geregistreerd: Situation = () => ({ uhd: { months: between(8, 55), days: someDay() } });

const aanDeBeurt: Situation = () => ({ uhd: { months: between(1, 5), days: someDay() } });

const aanvraagLoopt: Situation = () => ({
  uhd: { days: between(-20, 40) },
  aanvragen: [
    {
      type: 'herregistratie',
      tag: 'InBehandeling',
      ingediend: { days: -between(21, 60) },
      volgnummer: between(200, 9_999),
      manual: true,
    },
  ],
});

export const specialist: Situation = () => ({
  uhd: { months: between(3, 50), days: someDay() },
  specialistTot: { months: between(3, 55), days: someDay() },
  aantekeningen: [
    {
      soort: 'specialisme',
      omschrijving: faker.helpers.arrayElement(SPECIALISMEN),
      van: { years: -between(1, 4), days: -between(0, 300) },
      openbaar: true,
    },
  ],
});

const geschorst: Situation = () => {
  const [months, days] = [between(1, 9), someDay()];
  const [op, tot] = [
    { months: months - 12, days },
    { months, days },
  ];
  return {
    uhd: { months: between(2, 40), days: someDay() },
    status: { soort: 'geschorst', op, tot, reden: 'Schorsing door het tuchtcollege' },
    aantekeningen: [
      {
        soort: 'maatregel',
        omschrijving: 'Schorsing voor de duur van een jaar',
        van: op,
        tot: { ...tot, days: days - 1 },
        openbaar: true,
      },
    ],
  };
};

const voorlopigGeschorst: Situation = () => {
  const op = { days: -between(3, 90) };
  return {
    uhd: { months: between(2, 40), days: someDay() },
    status: { soort: 'geschorst', op, tot: null, reden: 'Schorsing bij voorlopige voorziening' },
    aantekeningen: [
      { soort: 'maatregel', omschrijving: 'Schorsing bij voorlopige voorziening', van: op, openbaar: true },
    ],
  };
};

const nietGeherregistreerd: Situation = () => {
  const months = -between(1, 50);
  return {
    uhd: { months, days: -1 },
    status: { soort: 'doorgehaald', op: { months }, reden: DOORHALING.nietGeherregistreerd },
  };
};

const opEigenVerzoek: Situation = () => ({
  uhd: { months: between(2, 30), days: someDay() },
  status: { soort: 'doorgehaald', op: { months: -between(1, 30), days: someDay() }, reden: DOORHALING.eigenVerzoek },
});

const tuchtmaatregel: Situation = () => {
  const op = { months: -between(1, 30), days: someDay() };
  return {
    uhd: { months: between(2, 30), days: someDay() },
    status: { soort: 'doorgehaald', op, reden: DOORHALING.tuchtmaatregel },
    aantekeningen: [{ soort: 'maatregel', omschrijving: 'Doorhaling van de inschrijving', van: op, openbaar: true }],
  };
};

export const nietGeregistreerd: Situation = () => null;

/**
 * All situations with their weights, which add up to 100. Six in ten citizens are registered without anything special.
 */
export const SITUATIONS: readonly { weight: number; value: Situation }[] = [
  { weight: 60, value: geregistreerd },
  { weight: 8, value: aanDeBeurt },
  { weight: 5, value: aanvraagLoopt },
  { weight: 6, value: specialist },
  { weight: 4, value: geschorst },
  { weight: 2, value: voorlopigGeschorst },
  { weight: 7, value: nietGeherregistreerd },
  { weight: 2, value: opEigenVerzoek },
  { weight: 1, value: tuchtmaatregel },
  { weight: 5, value: nietGeregistreerd },
];

const SPECIALISMEN = [
  'Huisartsgeneeskunde',
  'Interne geneeskunde',
  'Kindergeneeskunde',
  'Psychiatrie',
  'Cardiologie',
  'Neurologie',
];
