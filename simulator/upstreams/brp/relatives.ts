/**
 * The parents, partner and children of a person in the BRP. The partner can come from the fixture; the others are
 * random, but always the same for one person.
 */
import { createHash } from 'node:crypto';
import { faker } from '@faker-js/faker/locale/nl';
import type { Gemeente, Geslacht, Land, PartlyKnown } from '../../../fixtures/brp.ts';
import { KANSEN } from '../../../fixtures/burgers/chances.ts';
import { type Familie, familieMetNaam } from '../../../fixtures/burgers/families.ts';
import { VOORNAMEN } from '../../../fixtures/burgers/first-names.ts';
import { PLAATSEN } from '../../../fixtures/burgers/places.ts';
import type { Offset } from '../../../fixtures/offset.ts';
import { dateAt, dayOf } from '../../../src/domain/workdays.ts';
import { isSundayOrHoliday, workdayOnOrBefore } from '../../people/days.ts';
import { createDraw, createRandom, type Draw } from '../../people/draw.ts';
import { splitSurname, surnameOf } from '../../people/names.ts';
import type { Resident } from '../../people/resident.ts';
import { titelOf } from './adressering.ts';
import { GESLACHT, knownLand, type Naam, NEDERLAND, naamOf, toBrpDate, toPartialBrpDate, value } from './words.ts';

export interface Relatives {
  /** A source of random choices for other data about this person. */
  readonly draw: Draw;
  /**
   * The partner, with the wedding day (`sinds`), for a former one the day on which it ended (`tot`), and for a wedding
   * abroad its country; null for no partner.
   */
  readonly partner:
    | (Naam & {
        readonly geslacht: Geslacht;
        readonly soort: 'huwelijk' | 'geregistreerd partnerschap';
        readonly sinds: string;
        readonly tot?: string | undefined;
        readonly land: Land | undefined;
      })
    | null;

  readonly ouders: readonly object[];
  readonly kinderen: readonly { readonly geboorte: { readonly datum: { readonly datum: string } } }[];
}

/**
 * Returns the relatives of a resident. `at` converts a relative date of the fixture to `YYYY-MM-DD`. Random weddings
 * and births of children are before `end`: the day of death or emigration, or today.
 */
export function relativesOf(
  { person, naam, geboortedatum }: Resident,
  at: (offset: Offset) => string,
  end: string,
): Relatives {
  const hash = createHash('sha256').update(`${naam}/${person.verjaardag}/${person.geslacht}`).digest('hex');
  faker.seed(Number.parseInt(hash.slice(0, 8), 16));
  const draw = createDraw(() => faker.number.float());
  const born = Number(geboortedatum.slice(0, 4));
  const { naam: own, geslacht, leeftijd, brp = {} } = person;
  const familie = familieMetNaam([own.voorvoegsel, own.geslachtsnaam].filter(Boolean).join(' '));
  const drawSurname = () => splitSurname(familie ? draw.pick(familie.achternamen) : faker.person.lastName());
  const mother = drawSurname();
  const ouders = (['V', 'M'] as const).map((parent, index) => {
    const year = born - draw.between(22, 36);
    return {
      ouderAanduiding: String(index + 1),
      geslacht: GESLACHT[parent],
      datumIngangFamilierechtelijkeBetrekking: toBrpDate(geboortedatum),
      naam: naamOf({
        voornamen: drawFirstName(draw, year, parent, familie),
        ...(parent === 'V' ? mother : surnameOf(own)),
      }),
      geboorte: drawBirth(draw, year, familie?.land ?? brp.geboren?.land),
    };
  });
  // Before the immigration, children are born and people marry in the other country.
  const { immigratie } = brp;
  const landIn = (date: string) => (immigratie && date < at(immigratie.op) ? immigratie.land : undefined);
  const other = geslacht === 'V' ? 'M' : 'V';
  const married = draw.chance(55) && leeftijd >= 27;
  const drawn = {
    voornamen: drawFirstName(draw, born - draw.between(-3, 4), other, familie),
    ...drawSurname(),
    geslacht: other,
    sinds: weddingDay(
      `${Math.min(born + leeftijd - 1, born + draw.between(25, 38))}-0${draw.between(4, 9)}-${draw.between(10, 28)}`,
    ),
  } as const;
  const facts = {
    year: born,
    geslacht: geslacht === 'O' ? other : geslacht,
    familie,
    isAbroad: landIn(drawn.sinds) !== undefined,
  };
  const partner =
    brp.partner === undefined
      ? married && drawn.sinds < end
        ? // A generator of its own, so that the other relatives are the same as in earlier versions of this file.
          withKindOfUnion(createDraw(createRandom(Number.parseInt(hash.slice(8, 16), 16))), drawn, facts)
        : null
      : brp.partner && {
          ...brp.partner,
          soort: 'huwelijk' as const,
          sinds: at(brp.partner.sinds),
          tot: brp.partner.tot && at(brp.partner.tot),
        };
  const count = partner === null || leeftijd < 30 ? 0 : draw.between(0, 3);
  const family = geslacht === 'V' && partner !== null ? surnameOf(partner) : surnameOf(own);
  const taken: string[] = [];
  const drawnChildren = Array.from({ length: count }, (_, index) => {
    const year = born + Math.min(26 + 3 * index + draw.between(0, 2), leeftijd - 1);
    const child = draw.pick(['V', 'M'] as const);
    const voornamen = drawFirstName(draw, year, child, familie, taken);
    taken.push(voornamen);
    return { naam: naamOf({ voornamen, ...family }), geboorte: drawBirth(draw, year, landIn(String(year))) };
  });
  const kinderen =
    partner?.geslacht === geslacht
      ? []
      : withoutCloseBirths(drawnChildren.filter(({ geboorte }) => geboorte.datum.datum < end));
  return { draw, partner: partner && { ...partner, land: landIn(partner.sinds) }, ouders, kinderen };
}

