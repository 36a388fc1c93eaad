/** Requests in the simulated register: their submission, the date of the decision, and its effect. */
import { createHash } from 'node:crypto';
import type { OntvangstWire, ZaakWire } from '../../../adapters/register/wire.ts';
import { plusDays, plusYears } from '../../../src/wire/dates.ts';
import { type ResidentAanvraag, type ResidentRegistratie, WORLD_PREFIX } from '../../people/resident.ts';
import { json, refusal, type SimulatedAnswer, type SimulatedRequest } from '../../transport/operation.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import type { SimulatedZaak } from '../../worlds/state.ts';

/** Days after which a request without manual review is granted (domain.md 4.4). */
const DECIDED_AFTER_DAYS = 2;
/** One in this many requests gets a manual review without a reason (domain.md 4.4, "Manual review"). */
const SAMPLE_RATE = 5;

/** A JSON object in a request that has not been checked yet. */
type UncheckedBody = Record<string, unknown> | null | undefined;

/** True for a known kind of request. */
const isSoort = (soort: unknown): soort is keyof typeof WORLD_PREFIX =>
  typeof soort === 'string' && Object.hasOwn(WORLD_PREFIX, soort);

/**
 * Returns the resident with this burgerservicenummer or login; null when unknown, undefined when the key has neither.
 */
export function findBy(world: World, key: UncheckedBody): ResidentInWorld | null | undefined {
  if (typeof key?.burgerservicenummer === 'string') return world.byBsn(key.burgerservicenummer);
  if (typeof key?.loginId === 'string') return world.byLogin(key.loginId);
  return undefined;
}

/**
 * Returns the key under which the requests of a person are stored: the login, or a hash of the burgerservicenummer. A
 * person whom the simulator does not have can submit a request too.
 */
function residentKeyOf(found: ResidentInWorld | null, key: UncheckedBody): string {
  if (found !== null) return found.resident.loginId;
  if (typeof key?.loginId === 'string') return key.loginId;
  return createHash('sha256').update(String(key?.burgerservicenummer)).digest('hex').slice(0, 20);
}

/** Stores a request: 201, or 200 with the first request when the idempotency key was used before. */
export function indienen(world: World, { headers, body }: SimulatedRequest): SimulatedAnswer {
  const vraag = body as UncheckedBody;
  const indiener = vraag?.indiener as UncheckedBody;
  const sleutel = headers.get('idempotency-key');
  const found = findBy(world, indiener);
  if (!sleutel) return refusal(400, 'Ongeldige zaak', 'De kopregel Idempotency-Key ontbreekt.');
  if (!isSoort(vraag?.soort) || found === undefined) return refusal(400, 'Ongeldige zaak', 'Geef soort en indiener.');
  const resident = residentKeyOf(found, indiener);
  const today = found?.today ?? world.today();
  const gegevens = (vraag.gegevens ?? {}) as Record<string, unknown>;
  const { zaak, nieuw } = world.state.addZaak({
    resident,
    world: found?.world ?? world.name,
    sleutel,
    prefix: WORLD_PREFIX[vraag.soort],
    soort: vraag.soort,
    kenmerk: typeof vraag.kenmerk === 'string' ? vraag.kenmerk : null,
    gegevens,
    handmatig: found === null || isManual(found, vraag.soort, gegevens, vraag.documenten),
    ontvangenOp: today,
  });
  if (found !== null) world.state.settle(resident, found.firstDay);
  return {
    status: nieuw ? 201 : 200,
    body: {
      zaakId: `z-${zaak.referentie}`,
      referentie: zaak.referentie,
      status: 'ontvangen',
      handmatig: zaak.handmatig,
      nieuw,
    } satisfies OntvangstWire,
  };
}

/**
 * True when a request needs a manual review (domain.md 4.4). A diploma from DUO needs none. The flag of a persona
 * overrides the sample.
 */
function isManual(
  { resident }: ResidentInWorld,
  soort: string,
  gegevens: Record<string, unknown>,
  documenten: unknown,
): boolean {
  if (soort === 'registratie' && gegevens.diplomaHerkomst !== 'duo') return true;
  if (Array.isArray(documenten) && documenten.some((document) => document?.channel === 'post')) return true;
  const code = resident.registraties[0]?.beroepCode ?? '';
  const norm = ['16', '25', '31'].includes(code) ? 3_120 : 2_080;
  if (typeof gegevens.uren === 'number' && gegevens.uren < norm) return true;
  return (
    resident.person.handmatig ??
    [...resident.loginId].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SAMPLE_RATE === 0
  );
}

/** Returns the requests of a person. */
export function zoek(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const indiener = (body as UncheckedBody)?.indiener as UncheckedBody;
  const found = findBy(world, indiener);
  if (found === undefined) return refusal(400, 'Ongeldige zoekvraag', 'Geef een indiener.');
  if (found !== null) return json(zakenOf(world, found));
  return json(
    world.state
      .zaken(residentKeyOf(null, indiener))
      .map((zaak) => toWire(world, zaak, { world: world.name, today: world.today() })),
  );
}

