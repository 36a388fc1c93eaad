import { BEROEP_BY_CODE, type RegistratieWire } from '../../adapters/register/wire.ts';
import type { BriefSjabloon } from '../../fixtures/correspondence/sjabloon.ts';
import { BESLUITEN, BUITEN_BEHANDELING } from '../../fixtures/correspondence/zaken.ts';
import { urennorm, WETSARTIKEL } from '../../src/domain/professions.ts';
import { longDate, plusYears } from '../../src/wire/dates.ts';
import type { Beroep } from '../../src/wire/values.ts';
import type { Letter } from '../letters/letter.ts';
import { documentsOf, type EarlierLetter, type RequestOfResident } from '../upstreams/register/besluiten.ts';
import {
  diplomaDatumOf,
  grantedNummer,
  isRecognisedInEu,
  isSameBeroep,
  registratiesOf,
  requestedProfessionOf,
  titleGround,
} from '../upstreams/register/registraties.ts';
import { composeLetter, titleFacts } from './compose.ts';
import { type RegisterOnDay, registratiesOn } from './register-on-day.ts';
import { callDay, deadlineOf } from './term.ts';

/**
 * Returns the decision again, to the address before the change, with the lines `addressee`. Null when that is the same
 * or not known.
 */
export function composeMoved(register: RegisterOnDay, addressee: string[], zaak: RequestOfResident): Letter | null {
  const { besluit } = zaak;
  if (besluit === null || addressee.length < 2) return null;
  const letter = composeDecision(register, zaak, besluit, null, true);
  return letter.addressee.join() === addressee.join() ? null : { ...letter, addressee };
}

/**
 * Returns the standard letter with the decision on a request. `register` is the register on the day of the decision.
 * @param asked - the letter that asked the applicant to complete the request; null for no such letter
 * @param toOldAddress - true for the copy of a change of address that goes to the address before it
 */
export function composeDecision(
  register: RegisterOnDay,
  zaak: RequestOfResident,
  besluit: NonNullable<RequestOfResident['besluit']>,
  asked: EarlierLetter | null,
  toOldAddress = false,
): Letter {
  const { referentie, ontvangenOp, gegevens } = zaak;
  const { datum } = besluit;
  const registratie = registratieOf(register, zaak);
  const beroepCode = registratie?.beroepCode ?? requestedBeroepCode(register, zaak);
  const beroep = (beroepCode && BEROEP_BY_CODE.get(beroepCode)) || null;
  const { world, found } = register;
  const grond = groundOf(register, zaak, beroepCode);
  const diplomaDatum = diplomaDatumOf(found.resident, gegevens, beroepCode);
  const isForeign = grond === 'buitenland' || grond === 'eu';
  const diploma = diplomaDatum !== null && !isForeign ? longDate(diplomaDatum) : null;
  const isCopy = gegevens.diplomaHerkomst === 'handmatig';
  const uhd = registratie && deadlineOf(registratie);
  const isCallDue = uhd !== null && callDay(uhd) <= datum;
  return composeLetter({ register, registratie, kenmerk: referentie }, decisionTemplate(zaak, besluit), {
    ontvangen_op: longDate(ontvangenOp),
    besloten_op: longDate(datum),
    reden: reasonOf(besluit.reden),
    datum_verzoek: asked && longDate(asked.verzondenOp),
    reactie_tot: asked?.reactieTot ? longDate(asked.reactieTot) : null,
    gevraagd: asked?.waarover ?? null,
    beroep,
    beroep_onbekend: beroep === null ? '' : null,
    ...titleFacts(
      beroepCode === null ? 'nooitGeregistreerd' : titleGround(registratiesOf(world, found), beroepCode, datum),
    ),
    ...Object.fromEntries(GRONDEN.map((one) => [`grond_${one}`, one === grond ? '' : null])),
    geschorst: registratie?.status.soort === 'geschorst' ? '' : null,
    oproep_nu: isCallDue ? '' : null,
    oproep_later: isCallDue ? null : '',
    nieuw_adres: toOldAddress ? null : '',
    oud_adres: toOldAddress ? '' : null,
    wetsartikel: beroep && WETSARTIKEL[beroep],
    nummer: registratie?.registerNummer ?? null,
    diploma_datum: isCopy ? null : diploma,
    diploma_kopie: isCopy ? diploma : null,
    diploma_onbekend: diploma === null && !isForeign ? '' : null,
    ...hoursOf(zaak, beroep),
    ...deadlineFacts(zaak, registratie, datum),
  });
}

const GRONDEN = ['registratie', 'oudDiploma', 'eerderGeregistreerd', 'buitenland', 'eu'] as const;

/**
 * Returns the ground in the law of a decision on a registration (domain.md 6): art. 8, sixth paragraph, for somebody who
 * was registered before or has an old diploma, art. 41 for a foreign diploma, and with it 2005/36/EG for one that the EU
 * recognises automatically. Null for another kind of request, and
 * when the profession is not known.
 */
