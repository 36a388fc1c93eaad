/** The decisions on requests in the simulated register: automatic ones, and those of a case handler. */
import type { OpdrachtWire } from '../../../adapters/register/brieven/wire.ts';
import type { ZaakWire } from '../../../adapters/register/wire.ts';
import { workdayFrom } from '../../../src/domain/workdays.ts';
import { plusDays } from '../../../src/wire/dates.ts';
import type { ResidentAanvraag } from '../../people/resident.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import type { SimulatedZaak } from '../../worlds/state.ts';

/**
 * Number of days from the receipt of a request without manual review until it is automatically granted (domain.md 4.4).
 * Nobody decides in a weekend or on a holiday: then it is the next workday (domain.md 4.7).
 */
export const DECIDED_AFTER_DAYS = 2;

/** The name of a world, and the date in it (`YYYY-MM-DD`). `resident` is the applicant; absent for a stranger. */
export type WorldAndDate = Pick<ResidentInWorld, 'world' | 'today'> & Partial<Pick<ResidentInWorld, 'resident'>>;

/** A decision with the profession that the case handler named (null for none). */
export type BesluitOfZaak = NonNullable<ZaakWire['besluit']> & { readonly beroep: string | null };

/** Returns true when a person has died: the register grants no request of that person. */
export const isDeceased = ({ resident: { overledenOp }, today }: ResidentInWorld): boolean =>
  overledenOp !== null && overledenOp <= today;

export function besluitWire({ uitkomst, reden, datum }: BesluitOfZaak): NonNullable<ZaakWire['besluit']> {
  return { uitkomst, reden, datum };
}

/** Null: undecided, or decided on a later day. Undefined: none was stored, so the automatic decision applies. */
function manualBesluit(
  { state }: Pick<World, 'state'>,
  { world, today }: WorldAndDate,
  referentie: string,
): BesluitOfZaak | null | undefined {
  const besluit = state.besluit(world, referentie);
  if (besluit === undefined) return undefined;
  const { uitkomst, reden, datum, beroep = null } = besluit;
  return uitkomst === null || datum > today ? null : { uitkomst, reden, datum, beroep };
}

/**
 * Returns the decision on a submitted request; null while it is undecided. Without manual review, a request is granted
 * two days after its receipt or the next workday, unless the applicant has died by then.
 */
export function besluitOnZaak(
  world: Pick<World, 'state'>,
  at: WorldAndDate,
  { referentie, handmatig, ontvangenOp }: Pick<SimulatedZaak, 'referentie' | 'handmatig' | 'ontvangenOp'>,
): BesluitOfZaak | null {
  const manual = manualBesluit(world, at, referentie);
  if (manual !== undefined) return manual;
  const datum = workdayFrom(plusDays(ontvangenOp, DECIDED_AFTER_DAYS));
  const died = at.resident?.overledenOp ?? null;
  return !handmatig && datum <= at.today && (died === null || died > datum)
    ? { uitkomst: 'goedgekeurd', reden: null, datum, beroep: null }
    : null;
}

function besluitOnAanvraag(
  world: Pick<World, 'state'>,
  at: WorldAndDate,
  zaak: Pick<SimulatedZaak, 'referentie' | 'handmatig' | 'ontvangenOp'>,
  { reden, beslotenOp }: ResidentAanvraag,
): BesluitOfZaak | null {
  const isDecided = beslotenOp !== null && beslotenOp <= at.today;
  return isDecided && manualBesluit(world, at, zaak.referentie) === undefined
    ? { uitkomst: 'afgewezen', reden, datum: beslotenOp, beroep: null }
    : besluitOnZaak(world, at, zaak);
}

/**
 * A request of a person, from a fixture (`gegevens` has at most a `registratieId`) or submitted. `besluit` is null while
 * it is undecided.
 */
export interface RequestOfResident {
  readonly referentie: string;
  /** The id with which the service sent it; null for none. */
  readonly kenmerk: string | null;
  readonly soort: string;
  readonly handmatig: boolean;
  readonly ontvangenOp: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly besluit: BesluitOfZaak | null;
}

/** A letter without a decision that the register sent about a request: it asked or announced something. */
export type EarlierLetter = NonNullable<OpdrachtWire['eerder']>[number];

/**
 * Returns the letters without a decision that were sent about a request up to and on a day, oldest first. Letters that
 * were stored before it was stored what they asked are left out.
 */
export const earlierLetters = (
  state: Pick<World['state'], 'verzendingen'>,
  { world, referentie, day }: { readonly world: string; readonly referentie: string; readonly day: string },
): EarlierLetter[] =>
  state
    .verzendingen(world)
    .filter((one) => one.referentie === referentie && one.verzondenOp <= day)
    .flatMap(({ inhoud, verzondenOp }) => (inhoud?.verzoek ? [{ ...inhoud.verzoek, verzondenOp }] : []));

export interface RequestedDocument {
  readonly categoryId: string;
  readonly channel: string;
}

export const documentsOf = ({ gegevens: { documenten } }: Pick<RequestOfResident, 'gegevens'>) =>
  (documenten ?? []) as readonly RequestedDocument[];

/**
 * Returns the requests of a person: first those of the fixture, without drafts, then the submitted ones, oldest first.
 */
export function requestsOf(world: Pick<World, 'state'>, found: ResidentInWorld): RequestOfResident[] {
  const before = found.resident.aanvragen.flatMap((aanvraag): RequestOfResident[] => {
    const { referentie, id: kenmerk, type: soort, manual: handmatig, begonnenOp: ontvangenOp, over } = aanvraag;
    if (referentie === null) return [];
    const gegevens = over === null ? {} : { registratieId: `${over}.${found.resident.loginId}` };
    const besluit = besluitOnAanvraag(world, found, { referentie, handmatig, ontvangenOp }, aanvraag);
    return [{ referentie, kenmerk, soort, handmatig, ontvangenOp, gegevens, besluit }];
  });
  return [...before, ...submittedBy(world, found.resident.loginId, found)];
}

/** Returns the requests that were submitted by the person with this login, also a stranger, oldest first. */
export const submittedBy = (world: Pick<World, 'state'>, login: string, at: WorldAndDate): RequestOfResident[] =>
  world.state.zaken(login).map((zaak) => ({ ...zaak, besluit: besluitOnZaak(world, at, zaak) }));

export const statusOfRequest = ({ besluit, handmatig }: Pick<RequestOfResident, 'besluit' | 'handmatig'>) =>
  besluit !== null ? 'besloten' : handmatig ? 'in-behandeling' : 'ontvangen';