/** Returns all requests of a resident: those of the fixture, and those that were submitted. */
function zakenOf(world: World, found: ResidentInWorld): ZaakWire[] {
  const { resident } = found;
  const before = resident.aanvragen.flatMap((aanvraag): ZaakWire[] => {
    const { referentie, id, manual } = aanvraag;
    if (referentie === null) return [];
    const besluit = besluitBefore(world, found, aanvraag);
    return [{ referentie, kenmerk: id, status: besluit ? 'besloten' : 'in-behandeling', handmatig: manual, besluit }];
  });
  return [...before, ...world.state.zaken(resident.loginId).map((zaak) => toWire(world, zaak, found))];
}

/** A world, and the date at. */
type WorldAndDate = Pick<ResidentInWorld, 'world' | 'today'>;

/** Returns a request in the format of the register. */
function toWire(world: World, zaak: SimulatedZaak, at: WorldAndDate): ZaakWire {
  const { referentie, kenmerk, handmatig } = zaak;
  const besluit = besluitOn(world, at, zaak);
  const status = besluit !== null ? 'besloten' : handmatig ? 'in-behandeling' : 'ontvangen';
  return { referentie, kenmerk, status, handmatig, besluit };
}

type BesluitWire = NonNullable<ZaakWire['besluit']>;

/**
 * Returns the decision that was set by hand; null: set to pending; undefined: none was set, and the simulated decision
 * applies.
 */
function manualBesluit(
  { state }: World,
  { world, today }: WorldAndDate,
  referentie: string,
): BesluitWire | null | undefined {
  const besluit = state.besluit(world, referentie);
  if (besluit === undefined) return undefined;
  const { uitkomst, reden, datum } = besluit;
  return uitkomst === null || datum > today ? null : { uitkomst, reden, datum };
}

/**
 * Returns the decision about a submitted request; null when it is pending. Without a manual review it is granted
 * automatically.
 */
export function besluitOn(
  world: World,
  at: WorldAndDate,
  { referentie, handmatig, ontvangenOp }: SimulatedZaak,
): BesluitWire | null {
  const manual = manualBesluit(world, at, referentie);
  if (manual !== undefined) return manual;
  const datum = plusDays(ontvangenOp, DECIDED_AFTER_DAYS);
  return !handmatig && datum <= at.today ? { uitkomst: 'goedgekeurd', reden: null, datum } : null;
}

/** Returns the decision about a request of the fixture; null when there is none. */
export function besluitBefore(
  world: World,
  at: WorldAndDate,
  { referentie, tag, reden, beslotenOp }: ResidentAanvraag,
): BesluitWire | null {
  const manual = referentie === null ? null : manualBesluit(world, at, referentie);
  if (manual !== undefined) return manual;
  return tag === 'Afgewezen' && beslotenOp !== null ? { uitkomst: 'afgewezen', reden, datum: beslotenOp } : null;
}

/**
 * Returns a registration with the effects of requests for herregistratie: a granted request moves the UHD to five years
 * after the decision, a pending request is in `lopendeHerregistratie`.
 */
export function withZaken(world: World, found: ResidentInWorld, registratie: ResidentRegistratie) {
  const { resident } = found;
  const requests = [
    ...resident.aanvragen
      .filter(({ type, tag }) => type === 'herregistratie' && tag !== 'Concept')
      .map((aanvraag) => ({ ...aanvraag, besluit: besluitBefore(world, found, aanvraag) })),
    ...world.state
      .zaken(resident.loginId)
      .filter(({ soort }) => soort === 'herregistratie')
      .map((zaak) => ({ ...zaak, besluit: besluitOn(world, found, zaak) })),
  ];
  const granted = requests.findLast(({ besluit }) => besluit?.uitkomst === 'goedgekeurd')?.besluit;
  const pending = requests.findLast(({ besluit }) => besluit === null)?.referentie;
  return {
    ...registratie,
    uhd: granted ? plusYears(granted.datum, 5) : registratie.uhd,
    lopendeHerregistratie: pending ? { referentie: pending } : null,
  };
}

/** Returns the registrations that were granted by a submitted request. */
export function grantedRegistraties(world: World, found: ResidentInWorld): ResidentRegistratie[] {
  return world.state.zaken(found.resident.loginId).flatMap((zaak) => {
    const besluit = zaak.soort === 'registratie' ? besluitOn(world, found, zaak) : null;
    const sinds = besluit?.uitkomst === 'goedgekeurd' ? besluit.datum : null;
    const beroepCode = CODE_BY_BEROEP.get(String(zaak.gegevens.beroep));
    if (sinds === null || beroepCode === undefined) return [];
    const serial = 2_000_000 + Number(zaak.referentie.slice(-6));
    return [
      {
        nummer: `90${serial}${beroepCode}`,
        beroepCode,
        sinds,
        uhd: plusYears(sinds, 5),
        status: null,
        specialistTot: null,
        aantekeningen: [],
      },
    ];
  });
}

/** Codes of the professions for which a DUO diploma is enough, by name of the profession. */
export const CODE_BY_BEROEP: ReadonlyMap<string, string> = new Map([
  ['arts', '01'],
  ['tandarts', '02'],
  ['verloskundige', '03'],
  ['fysiotherapeut', '04'],
  ['apotheker', '17'],
  ['verpleegkundige', '30'],
  ['geregistreerd-mondhygiënist', '79'],
  ['bachelor medisch hulpverlener', '80'],
  ['physician assistant', '81'],
  ['klinisch technoloog', '82'],
]);
