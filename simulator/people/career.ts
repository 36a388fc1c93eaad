import type { Loopbaan } from '../../fixtures/burgers/careers.ts';
import { KANSEN } from '../../fixtures/burgers/chances.ts';
import { dayOf, plusYears, workday } from './days.ts';
import type { Draw } from './draw.ts';

/** The career of a generated citizen. All dates are day numbers (days since 1970). */
export interface Career {
  /** Age in whole years today. */
  readonly leeftijd: number;
  readonly diploma: number;
  /** Day of registration; null for a person who is not registered. */
  readonly sinds: number | null;
  /** Periods of registration up to today, the current period last. */
  readonly terms: readonly Term[];
}

/**
 * A period of registration. It begins at the registration or at the decision on herregistratie (renewal), and ends at
 * the UHD (uiterste herregistratiedatum, the last date for renewal).
 */
export interface Term {
  readonly from: number;
  readonly uhd: number;
  /** Day on which the person submits the request for the next period. */
  readonly request: number;
}

const YEAR = 365.25;
/** Age in years at which nearly everybody stops working. */
const PENSION = 67;
/** Maximum age of a generated citizen, in years. */
const MAX_AGE = 75;

/**
 * Returns a random career of a person who is registered. With `old`, the career began so long ago that the first period
 * of registration has ended. The periods are drawn from `terms`, all other choices from `draw`.
 */
export function drawCareer(draw: Draw, terms: Draw, today: number, loopbaan: Loopbaan, old: boolean): Career {
  const ageThen = loopbaan.age + (draw.chance(15) ? draw.between(3, 15) : draw.between(0, 2));
  const longest = (today - dayOf(loopbaan.diplomasSinds)) / YEAR - 0.1;
  const first = draw.chance(KANSEN.eersteTermijn) && !old;
  const last = draw.chance(KANSEN.na67) ? MAX_AGE : PENSION;
  // More people are at the beginning of a career than at its end.
  const part = (draw.between(0, 9_999) / 10_000) ** 1.3;
  const from = first ? 0.4 : old ? 6 : 5.05;
  const years = from + part * Math.max(0, Math.min(first ? 4.9 : last - ageThen, longest) - from);
  const diploma = graduation(today - Math.round(years * YEAR));
  const sinds = registration(draw, today, diploma, loopbaan);
  return {
    leeftijd: Math.min(MAX_AGE, Math.floor(ageThen + years)),
    diploma,
    sinds,
    terms: termsOf(terms, today, sinds, diploma, loopbaan),
  };
}

/**
 * Returns a random career of a person who is not registered: a recent graduate, or a person of any age whose diploma
 * leads to a profession that the register no longer has (`registerTot`).
 */
export function drawStart(draw: Draw, today: number, { age, registerTot, diplomasSinds }: Loopbaan): Career {
  const ageThen = age + (draw.chance(15) ? draw.between(3, 12) : draw.between(0, 2));
  const longest = Math.min((PENSION - ageThen) * YEAR, today - dayOf(diplomasSinds) - 30);
  const days = registerTot !== undefined ? draw.between(30, Math.floor(longest)) : draw.between(3, 140);
  return {
    leeftijd: Math.floor(ageThen + days / YEAR),
    diploma: graduation(today - days),
    sinds: null,
    terms: [],
  };
}

/** Returns the day of graduation: the given day, or an earlier workday that is not around Christmas and New Year. */
function graduation(day: number): number {
  const date = new Date(day * 86_400_000);
  const late = date.getUTCMonth() === 11 && date.getUTCDate() > 20;
  const early = date.getUTCMonth() === 0 && date.getUTCDate() < 4;
  return workday(late || early ? day - 16 : day);
}

/**
 * Returns a random workday of registration, some weeks after the diploma. For a diploma that is older than the
 * register, it is a day in the first fifteen years of the register, with a higher chance for its first two years.
 */
function registration(draw: Draw, today: number, diploma: number, { registerSinds }: Loopbaan): number {
  const opened = dayOf(registerSinds);
  const soon = diploma + draw.between(8, 110);
  const inFirstYears = draw.chance(25);
  const part = draw.between(0, 9_999) / 10_000;
  const room = Math.min(inFirstYears ? 730 : 15 * YEAR, today - opened - 200);
  return workday(soon >= opened + 5 ? soon : opened + 5 + Math.floor(part * room));
}

/**
 * Returns the periods of registration up to today, the current one last. The first period ends five years after the
 * diploma, or after the registration when that was much later. It does not end before the first deadline of the
 * profession, as long as that is in the future. Each next period ends five years after the decision on renewal
 * (domain.md 1.3).
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
