/** Decides which requests a case handler of the simulated register reviews (domain.md 4.4, "Manual review"). */
import { isValid } from '../../../src/domain/registraties.ts';
import { scholingThreshold, urennorm } from '../../../src/domain/urennorm.ts';
import { plusYears } from '../../../src/wire/dates.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { isDeceased } from './besluiten.ts';
import { registratiesAsRead } from './registraties.ts';

/**
 * A case handler reviews all requests of one in this number of residents. The slug of a resident decides, so that
 * these are the same residents in every world (separate copy of the simulated data).
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
  if (soort === 'registratie' && isManualRegistratie(found, gegevens, registraties)) return true;
  if (soort !== 'adreswijziging' && registraties.some(({ status }) => status.tag === 'Geschorst')) return true;
  if (Array.isArray(documenten) && documenten.some((document) => document?.channel === 'post')) return true;
  const about = registraties.find(({ id }) => id === gegevens.registratieId);
  const norm = about === undefined ? scholingThreshold({ registraties }) : urennorm(about.beroep);
  if (typeof gegevens.uren === 'number' && gegevens.uren < norm) return true;
  const [slug = ''] = resident.loginId.split('@');
  return resident.person.handmatig ?? [...slug].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SAMPLE_RATE === 0;
}

/**
 * Returns true when the rules require that a case handler reviews a request for registration. They do not require it
 * for a recent diploma from DUO of a programme in Dutch, if no registration of the person is struck off.
 */
function isManualRegistratie(
  { today }: ResidentInWorld,
  { diplomaHerkomst, diplomaDatum, opleidingstaal }: NewRequest['gegevens'],
  registraties: ReturnType<typeof registratiesAsRead>,
): boolean {
  const isRecent = typeof diplomaDatum === 'string' && plusYears(diplomaDatum, RECENT_DIPLOMA_YEARS) >= today;
  return diplomaHerkomst !== 'duo' || !isRecent || opleidingstaal !== 'nl' || !registraties.every(isValid);
}
