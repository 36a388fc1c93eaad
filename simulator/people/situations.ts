/** Situations that generated citizens can have in the register, such as a suspension (docs/reference/personas.md). */

import type { Loopbaan, Specialisme } from '../../fixtures/burgers/careers.ts';
import { AANDELEN } from '../../fixtures/burgers/chances.ts';
import type { Offset } from '../../fixtures/offset.ts';
import type { PersonAantekening, PersonRegistratie } from '../../fixtures/registratie.ts';
import type { Career, Term } from './career.ts';
import { dayOf, plusYears, workdayOnOrBefore } from './days.ts';
import type { Draw } from './draw.ts';

/** The name of a situation that a generated citizen gets at random. `gewoon` stands for an ordinary registration. */
export type Drawn = keyof typeof AANDELEN | 'gewoon';

/**
 * The changes that a situation makes to a registration. `overleden` is the day of death as a day number (days since
 * 1970); absent for a living person.
 */
export interface Particulars extends Partial<PersonRegistratie> {
  readonly overleden?: number;
}

/** The data from which the details of a situation are drawn. Dates are day numbers (days since 1970). */
export interface Drawing {
  readonly draw: Draw;
  readonly today: number;
  readonly career: Career & { readonly sinds: number };
  readonly loopbaan: Loopbaan;
  /** Converts a day number to a date relative to today. */
  readonly at: (day: number) => Offset;
}

/**
 * Returns a random situation for a generated citizen, with the chances in `AANDELEN`. Returns `gewoon` for all other
 * citizens.
 */
export function drawSituation(draw: Draw): Drawn {
  let left = draw.between(0, 9_999);
  for (const [name, share] of Object.entries(AANDELEN)) {
    left -= share;
    if (left < 0) return name as Drawn;
  }
  return 'gewoon';
}

/** Functions that return the changes to the registration, keyed by situation. */
export const PARTICULARS: Readonly<Record<Exclude<Drawn, 'nietGeregistreerd'>, (drawing: Drawing) => Particulars>> = {
  gewoon: () => ({}),
  nietGeherregistreerd({ draw, today, career, loopbaan, at }) {
    const missed = career.terms.filter(({ uhd }) => uhd < today && uhd >= dayOf(loopbaan.eersteUhd));
    if (missed.length === 0) return {};
    const { uhd } = draw.pick(missed);
    return {
      uhd: at(uhd),
      status: { soort: 'doorgehaald', op: at(uhd + 1), reden: 'Niet geherregistreerd' },
    };
  },
  opEigenVerzoek: (drawing) => struckOff(drawing, 'Op eigen verzoek'),
  overlijden(drawing) {
    const overleden = dayWithin(drawing, 3 * 365);
    return { ...struckOff(drawing, 'Overlijden', overleden), overleden };
  },
  tuchtmaatregel(drawing) {
    const ended = struckOff(drawing, 'Tuchtmaatregel');
    return {
      ...ended,
      aantekeningen: [maatregel('Doorhaling van de inschrijving', ended.status?.op ?? {})],
    };
  },
  geschorst(drawing) {
    const [days, text] = drawing.draw.pick(SUSPENSIONS);
    const op = someDay(drawing, days - 2);
    const [van, tot] = [drawing.at(op), drawing.at(op + days)];
    return {
      status: { soort: 'geschorst', op: van, tot, reden: 'Schorsing door het tuchtcollege' },
      // `tot` of a suspension is the first day after it; the note names the last day of it.
      aantekeningen: [maatregel(`Schorsing voor de duur van ${text}`, van, drawing.at(op + days - 1))],
    };
  },
  voorlopigGeschorst(drawing) {
    const op = drawing.at(someDay(drawing, 90));
    return {
      status: { soort: 'geschorst', op, tot: null, reden: 'Schorsing bij voorlopige voorziening' },
      aantekeningen: [maatregel('Schorsing bij voorlopige voorziening', op)],
    };
  },
  berisping(drawing) {
    const op = someDay(drawing, 4 * 365);
    return { aantekeningen: [maatregel('Berisping', drawing.at(op), drawing.at(plusYears(op, 5)))] };
  },
  bevel(drawing) {
    const van = drawing.at(someDay(drawing, 2 * 365));
    return { aantekeningen: [{ soort: 'beperking', omschrijving: BEVEL, van, openbaar: true }] };
  },
};

/** Returns the changes that a random specialism makes to a registration; null when the citizen gets none. */
export function drawSpecialisme({ draw, today, career, loopbaan, at }: Drawing): Particulars | null {
  const wanted = draw.chance(loopbaan.specialisten ?? 0);
  const part = draw.between(0, 9_999) / 10_000;
  const earliest = ([, , years, since]: Specialisme) =>
    Math.max(plusYears(career.diploma, years), dayOf(since), career.sinds + 1) + 3;
  const possible = (loopbaan.specialismen ?? []).filter((one) => earliest(one) < today - 5);
  if (!wanted || possible.length === 0) return null;
  const chosen = draw.weighted(possible, ([, weight]) => weight);
  // Most people become a specialist soon after the training, and none more than eight years later.
  const room = Math.min(today - 5 - earliest(chosen), 8 * 365);
  const van = workdayOnOrBefore(earliest(chosen) + Math.floor(part * part * room));
  let tot = plusYears(van, 5);
  for (let terms = 2; tot <= today; terms += 1) tot = plusYears(van, 5 * terms);
  return {
    specialistTot: at(tot),
    aantekeningen: [{ soort: 'specialisme', omschrijving: chosen[0], van: at(van), openbaar: true }],
  };
}

/** Returns the period of registration that contains a day number; undefined when there is none. */
export const termOn = (terms: readonly Term[], day: number): Term | undefined =>
  terms.find(({ uhd }, index) => day <= uhd && (terms[index + 1]?.from ?? Number.POSITIVE_INFINITY) > day);

/**
 * Returns the changes to a registration that was struck off on `day` for the reason `reden`. The default day is a
 * random workday in about the last eight years.
 */
function struckOff(drawing: Drawing, reden: string, day = someDay(drawing, 8 * 365)): Particulars {
  const { career, at } = drawing;
  const uhd = termOn(career.terms, day)?.uhd;
  return { ...(uhd !== undefined && { uhd: at(uhd) }), status: { soort: 'doorgehaald', op: at(day), reden } };
}

/**
 * Returns the day number of a random day in the last `days` days. It is at least ten days after the registration,
 * unless the registration was less than eleven days ago.
 */
const dayWithin = ({ draw, today, career }: Drawing, days: number): number =>
  today - draw.between(1, Math.max(1, Math.min(days, today - career.sinds - 10)));

/** Returns a random workday in about the last `days` days, not before the registration. */
const someDay = (drawing: Drawing, days: number): number =>
  Math.max(drawing.career.sinds, workdayOnOrBefore(dayWithin(drawing, days)));

const maatregel = (omschrijving: string, van: Offset, tot?: Offset): PersonAantekening => ({
  soort: 'maatregel',
  omschrijving,
  van,
  ...(tot && { tot }),
  openbaar: true,
});

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
