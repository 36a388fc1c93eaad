import { faker } from '@faker-js/faker/locale/nl';
import { PLAATSEN, STRATEN, VOORNAMEN } from '../../fixtures/burgers.ts';
import { LOOPBANEN, type Loopbaan } from '../../fixtures/loopbanen.ts';
import type { Offset, Person } from '../../fixtures/person.ts';
import { between, geregistreerd, nietGeregistreerd, SITUATIONS, type Situation, specialist } from './situations.ts';

/** The highest age at which people here still work. */
const PENSION = 67;
/** Years from the diploma: of someone whom the register knows, and of a specialist, who studied on. */
const EXPERIENCE = 7;
const SPECIALIST_EXPERIENCE = 12;

/**
 * The person called `burger-<n>`: made by faker from n alone, so the same on every machine and in every run.
 * Null when the slug is not of that form.
 */
export function burger(slug: string): Person | null {
  const n = Number(/^burger-(\d+)$/.exec(slug)?.[1]);
  if (!Number.isSafeInteger(n)) return null;
  faker.seed(n);
  const loopbaan = faker.helpers.weightedArrayElement(LOOPBANEN.map((value) => ({ weight: value.weight, value })));
  const situation = possible(faker.helpers.weightedArrayElement([...SITUATIONS]), loopbaan);
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
    verblijfplaats: place(),
    ...(between(1, 40) === 1 && { geheim: true as const }),
    ...registered(`90${1_000_000 + n}${loopbaan.code}`, situation, loopbaan, behaaldOp),
    diplomas: loopbaan.opleiding
      ? [
          {
            opleiding: loopbaan.opleiding,
            instelling: faker.helpers.arrayElement([...loopbaan.instellingen]),
            behaaldOp,
          },
        ]
      : [],
  };
}

/** The specialisms are of artsen, and without a term there is no deadline: another draw then means plainly registered. */
function possible(drawn: Situation, { code, withoutTerm }: Loopbaan): Situation {
  if (drawn === specialist && code !== '01') return geregistreerd;
  return withoutTerm && drawn !== nietGeregistreerd ? geregistreerd : drawn;
}

/** How old someone is, and when they graduated: just now when not registered yet, else some years ago. */
function career(situation: Situation, { age, diplomasFor }: Loopbaan): { leeftijd: number; behaaldOp: Offset } {
  if (situation === nietGeregistreerd) {
    return { leeftijd: age + between(0, 3), behaaldOp: { months: -between(0, 4), days: -between(3, 27) } };
  }
  const least = situation === specialist ? SPECIALIST_EXPERIENCE : EXPERIENCE;
  const years = between(least, Math.min(PENSION - age, diplomasFor) - 1);
  return { leeftijd: age + years, behaaldOp: { years: -years, months: -between(1, 9), days: -between(0, 27) } };
}

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

/** faker gives "van den Berg" in one; registers keep the prefix apart. */
function surname(lastName: string): [voorvoegsel: string, geslachtsnaam: string] {
  const at = lastName.search(/\p{Lu}/u);
  return [lastName.slice(0, at).trim(), lastName.slice(at)];
}

/** One in fifty lives across the border. */
function place(): Person['verblijfplaats'] {
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
    // Letters as the post uses them: no F, I, O, Q, U and Y.
    postcode: `${between(...postcodes)}${faker.string.fromCharacters('ABCDEGHJKLMNPRSTVWXZ', 2)}`,
    woonplaats,
    gemeente,
  };
}

const pad = (number: number): string => String(number).padStart(2, '0');
