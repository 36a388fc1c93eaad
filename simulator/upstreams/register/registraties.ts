/** The registrations in the simulated register, with the effects of requests and of time (domain.md 4.2, 4.7). */
import { BEROEP_BY_OPLEIDING } from '../../../adapters/duo/map.ts';
import { toRegistratie } from '../../../adapters/register/map.ts';
import { BEROEP_BY_CODE, CODE_BY_BEROEP, type RegistratieWire } from '../../../adapters/register/wire.ts';
import type { TitelGrond } from '../../../fixtures/correspondence/sjabloon.ts';
import { effectiveUhd } from '../../../src/domain/registraties.ts';
import { plusDays, plusYears } from '../../../src/wire/dates.ts';
import { type Beroep, DOORHALING } from '../../../src/wire/values.ts';
import type { Resident, ResidentRegistratie } from '../../people/resident.ts';
import { TERM_YEARS } from '../../people/resident-on-day.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { type RequestOfResident, requestsOf } from './besluiten.ts';

interface CurrentRegistratie extends ResidentRegistratie {
  readonly lopendeHerregistratie: { readonly referentie: string } | null;
  /** The past or future date on which the registration is struck off, with the reason; null when none is known. */
  readonly doorhaling: { readonly op: string; readonly reden: string } | null;
}

/** A request for herregistratie. `besluit` is null while it is undecided. */
interface Renewal {
  readonly ontvangenOp: string;
  readonly besluit: { readonly datum: string } | null;
}

/**
 * The days on which a temporary profession (art. 36a Wet BIG) came into and left the register, keyed by code (domain.md
 * 1.1).
 */
const ART_36A: Readonly<Record<string, { readonly van: string; readonly tot: string }>> = {
  '79': { van: '2020-07-01', tot: '2025-07-01' },
  '80': { van: '2019-01-01', tot: '2022-05-01' },
};

/**
 * Returns the registrations of a person with the effects of requests: first those of the fixture, then those that were
 * granted.
 */
export function registratiesOf(world: Pick<World, 'state'>, found: ResidentInWorld): CurrentRegistratie[] {
  const requests = requestsOf(world, found);
  const all = found.resident.registraties.map(withinArt36a);
  const { overledenOp } = found.resident;
  const requestsAbout = (one: ResidentRegistratie) =>
    requests.filter((its) => registratieIdOf(found, its) === idOf(found, one));
  const current = () => all.map((one) => withRequests(one, requestsAbout(one), overledenOp));
  for (const request of requests) {
    if (request.soort !== 'registratie' || request.besluit?.uitkomst !== 'goedgekeurd') continue;
    const { datum } = request.besluit;
    const before = current();
    const profession = requestedProfessionOf(found, request, before, datum);
    if (profession !== null && !profession.isHeld)
      all.push(grantedRegistratie(found.resident, request, datum, profession.beroepCode, before));
  }
  return current();
}

const isGranted = ({ besluit }: RequestOfResident): boolean => besluit?.uitkomst === 'goedgekeurd';

/** Returns a registration whose start date is within the period in which its profession was in the register. */
function withinArt36a(registratie: ResidentRegistratie): ResidentRegistratie {
  const law = ART_36A[registratie.beroepCode];
  const possible = law === undefined || (registratie.sinds >= law.van && registratie.sinds < law.tot);
  return possible ? registratie : { ...registratie, sinds: law.van };
}

const idOf = (found: ResidentInWorld, { nummer }: ResidentRegistratie): string => `${nummer}.${found.resident.loginId}`;

/**
 * Returns the id of the registration that a request is about. Null for another request than herregistratie; without a
 * named registration, the first one.
 */
export function registratieIdOf(
  found: ResidentInWorld,
  { soort, gegevens }: Pick<RequestOfResident, 'soort' | 'gegevens'>,
): string | null {
  if (soort !== 'herregistratie') return null;
  if (typeof gegevens.registratieId === 'string') return gegevens.registratieId;
  const [first] = found.resident.registraties;
  return first === undefined ? null : idOf(found, first);
}

/**
 * Returns a registration with the effects of its requests for herregistratie: the new deadline (uhd), five years after
 * the last grant; the undecided request; and the date on which the registration is struck off, also by death
 * (`overledenOp`). After the clock was set back, herregistratie can be requested before a deadline that the fixture
 * says was missed.
 */
function withRequests(
  registratie: ResidentRegistratie,
  own: readonly RequestOfResident[],
  overledenOp: string | null,
): CurrentRegistratie {
  const granted = own.findLast(isGranted)?.besluit;
  const pending = own.findLast(({ besluit }) => besluit === null)?.referentie;
  const uhd = granted ? plusYears(granted.datum, TERM_YEARS) : registratie.uhd;
  const isMissed = !granted && !own.some((one) => postpones(one, registratie));
  const status = isMissed || registratie.status?.reden !== DOORHALING.nietGeherregistreerd ? registratie.status : null;
  const renewed = { ...registratie, uhd, status };
  return {
    ...renewed,
    lopendeHerregistratie: pending ? { referentie: pending } : null,
    doorhaling: endedByDeath(doorhalingOf(renewed, own), overledenOp),
  };
}

