import { faker } from '@faker-js/faker/locale/nl';
import { PLAATSEN, STRATEN, VOORNAMEN } from '../fixtures/burgers.ts';
import { INSTELLINGEN, OPLEIDINGEN } from '../fixtures/opleidingen.ts';
import type { Instelling, Opleiding, Person, PersonRegistratie } from '../fixtures/person.ts';

const I = INSTELLINGEN;
const O = OPLEIDINGEN;

/** What someone may have become: the code in the register, and what DUO has of it (nothing for those it does not register). */
const BEROEPEN: readonly {
  code: string;
  age: number;
  opleiding: Opleiding | null;
  instellingen: readonly Instelling[];
  weight: number;
}[] = [
  {
    code: '30',
    age: 22,
    opleiding: O.hboVerpleegkunde,
    instellingen: [I.utrecht, I.han, I.hanze, I.rotterdam, I.fontys],
    weight: 48,
  },
  { code: '30', age: 21, opleiding: O.mboVerpleegkundige, instellingen: [I.rocMiddenNederland], weight: 12 },
  {
    code: '01',
    age: 25,
    opleiding: O.geneeskunde,
    instellingen: [I.uva, I.uu, I.leiden, I.rug, I.radboud],
    weight: 14,
  },
  { code: '04', age: 23, opleiding: O.fysiotherapie, instellingen: [I.hva, I.utrecht, I.fontys, I.zuyd], weight: 8 },
  { code: '25', age: 28, opleiding: null, instellingen: [], weight: 5 },
  { code: '02', age: 25, opleiding: O.tandheelkunde, instellingen: [I.rug, I.radboud, I.uva], weight: 3 },
  { code: '17', age: 25, opleiding: O.farmacie, instellingen: [I.uu, I.rug, I.leiden], weight: 2 },
  { code: '16', age: 31, opleiding: null, instellingen: [], weight: 2 },
  { code: '03', age: 23, opleiding: O.verloskunde, instellingen: [I.rotterdam, I.zuyd, I.inholland], weight: 2 },
  { code: '81', age: 30, opleiding: O.physicianAssistant, instellingen: [I.han, I.hanze, I.utrecht], weight: 2 },
  { code: '31', age: 27, opleiding: null, instellingen: [], weight: 1 },
  { code: '82', age: 25, opleiding: O.technicalMedicine, instellingen: [I.twente], weight: 1 },
];

/** What sets one registration apart from a plain one; null for someone who is not registered. */
type Situation = () => Partial<PersonRegistratie> | null;

const between = (min: number, max: number): number => faker.number.int({ min, max });

const geregistreerd: Situation = () => ({ uhd: { months: between(8, 56) } });

const aanDeBeurt: Situation = () => ({ uhd: { months: between(1, 5) } });

const aanvraagLoopt: Situation = () => ({
  uhd: { days: between(-20, 40) },
  lopendeHerregistratie: { volgnummer: between(200, 9_999), ingediend: { days: -between(21, 60) } },
});

const specialist: Situation = () => ({
  uhd: { months: between(3, 50) },
  specialistTot: { months: between(3, 55) },
  aantekeningen: [
    {
      soort: 'specialisme',
      omschrijving: faker.helpers.arrayElement(SPECIALISMEN),
      van: { years: -between(1, 5) },
      openbaar: true,
    },
  ],
});

const geschorst: Situation = () => {
  const months = between(1, 9);
  const [op, tot] = [{ months: months - 12 }, { months }];
  return {
    uhd: { months: between(2, 40) },
    status: { soort: 'geschorst', op, tot, reden: 'Schorsing door het tuchtcollege' },
    aantekeningen: [
      { soort: 'maatregel', omschrijving: 'Schorsing voor de duur van een jaar', van: op, tot, openbaar: true },
    ],
  };
};

const voorlopigGeschorst: Situation = () => {
  const op = { days: -between(3, 90) };
  return {
    uhd: { months: between(2, 40) },
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
    status: { soort: 'doorgehaald', op: { months }, reden: 'Niet geherregistreerd' },
  };
};

const doorgehaald =
  (reden: string): Situation =>
  () => ({
    uhd: { months: between(2, 30) },
    status: { soort: 'doorgehaald', op: { months: -between(1, 30) }, reden },
  });

