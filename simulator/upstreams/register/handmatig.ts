/** Decides which requests a case handler of the simulated register reviews (domain.md 4.4, "Manual review"). */
import { stands } from '../../../src/domain/registraties.ts';
import { scholingThreshold, urennorm } from '../../../src/domain/urennorm.ts';
import { plusYears } from '../../../src/wire/dates.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { registratiesAsRead } from './registraties.ts';

/**
 * One in this number of residents has all requests reviewed by a case handler. The login of a resident decides, so that
 * it is always the same residents.
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
 * Returns true when a case handler must review a request: because of the rules, or else by the member `handmatig` of
 * the persona or, when that is absent, by the sample (`SAMPLE_RATE`).
 */
export function isManual(world: World, found: ResidentInWorld, request: NewRequest): boolean {
  const { resident } = found;
  const { soort, gegevens, documenten } = request;
  const registraties = registratiesAsRead(world, found);
  if (soort === 'registratie' && isManualRegistratie(found, gegevens, registraties)) return true;
  if (soort !== 'adreswijziging' && registraties.some(({ status }) => status.tag === 'Geschorst')) return true;
  if (Array.isArray(documenten) && documenten.some((document) => document?.channel === 'post')) return true;
  const about = registraties.find(({ id }) => id === gegevens.registratieId);
  const norm = about === undefined ? scholingThreshold({ registraties }) : urennorm(about.beroep);
  if (typeof gegevens.uren === 'number' && gegevens.uren < norm) return true;
  return (
    resident.person.handmatig ??
    [...resident.loginId].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SAMPLE_RATE === 0
  );
}

/**
 * Returns true for a request for registration, unless it has a recent diploma from DUO of a programme in Dutch and no
 * registration of the person is struck off.
 */
function isManualRegistratie(
  { today }: ResidentInWorld,
  { diplomaHerkomst, diplomaDatum, opleidingstaal }: NewRequest['gegevens'],
  registraties: ReturnType<typeof registratiesAsRead>,
): boolean {
  const isRecent = typeof diplomaDatum === 'string' && plusYears(diplomaDatum, RECENT_DIPLOMA_YEARS) >= today;
  return diplomaHerkomst !== 'duo' || !isRecent || opleidingstaal !== 'nl' || !registraties.every(stands);
}
