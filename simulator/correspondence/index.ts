/** The letters that the simulated register sends to a person, about the term of a registration or about a request. */
import type { Letter } from '../letters/letter.ts';
import type { ResidentInWorld, World } from '../worlds/index.ts';
import { type Channel, channelOf } from './addressee.ts';
import { composeReceipt, composeTerm } from './compose.ts';
import { composeDecision } from './decision.ts';
import { LETTER_KINDS, type LetterKind } from './kinds.ts';
import { registerBeforeDecisions, registerOnDay, registratiesOn, zakenOn } from './register-on-day.ts';
import { termLetters } from './term.ts';
import { deliveredLetters } from './workflow.ts';

/** A letter that the simulated register sent to a person. */
export interface SentLetter {
  /**
   * Id of the letter, which is unique among the letters to one person. It is the same each time that the letters are
   * calculated.
   */
  readonly id: string;
  readonly kind: LetterKind;
  /** Date of sending, `YYYY-MM-DD`. */
  readonly date: string;
  readonly channel: Channel;
  /** Reference of the request that the letter is about; null for a letter about the term of a registration. */
  readonly referentie: string | null;
  readonly letter: Letter;
}

/**
 * Returns all letters that were sent to a person up to today and before their death, oldest first. They are calculated
 * at each call (docs/decisions/0056-correspondence-is-derived.md).
 */
export function correspondenceOf(world: World, found: ResidentInWorld): SentLetter[] {
  const { resident, today } = found;
  const channel = channelOf(resident);
  const onDay = (day: string) => registerOnDay(world, found, day);
  const zaken = zakenOn(onDay(today));
  const delivered = deliveredLetters(onDay(today), zaken);
  const changes = zaken.flatMap(({ ontvangenOp, besluit }) => [ontvangenOp, ...(besluit ? [besluit.datum] : [])]);
  const letters: SentLetter[] = [
    ...delivered.map(({ isDecision: _, uitkomst: __, ...letter }) => ({ ...letter, kind: 'brief' as const, channel })),
    ...zaken.map((zaak) => ({
      id: `ontvangstbevestiging-${zaak.referentie}`,
      kind: 'ontvangstbevestiging' as const,
      date: zaak.ontvangenOp,
      channel,
      referentie: zaak.referentie,
      letter: composeReceipt(registerBeforeDecisions(world, found, zaak.ontvangenOp), zaak),
    })),
    ...zaken.flatMap((zaak): SentLetter[] => {
      const { referentie, besluit } = zaak;
      if (besluit === null) return [];
      const { datum, uitkomst } = besluit;
      const own = delivered.findLast((one) => one.isDecision && one.referentie === referentie && one.date === datum);
      // A letter that case handlers wrote is the decision itself, unless the case got another outcome later that day.
      if (own && (own.uitkomst === null || own.uitkomst === uitkomst)) return [];
      const asked = delivered.findLast((one) => !one.isDecision && one.referentie === referentie && one.date <= datum);
      const letter = composeDecision(onDay(datum), zaak, besluit, asked?.date ?? null);
      return [{ id: `besluit-${referentie}`, kind: 'besluit', date: datum, channel, referentie, letter }];
    }),
    ...termLetters([found.firstDay, ...changes], today, (day) => registratiesOn(onDay(day))).map((term) => ({
      id: `${term.kind}-${term.registratie.beroepCode}-${term.day}`,
      kind: term.kind,
      date: term.day,
      channel,
      referentie: null,
      letter: composeTerm(onDay(term.day), term),
    })),
  ];
  return letters
    .filter(({ date }) => date <= today && (resident.overledenOp === null || date < resident.overledenOp))
    .sort((a, b) => a.date.localeCompare(b.date) || LETTER_KINDS.indexOf(a.kind) - LETTER_KINDS.indexOf(b.kind));
}
