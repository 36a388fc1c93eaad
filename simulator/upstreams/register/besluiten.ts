/** The decisions on requests in the simulated register: automatic ones, and those of a person or a letter. */
import type { ZaakWire } from '../../../adapters/register/wire.ts';
import { plusDays } from '../../../src/wire/dates.ts';
import type { ResidentAanvraag } from '../../people/resident.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import type { SimulatedZaak } from '../../worlds/state.ts';

/** Number of days from the receipt of a request without manual review to its automatic grant (domain.md 4.4). */
export const DECIDED_AFTER_DAYS = 2;

/** The name of a world, and the date in it (`YYYY-MM-DD`). */
export type WorldAndDate = Pick<ResidentInWorld, 'world' | 'today'>;

/**
 * A decision in the format of the register. `beroep` is the profession that the case handler named; null when none was
 * named.
 */
export type BesluitOfZaak = NonNullable<ZaakWire['besluit']> & { readonly beroep: string | null };

/**
 * Returns the decision that a person or a letter made on a request, in place of the automatic decision. Returns null
 * when it was set to undecided or applies only from a later day, and undefined when the automatic decision applies.
 */
function manualBesluit(
  { state }: World,
  { world, today }: WorldAndDate,
  referentie: string,
): BesluitOfZaak | null | undefined {
  const besluit = state.besluit(world, referentie);
  if (besluit === undefined) return undefined;
  const { uitkomst, reden, datum, beroep = null } = besluit;
  return uitkomst === null || datum > today ? null : { uitkomst, reden, datum, beroep };
}

/**
 * Returns the decision on a request that was submitted in the world; null when it is undecided. A request without
 * manual review is granted automatically two days after its receipt.
 */
export function besluitOn(
  world: World,
  at: WorldAndDate,
  { referentie, handmatig, ontvangenOp }: SimulatedZaak,
): BesluitOfZaak | null {
  const manual = manualBesluit(world, at, referentie);
  if (manual !== undefined) return manual;
  const datum = plusDays(ontvangenOp, DECIDED_AFTER_DAYS);
  return !handmatig && datum <= at.today ? { uitkomst: 'goedgekeurd', reden: null, datum, beroep: null } : null;
}

/**
 * Returns the decision on a request in a fixture; null when it is undecided. Without a decision of a person or a
 * letter, only a request with the status `Afgewezen` is decided.
 */
export function besluitBefore(
  world: World,
  at: WorldAndDate,
  { referentie, tag, reden, beslotenOp }: ResidentAanvraag,
): BesluitOfZaak | null {
  const manual = referentie === null ? null : manualBesluit(world, at, referentie);
  if (manual !== undefined) return manual;
  return tag === 'Afgewezen' && beslotenOp !== null
    ? { uitkomst: 'afgewezen', reden, datum: beslotenOp, beroep: null }
    : null;
}

/**
 * A request in the register, from the fixture of the person or submitted in the world, with its decision (null while
 * undecided). For a request from a fixture, `gegevens` is empty.
 */
export interface RequestOfResident {
  readonly referentie: string;
  readonly soort: string;
  readonly ontvangenOp: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly besluit: BesluitOfZaak | null;
}

/**
 * Returns all requests of a resident with their decisions: first those in the fixture, without drafts, then those that
 * were submitted in the world, oldest first.
 */
export function requestsOf(world: World, found: ResidentInWorld): RequestOfResident[] {
  const before = found.resident.aanvragen.flatMap((aanvraag): RequestOfResident[] => {
    const { referentie, type, begonnenOp } = aanvraag;
    if (referentie === null) return [];
    const besluit = besluitBefore(world, found, aanvraag);
    return [{ referentie, soort: type, ontvangenOp: begonnenOp, gegevens: {}, besluit }];
  });
  const since = world.state.zaken(found.resident.loginId).map((zaak) => ({
    ...zaak,
    besluit: besluitOn(world, found, zaak),
  }));
  return [...before, ...since];
}