/** Returns true for a request that was in progress on the day from which the fixture has another status. */
const postpones = ({ ontvangenOp, besluit }: Renewal, { status }: ResidentRegistratie): boolean =>
  status !== null && ontvangenOp < status.op && (besluit === null || besluit.datum > status.op);

/** Returns `doorhaling`, or the striking off by death when that is earlier. `overledenOp` is null for a living person. */
const endedByDeath = (doorhaling: CurrentRegistratie['doorhaling'], overledenOp: string | null) =>
  overledenOp !== null && (doorhaling === null || overledenOp < doorhaling.op)
    ? { op: overledenOp, reden: DOORHALING.overlijden }
    : doorhaling;

/**
 * Returns the past or future date on which a registration is struck off, with the reason; null when none is known. By
 * default, that is the day after the deadline (uhd). A herregistratie that was requested in time postpones it until the
 * decision; while that is not taken, no date is known.
 */
function doorhalingOf(
  registratie: ResidentRegistratie,
  renewals: readonly Renewal[],
): CurrentRegistratie['doorhaling'] {
  const { status, beroepCode } = registratie;
  if (status?.soort === 'doorgehaald') return { op: status.op, reden: status.reden };
  const law = ART_36A[beroepCode];
  if (law !== undefined) return { op: law.tot, reden: DOORHALING.vervallen };
  const uhd = effectiveUhd(registratie);
  if (uhd === null) return null;
  const inTime = renewals.filter(({ ontvangenOp }) => ontvangenOp <= uhd);
  if (inTime.some(({ besluit }) => besluit === null)) return null;
  const decided = inTime.map(({ besluit }) => besluit?.datum ?? '');
  return { op: [plusDays(uhd, 1), ...decided].sort().at(-1) ?? '', reden: DOORHALING.nietGeherregistreerd };
}

/** A status that the simulated register gives: never an unknown one. */
type Status = RegistratieWire['status'] & { readonly soort: Exclude<RegistratieWire['status']['soort'], 'onbekend'> };

/** Time alone can suspend, reinstate or strike off (domain.md 4.2). */
export function statusOn(day: string, { status, sinds, doorhaling }: CurrentRegistratie): Status {
  if (doorhaling !== null && doorhaling.op <= day)
    return { soort: 'doorgehaald', datum: doorhaling.op, tot: null, reden: doorhaling.reden };
  if (status?.soort === 'geschorst' && status.op <= day && (status.tot === null || status.tot > day))
    return { soort: 'geschorst', datum: status.op, tot: status.tot, reden: status.reden };
  return { soort: 'geregistreerd', datum: sinds, tot: null, reden: null };
}

/** Converts a registration to the format of the register, with its status on the current day of the resident. */
export const toWire = (found: ResidentInWorld, registratie: CurrentRegistratie): RegistratieWire => ({
  registratieId: idOf(found, registratie),
  registerNummer: registratie.nummer,
  naam: found.resident.naam,
  beroepCode: registratie.beroepCode,
  registratiedatum: registratie.sinds,
  geboortedatum: found.resident.geboortedatum,
  uhd: registratie.uhd,
  status: statusOn(found.today, registratie),
  specialistTot: registratie.specialistTot,
  lopendeHerregistratie: registratie.lopendeHerregistratie,
});

/** Returns the registrations of a resident as the service reads them, without those that its adapter cannot convert. */
export const registratiesAsRead = (world: Pick<World, 'state'>, found: ResidentInWorld) =>
  registratiesOf(world, found).flatMap((one) => toRegistratie(toWire(found, one)) ?? []);

/** The ground for how the title may be used after a strike-off, keyed by reason of the strike-off (domain.md 1.4). */
const TITEL_GROND: Readonly<Record<string, TitelGrond>> = {
  [DOORHALING.nietGeherregistreerd]: 'nietGeherregistreerd',
  [DOORHALING.eigenVerzoek]: 'eigenVerzoek',
  [DOORHALING.tuchtmaatregel]: 'tuchtmaatregel',
  [DOORHALING.vervallen]: 'vervallen',
};

/**
 * Returns the ground for how somebody may use the title of a profession, now (for somebody who is struck off) or after
 * a missed deadline (for somebody who is registered). Who is or was suspended has another right than who was not.
 */
export function titleGround(registraties: readonly CurrentRegistratie[], code: string, day: string): TitelGrond {
  const last = registraties.findLast(({ beroepCode, sinds }) => isSameBeroep(beroepCode, code) && sinds <= day);
  if (last === undefined) return 'nooitGeregistreerd';
  const { doorhaling } = last;
  const ended = doorhaling !== null && doorhaling.op <= day ? doorhaling.reden : DOORHALING.nietGeherregistreerd;
  const ground = TITEL_GROND[ended] ?? 'nietGeherregistreerd';
  return ground === 'nietGeherregistreerd' && wasSuspended(last, day) ? 'geschorst' : ground;
}

