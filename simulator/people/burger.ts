import { faker } from '@faker-js/faker/locale/nl';
import type { PersonAanvraag } from '../../fixtures/aanvraag.ts';
import type { PersonBrp } from '../../fixtures/brp.ts';
import { LOOPBANEN, type Loopbaan } from '../../fixtures/burgers/careers.ts';
import { KANSEN } from '../../fixtures/burgers/chances.ts';
import { familieVan } from '../../fixtures/burgers/families.ts';
import { VOORNAMEN } from '../../fixtures/burgers/first-names.ts';
import { BUITENLAND } from '../../fixtures/burgers/places.ts';
import type { Instelling } from '../../fixtures/diploma.ts';
import type { Offset } from '../../fixtures/offset.ts';
import { INSTELLING_SINDS } from '../../fixtures/opleidingen.ts';
import type { Person } from '../../fixtures/person.ts';
import { dateAt, dayOf } from '../../src/domain/workdays.ts';
import { type Career, drawCareer, drawStart } from './career.ts';
import { createDraw, createRandom, type Draw } from './draw.ts';
import { drawHome } from './home.ts';
import { splitSurname } from './names.ts';
import { withRareFacts } from './rare-facts.ts';
import {
  drawSituation,
  drawSpecialisme,
  PARTICULARS,
  type SituationInput,
  type SituationName,
  termOn,
} from './situations.ts';

const drawFrom = (seed: number): Draw => createDraw(createRandom(seed));

/** Fixed, so that a citizen keeps the same name in later years. */
const NAMES_IN = 2026;

/**
 * Returns the generated citizen `burger-<n>`, with dates relative to `firstDay` (`YYYY-MM-DD`); null for another slug.
 * The seed is n, so the citizen is the same on every machine. For another `firstDay`, nearly all relative dates are the
 * same.
 */
export function burger(slug: string, firstDay: string): Person | null {
  const n = Number(/^burger-(\d+)$/.exec(slug)?.[1]);
  if (!Number.isSafeInteger(n)) return null;
  faker.seed(n);
  const draw = createDraw(() => faker.number.float());
  const today = dayOf(firstDay);
  const at = (day: number): Offset => ({ days: day - today });
  const loopbaan = draw.weighted(LOOPBANEN, ({ weight }) => weight);
  const drawn = loopbaan.registerTot !== undefined ? 'nietGeregistreerd' : drawSituation(draw);
  const forSex = draw.between(0, 9_999) / 100;
  const verjaardag = `${pad(draw.between(1, 12))}-${pad(draw.between(1, 28))}`;
  const achternaam = faker.person.lastName();
  const verblijfplaats = drawAddress(draw);
  const geheim = draw.chance(KANSEN.geheim);
  const berichtenbox = draw.chance(KANSEN.berichtenbox);
  // Most people abroad have lived here. The others are Belgians, who were never a resident.
  const abroad = verblijfplaats.soort === 'buitenland' ? verblijfplaats : null;
  const leaves = abroad !== null && (draw.chance(70) || abroad.land.code !== BELGIE);
  const left = leaves ? today - draw.between(60, 3_000) : null;
  // Each part has a generator of its own, because the number of draws depends on the first day.
  const [careers, terms, register] = [drawFrom(n + 2e9), drawFrom(n + 4e9), drawFrom(n + 6e9)];
  const career =
    drawn === 'nietGeregistreerd'
      ? drawStart(careers, today, loopbaan)
      : drawCareer(careers, terms, today, loopbaan, drawn === 'nietGeherregistreerd');
  const geslacht = forSex < womenOf(loopbaan, career.leeftijd) ? 'V' : 'M';
  const voornaam = draw.pick(VOORNAMEN[decade(career.leeftijd)]?.[geslacht] ?? []);
  const serial = `90${1_000_000 + n}`;
  const { overleden, ...inRegister } = drawRegistration(register, n, today, career, loopbaan, drawn);
  const instelling = loopbaan.opleiding && drawInstelling(draw, loopbaan, career.diploma);
  const familie = familieVan(voornaam);
  const surname = splitSurname(familie ? draw.pick(familie.achternamen) : achternaam);
  const person: Person = {
    bsn: null,
    naam: { voornamen: voornaam, ...surname },
    geslacht,
    leeftijd: career.leeftijd,
    verjaardag,
    verblijfplaats,
    ...(geheim && { geheim: true as const }),
    ...(berichtenbox && { berichtenbox: true as const }),
    ...(overleden && { overleden }),
    ...(abroad && {
      brp: left === null ? belgianBrp(abroad) : { emigratie: at(leftOn(left, career, today, overleden)) },
    }),
    ...inRegister,
    ...(drawn === 'nietGeregistreerd' && loopbaan.registerTot === undefined && { beoogdBeroep: loopbaan.code }),
    diplomas:
      loopbaan.opleiding && instelling
        ? [{ opleiding: loopbaan.opleiding, instelling, behaaldOp: at(career.diploma) }]
        : [],
  };
  return withRareFacts(drawFrom(n + 8e9), {
    person,
    career,
    loopbaan,
    familie,
    today,
    serial,
    isOrdinary: drawn === 'gewoon',
    decade: decade(career.leeftijd),
    drawSurname: () => splitSurname(familie ? draw.pick(familie.achternamen) : faker.person.lastName()),
  });
}