function groundOf(
  register: RegisterOnDay,
  { soort, ontvangenOp, referentie, gegevens }: RequestOfResident,
  beroepCode: string | null,
): (typeof GRONDEN)[number] | null {
  if (soort !== 'registratie' || beroepCode === null) return null;
  const isFormer = registratiesOn(register).some(
    (one) => isSameBeroep(one.beroepCode, beroepCode) && one.registerNummer !== grantedNummer(referentie, beroepCode),
  );
  if (isFormer) return 'eerderGeregistreerd';
  if (gegevens.diplomaHerkomst === 'buitenland')
    return isRecognisedInEu(register.found.resident, beroepCode) ? 'eu' : 'buitenland';
  const diplomaDatum = diplomaDatumOf(register.found.resident, gegevens, beroepCode);
  return diplomaDatum !== null && plusYears(diplomaDatum, 5) < ontvangenOp ? 'oudDiploma' : 'registratie';
}

/** Compared with the norm of the profession. A line with a variable that is null is left out of the letter. */
function hoursOf(zaak: RequestOfResident, beroep: Beroep | null) {
  const { uren } = zaak.gegevens;
  const norm = beroep && urennorm(beroep);
  const stated = typeof uren === 'number' ? uren : null;
  const isEnough = stated !== null && norm !== null && stated >= norm;
  const shown = stated?.toLocaleString('nl-NL') ?? null;
  const sent = documentsOf(zaak).map(({ categoryId }) => categoryId);
  const proof = isEnough ? null : ['scholingsbewijs', 'werkervaring'].find((one) => sent.includes(one));
  return {
    norm: norm?.toLocaleString('nl-NL') ?? null,
    uren_genoeg: isEnough ? shown : null,
    uren_scholing: proof === 'scholingsbewijs' ? shown : null,
    uren_werkervaring: proof === 'werkervaring' ? shown : null,
    uren_onbekend: shown === null || (!isEnough && proof === undefined) ? '' : null,
  };
}

/**
 * Returns the values of the template variables about the last date for renewal (uhd). For a herregistratie with such a
 * date, one of `uhd_loopt` (the date is on or after `datum`, the day of the decision) and `uhd_voorbij` is not null.
 */
function deadlineFacts({ soort }: RequestOfResident, registratie: RegistratieWire | null, datum: string) {
  const uhd = registratie && deadlineOf(registratie);
  const loopt = registratie !== null && registratie.status.soort !== 'doorgehaald' && uhd !== null && uhd >= datum;
  const isRenewal = soort === 'herregistratie';
  return {
    uhd: uhd && longDate(uhd),
    uhd_loopt: isRenewal && loopt ? longDate(uhd) : null,
    uhd_voorbij: isRenewal && !loopt && uhd ? longDate(uhd) : null,
  };
}

/** With a capital and a full stop. `Buiten behandeling gesteld: ` at its start is left out. */
function reasonOf(reden: string | null | undefined): string | null {
  const text = reden?.replace(/^Buiten behandeling gesteld: /, '').trim();
  if (!text) return null;
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** All requests that were not considered have one template, except an intake, which has that of a rejection. */
function decisionTemplate(
  { soort }: RequestOfResident,
  { uitkomst, reden }: NonNullable<RequestOfResident['besluit']>,
): BriefSjabloon {
  const bySoort = BESLUITEN[soort as keyof typeof BESLUITEN];
  if (uitkomst === 'goedgekeurd') return bySoort.goedgekeurd;
  const isUnconsidered = uitkomst === 'buiten-behandeling' || reden?.startsWith('Buiten behandeling gesteld');
  return isUnconsidered && soort !== 'intake' ? BUITEN_BEHANDELING : bySoort.afgewezen;
}

const requestedBeroepCode = ({ world, found }: RegisterOnDay, zaak: RequestOfResident): string | null =>
  zaak.soort === 'registratie'
    ? (requestedProfessionOf(found, zaak, registratiesOf(world, found), found.today)?.beroepCode ?? null)
    : null;

/** For a request for registration, that is the registration that it resulted in. */
function registratieOf(
  register: RegisterOnDay,
  { referentie, soort, gegevens }: RequestOfResident,
): RegistratieWire | null {
  const registraties = registratiesOn(register);
  if (soort === 'registratie')
    return (
      registraties.find(({ registerNummer, beroepCode }) => registerNummer === grantedNummer(referentie, beroepCode)) ??
      null
    );
  return (
    registraties.find(({ registratieId }) => registratieId === gegevens.registratieId) ??
    registraties.find(({ status }) => status.soort !== 'doorgehaald') ??
    registraties[0] ??
    null
  );
}
