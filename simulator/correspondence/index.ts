/** The letters that the simulated register sends to a person, about the term of a registration or about a request. */

import type { UitkomstWire } from '../../adapters/register/wire.ts';
import { AFZENDER, ONDERTEKENING } from '../../fixtures/correspondence/sjabloon.ts';
import { dayOf, workdayFrom } from '../../src/domain/workdays.ts';
import { plusDays } from '../../src/wire/dates.ts';
import { toLetter } from '../letters/from-sections.ts';
import { type Letter, plainParagraphs } from '../letters/letter.ts';
import { earlierLetters, type RequestOfResident } from '../upstreams/register/besluiten.ts';
import type { ResidentInWorld, World } from '../worlds/index.ts';
import { addresseeOf, type Channel, canSend, channelOf } from './addressee.ts';
import { composeDelay, composeReceipt, composeTerm, receiptDay, termOfDecision } from './compose.ts';
import { composeDecision, composeMoved } from './decision.ts';
import { LETTER_KINDS, type LetterKind } from './kinds.ts';
import {
  type RegisterOnDay,
  registerBeforeDecisions,
  registerBeforeRequests,
  registerOnDay,
  registerWithout,
  zakenOn,
} from './register-on-day.ts';
import { termLetters } from './term.ts';

export interface SentLetter {
  /** Unique among the letters to one person, and the same each time that they are calculated. */
  readonly id: string;
  readonly kind: LetterKind;
  readonly date: string;
  readonly channel: Channel;
  /** Reference of the request that the letter is about; null for a letter about the term of a registration. */
  readonly referentie: string | null;
  readonly letter: Letter;
}

const isMove = ({ soort, besluit }: RequestOfResident): boolean =>
  soort === 'adreswijziging' && besluit?.uitkomst === 'goedgekeurd';

/**
 * Returns all letters that were sent to a person up to today and before their death, oldest first. They are calculated
 * at each call (docs/decisions/0056-correspondence-is-derived.md). Case handlers send their own only where they can go.
 */
export function correspondenceOf(world: World, found: ResidentInWorld): SentLetter[] {
  const { resident, today } = found;
  const channel = channelOf(resident);
  const onDay = (day: string) => registerOnDay(world, found, day);
  const zaken = zakenOn(onDay(today));
  const delivered = deliveredLetters(onDay(today), zaken);
  const changes = zaken.flatMap(({ ontvangenOp, besluit }) => [ontvangenOp, ...(besluit ? [besluit.datum] : [])]);
  const letters: SentLetter[] = [
    ...delivered.map(({ isDecision: _, uitkomst: __, ...letter }) => ({
      ...letter,
      kind: 'brief' as const,
      // Case handlers can write to somebody without an address: that letter goes to the Berichtenbox (domain.md 6).
      channel: canSend(onDay(letter.date)) ? channel : ('berichtenbox' as const),
    })),
    ...zaken.map((zaak) => {
      const { referentie } = zaak;
      const date = receiptDay(resident, zaak);
      const letter = composeReceipt(registerBeforeDecisions(world, found, date), zaak);
      const id = `ontvangstbevestiging-${referentie}`;
      return { id, kind: 'ontvangstbevestiging' as const, date, channel, referentie, letter };
    }),
    ...zaken.flatMap((zaak): SentLetter[] => {
      const { referentie, ontvangenOp, besluit } = zaak;
      const asked = earlierLetters(world.state, { world: found.world, referentie, day: today });
      // The term stands still while the applicant completes the request (Awb 4:15).
      const paused = asked
        .filter(({ templateId }) => templateId === 'aanvulling-gevraagd')
        .reduce((sum, { verzondenOp, reactieTot }) => sum + dayOf(reactieTot) - dayOf(verzondenOp), 0);
      const term = termOfDecision(zaak, paused);
      // Somebody who was asked for more had not sent everything by post, and the term has not begun.
      if (term.complete !== null && paused > 0) return [];
      const date = workdayFrom(plusDays(term.until, 1));
      if (date > today || ontvangenOp > today || (besluit !== null && besluit.datum < date)) return [];
      const letter = composeDelay(onDay(date), zaak, { ...term, paused });
      return [
        { id: `bericht-vertraging-${referentie}`, kind: 'bericht-vertraging', date, channel, referentie, letter },
      ];
    }),
    ...zaken.flatMap((zaak): SentLetter[] => {
      const { referentie, besluit } = zaak;
      if (besluit === null) return [];
      const { datum, uitkomst } = besluit;
      const own = delivered.findLast((one) => one.isDecision && one.referentie === referentie && one.date === datum);
      // A letter that case handlers wrote is the decision itself, unless the case got another outcome later that day.
      if (own && (own.uitkomst === null || own.uitkomst === uitkomst)) return [];
      const asked = earlierLetters(world.state, { world: found.world, referentie, day: datum });
      const completed = asked.findLast(({ templateId }) => templateId === 'aanvulling-gevraagd') ?? null;
      // Of changes of address that were granted on one day, each letter has its own address.
      const later = isMove(zaak) ? zaken.slice(zaken.indexOf(zaak) + 1).filter((one) => isMove(one)) : [];
      const register = registerWithout(onDay(datum), (one) => later.some((its) => its.referentie === one.referentie));
      const letter = composeDecision(register, zaak, besluit, completed);
      const sent = { id: `besluit-${referentie}`, kind: 'besluit', date: datum, channel, referentie, letter } as const;
      const before = registerWithout(register, (one) => one.referentie === referentie);
      const copy = isMove(zaak) ? composeMoved(register, addresseeOf(before), zaak) : null;
      // The confirmation of a change of address goes to the old address too: somebody else may have asked for it.
      return copy === null ? [sent] : [sent, { ...sent, id: `${sent.id}-oud-adres`, channel: 'post', letter: copy }];
    }),
    ...termLetters([found.firstDay, ...changes], today, {
      canSendOn: (day) => canSend(onDay(day)),
      // The letters of a day go out before the requests and the decisions of that day, which take back none of them.
      registersOn: (day) =>
        changes.includes(day) ? [registerBeforeRequests(world, found, day), onDay(day)] : [onDay(day)],
    }).map((term) => ({
      id: `${term.kind}-${term.registratie.beroepCode}-${term.day}`,
      kind: term.kind,
      date: term.day,
      channel,
      referentie: null,
      letter: composeTerm(term),
    })),
  ];
  return letters
    .filter(({ date }) => date <= today && (resident.overledenOp === null || date < resident.overledenOp))
    .filter(({ kind, date }) => kind === 'brief' || canSend(onDay(date)))
    .sort((a, b) => a.date.localeCompare(b.date) || LETTER_KINDS.indexOf(a.kind) - LETTER_KINDS.indexOf(b.kind));
}