function womenOf({ vrouwen }: Loopbaan, leeftijd: number): number {
  if (typeof vrouwen === 'number') return vrouwen;
  const [young, middle, old] = vrouwen;
  return leeftijd < 40 ? young : leeftijd < 55 ? middle : old;
}

function drawInstelling(draw: Draw, { instellingen }: Loopbaan, diploma: number): Instelling {
  const drawn = draw.pick(instellingen);
  const year = Number(dateAt(diploma).slice(0, 4));
  const existed = ({ code }: Instelling) => (INSTELLING_SINDS[code] ?? 0) <= year;
  return existed(drawn) ? drawn : draw.pick(instellingen.filter(existed));
}

/** Not earlier than 20 days after the diploma, and not later than two days before the death or today. */
const leftOn = (drawn: number, { diploma }: Career, today: number, overleden: Offset | undefined): number =>
  Math.min(Math.max(drawn, diploma + 20), today - 2 + (overleden?.days ?? 0));

const BELGIE = '5010';

/** Returns the BRP data of a Belgian who lives in Belgium and was never a resident of the Netherlands. */
const belgianBrp = ({ regels, land }: Extract<Person['verblijfplaats'], { soort: 'buitenland' }>): PersonBrp => ({
  geboren: { plaats: regels[1]?.replace(/^\d+ /, '') ?? '', land },
  nationaliteit: { code: '0052', omschrijving: 'Belgische' },
  partner: null,
});

function drawRegistration(
  draw: Draw,
  n: number,
  today: number,
  { sinds, ...rest }: Career,
  loopbaan: Loopbaan,
  drawn: SituationName,
): Pick<Person, 'registraties' | 'aanvragen' | 'overleden'> {
  if (sinds === null || drawn === 'nietGeregistreerd') return { registraties: [] };
  const at = (day: number): Offset => ({ days: day - today });
  const input: SituationInput = { draw, today, career: { sinds, ...rest }, loopbaan, at };
  const { overleden, ...particulars } = PARTICULARS[drawn](input);
  const current = termOn(rest.terms, today);
  const specialisme = particulars.status === undefined ? drawSpecialisme(input) : null;
  const waits = current !== undefined && current.request <= today && !specialisme && !particulars.status;
  const aantekeningen = [...(specialisme?.aantekeningen ?? []), ...(particulars.aantekeningen ?? [])];
  return {
    registraties: [
      {
        nummer: `90${1_000_000 + n}${loopbaan.code}`,
        sinds: at(sinds),
        uhd: at(current?.uhd ?? today),
        ...specialisme,
        ...particulars,
        ...(aantekeningen.length > 0 && { aantekeningen }),
      },
    ],
    ...(overleden !== undefined && { overleden: at(overleden) }),
    ...(waits && { aanvragen: renewalRequest(n, at(current.request)) }),
  };
}

/** Empty when the number in its reference would be above `LAST_REFERENCE`. */
const renewalRequest = (n: number, ingediend: Offset): PersonAanvraag[] =>
  FIRST_REFERENCE + n > LAST_REFERENCE
    ? []
    : [{ type: 'herregistratie', tag: 'InBehandeling', ingediend, volgnummer: FIRST_REFERENCE + n, manual: true }];

/** The lowest and highest number in references of the applications of generated citizens. */
const [FIRST_REFERENCE, LAST_REFERENCE] = [100_000, 899_999];

/** Returns the decade of birth, such as `1980`, for an age in years. */
const decade = (leeftijd: number): string => String(Math.floor((NAMES_IN - leeftijd) / 10) * 10);

function drawAddress(draw: Draw): Person['verblijfplaats'] {
  const number = draw.between(1, 120);
  if (draw.chance(KANSEN.buitenland)) {
    const { land, straten, plaatsen } = draw.pick(BUITENLAND);
    return { soort: 'buitenland', regels: [`${draw.pick(straten)} ${number}`, draw.pick(plaatsen)], land };
  }
  return drawHome(draw, number);
}

const pad = (number: number): string => String(number).padStart(2, '0');