/** Returns true for two codes of one profession: an arts has 01, or 18 when they also dispense medicines. */
export const isSameBeroep = (one: string, other: string): boolean =>
  BEROEP_BY_CODE.get(one) === BEROEP_BY_CODE.get(other);

/** Returns true when a registration is suspended on a day, or was before, also according to a note. */
const wasSuspended = ({ status, aantekeningen }: ResidentRegistratie, day: string): boolean =>
  (status?.soort === 'geschorst' && status.op <= day) ||
  aantekeningen.some(
    ({ soort, omschrijving, van }) => soort === 'maatregel' && /^schorsing/i.test(omschrijving) && van <= day,
  );

/** `isHeld` is true when the person is already registered in that profession. */
export interface RequestedProfession {
  readonly beroepCode: string;
  readonly isHeld: boolean;
}

/**
 * Returns the profession for which a request for registration was made (domain.md 4.7): the one that the case handler
 * or the request names, or else one that fits the person. Null when none is known. `day` (`YYYY-MM-DD`) is the date for
 * which the registrations of the person are checked.
 */
export function requestedProfessionOf(
  { resident }: ResidentInWorld,
  {
    gegevens,
    besluit,
  }: { readonly gegevens: RequestOfResident['gegevens']; readonly besluit: { readonly beroep: string | null } | null },
  registraties: readonly CurrentRegistratie[],
  day: string,
): RequestedProfession | null {
  const isHeld = (code: string): boolean =>
    registraties.some(
      ({ beroepCode, doorhaling }) => isSameBeroep(beroepCode, code) && !(doorhaling && doorhaling.op <= day),
    );
  const named = [besluit?.beroep, gegevens.beroep].find((beroep) => typeof beroep === 'string');
  const code =
    named === undefined
      ? [resident.person.beoogdBeroep, ...registraties.map(({ beroepCode }) => beroepCode).reverse()].find(
          (one) => one !== undefined && !(one in ART_36A) && !isHeld(one),
        )
      : CODE_BY_BEROEP.get(named as Beroep);
  return code === undefined ? null : { beroepCode: code, isHeld: isHeld(code) };
}

/** Codes of the professions in which the EU recognises a diploma automatically (2005/36/EG, art. 21). */
const AUTOMATIC_IN_EU: ReadonlySet<string> = new Set(['01', '02', '03', '17', '30']);

/** Returns true when the foreign diploma of a person in this profession is recognised automatically in the EU. */
export const isRecognisedInEu = ({ person }: Pick<Resident, 'person'>, beroepCode: string): boolean =>
  person.herkomst === 'eu' && AUTOMATIC_IN_EU.has(beroepCode);

/** Returns the number of the registration in a profession that a request results in when it is granted. */
export const grantedNummer = (referentie: string, beroepCode: string): string =>
  `90${2_000_000 + Number(referentie.slice(-6))}${beroepCode}`;

/**
 * Returns the date of the diploma for the profession with this code: the one that the service read from DUO, or the one
 * on the copy that the applicant sends of a diploma that DUO does not have. Null when it is not known.
 */
export function diplomaDatumOf(
  { diplomas }: Pick<Resident, 'diplomas'>,
  { beroep, diplomaDatum, diplomaHerkomst }: RequestOfResident['gegevens'],
  beroepCode: string | null,
): string | null {
  const wanted = BEROEP_BY_CODE.get(beroepCode ?? '');
  if (typeof diplomaDatum === 'string' && beroep === wanted) return diplomaDatum;
  const dates = diplomas.flatMap(({ opleiding, behaaldOp }) =>
    BEROEP_BY_OPLEIDING.get(opleiding.code) === wanted ? (behaaldOp ?? []) : [],
  );
  return (diplomaHerkomst !== 'buitenland' && dates.sort().at(-1)) || null;
}

// Returns the registration that a decision grants. Its deadline is five years after the diploma. It is five years after
// the decision when that date has passed or is not known, and when the person was struck off before.
function grantedRegistratie(
  resident: Pick<Resident, 'diplomas'>,
  { referentie, gegevens }: RequestOfResident,
  sinds: string,
  beroepCode: string,
  before: readonly ResidentRegistratie[],
): ResidentRegistratie {
  const diploma = diplomaDatumOf(resident, gegevens, beroepCode);
  const afterDiploma = diploma === null ? '' : plusYears(diploma, TERM_YEARS);
  const again = before.some((one) => isSameBeroep(one.beroepCode, beroepCode));
  return {
    nummer: grantedNummer(referentie, beroepCode),
    beroepCode,
    sinds,
    uhd: again || afterDiploma < sinds ? plusYears(sinds, TERM_YEARS) : afterDiploma,
    status: null,
    specialistTot: null,
    aantekeningen: [],
  };
}
