/** Decides which requests a case handler of the simulated register reviews (domain.md 4.4, "Manual review"). */
import { scholingThreshold, urennorm } from '../../../src/domain/professions.ts';
import { plusYears } from '../../../src/wire/dates.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { isDeceased } from './besluiten.ts';
import { registratiesAsRead } from './registraties.ts';

/**
 * A case handler reviews all requests of one in this number of residents. The slug of a resident decides, so that these
 * are the same residents in every world.
 */
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
  // Suspended, or struck off before.
  if (registraties.some(({ status }) => status.tag !== 'Geregistreerd')) return true;
  if (soort === 'registratie' && isManualDiploma(found, gegevens)) return true;
  if (Array.isArray(documenten) && documenten.some((document) => document?.channel === 'post')) return true;
  const about = registraties.find(({ id }) => id === gegevens.registratieId);
  const norm = about === undefined ? scholingThreshold({ registraties }) : urennorm(about.beroep);
  if (typeof gegevens.uren === 'number' && gegevens.uren < norm) return true;
  const [slug = ''] = resident.loginId.split('@');
  return resident.person.handmatig ?? [...slug].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SAMPLE_RATE === 0;
}

/**
 * Returns true when a case handler must review the diploma in a request for registration. Only a recent diploma from DUO
 * of a programme in Dutch needs no review.
 */
function isManualDiploma(
  { today }: ResidentInWorld,
  { diplomaHerkomst, diplomaDatum, opleidingstaal }: NewRequest['gegevens'],
): boolean {
  const isRecent = typeof diplomaDatum === 'string' && plusYears(diplomaDatum, RECENT_DIPLOMA_YEARS) >= today;
  return diplomaHerkomst !== 'duo' || !isRecent || opleidingstaal !== 'nl';
}
