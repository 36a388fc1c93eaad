import { BEROEP_BY_CODE, type RegistratieWire } from '../../adapters/register/wire.ts';
import { AFZENDER, type BriefSjabloon, ONDERTEKENING, REGISTER } from '../../fixtures/correspondence/sjabloon.ts';
import {
  BERICHT_VERVALLEN,
  BESLUIT_DOORHALING,
  DOORHALING_EIGEN_VERZOEK,
  DOORHALING_TUCHTMAATREGEL,
  HERINNERING,
  MET_HANDELINGEN,
  OPROEP,
  VOORNEMEN,
} from '../../fixtures/correspondence/termijn.ts';
import { ONTVANGSTBEVESTIGING } from '../../fixtures/correspondence/zaken.ts';
import type { Offset } from '../../fixtures/offset.ts';
import { urennorm } from '../../src/domain/urennorm.ts';
import { longDate, plusDays, plusMonths } from '../../src/wire/dates.ts';
import { dutchNumber } from '../../src/wire/numbers.ts';
import { DOORHALING } from '../../src/wire/values.ts';
import type { Letter } from '../letters/letter.ts';
import { dateAt, dayOf, endOfTerm } from '../people/days.ts';
import type { RequestOfResident } from '../upstreams/register/besluiten.ts';
import { addresseeOf, salutationOf } from './addressee.ts';
import type { TermKind } from './kinds.ts';
import { type RegisterOnDay, registratiesOn, zakenOn } from './register-on-day.ts';
import { fillTemplate } from './template.ts';
import { deadlineOf, opensOn, type TermLetter } from './term.ts';

/**
 * The data for a letter, besides its template: the register on the day of the letter, the reference of the letter
 * (`kenmerk`), and the registration that it is about (null for none).
 */
interface LetterContext {
  readonly register: RegisterOnDay;
  readonly kenmerk: string;
  readonly registratie: RegistratieWire | null;
}

/**
 * Returns a letter made from a template. `facts` are values for the variables in the template, besides those that every
 * letter has. Throws when the template has another variable.
 */
export function composeLetter(
  { register, kenmerk, registratie }: LetterContext,
  template: BriefSjabloon,
  facts: Parameters<typeof fillTemplate>[1],
): Letter {
  const { today } = register.found;
  return {
    sender: AFZENDER,
    addressee: addresseeOf(register),
    date: today,
    kenmerk,
    registratienummer: registratie?.registerNummer ?? null,
    ...fillTemplate(template, { aanhef: salutationOf(register.found), kenmerk, ...REGISTER, ...facts }),
    signature: ONDERTEKENING,
  };
}

const TERM_TEMPLATES: Readonly<Record<TermKind, BriefSjabloon>> = {
  oproep: OPROEP,
  herinnering: HERINNERING,
  'voornemen-doorhaling': VOORNEMEN,
  'besluit-doorhaling': BESLUIT_DOORHALING,
  'bericht-vervallen': BERICHT_VERVALLEN,
};

/**
 * Templates of the decision to strike off a registration, keyed by the reason. A decision for a reason that is not here
 * uses the template in `TERM_TEMPLATES`.
 */
const STRIKE_OFF_TEMPLATES: Readonly<Record<string, BriefSjabloon>> = {
  [DOORHALING.eigenVerzoek]: DOORHALING_EIGEN_VERZOEK,
  [DOORHALING.tuchtmaatregel]: DOORHALING_TUCHTMAATREGEL,
};

/** The three capitals at the start of the reference (`kenmerk`) of a letter, for each kind of letter about a term. */
const TERM_CODE: Readonly<Record<TermKind, string>> = {
  oproep: 'OPR',
  herinnering: 'HRN',
  'voornemen-doorhaling': 'VDH',
  'besluit-doorhaling': 'BDH',
  'bericht-vervallen': 'VRV',
};

/** Returns the last day of a term that would end on this date: a workday (Algemene termijnenwet, art. 1). */
const termEnd = (date: string): string => dateAt(endOfTerm(dayOf(date)));

/** Number of days in which a person can react to an intended decision (zienswijze). */
const ZIENSWIJZE_DAYS = 28;

/**
 * Returns the text of a letter about the term of a registration. `register` is the register on the day of the letter.
 */
