import type { RegistratieWire } from '../../adapters/register/wire.ts';
import { effectiveUhd } from '../../src/domain/herregistratie.ts';
import { plusDays, plusMonths } from '../../src/wire/dates.ts';
import { DOORHALING } from '../../src/wire/values.ts';
import type { TermKind } from './kinds.ts';

/** A letter about the term (period) or the end of a registration, with the day on which the register sends it. */
export interface TermLetter {
  readonly kind: TermKind;
  /** Day of sending, `YYYY-MM-DD`. */
  readonly day: string;
  readonly registratie: RegistratieWire;
  /**
   * The effective uiterste herregistratiedatum (the last date for renewal) that the letter is about. Null when the
   * letter is about an end for another reason, such as at the person's own request.
   */
  readonly uhd: string | null;
  /** Earlier letters about the same deadline, oldest first. */
  readonly earlier: readonly { readonly kind: TermKind; readonly day: string }[];
}

/**
 * The letters that are sent before the deadline of a registration, in order, each with a function that returns the day
 * on which it is due (domain.md 1.3).
 */
const STAGES: readonly { readonly kind: TermKind; day(uhd: string): string }[] = [
  { kind: 'oproep', day: (uhd) => plusMonths(uhd, -6) },
  { kind: 'herinnering', day: (uhd) => plusDays(uhd, -12 * 7) },
  { kind: 'voornemen-doorhaling', day: (uhd) => plusDays(uhd, -6 * 7) },
];

/**
 * Returns the effective uiterste herregistratiedatum (the last date for renewal) of a registration; null when it has no
 * deadline.
 */
export const deadlineOf = ({ uhd, specialistTot }: Pick<RegistratieWire, 'uhd' | 'specialistTot'>): string | null =>
  effectiveUhd({ uhd: uhd ?? null, specialistTot: specialistTot ?? null });

/** Returns the days on which a letter about this registration can become due, also days after today. */
function daysOf(registratie: RegistratieWire): string[] {
  const uhd = deadlineOf(registratie);
  const { registratiedatum, status } = registratie;
  return [
    registratiedatum,
    ...(status.soort === 'doorgehaald' && status.datum ? [status.datum] : []),
    ...(uhd === null ? [] : [...STAGES.map(({ day }) => day(uhd)), plusDays(uhd, 1)]),
  ];
}

/**
 * Returns the letters about the terms of all registrations of a person, in the order of sending.
 *
 * A letter becomes due only by a decision or on a day in `daysOf`, so only those days are examined: a clock that jumps
 * ten years costs no more than a clock that moves one day. On each of these days, the letter of the last stage that has
 * begun is sent, unless that letter or one of a later stage was already sent for this deadline. So when a request
 * delayed a letter, the letter is sent on the day on which that request is refused.
 *
 * @param changes - days on which the register changed, because a request was received or decided
 * @param today - the last day of which letters are returned
 * @param registratiesOn - returns the registrations of the person as they were on a day
 */
export function termLetters(
  changes: readonly string[],
  today: string,
  registratiesOn: (day: string) => readonly RegistratieWire[],
): TermLetter[] {
  const days = new Set([today, ...changes]);
  for (const change of [...days])
    for (const one of registratiesOn(change)) for (const day of daysOf(one)) days.add(day);
  const letters: TermLetter[] = [];
  for (const day of [...days].filter((one) => one <= today).sort()) {
    for (const registratie of registratiesOn(day)) {
      const end = endOf(registratie);
      const isTold = (kind: TermKind) =>
        letters.some((one) => one.registratie.registratieId === registratie.registratieId && one.kind === kind);
      if (end !== null && !isTold(end)) letters.push({ kind: end, day, registratie, uhd: null, earlier: [] });
      const uhd = deadlineOf(registratie);
      if (uhd === null) continue;
      const earlier = letters.filter(
        (one) => one.registratie.registratieId === registratie.registratieId && one.uhd === uhd,
      );
      const kind = dueOn(day, uhd, registratie);
      if (kind === null || earlier.some((one) => ORDER.indexOf(one.kind) >= ORDER.indexOf(kind))) continue;
      letters.push({ kind, day, registratie, uhd, earlier });
    }
  }
  return letters;
}

/**
 * The kinds of letter about a registration that ended, keyed by the reason for the end. A missed deadline is not here
 * (`dueOn` returns that letter), and there is no letter about a death.
 */
const ENDS: Readonly<Record<string, TermKind>> = {
  [DOORHALING.eigenVerzoek]: 'besluit-doorhaling',
  [DOORHALING.tuchtmaatregel]: 'besluit-doorhaling',
  [DOORHALING.vervallen]: 'bericht-vervallen',
};

/**
 * Returns the kind of letter about the end of a registration. Returns null when the registration has not ended, or when
 * it ended by its deadline or by death.
 */
const endOf = ({ status }: RegistratieWire): TermKind | null =>
  status.soort === 'doorgehaald' ? (ENDS[status.reden ?? ''] ?? null) : null;

/** The kinds of letter about a deadline, in the order of sending. After one of them, no earlier one is sent. */
const ORDER: readonly TermKind[] = [...STAGES.map(({ kind }) => kind), 'besluit-doorhaling'];

/**
 * Returns the kind of letter that is due on a day for this deadline; null when no letter is due. No letter is due while
 * a request for herregistratie is in progress. For a registration that ended for another reason than its deadline this
 * returns null, and `endOf` returns the kind of letter.
 */
function dueOn(day: string, uhd: string, { status, lopendeHerregistratie }: RegistratieWire): TermKind | null {
  if (status.soort === 'doorgehaald')
    return status.reden === DOORHALING.nietGeherregistreerd ? 'besluit-doorhaling' : null;
  if (lopendeHerregistratie || day > uhd) return null;
  return STAGES.findLast((stage) => stage.day(uhd) <= day)?.kind ?? null;
}
