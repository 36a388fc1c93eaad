import { BEROEP_BY_CODE, type RegistratieWire } from '../../adapters/register/wire.ts';
import {
  AFZENDER,
  type BriefSjabloon,
  ONDERTEKENING,
  REGISTER,
  TITEL,
  type TitelGrond,
} from '../../fixtures/correspondence/sjabloon.ts';
import {
  BERICHT_VERVALLEN,
  BESLUIT_DOORHALING,
  DOORHALING_EIGEN_VERZOEK,
  DOORHALING_TUCHTMAATREGEL,
  HERINNERING,
  OPROEP,
  VERPLEEGKUNDIGE,
  VOORNEMEN,
  ZELFSTANDIG,
} from '../../fixtures/correspondence/termijn.ts';
import { BERICHT_VERTRAGING, ONTVANGSTBEVESTIGING, STUKKEN } from '../../fixtures/correspondence/zaken.ts';
import type { Offset } from '../../fixtures/offset.ts';
import { urennorm } from '../../src/domain/professions.ts';
import { hasSpecialismen } from '../../src/domain/specialismen.ts';
import { workdayFrom } from '../../src/domain/workdays.ts';
import { longDate, plusDays, plusMonths } from '../../src/wire/dates.ts';
import { DOORHALING } from '../../src/wire/values.ts';
import type { Letter, LetterParagraph } from '../letters/letter.ts';
import type { Resident } from '../people/resident.ts';
import { documentsOf, type RequestOfResident } from '../upstreams/register/besluiten.ts';
import { registratiesOf, titleGround } from '../upstreams/register/registraties.ts';
import { addresseeOf, channelOf, salutationOf } from './addressee.ts';
import type { TermKind } from './kinds.ts';
import { type RegisterOnDay, registratiesOn, zakenOn } from './register-on-day.ts';
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

