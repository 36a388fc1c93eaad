import type { RegistratieWire } from '../../adapters/register/wire.ts';
import { effectiveUhd } from '../../src/domain/registraties.ts';
import { workdayFrom, workdayUntil } from '../../src/domain/workdays.ts';
import { plusDays, plusMonths } from '../../src/wire/dates.ts';
import { DOORHALING } from '../../src/wire/values.ts';
import type { TermKind } from './kinds.ts';
import { type RegisterOnDay, registratiesOn } from './register-on-day.ts';

/** A letter about the term or the end of a registration, with the day on which the register sends it. */
export interface TermLetter {
  readonly kind: TermKind;
  readonly day: string;
  readonly registratie: RegistratieWire;
  /** The register when the letter was sent. */
  readonly register: RegisterOnDay;
  /** The last date for renewal (uhd) that the letter is about; null for a letter about an end for another reason. */
  readonly uhd: string | null;
  /** The earlier letters about the same deadline, oldest first. */
  readonly earlier: readonly { readonly kind: TermKind; readonly day: string }[];
}

/** Returns the first day on which herregistratie can be requested, six months before the deadline (domain.md 4.2). */
export const opensOn = (uhd: string): string => plusMonths(uhd, -6);

/** Returns the day of the call (oproep) for a deadline. It is due on that day, or on the workday before (domain.md 4.7). */
export const callDay = (uhd: string): string => workdayUntil(opensOn(uhd));

/**
 * The kinds of letter before the deadline (uhd) of a registration, in order, each with a function that returns the day
 * on which it is due (domain.md 1.3). These are deadlines of the register itself, so it keeps them on a workday before.
 */
const STAGES: readonly { readonly kind: TermKind; day(uhd: string): string }[] = [
  { kind: 'oproep', day: callDay },
  { kind: 'herinnering', day: (uhd) => workdayUntil(plusDays(uhd, -12 * 7)) },
  { kind: 'voornemen-doorhaling', day: (uhd) => workdayUntil(plusDays(uhd, -6 * 7)) },
];

/** Of the stages that were due when the registration began, only the call (oproep) is sent: on that day. */
const stageOn = (day: string, uhd: string, { registratiedatum }: RegistratieWire): TermKind | null =>
  STAGES.findLast((stage) => stage.day(uhd) <= day && (stage.kind === 'oproep' || stage.day(uhd) > registratiedatum))
    ?.kind ?? null;

/** Returns the last date for renewal (effective uhd) of a registration; null when it has no deadline. */
export const deadlineOf = ({ uhd, specialistTot }: Pick<RegistratieWire, 'uhd' | 'specialistTot'>): string | null =>
  effectiveUhd({ uhd: uhd ?? null, specialistTot: specialistTot ?? null });

/** Returns the days on which a letter about this registration can be due, including days after today. */
function daysOf(registratie: RegistratieWire): string[] {
  const uhd = deadlineOf(registratie);
  const { registratiedatum, status } = registratie;
  return [
    registratiedatum,
    ...(status.soort === 'doorgehaald' && status.datum ? [status.datum] : []),
    ...(uhd === null ? [] : [...STAGES.map(({ day }) => day(uhd)), plusDays(uhd, 1)]),
  ];
}

interface PersonOnDay {
  /** False when a letter cannot reach the person on that day. */
  canSendOn(day: string): boolean;
  /** The states of the register on that day, each of them different, in the order of time. */
  registersOn(day: string): readonly RegisterOnDay[];
}

/**
 * Returns the letters about the terms of all registrations of a person, in the order of sending. On a day on which a
 * letter can become due, the letter of the latest stage that has begun is sent, unless that letter or a later one was
 * already sent about the same deadline.
 * @param changes - days on which the register received or decided a request
 * @param today - the last day of which letters are returned
 */
export function termLetters(
  changes: readonly string[],
  today: string,
  { canSendOn, registersOn }: PersonOnDay,
): TermLetter[] {
  const registratiesAt = (day: string) =>
    registersOn(day).flatMap((register) => registratiesOn(register).map((registratie) => ({ register, registratie })));
  const days = new Set([today, ...changes]);
  for (const change of [...days]) {
    // A decision of this day can have replaced the deadline about which letters were sent until the day before.
    for (const { registratie } of [...registratiesAt(plusDays(change, -1)), ...registratiesAt(change)])
      for (const day of daysOf(registratie)) days.add(day);
  }
  const letters: TermLetter[] = [];
  // The register sends letters on workdays (domain.md 4.7).
  for (const day of [...new Set([...days].map(workdayFrom))].filter((one) => one <= today).sort()) {
    if (!canSendOn(day)) continue;
    for (const { register, registratie } of registratiesAt(day)) {
      const end = endLetterKind(registratie);
      const isSent = (kind: TermKind) =>
        letters.some((one) => one.registratie.registratieId === registratie.registratieId && one.kind === kind);
      if (end !== null && !isSent(end)) letters.push({ kind: end, day, registratie, register, uhd: null, earlier: [] });
      const uhd = deadlineOf(registratie);
      if (uhd === null) continue;
      const earlier = letters.filter(
        (one) => one.registratie.registratieId === registratie.registratieId && one.uhd === uhd,
      );
      const kind = dueOn(day, uhd, registratie);
      if (
        kind === null ||
        earlier.some((one) => DEADLINE_LETTER_ORDER.indexOf(one.kind) >= DEADLINE_LETTER_ORDER.indexOf(kind))
      )
        continue;
      letters.push({ kind, day, registratie, register, uhd, earlier });
    }
  }
  return letters;
}

/** Keyed by the reason of the end. An end by a missed deadline or by death has no letter here. */
const END_LETTER_KINDS: Readonly<Record<string, TermKind>> = {
  [DOORHALING.eigenVerzoek]: 'besluit-doorhaling',
  [DOORHALING.tuchtmaatregel]: 'besluit-doorhaling',
  [DOORHALING.vervallen]: 'bericht-vervallen',
};

/** Null when it has not ended, and when it ended by a missed deadline or by death. */
const endLetterKind = ({ status }: RegistratieWire): TermKind | null =>
  status.soort === 'doorgehaald' ? (END_LETTER_KINDS[status.reden ?? ''] ?? null) : null;

/** The kinds of letter about a deadline, in the order of sending. After one of them, no earlier kind is sent. */
const DEADLINE_LETTER_ORDER: readonly TermKind[] = [...STAGES.map(({ kind }) => kind), 'besluit-doorhaling'];

/** Null when none is due, such as while a request for herregistratie is in progress. */
function dueOn(day: string, uhd: string, registratie: RegistratieWire): TermKind | null {
  const { status, lopendeHerregistratie } = registratie;
  if (status.soort === 'doorgehaald')
    return status.reden === DOORHALING.nietGeherregistreerd ? 'besluit-doorhaling' : null;
  if (lopendeHerregistratie || day > uhd) return null;
  return stageOn(day, uhd, registratie);
}