/**
 * Returns the letters that the register sends to a person after today, up to and on a later day (`YYYY-MM-DD`), oldest
 * first. It takes it that no request, decision or letter of a case handler follows until then.
 */
export function expectedLetters(world: World, found: ResidentInWorld, until: string): SentLetter[] {
  const later = registerOnDay(world, { ...found, resident: found.complete }, until);
  return correspondenceOf(later.world, later.found).filter(({ date }) => date > found.today);
}

/** A letter about a request that case handlers wrote and the register sent. */
interface DeliveredLetter {
  readonly id: string;
  readonly date: string;
  readonly referentie: string;
  /** By a section about how to object (`rechtsmiddelen`). An old letter has no sections, and counts as one. */
  readonly isDecision: boolean;
  /** Outcome of the decision; null for no decision, and for an old letter, which was stored without its outcome. */
  readonly uitkomst: UitkomstWire | null;
  readonly letter: Letter;
}

/**
 * Returns the letters about these requests that case handlers wrote and the register sent, oldest first. Without the
 * letters of days after the decision on their request: those were sent before the clock was set back and the request
 * was decided on an earlier day.
 */
function deliveredLetters({ world, found }: RegisterOnDay, zaken: readonly RequestOfResident[]): DeliveredLetter[] {
  const decidedOn = new Map(zaken.map(({ referentie, besluit }) => [referentie, besluit?.datum ?? null]));
  const counts = new Map<string, number>();
  return world.state
    .verzendingen(found.world)
    .filter(({ referentie, verzondenOp }) => {
      const decided = decidedOn.get(referentie);
      return decided !== undefined && (decided === null || verzondenOp <= decided);
    })
    .map(({ referentie, inhoud, uitkomst, tekst, verzondenOp }) => {
      const count = (counts.get(referentie) ?? 0) + 1;
      counts.set(referentie, count);
      return {
        id: `brief-${referentie}-${count}`,
        date: verzondenOp,
        referentie,
        isDecision: inhoud === null || inhoud.secties.some(({ sleutel }) => sleutel === 'rechtsmiddelen'),
        uitkomst,
        letter:
          inhoud === null
            ? {
                sender: AFZENDER,
                addressee: addresseeOf(registerOnDay(world, found, verzondenOp)),
                date: verzondenOp,
                kenmerk: referentie,
                registratienummer: null,
                onderwerp: 'Besluit op uw aanvraag',
                paragraphs: plainParagraphs(...tekst.split(/\n{2,}/)),
                signature: ONDERTEKENING,
              }
            : toLetter(inhoud.secties, verzondenOp),
      };
    });
}
