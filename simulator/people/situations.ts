/** Situations that generated citizens can have in the register, such as a suspension (docs/reference/personas.md). */

import type { Loopbaan, Specialisme } from '../../fixtures/burgers/careers.ts';
import { AANDELEN } from '../../fixtures/burgers/chances.ts';
import type { Offset } from '../../fixtures/offset.ts';
import type { PersonAantekening, PersonRegistratie } from '../../fixtures/registratie.ts';
import { dayOf } from '../../src/domain/workdays.ts';
import type { Career, Term } from './career.ts';
import { plusYears, workdayOnOrBefore } from './days.ts';
import type { Draw } from './draw.ts';

/** The name of a situation that a generated citizen gets at random. `gewoon` stands for an ordinary registration. */
export type SituationName = keyof typeof AANDELEN | 'gewoon';

/** `overleden` is the day of death as a day number; absent for a living person. */
export interface Particulars extends Partial<PersonRegistratie> {
  readonly overleden?: number;
}

/** The data from which the details of a situation are drawn. Dates are day numbers (days since 1970). */
export interface SituationInput {
  readonly draw: Draw;
  readonly today: number;
  readonly career: Career & { readonly sinds: number };
  readonly loopbaan: Loopbaan;
  /** Converts a day number to a date relative to today. */
  readonly at: (day: number) => Offset;
}

/** Draws a situation with the chances in `AANDELEN`; otherwise `gewoon`. */
export function drawSituation(draw: Draw): SituationName {
  let left = draw.between(0, 9_999);
  for (const [name, share] of Object.entries(AANDELEN)) {
    left -= share;
    if (left < 0) return name as SituationName;
  }
  return 'gewoon';
}

/** Functions that return the changes to the registration, keyed by situation. */
export const PARTICULARS: Readonly<
  Record<Exclude<SituationName, 'nietGeregistreerd'>, (input: SituationInput) => Particulars>
> = {
  gewoon: () => ({}),
  nietGeherregistreerd({ draw, today, career, loopbaan, at }) {
    const missed = career.terms.filter(({ uhd }) => uhd < today && uhd >= dayOf(loopbaan.eersteUhd));
    if (missed.length === 0) return {};
    const { uhd } = draw.pick(missed);
    return { uhd: at(uhd), status: { soort: 'doorgehaald', op: at(uhd + 1), reden: 'Niet geherregistreerd' } };
  },
  opEigenVerzoek: (input) => struckOff(input, 'Op eigen verzoek'),
  overlijden(input) {
    const overleden = dayWithin(input, 3 * 365);
    return { ...struckOff(input, 'Overlijden', overleden), overleden };
  },
  tuchtmaatregel(input) {
    const ended = struckOff(input, 'Tuchtmaatregel');
    return { ...ended, aantekeningen: [maatregel('Doorhaling van de inschrijving', ended.status?.op ?? {})] };
  },
  geschorst(input) {
    const [days, text] = input.draw.pick(SUSPENSIONS);
    const op = someDay(input, days - 2);
    const [van, tot] = [input.at(op), input.at(op + days)];
    return {
      status: { soort: 'geschorst', op: van, tot, reden: 'Schorsing door het tuchtcollege' },
      // `tot` of a suspension is the first day after it; the note names the last day of it.
      aantekeningen: [maatregel(`Schorsing voor de duur van ${text}`, van, input.at(op + days - 1))],
    };
  },
  voorlopigGeschorst(input) {
    const op = input.at(someDay(input, 90));
    return {
      status: { soort: 'geschorst', op, tot: null, reden: 'Schorsing bij voorlopige voorziening' },
      aantekeningen: [maatregel('Schorsing bij voorlopige voorziening', op)],
    };
  },
  berisping(input) {
    const op = someDay(input, 4 * 365);
    return { aantekeningen: [maatregel('Berisping', input.at(op), input.at(plusYears(op, 5)))] };
  },
  bevel(input) {
    const van = input.at(someDay(input, 2 * 365));
    return { aantekeningen: [{ soort: 'beperking', omschrijving: BEVEL, van, openbaar: true }] };
  },
};

/** Returns the changes that a random specialism makes to a registration; null when the citizen gets none. */
export function drawSpecialisme({ draw, today, career, loopbaan, at }: SituationInput): Particulars | null {
  const wanted = draw.chance(loopbaan.specialisten ?? 0);
  const part = draw.between(0, 9_999) / 10_000;
  const earliest = ([, , years, since]: Specialisme) =>
    Math.max(plusYears(career.diploma, years), dayOf(since), plusYears(career.sinds, 2)) + 3;
  const possible = (loopbaan.specialismen ?? []).filter((one) => earliest(one) < today - 5);
  if (!wanted || possible.length === 0) return null;
  const chosen = draw.weighted(possible, ([, weight]) => weight);
  // Most people become a specialist soon after the training, and none more than eight years later.
  const room = Math.min(today - 5 - earliest(chosen), 8 * 365);
  const van = workdayOnOrBefore(earliest(chosen) + Math.floor(part * part * room));
  let tot = plusYears(van, 5);
  for (let terms = 2; tot <= today; terms += 1) tot = plusYears(van, 5 * terms);
  // A specialist need not renew (domain.md 1.3), so the term in which the specialism began is the last one.
  const last = termOn(career.terms, van);
  return {
    ...(last !== undefined && { uhd: at(last.uhd) }),
    specialistTot: at(tot),
    aantekeningen: [{ soort: 'specialisme', omschrijving: chosen[0], van: at(van), openbaar: true }],
  };
}

/** Returns the period of registration that contains a day number; undefined when there is none. */
export const termOn = (terms: readonly Term[], day: number): Term | undefined =>
  terms.find(({ uhd }, index) => day <= uhd && (terms[index + 1]?.from ?? Number.POSITIVE_INFINITY) > day);

/** The default day is a random workday in about the last eight years. */
function struckOff(input: SituationInput, reden: string, day = someDay(input, 8 * 365)): Particulars {
  const { career, at } = input;
  const uhd = termOn(career.terms, day)?.uhd;
  return { ...(uhd !== undefined && { uhd: at(uhd) }), status: { soort: 'doorgehaald', op: at(day), reden } };
}

/** At least ten days after the registration, unless the registration was less than eleven days ago. */
const dayWithin = ({ draw, today, career }: SituationInput, days: number): number =>
  today - draw.between(1, Math.max(1, Math.min(days, today - career.sinds - 10)));

/** Returns a random workday in about the last `days` days, not before the registration. */
const someDay = (input: SituationInput, days: number): number =>
  Math.max(input.career.sinds, workdayOnOrBefore(dayWithin(input, days)));

function maatregel(omschrijving: string, van: Offset, tot?: Offset): PersonAantekening {
  return { soort: 'maatregel', omschrijving, van, ...(tot && { tot }), openbaar: true };
}

/** Usual suspensions: the number of days, and the Dutch words for that period. */
const SUSPENSIONS = [
  [14, 'twee weken'],
  [28, 'vier weken'],
  [61, 'twee maanden'],
  [91, 'drie maanden'],
  [182, 'zes maanden'],
  [274, 'negen maanden'],
  [365, 'een jaar'],
] as const;
const BEVEL = 'Bevoegdheidsbeperkend bevel: werkt alleen onder toezicht van een collega';
