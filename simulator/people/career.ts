import type { Loopbaan } from '../../fixtures/burgers/careers.ts';
import { KANSEN } from '../../fixtures/burgers/chances.ts';
import { dayOf } from '../../src/domain/workdays.ts';
import { plusYears, workdayOnOrBefore } from './days.ts';
import type { Draw } from './draw.ts';

/** The career of a generated citizen. Its dates are day numbers (days since 1970). */
export interface Career {
  readonly leeftijd: number;
  readonly diploma: number;
  /** Day of registration; null for a person who is not registered. */
  readonly sinds: number | null;
  /** Periods of registration up to today, the current or last one at the end. */
  readonly terms: readonly Term[];
}

/**
 * A period of registration: from the registration or the decision on renewal (herregistratie) to the UHD (uiterste
 * herregistratiedatum, last date for renewal). Its dates are day numbers (days since 1970).
 */
export interface Term {
  readonly from: number;
  readonly uhd: number;
  /** Day on which the person asks for the next period. */
  readonly request: number;
}

const YEAR = 365.25;
/** Age in years at which most people stop working. */
const PENSION = 67;
const MAX_AGE = 75;

/**
 * Returns a random career of a person who is or was registered. With `isOld`, the first period of registration has
 * ended. `terms` is the source of random choices for the periods, and `draw` for everything else.
 */
export function drawCareer(draw: Draw, terms: Draw, today: number, loopbaan: Loopbaan, isOld: boolean): Career {
  const ageThen = loopbaan.age + (draw.chance(15) ? draw.between(3, 15) : draw.between(0, 2));
  const longest = (today - dayOf(loopbaan.diplomasSinds)) / YEAR - 0.1;
  const first = draw.chance(KANSEN.eersteTermijn) && !isOld;
  const last = draw.chance(KANSEN.na67) ? MAX_AGE : PENSION;
  // More people are at the beginning of a career than at its end.
  const part = (draw.between(0, 9_999) / 10_000) ** 1.3;
  const from = first ? 0.4 : isOld ? 6 : 5.05;
  const years = from + part * Math.max(0, Math.min(first ? 4.9 : last - ageThen, longest) - from);
  const diploma = graduationDay(today - Math.round(years * YEAR));
  const sinds = registrationDay(draw, today, diploma, loopbaan);
  return {
    leeftijd: Math.min(MAX_AGE, Math.floor(ageThen + years)),
    diploma,
    sinds,
    terms: termsOf(terms, today, sinds, diploma, loopbaan),
  };
}

/**
 * Returns a random career of a person who is not registered: of a recent graduate or, for a profession that the
 * register no longer has (`registerTot`), of a graduate of any year.
 */
export function drawStart(draw: Draw, today: number, { age, registerTot, diplomasSinds }: Loopbaan): Career {
  const ageThen = age + (draw.chance(15) ? draw.between(3, 12) : draw.between(0, 2));
  const longest = Math.min((PENSION - ageThen) * YEAR, today - dayOf(diplomasSinds) - 30);
  const days = registerTot !== undefined ? draw.between(30, Math.floor(longest)) : draw.between(3, 140);
  return { leeftijd: Math.floor(ageThen + days / YEAR), diploma: graduationDay(today - days), sinds: null, terms: [] };
}

/** About two weeks earlier when the last workday on or before `day` is around New Year. */
function graduationDay(day: number): number {
  const date = new Date(day * 86_400_000);
  const late = date.getUTCMonth() === 11 && date.getUTCDate() > 20;
  const early = date.getUTCMonth() === 0 && date.getUTCDate() < 4;
  return workdayOnOrBefore(late || early ? day - 16 : day);
}

// Some weeks after the diploma. When the register did not have the profession yet, it is in about the first fifteen
// years of the profession in the register.
function registrationDay(draw: Draw, today: number, diploma: number, { registerSinds }: Loopbaan): number {
  const opened = dayOf(registerSinds);
  const soon = diploma + draw.between(8, 110);
  const inFirstYears = draw.chance(25);
  const part = draw.between(0, 9_999) / 10_000;
  const room = Math.min(inFirstYears ? 730 : 15 * YEAR, today - opened - 200);
  return workdayOnOrBefore(soon >= opened + 5 ? soon : opened + 5 + Math.floor(part * room));
}

/**
 * Returns the periods of registration up to today; the last item is the current period. A period ends five years after
 * the diploma, the registration or the decision on renewal (domain.md 1.3). The first period does not end before
 * `eersteUhd` of the profession while that date is in the future.
 */
export function termsOf(draw: Draw, today: number, sinds: number, diploma: number, { eersteUhd }: Loopbaan): Term[] {
  const terms: Term[] = [];
  let from = sinds;
  const first = plusYears(sinds - diploma < 130 ? diploma : sinds, 5);
  // No registration can have been renewed before the first deadline of its profession.
  let uhd = dayOf(eersteUhd) > today ? Math.max(first, dayOf(eersteUhd)) : first;
  for (;;) {
    const decision = uhd - draw.between(10, 120);
    terms.push({ from, uhd, request: decision - draw.between(14, 50) });
    if (decision > today) return terms;
    from = decision;
    uhd = plusYears(decision, 5);
  }
}