export function composeTerm(register: RegisterOnDay, letter: TermLetter): Letter {
  const { kind, day, registratie, uhd, earlier } = letter;
  const { beroepCode, registerNummer, status, specialistTot } = registratie;
  const dates = earlier.map((one) => longDate(one.day));
  const dateOfEarlier = (sought: TermKind): string | null => {
    const found = earlier.find((one) => one.kind === sought);
    return found === undefined ? null : longDate(found.day);
  };
  const refused = zakenOn(register).findLast(
    ({ soort, besluit }) => soort === 'herregistratie' && besluit !== null && besluit.uitkomst !== 'goedgekeurd',
  );
  // A request that was refused before the deadline is not the reason: a new request could still be made.
  const isReason = uhd !== null && refused?.besluit != null && refused.besluit.datum > uhd;
  const before = isReason || !isInTerm(refused, uhd) ? null : refused;
  const beroep = BEROEP_BY_CODE.get(beroepCode) ?? 'verpleegkundige';
  const zienswijze = termEnd(plusDays(day, ZIENSWIJZE_DAYS));
  return composeLetter(
    { register, registratie, kenmerk: `${TERM_CODE[kind]}-${day.replaceAll('-', '')}-${registerNummer.slice(-6)}` },
    (kind === 'besluit-doorhaling' && STRIKE_OFF_TEMPLATES[status.reden ?? '']) || TERM_TEMPLATES[kind],
    {
      beroep,
      norm: dutchNumber(urennorm(beroep)),
      uhd: uhd && longDate(uhd),
      doorhaling: uhd && longDate(plusDays(uhd, 1)),
      geschorst: status.soort === 'geschorst' ? '' : null,
      handelingen: losesActs(register, beroepCode) ? '' : null,
      doorgehaald_op: longDate(status.datum ?? day),
      specialist_tot: specialistTot && specialistTot === uhd ? longDate(specialistTot) : null,
      zienswijze_tot: longDate(uhd === null || zienswijze < uhd ? zienswijze : uhd),
      datum_oproep: dateOfEarlier('oproep'),
      datum_voornemen: isReason ? null : dateOfEarlier('voornemen-doorhaling'),
      eerdere_data: dates.length === 0 ? null : new Intl.ListFormat('nl').format(dates),
      geen_aanvraag: before || isReason ? null : '',
      eerdere_aanvraag: before ? before.referentie : null,
      afgewezen_aanvraag: isReason ? refused.referentie : null,
      datum_ontvangst: isReason ? longDate(refused.ontvangenOp) : null,
    },
  );
}

/** Returns true when a person who is struck off in this profession may no longer do acts that the law reserves. */
const losesActs = (register: RegisterOnDay, struckOff: string): boolean =>
  MET_HANDELINGEN.has(struckOff) &&
  !registratiesOn(register).some(
    ({ beroepCode, status }) => status.soort !== 'doorgehaald' && MET_HANDELINGEN.has(beroepCode),
  );

/** Returns true when a request was received in the current term: not before it could be made for this deadline. */
const isInTerm = (request: RequestOfResident | undefined, uhd: string | null): request is RequestOfResident =>
  request !== undefined && uhd !== null && request.ontvangenOp >= opensOn(uhd);

const REQUEST_NAMES: Readonly<Record<string, string>> = {
  registratie: 'uw aanvraag om registratie',
  herregistratie: 'uw aanvraag om herregistratie',
  intake: 'uw intake',
  adreswijziging: 'uw verzoek om uw correspondentieadres te wijzigen',
};

const EIGHT_WEEKS: Offset = { days: 56 };
/**
 * The term in which the register answers, keyed by kind of request: eight weeks (Awb 4:13), and one month for a change of
 * address, which corrects personal data (AVG, art. 12 and 16).
 */
const ANSWER_TERMS: Readonly<Record<string, Offset>> = {
  registratie: EIGHT_WEEKS,
  herregistratie: EIGHT_WEEKS,
  intake: EIGHT_WEEKS,
  adreswijziging: { months: 1 },
};

/**
 * Returns the letter that confirms the receipt of a request. `register` is the register on the day of receipt, before the
 * decisions of that day.
 */
export function composeReceipt(
  register: RegisterOnDay,
  { referentie, soort, ontvangenOp, gegevens }: RequestOfResident,
): Letter {
  const isRenewal = soort === 'herregistratie';
  const standing = registratiesOn(register).filter(({ status }) => status.soort !== 'doorgehaald');
  const registratie =
    standing.find(({ registratieId }) => isRenewal && registratieId === gegevens.registratieId) ?? standing[0] ?? null;
  const uhd = isRenewal && registratie ? deadlineOf(registratie) : null;
  const { months = 0, days = 0 } = ANSWER_TERMS[soort] ?? EIGHT_WEEKS;
  const until = longDate(termEnd(plusDays(plusMonths(ontvangenOp, months), days)));
  const isCorrection = soort === 'adreswijziging';
  // An intake is judged, but there is no decision about it.
  const isIntake = soort === 'intake';
  return composeLetter({ register, registratie, kenmerk: referentie }, ONTVANGSTBEVESTIGING, {
    aanvraag: REQUEST_NAMES[soort] ?? 'uw aanvraag',
    ontvangen_op: longDate(ontvangenOp),
    besluit_uiterlijk: isIntake || isCorrection ? null : until,
    wijziging_uiterlijk: isCorrection ? until : null,
    bericht_uiterlijk: isIntake ? until : null,
    besluit: isIntake ? null : '',
    herregistratie: isRenewal ? '' : null,
    uhd: uhd && longDate(uhd),
    zienswijze_tot: uhd && longDate(termEnd(plusDays(ontvangenOp, ZIENSWIJZE_DAYS))),
  });
}
