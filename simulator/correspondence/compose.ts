import { BEROEP_BY_CODE, type RegistratieWire } from '../../adapters/register/wire.ts';
import { AFZENDER, type BriefSjabloon, ONDERTEKENING, REGISTER } from '../../fixtures/correspondence/sjabloon.ts';
import { BESLUIT_DOORHALING, HERINNERING, OPROEP, VOORNEMEN } from '../../fixtures/correspondence/termijn.ts';
import { BESLUITEN, BUITEN_BEHANDELING, ONTVANGSTBEVESTIGING } from '../../fixtures/correspondence/zaken.ts';
import { urennorm } from '../../src/domain/urennorm.ts';
import { longDate, plusDays } from '../../src/wire/dates.ts';
import type { Letter } from '../letters/letter.ts';
import type { RequestOfResident } from '../upstreams/register/besluiten.ts';
import { addresseeOf, salutation } from './addressee.ts';
import { type RegisterOnDay, registratiesOn, zakenOn } from './earlier.ts';
import type { TermKind } from './kinds.ts';
import { fillTemplate } from './template.ts';
import { deadlineOf, type TermLetter } from './term.ts';

/** What a letter needs besides its template and its own facts. */
interface Frame {
  readonly register: RegisterOnDay;
  readonly kenmerk: string;
  readonly registratie: RegistratieWire | null;
}

function letterOf(
  { register, kenmerk, registratie }: Frame,
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
    ...fillTemplate(template, { aanhef: salutation(register.found), kenmerk, ...REGISTER, ...facts }),
    signature: ONDERTEKENING,
  };
}

const TERM: Readonly<Record<TermKind, BriefSjabloon>> = {
  oproep: OPROEP,
  herinnering: HERINNERING,
  'voornemen-doorhaling': VOORNEMEN,
  'besluit-doorhaling': BESLUIT_DOORHALING,
};

/** First letters of the reference of a letter about a term. */
const TERM_CODE: Readonly<Record<TermKind, string>> = {
  oproep: 'OPR',
  herinnering: 'HRN',
  'voornemen-doorhaling': 'VDH',
  'besluit-doorhaling': 'BDH',
};

/** Days in which a person can react to an intended decision, unless the deadline is earlier. */
const ZIENSWIJZE_DAYS = 28;

/** Returns a letter about the term of a registration. `register` is that of the day of the letter. */
export function composeTerm(register: RegisterOnDay, letter: TermLetter): Letter {
  const { kind, day, registratie, uhd, earlier } = letter;
  const { beroepCode, registerNummer, status, specialistTot } = registratie;
  const dates = earlier.map((one) => longDate(one.day));
  const dayOf = (sought: TermKind): string | null => {
    const found = earlier.find((one) => one.kind === sought);
    return found === undefined ? null : longDate(found.day);
  };
  const refused = zakenOn(register).findLast(
    ({ soort, besluit }) => soort === 'herregistratie' && besluit !== null && besluit.uitkomst !== 'goedgekeurd',
  );
  // A request that was refused before the last letter is not the reason any more: a new one could still be made.
  const isReason = refused?.besluit != null && refused.besluit.datum > uhd;
  const beroep = BEROEP_BY_CODE.get(beroepCode) ?? 'verpleegkundige';
  const zienswijze = plusDays(day, ZIENSWIJZE_DAYS);
  return letterOf(
    { register, registratie, kenmerk: `${TERM_CODE[kind]}-${day.replaceAll('-', '')}-${registerNummer.slice(-6)}` },
    TERM[kind],
    {
      beroep,
      norm: new Intl.NumberFormat('nl-NL').format(urennorm(beroep)),
      uhd: longDate(uhd),
      doorhaling: longDate(plusDays(uhd, 1)),
      doorgehaald_op: longDate(status.datum ?? day),
      specialist_tot: specialistTot && specialistTot === uhd ? longDate(specialistTot) : null,
      zienswijze_tot: longDate(zienswijze < uhd ? zienswijze : uhd),
      datum_oproep: dayOf('oproep'),
      datum_voornemen: isReason ? null : dayOf('voornemen-doorhaling'),
      eerdere_data: dates.length === 0 ? null : new Intl.ListFormat('nl').format(dates),
      geen_aanvraag: isReason ? null : '',
      afgewezen_aanvraag: isReason ? refused.referentie : null,
    },
  );
}

