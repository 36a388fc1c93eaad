import { faker } from '@faker-js/faker/locale/nl';
import { PLAATSEN, STRATEN, VOORNAMEN } from '../../fixtures/burgers.ts';
import { LOOPBANEN, type Loopbaan } from '../../fixtures/loopbanen.ts';
import type { Offset, Person } from '../../fixtures/person.ts';
import { between, geregistreerd, nietGeregistreerd, SITUATIONS, type Situation, specialist } from './situations.ts';

/** Maximum age of a professional, in years. */
const MAX_AGE = 67;
/** Minimum number of years since the diploma of a registered professional. */
const MIN_EXPERIENCE = 7;
/** The same for a specialist, who studied longer. */
const MIN_SPECIALIST_EXPERIENCE = 12;

/**
 * Returns the generated citizen `burger-<n>`; null when the slug has another form. faker is seeded with n, so the
 * citizen is the same on every machine and in every run.
 */
export function burger(slug: string): Person | null {
  const n = Number(/^burger-(\d+)$/.exec(slug)?.[1]);
  if (!Number.isSafeInteger(n)) return null;
  faker.seed(n);
  const loopbaan = faker.helpers.weightedArrayElement(LOOPBANEN.map((value) => ({ weight: value.weight, value })));
  const situation = possibleSituation(faker.helpers.weightedArrayElement([...SITUATIONS]), loopbaan);
  const geslacht = faker.helpers.weightedArrayElement([
    { weight: 7, value: 'V' as const },
    { weight: 3, value: 'M' as const },
  ]);
  const [voorvoegsel, geslachtsnaam] = surname(faker.person.lastName());
  const voornamen = faker.helpers.arrayElement(VOORNAMEN[geslacht]);
  const { leeftijd, behaaldOp } = career(situation, loopbaan);
  return {
    bsn: null,
    naam: { voornamen, ...(voorvoegsel && { voorvoegsel }), geslachtsnaam },
    geslacht,
    leeftijd,
    verjaardag: `${pad(between(1, 12))}-${pad(between(1, 28))}`,
    verblijfplaats: randomAddress(),
    ...(between(1, 40) === 1 && { geheim: true as const }),
    ...registered(`90${1_000_000 + n}${loopbaan.code}`, situation, loopbaan, behaaldOp),
    ...(situation === nietGeregistreerd && { beoogdBeroep: loopbaan.code }),
    diplomas: loopbaan.opleiding
      ? [
          {
            opleiding: loopbaan.opleiding,
            instelling: faker.helpers.arrayElement([...loopbaan.instellingen]),
            behaaldOp,
          },
        ]
      : [],
    // Drawn last, so that everything above is the same as without it. Six in ten have activated it.
    ...(between(1, 10) <= 6 && { berichtenbox: true as const }),
  };
}

/**
 * Returns the drawn situation when it can occur in this career, otherwise `geregistreerd`. Only doctors can be a
 * specialist. A profession of art. 36a has only old registrations, which the register has ended by law.
 */
function possibleSituation(drawn: Situation, { code, withoutTerm }: Loopbaan): Situation {
  if (drawn === specialist && code !== '01') return geregistreerd;
  return withoutTerm ? geregistreerd : drawn;
}

/** Returns age and date of the diploma: recent for a person who is not registered yet, otherwise some years ago. */
function career(situation: Situation, { age, diplomasFor }: Loopbaan): { leeftijd: number; behaaldOp: Offset } {
  if (situation === nietGeregistreerd) {
    return { leeftijd: age + between(0, 3), behaaldOp: { months: -between(0, 4), days: -between(3, 27) } };
  }
  const minimum = situation === specialist ? MIN_SPECIALIST_EXPERIENCE : MIN_EXPERIENCE;
  const years = between(minimum, Math.min(MAX_AGE - age, diplomasFor) - 1);
  return { leeftijd: age + years, behaaldOp: { years: -years, months: -between(1, 9), days: -between(0, 27) } };
}

/** Returns the registration and requests of a citizen. */
function registered(
  nummer: string,
  situation: Situation,
  loopbaan: Loopbaan,
  behaaldOp: Offset,
): Pick<Person, 'registraties' | 'aanvragen'> {
  const state = situation();
  if (state === null) return { registraties: [] };
  const { years = 0, months = 0, days = 0 } = behaaldOp;
  const { aanvragen = [], ...particulars } = state;
  const sinds = { years: Math.max(years, -loopbaan.registeredFor), months: months + 1, days };
  return {
    registraties: [{ nummer, sinds, uhd: null, ...particulars, ...(loopbaan.withoutTerm && { uhd: null }) }],
    aanvragen,
  };
}

/** Splits a surname from faker ("van den Berg") into prefix and surname, as the registers store it. */
function surname(lastName: string): [voorvoegsel: string, geslachtsnaam: string] {
  const at = lastName.search(/\p{Lu}/u);
  return [lastName.slice(0, at).trim(), lastName.slice(at)];
}

/** Returns a random address; one in fifty is in Belgium or Germany. */
function randomAddress(): Person['verblijfplaats'] {
  if (between(1, 50) === 1) {
    const land = faker.helpers.arrayElement([
      { code: '5010', omschrijving: 'België', straat: 'Kerkstraat', plaats: '2060 Antwerpen' },
      { code: '9089', omschrijving: 'Bondsrepubliek Duitsland', straat: 'Lindenallee', plaats: '47533 Kleve' },
    ]);
    const regels = [`${land.straat} ${between(1, 240)}`, land.plaats];
    return { soort: 'buitenland', regels, land: { code: land.code, omschrijving: land.omschrijving } };
  }
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
    // A Dutch postcode has no F, I, O, Q, U or Y.
    postcode: `${between(...postcodes)}${faker.string.fromCharacters('ABCDEGHJKLMNPRSTVWXZ', 2)}`,
    woonplaats,
    gemeente,
  };
}

/** Returns a number with at least two digits. */
const pad = (number: number): string => String(number).padStart(2, '0');