const nietGeregistreerd: Situation = () => null;

/** About six in ten plainly registered, the rest spread over every other state. */
const SITUATIONS: readonly { weight: number; value: Situation }[] = [
  { weight: 60, value: geregistreerd },
  { weight: 8, value: aanDeBeurt },
  { weight: 5, value: aanvraagLoopt },
  { weight: 6, value: specialist },
  { weight: 4, value: geschorst },
  { weight: 2, value: voorlopigGeschorst },
  { weight: 7, value: nietGeherregistreerd },
  { weight: 2, value: doorgehaald('Op eigen verzoek') },
  { weight: 1, value: doorgehaald('Tuchtmaatregel') },
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

/** The register itself is not older than this. */
const REGISTER_YEARS = 28;

/** The highest age at which people here still work. */
const PENSION = 67;

/**
 * The person called `burger-<n>`: made by faker from n alone, so the same on every machine and in every run.
 * Null when the slug is not of that form.
 */
export function burger(slug: string): Person | null {
  const n = Number(/^burger-(\d+)$/.exec(slug)?.[1]);
  if (!Number.isSafeInteger(n)) return null;
  faker.seed(n);
  const beroep = faker.helpers.weightedArrayElement(BEROEPEN.map((value) => ({ weight: value.weight, value })));
  const drawn = faker.helpers.weightedArrayElement([...SITUATIONS]);
  // These specialisms are of artsen; in another profession the draw means plainly registered.
  const situation = drawn === specialist && beroep.code !== '01' ? geregistreerd : drawn;
  const geslacht = faker.helpers.weightedArrayElement([
    { weight: 7, value: 'V' as const },
    { weight: 3, value: 'M' as const },
  ]);
  const [voorvoegsel, geslachtsnaam] = surname(faker.person.lastName());
  const voornamen = faker.helpers.arrayElement(VOORNAMEN[geslacht]);
  const leeftijd = between(beroep.age + 7, PENSION);
  const graduated = { years: beroep.age - leeftijd, months: -between(1, 9), days: -between(0, 27) };
  const plain: PersonRegistratie = {
    nummer: `90${1_000_000 + n}${beroep.code}`,
    sinds: { ...graduated, years: Math.max(graduated.years, -REGISTER_YEARS), months: graduated.months + 1 },
    uhd: null,
  };
  const registratie = situation();
  return {
    bsn: null,
    naam: { voornamen, ...(voorvoegsel && { voorvoegsel }), geslachtsnaam },
    geslacht,
    leeftijd,
    verjaardag: `${pad(between(1, 12))}-${pad(between(1, 28))}`,
    verblijfplaats: address(),
    registraties: registratie === null ? [] : [{ ...plain, ...registratie }],
    diplomas: beroep.opleiding
      ? [
          {
            opleiding: beroep.opleiding,
            instelling: faker.helpers.arrayElement([...beroep.instellingen]),
            behaaldOp: graduated,
          },
        ]
      : [],
  };
}

/** faker gives "van den Berg" in one; registers keep the prefix apart. */
function surname(lastName: string): [voorvoegsel: string, geslachtsnaam: string] {
  const at = lastName.search(/\p{Lu}/u);
  return [lastName.slice(0, at).trim(), lastName.slice(at)];
}

function address(): Person['verblijfplaats'] {
  const { woonplaats, gemeente, postcodes } = faker.helpers.arrayElement([...PLAATSEN]);
  const huisletter = faker.helpers.maybe(() => faker.helpers.arrayElement(['A', 'B', 'C']), { probability: 0.12 });
  const toevoeging = faker.helpers.maybe(() => faker.helpers.arrayElement(['1', '2', '3', 'III', 'hs']), {
    probability: 0.08,
  });
  return {
    soort: 'adres',
    straat: faker.helpers.arrayElement(STRATEN),
    huisnummer: between(1, 240),
    ...(huisletter && { huisletter }),
    ...(toevoeging && { toevoeging }),
    // Letters as the post uses them: no F, I, O, Q, U and Y.
    postcode: `${between(...postcodes)}${faker.string.fromCharacters('ABCDEGHJKLMNPRSTVWXZ', 2)}`,
    woonplaats,
    gemeente,
  };
}

const pad = (number: number): string => String(number).padStart(2, '0');