/**
 * Returns the partners of a person on `today`: at most one. `born` is the year of birth of the person; the partner is
 * about as old.
 */
export function partnersOf({ draw, partner }: Relatives, born: number, known: PartlyKnown | undefined, today: string) {
  if (partner === null) return [];
  const { geslacht, soort, sinds, land, adellijkeTitelPredicaat: titel } = partner;
  return [
    {
      geslacht: GESLACHT[geslacht],
      soortVerbintenis: value(soort === 'huwelijk' ? 'H' : 'P', soort),
      naam: { ...naamOf(partner), ...(titel && { adellijkeTitelPredicaat: titelOf(titel, geslacht) }) },
      geboorte: drawBirth(draw, born + draw.between(-3, 4)),
      aangaanHuwelijkPartnerschap: {
        datum: toPartialBrpDate(sinds, known),
        ...(land ? knownLand(land) : { plaats: townOf(draw, Number(sinds.slice(0, 4))), land: NEDERLAND }),
      },
      ...(hasEnded(partner, today) && { ontbindingHuwelijkPartnerschap: { datum: toBrpDate(partner.tot) } }),
    },
  ];
}

/** True for a marriage or partnership that is over on this day. */
export const hasEnded = <Union extends { readonly tot?: string | undefined }>(
  union: Union,
  day: string,
): union is Union & { readonly tot: string } => union.tot !== undefined && union.tot <= day;

/** The first days on which people could have a registered partnership, and on which two women or two men could marry. */
const [FIRST_PARTNERSHIP, FIRST_SAME_SEX_MARRIAGE] = ['1998-01-01', '2001-04-01'];

interface UnionFacts {
  readonly year: number;
  readonly geslacht: 'M' | 'V';
  readonly familie: Familie | undefined;
  /** True when the person married in another country; there, this simulator knows only marriages of a woman and a man. */
  readonly isAbroad: boolean;
}

/** At random, it is a registered partnership, and the partner has the same sex as the person. */
function withKindOfUnion<Partner extends Naam & { readonly sinds: string; readonly geslacht: 'M' | 'V' }>(
  draw: Draw,
  partner: Partner,
  { year, geslacht, familie, isAbroad }: UnionFacts,
) {
  const [isRegistered, isSameSex] = [draw.chance(KANSEN.geregistreerdPartnerschap), draw.chance(KANSEN.gelijkGeslacht)];
  const isPartnership = isRegistered && !isAbroad && partner.sinds >= FIRST_PARTNERSHIP;
  const soort = isPartnership ? ('geregistreerd partnerschap' as const) : ('huwelijk' as const);
  const isPossible = !isAbroad && (isPartnership || partner.sinds >= FIRST_SAME_SEX_MARRIAGE);
  return isSameSex && isPossible
    ? { ...partner, soort, geslacht, voornamen: drawFirstName(draw, year, geslacht, familie) }
    : { ...partner, soort };
}

/** Returns a random municipality of this year. Larger municipalities have a higher chance. */
export const townOf = (draw: Draw, year: number): Gemeente =>
  gemeenteIn(draw.weighted(PLAATSEN, ({ inwoners }) => inwoners).gemeente, year);

/** Returns this municipality; when it did not exist yet in this year, returns an older municipality nearby. */
export function gemeenteIn(gemeente: Gemeente, year: number): Gemeente {
  const { sinds = 0, voorheen } = PLAATSEN.find((plaats) => plaats.gemeente.code === gemeente.code) ?? {};
  return sinds > year ? (PLAATSEN.find(({ woonplaats }) => woonplaats === voorheen)?.gemeente ?? gemeente) : gemeente;
}

/** Returns this day, or the workday before it when it is a Sunday or a holiday. */
const weddingDay = (day: string): string =>
  isSundayOrHoliday(dayOf(day)) ? dateAt(workdayOnOrBefore(dayOf(day))) : day;

/** Returns the children, but leaves out each child that is born less than 300 days after the previous child. */
function withoutCloseBirths<Child extends { readonly geboorte: { readonly datum: { readonly datum: string } } }>(
  children: readonly Child[],
): Child[] {
  const kept: Child[] = [];
  for (const child of children) {
    const before = kept.at(-1);
    const days = before ? dayOf(child.geboorte.datum.datum) - dayOf(before.geboorte.datum.datum) : 300;
    if (days >= 300) kept.push(child);
  }
  return kept;
}

/** In the country `land` or, when that is absent, in a random Dutch town. */
function drawBirth(draw: Draw, year: number, land?: Land) {
  const day = `${year}-${String(draw.between(1, 12)).padStart(2, '0')}-${String(draw.between(1, 28)).padStart(2, '0')}`;
  return { datum: toBrpDate(day), ...(land ? knownLand(land) : { plaats: townOf(draw, year), land: NEDERLAND }) };
}

/** Usual in the family or, without a family, in the year of birth. `taken` are the names of brothers and sisters. */
function drawFirstName(
  draw: Draw,
  year: number,
  geslacht: 'M' | 'V',
  familie: Familie | undefined,
  taken: readonly string[] = [],
): string {
  const decade = Math.min(2000, Math.max(1950, Math.floor(year / 10) * 10));
  const names = familie?.voornamen[geslacht] ?? VOORNAMEN[String(decade)]?.[geslacht] ?? [];
  return draw.pick(names.filter((name) => !taken.includes(name)));
}