/** `facts` are values besides those that every letter has. Throws when the template has another variable. */
export function composeLetter(
  { register, kenmerk, registratie }: LetterContext,
  template: BriefSjabloon,
  facts: TemplateValues,
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

/** Each with the three capitals at the start of the reference (`kenmerk`) of such a letter. */
const TERM_TEMPLATES: Readonly<Record<TermKind, readonly [code: string, template: BriefSjabloon]>> = {
  oproep: ['OPR', OPROEP],
  herinnering: ['HRN', HERINNERING],
  'voornemen-doorhaling': ['VDH', VOORNEMEN],
  'besluit-doorhaling': ['BDH', BESLUIT_DOORHALING],
  'bericht-vervallen': ['VRV', BERICHT_VERVALLEN],
};

/** Keyed by the reason. A decision for another reason uses the template in `TERM_TEMPLATES`. */
const STRIKE_OFF_TEMPLATES: Readonly<Record<string, BriefSjabloon>> = {
  [DOORHALING.eigenVerzoek]: DOORHALING_EIGEN_VERZOEK,
  [DOORHALING.tuchtmaatregel]: DOORHALING_TUCHTMAATREGEL,
};

/** Number of days in which a person can react to an intended decision (zienswijze). */
const ZIENSWIJZE_DAYS = 28;

export function composeTerm(letter: TermLetter): Letter {
  const { kind, day, registratie, register, uhd, earlier } = letter;
  const { beroepCode, registerNummer, status, specialistTot } = registratie;
  const dates = earlier.map((one) => longDate(one.day));
  const dateOfEarlier = (sought: TermKind): string | null => {
    const found = earlier.find((one) => one.kind === sought);
    return found === undefined ? null : longDate(found.day);
  };
  const standing = registratiesOn(register).filter((one) => one.status.soort !== 'doorgehaald');
  const refused = zakenOn(register).findLast(
    ({ soort, besluit, gegevens }) =>
      soort === 'herregistratie' &&
      besluit !== null &&
      besluit.uitkomst !== 'goedgekeurd' &&
      (gegevens.registratieId ?? registratie.registratieId) === registratie.registratieId,
  );
  // A request that was refused before the deadline is not the reason: a new request could still be made.
  const isReason = uhd !== null && refused?.besluit != null && refused.besluit.datum > uhd;
  const before = isReason || !isInTerm(refused, uhd) ? null : refused;
  const beroep = BEROEP_BY_CODE.get(beroepCode) ?? 'verpleegkundige';
  const zienswijze = workdayFrom(plusDays(day, ZIENSWIJZE_DAYS));
  const [code, template] = TERM_TEMPLATES[kind];
  return composeLetter(
    { register, registratie, kenmerk: `${code}-${day.replaceAll('-', '')}-${registerNummer.slice(-6)}` },
    (kind === 'besluit-doorhaling' && STRIKE_OFF_TEMPLATES[status.reden ?? '']) || template,
    {
      beroep,
      norm: urennorm(beroep).toLocaleString('nl-NL'),
      uhd: uhd && longDate(uhd),
      doorhaling: uhd && longDate(plusDays(uhd, 1)),
      geschorst: status.soort === 'geschorst' ? '' : null,
      verpleegkundige: beroepCode === VERPLEEGKUNDIGE ? '' : null,
      kan_specialist_worden: hasSpecialismen(BEROEP_BY_CODE.get(beroepCode)) ? '' : null,
      als_specialist: specialistTot && specialistTot === uhd ? '' : null,
      opent: uhd && longDate([opensOn(uhd), day].sort().at(-1) ?? day),
      ...titleFacts(titleGround(registratiesOf(register.world, register.found), beroepCode, register.found.today)),
      ...actFacts(beroepCode, standing),
      doorgehaald_op: longDate(status.datum ?? day),
      specialist_tot: specialistTot && specialistTot === uhd ? longDate(specialistTot) : null,
      zienswijze_tot: longDate(uhd === null || zienswijze < uhd ? zienswijze : uhd),
      datum_oproep: dateOfEarlier('oproep'),
      datum_voornemen: isReason ? null : dateOfEarlier('voornemen-doorhaling'),
      eerdere_data: listOf(dates),
      geen_aanvraag: before || isReason ? null : '',
      eerdere_aanvraag: before ? before.referentie : null,
      afgewezen_aanvraag: isReason ? refused.referentie : null,
      datum_ontvangst: isReason ? longDate(receiptDay(register.found.resident, refused)) : null,
    },
  );
}

/** Returns the values of the variables that select the line about the use of the title. */
export const titleFacts = (grond: TitelGrond) =>
  Object.fromEntries(Object.keys(TITEL).map((one) => [`titel_${one}`, one === grond ? '' : null]));

/**
 * Returns the values of the variables about reserved medical acts: what somebody who is struck off in a profession
 * loses, and which profession in `standing` still gives a right to do them. A suspended registration gives none.
 */
function actFacts(struckOff: string, standing: readonly RegistratieWire[]) {
  const [zelfstandig, opdracht] = [ZELFSTANDIG.has(struckOff), struckOff === VERPLEEGKUNDIGE];
  const all = zelfstandig || opdracht ? standing : [];
  const left = all.filter(({ status }) => status.soort !== 'geschorst');
  const suspended = all.find(
    ({ status, beroepCode }) =>
      status.soort === 'geschorst' && (ZELFSTANDIG.has(beroepCode) || beroepCode === VERPLEEGKUNDIGE),
  )?.beroepCode;
  const own = left.find(({ beroepCode }) => ZELFSTANDIG.has(beroepCode))?.beroepCode;
  const ordered = own === undefined ? left.find(({ beroepCode }) => beroepCode === VERPLEEGKUNDIGE)?.beroepCode : null;
  return {
    handelingen_zelfstandig: zelfstandig ? '' : null,
    handelingen_opdracht: opdracht ? '' : null,
    blijft_zelfstandig: (own && BEROEP_BY_CODE.get(own)) || null,
    blijft_opdracht: (ordered && BEROEP_BY_CODE.get(ordered)) || null,
    blijft_geschorst: (suspended && BEROEP_BY_CODE.get(suspended)) || null,
  };
}

/** Returns true when a request was received in the current term: not before it could be made for this deadline. */
const isInTerm = (request: RequestOfResident | undefined, uhd: string | null): request is RequestOfResident =>
  request !== undefined && uhd !== null && request.ontvangenOp >= opensOn(uhd);

/** How a letter names a request: with its kind, and in short. */
const REQUEST_NAMES: Readonly<Record<string, readonly [name: string, short: string]>> = {
  registratie: ['uw aanvraag om registratie', 'deze aanvraag'],
  herregistratie: ['uw aanvraag om herregistratie', 'deze aanvraag'],
  intake: ['uw intake', 'deze intake'],
  adreswijziging: ['uw verzoek om uw correspondentieadres te wijzigen', 'dit verzoek'],
};

/** The term in which the register answers a request, and the longer term when that one has passed. */
interface AnswerTerm {
  readonly term: Offset;
  readonly longer: Offset;
  /** The law that the term is in: a variable `termijn_<law>` of the letters. */
  readonly law: 'awb' | 'eu' | 'avg';
}

const [WEEKS_8, WEEKS_6]: [Offset, Offset] = [{ days: 56 }, { days: 42 }];

/**
 * The terms of decision: eight weeks (Awb 4:13); three months for a foreign diploma (2005/36/EG, art. 51); one month for
 * a change of address, which corrects personal data (AVG, art. 12 and 16).
 */
const ANSWER_TERMS = {
  usual: { term: WEEKS_8, longer: WEEKS_6, law: 'awb' },
  buitenland: { term: { months: 3 }, longer: { months: 1 }, law: 'eu' },
  adreswijziging: { term: { months: 1 }, longer: { months: 2 }, law: 'avg' },
} as const satisfies Record<string, AnswerTerm>;

const answerTermOf = ({ soort, gegevens }: RequestOfResident): AnswerTerm => {
  if (soort === 'adreswijziging') return ANSWER_TERMS.adreswijziging;
  return gegevens.diplomaHerkomst === 'buitenland' ? ANSWER_TERMS.buitenland : ANSWER_TERMS.usual;
};

const after = (day: string, { months = 0, days = 0 }: Offset): string =>
  workdayFrom(plusDays(plusMonths(day, months), days));

const byPost = (zaak: RequestOfResident): string[] =>
  documentsOf(zaak).flatMap(({ categoryId, channel }) =>
    channel === 'post' ? [STUKKEN[categoryId] ?? categoryId] : [],
  );

const listOf = (names: readonly string[]) => (names.length === 0 ? null : new Intl.ListFormat('nl').format(names));

/** Number of days after a request in which what comes by post arrives (docs/domain.md 6.1). */
const BY_POST_DAYS = 7;

interface DecisionTerm {
  /** The last day of the term, and of the longer term when that one passes. */
  readonly until: string;
  readonly longer: string;
  /** The day on which the register had all documents, when the term began on that day; null when it began at once. */
  readonly complete: string | null;
}

/**
 * Returns the term of decision of a request. For a foreign diploma it begins when the register has all documents, so the
 * register does not know it at the receipt of a request with documents by post.
 * @param paused - number of days in which the term stood still, because the applicant had to complete the request
 */
export function termOfDecision(zaak: RequestOfResident, paused = 0): DecisionTerm {
  const { term, longer, law } = answerTermOf(zaak);
  const complete =
    law === 'eu' && byPost(zaak).length > 0 ? workdayFrom(plusDays(zaak.ontvangenOp, BY_POST_DAYS)) : null;
  const until = after(complete ?? zaak.ontvangenOp, { ...term, days: (term.days ?? 0) + paused });
  return { until, longer: after(until, longer), complete };
}

function requestFacts(register: RegisterOnDay, zaak: RequestOfResident, until: string | null) {
  const { soort, ontvangenOp, gegevens } = zaak;
  const isRenewal = soort === 'herregistratie';
  const standing = registratiesOn(register).filter(({ status }) => status.soort !== 'doorgehaald');
  const registratie =
    standing.find(({ registratieId }) => isRenewal && registratieId === gegevens.registratieId) ?? standing[0] ?? null;
  const [aanvraag, deze] = REQUEST_NAMES[soort] ?? ['uw aanvraag', 'deze aanvraag'];
  // An intake is judged, but there is no decision about it.
  const isIntake = soort === 'intake';
  const isTerm = (law: AnswerTerm['law']) => (!isIntake && answerTermOf(zaak).law === law ? '' : null);
  return {
    registratie,
    facts: {
      aanvraag,
      deze_aanvraag: deze,
      ontvangen_op: longDate(ontvangenOp),
      termijn_awb: isTerm('awb'),
      termijn_avg: isTerm('avg'),
      termijn_eu: until === null ? null : isTerm('eu'),
      termijn_eu_wacht: until === null ? isTerm('eu') : null,
      besluit_uiterlijk: until && longDate(until),
      bericht_uiterlijk: isIntake && until ? longDate(until) : null,
      besluit: isIntake ? null : '',
      herregistratie: isRenewal ? '' : null,
      beroep: (registratie && BEROEP_BY_CODE.get(registratie.beroepCode)) ?? null,
    },
  };
}

/**
 * Returns the day on which the receipt of a request is confirmed, never after the decision. An automatic message is in
 * the Berichtenbox at once; the post leaves on a workday (domain.md 4.7).
 */
export function receiptDay(resident: Resident, { ontvangenOp, besluit }: RequestOfResident): string {
  const day = channelOf(resident) === 'post' ? workdayFrom(ontvangenOp) : ontvangenOp;
  return besluit !== null && besluit.datum < day ? besluit.datum : day;
}

/** `register` is the register on the day of the letter, before the decisions of that day. */
export function composeReceipt(register: RegisterOnDay, zaak: RequestOfResident): Letter {
  const { referentie, soort, ontvangenOp } = zaak;
  const { until, complete } = termOfDecision(zaak);
  const { registratie, facts } = requestFacts(register, zaak, complete === null ? until : null);
  const uhd = soort === 'herregistratie' && registratie ? deadlineOf(registratie) : null;
  return composeLetter({ register, registratie, kenmerk: referentie }, ONTVANGSTBEVESTIGING, {
    ...facts,
    per_post: listOf(byPost(zaak)),
    uhd: uhd && longDate(uhd),
    zienswijze_tot: uhd && longDate(workdayFrom(plusDays(ontvangenOp, ZIENSWIJZE_DAYS))),
  });
}

/** Returns the letter that says that the term of decision ended on the day `until`, and when the longer one ends. */
export function composeDelay(
  register: RegisterOnDay,
  zaak: RequestOfResident,
  { until, longer, complete, paused }: DecisionTerm & { readonly paused: number },
): Letter {
  const { registratie, facts } = requestFacts(register, zaak, longer);
  // The day on which the register had all documents says that what comes by post has come.
  const awaited = complete === null ? listOf(byPost(zaak)) : null;
  return composeLetter({ register, registratie, kenmerk: zaak.referentie }, BERICHT_VERTRAGING, {
    ...facts,
    termijn_voorbij: complete === null ? longDate(until) : null,
    per_post: awaited,
    geen_post: awaited === null ? '' : null,
    aanvulling: paused > 0 ? '' : null,
    compleet_op: complete && longDate(complete),
    termijn_voorbij_compleet: complete && longDate(until),
  });
}

/**
 * The values of the variables in a letter template, keyed by name of the variable. A line with a variable whose value
 * is null is left out.
 */
type TemplateValues = Readonly<Record<string, string | null>>;

const KEY = /\{\{(\w+)\}\}/g;

/** Throws when the template has a variable that is not in `facts`. */
function fillTemplate({ onderwerp, regels }: BriefSjabloon, facts: TemplateValues) {
  return {
    onderwerp: fillLine(onderwerp, facts) ?? '',
    paragraphs: regels.flatMap((regel) => {
      const text = fillLine(regel, facts);
      return text === null ? [] : [paragraphOf(regel, text)];
    }),
  };
}

/** Null when a variable in the line is null. Throws when a variable in it is not in `facts`. */
function fillLine(line: string, facts: TemplateValues): string | null {
  const keys = [...line.matchAll(KEY)].map(([, key = '']) => key);
  const unknown = keys.find((key) => facts[key] === undefined);
  if (unknown !== undefined) throw new Error(`no fact ${unknown} for the line: ${line}`);
  return keys.some((key) => facts[key] === null) ? null : line.replaceAll(KEY, (_, key) => facts[key] ?? '');
}

/** Returns a line as a paragraph. Its kind depends on the template alone, not on what the variables begin with. */
function paragraphOf(regel: string, text: string): LetterParagraph {
  if (regel.startsWith('## ')) return { list: null, heading: true, spans: [{ text: text.slice(3) }] };
  if (regel.startsWith('- ')) return { list: 'bullet', spans: [{ text: text.slice(2) }] };
  return { list: null, spans: [{ text }] };
}