/** How a kind of request is called in a sentence. */
const AANVRAAG: Readonly<Record<string, string>> = {
  registratie: 'uw aanvraag om registratie',
  herregistratie: 'uw aanvraag om herregistratie',
  intake: 'uw intake',
  adreswijziging: 'uw verzoek om uw correspondentieadres te wijzigen',
};

/** Days in which the register decides on a request: eight weeks (Awb 4:13). */
const DECISION_DAYS = 56;

/** Returns the confirmation that a request was received. `register` is that of the day of receipt. */
export function composeReceipt(register: RegisterOnDay, { referentie, soort, ontvangenOp }: RequestOfResident): Letter {
  const registratie = registratiesOn(register).find(({ status }) => status.soort !== 'doorgehaald') ?? null;
  const until = longDate(plusDays(ontvangenOp, DECISION_DAYS));
  // An intake is judged, but there is no decision about it.
  const isIntake = soort === 'intake';
  return letterOf({ register, registratie, kenmerk: referentie }, ONTVANGSTBEVESTIGING, {
    aanvraag: AANVRAAG[soort] ?? 'uw aanvraag',
    ontvangen_op: longDate(ontvangenOp),
    besluit_uiterlijk: isIntake ? null : until,
    bericht_uiterlijk: isIntake ? until : null,
    besluit: isIntake ? null : '',
    herregistratie: soort === 'herregistratie' ? '' : null,
  });
}

/** Returns the standard decision about a request. `register` is that of the day of the decision. */
export function composeDecision(
  register: RegisterOnDay,
  zaak: RequestOfResident,
  { uitkomst, reden, datum }: NonNullable<RequestOfResident['besluit']>,
): Letter {
  const { referentie, soort, ontvangenOp } = zaak;
  const registratie = registratieOf(register, zaak);
  const uhd = registratie && deadlineOf(registratie);
  const loopt = registratie !== null && registratie.status.soort !== 'doorgehaald' && uhd !== null && uhd >= datum;
  const isHerregistratie = soort === 'herregistratie';
  return letterOf({ register, registratie, kenmerk: referentie }, decisionTemplate(soort, uitkomst, reden ?? null), {
    ontvangen_op: longDate(ontvangenOp),
    besloten_op: longDate(datum),
    reden: reden?.replace(/^Buiten behandeling gesteld: /, '') ?? null,
    beroep: registratie && (BEROEP_BY_CODE.get(registratie.beroepCode) ?? null),
    nummer: registratie?.registerNummer ?? null,
    uhd: uhd && longDate(uhd),
    uhd_loopt: isHerregistratie && loopt ? longDate(uhd) : null,
    uhd_voorbij: isHerregistratie && !loopt && uhd ? longDate(uhd) : null,
  });
}

function decisionTemplate(soort: string, uitkomst: string, reden: string | null): BriefSjabloon {
  const bySoort = BESLUITEN[soort as keyof typeof BESLUITEN];
  if (uitkomst === 'goedgekeurd') return bySoort.goedgekeurd;
  const isUnconsidered = uitkomst === 'buiten-behandeling' || reden?.startsWith('Buiten behandeling gesteld');
  return isUnconsidered ? BUITEN_BEHANDELING : bySoort.afgewezen;
}

/** Returns the registration that a decision is about: for a granted registration the new one. Null when there is none. */
function registratieOf(
  register: RegisterOnDay,
  { soort, gegevens, besluit }: RequestOfResident,
): RegistratieWire | null {
  const registraties = registratiesOn(register);
  if (soort === 'registratie')
    return registraties.findLast(({ registratiedatum }) => registratiedatum === besluit?.datum) ?? null;
  return (
    registraties.find(({ registratieId }) => registratieId === gegevens.registratieId) ??
    registraties.find(({ status }) => status.soort !== 'doorgehaald') ??
    registraties[0] ??
    null
  );
}
