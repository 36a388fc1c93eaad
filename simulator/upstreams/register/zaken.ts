import { createHash } from 'node:crypto';
import type { OntvangstWire, ZaakBijSleutelWire, ZaakWire } from '../../../adapters/register/wire.ts';
import { scholingThreshold, urennorm } from '../../../src/domain/professions.ts';
import { plusYears } from '../../../src/wire/dates.ts';
import { REFERENTIE_PREFIX } from '../../people/resident.ts';
import { json, refusal, type SimulatedAnswer, type SimulatedRequest } from '../../transport/operation.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import {
  besluitOnZaak,
  besluitWire,
  isDeceased,
  type RequestedDocument,
  type RequestOfResident,
  requestsOf,
  statusOfRequest,
  submittedBy,
} from './besluiten.ts';
import { registratiesAsRead } from './registraties.ts';

/** Requests (zaken) in the simulated register: their submission, and the answers about them. */

type UncheckedBody = Record<string, unknown> | null | undefined;

const isSoort = (soort: unknown): soort is keyof typeof REFERENTIE_PREFIX =>
  typeof soort === 'string' && Object.hasOwn(REFERENTIE_PREFIX, soort);

/**
 * Returns a resident by burgerservicenummer or else login: null for an unknown resident, undefined when `key` has
 * neither.
 */
export function findBy(world: World, key: UncheckedBody): ResidentInWorld | null | undefined {
  if (typeof key?.burgerservicenummer === 'string') return world.byBsn(key.burgerservicenummer);
  if (typeof key?.loginId === 'string') return world.byLogin(key.loginId);
  return undefined;
}

// Returns the key under which the cases of a person are stored: a hash of the burgerservicenummer for a person who is
// not in the simulator, such as a test person of a real upstream.
function residentKeyOf(found: ResidentInWorld | null, key: UncheckedBody): string {
  if (found !== null) return found.resident.loginId;
  if (typeof key?.loginId === 'string') return key.loginId;
  return createHash('sha256').update(String(key?.burgerservicenummer)).digest('hex').slice(0, 20);
}

/**
 * Stores a submitted request and answers 201. When the person used its idempotency key before, answers 200 with the
 * earlier request. Answers 400 when the idempotency key, the applicant or a known kind of request is missing.
 */
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
    prefix: REFERENTIE_PREFIX[vraag.soort],
    soort: vraag.soort,
    kenmerk: typeof vraag.kenmerk === 'string' ? vraag.kenmerk : null,
    // The register keeps which documents it gets, for its letters.
    gegevens: { ...gegevens, documenten: documentenOf(vraag.documenten) },
    handmatig: found === null || isManual(world, found, { soort: vraag.soort, gegevens, documenten: vraag.documenten }),
    ontvangenOp: today,
  });
  if (found !== null) world.state.setFirstDayOnce(resident, found.firstDay);
  return {
    status: nieuw ? 201 : 200,
    body: {
      zaakId: `z-${zaak.referentie}`,
      status: 'ontvangen',
      ...({ referentie: zaak.referentie, handmatig: zaak.handmatig, nieuw } satisfies OntvangstWire),
    },
  };
}

const documentenOf = (documenten: unknown): RequestedDocument[] =>
  (Array.isArray(documenten) ? documenten : []).map((one) => ({
    categoryId: String(one?.categoryId),
    channel: String(one?.channel),
  }));

/** Answers with all requests of one person; 400 when the body names no person. */
export function zoek(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const indiener = (body as UncheckedBody)?.indiener as UncheckedBody;
  const found = findBy(world, indiener);
  if (found === undefined) return refusal(400, 'Ongeldige zoekvraag', 'Geef een indiener.');
  const at = { world: world.name, today: world.today() };
  const requests = found ? requestsOf(world, found) : submittedBy(world, residentKeyOf(null, indiener), at);
  return json(requests.map(toWire));
}

/**
 * Answers with the request that a person submitted with an idempotency key, or with null for none. With this answer, a
 * caller knows whether a submission arrived. Answers 400 when the person or the key is missing.
 */
export function zoekBijSleutel(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const vraag = body as UncheckedBody;
  const indiener = vraag?.indiener as UncheckedBody;
  const found = findBy(world, indiener);
  if (found === undefined || typeof vraag?.sleutel !== 'string')
    return refusal(400, 'Ongeldige zoekvraag', 'Geef een indiener en een sleutel.');
  const zaak = world.state.zaakBy(residentKeyOf(found, indiener), vraag.sleutel);
  const at = found ?? { world: world.name, today: world.today() };
  const request = zaak && { ...zaak, besluit: besluitOnZaak(world, at, zaak) };
  return json({ zaak: request && toWire(request) } satisfies ZaakBijSleutelWire);
}

function toWire(request: RequestOfResident): ZaakWire {
  const { referentie, kenmerk, handmatig, besluit } = request;
  return { referentie, kenmerk, status: statusOfRequest(request), handmatig, besluit: besluit && besluitWire(besluit) };
}

/** The slug of a resident decides, so that these are the same residents in every world. */
const SAMPLE_RATE = 5;
/** Number of years in which a diploma alone is sufficient (domain.md 1.3). */
const RECENT_DIPLOMA_YEARS = 5;

interface NewRequest {
  readonly soort: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly documenten: unknown;
}

/**
 * Returns true when a case handler must review a request. That is so when the rules say so. When they do not, the
 * member `handmatig` of the fixture decides or, when that is absent, whether the resident is in the sample
 * (`SAMPLE_RATE`).
 */
export function isManual(world: World, found: ResidentInWorld, request: NewRequest): boolean {
  const { resident } = found;
  const { soort, gegevens, documenten } = request;
  if (isDeceased(found)) return true;
  const registraties = registratiesAsRead(world, found);
  // A person who is suspended, or was struck off before, gets manual review.
  if (registraties.some(({ status }) => status.tag !== 'Geregistreerd')) return true;
  if (soort === 'registratie' && isManualDiploma(found, gegevens)) return true;
  if (Array.isArray(documenten) && documenten.some((document) => document?.channel === 'post')) return true;
  const about = registraties.find(({ id }) => id === gegevens.registratieId);
  const norm = about === undefined ? scholingThreshold({ registraties }) : urennorm(about.beroep);
  if (typeof gegevens.uren === 'number' && gegevens.uren < norm) return true;
  const [slug = ''] = resident.loginId.split('@');
  return resident.person.handmatig ?? [...slug].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SAMPLE_RATE === 0;
}

/** Only a recent diploma from DUO of a programme in Dutch needs no review. */
function isManualDiploma(
  { today }: ResidentInWorld,
  { diplomaHerkomst, diplomaDatum, opleidingstaal }: NewRequest['gegevens'],
): boolean {
  const isRecent = typeof diplomaDatum === 'string' && plusYears(diplomaDatum, RECENT_DIPLOMA_YEARS) >= today;
  return diplomaHerkomst !== 'duo' || !isRecent || opleidingstaal !== 'nl';
}
