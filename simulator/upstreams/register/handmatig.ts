/** Decides which requests a case handler of the simulated register must review (domain.md 4.4, "Manual review"). */
import { stands } from '../../../src/domain/registraties.ts';
import { scholingThreshold, urennorm } from '../../../src/domain/urennorm.ts';
import { plusYears } from '../../../src/wire/dates.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { registratiesAsRead } from './registraties.ts';

/**
 * One in this number of residents has all requests reviewed manually, as a sample. Which residents follows from their
 * login.
 */
const SAMPLE_RATE = 5;
/** Number of years after which a diploma alone is no longer sufficient (domain.md 1.3). */
const RECENT_DIPLOMA_YEARS = 5;

/** A request that is being submitted. */
interface NewRequest {
  readonly soort: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly documenten: unknown;
}

/**
 * Returns true when a case handler must review a request. The sample applies only when no rule asks for a review. The
 * member `handmatig` of a persona replaces only the sample.
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
 * Returns true when a request for registration needs manual review. Returns false only when DUO has a recent diploma of
 * a programme in Dutch, and no registration of the person is struck off.
 */
function isManualRegistratie(
  { today }: ResidentInWorld,
  { diplomaHerkomst, diplomaDatum, opleidingstaal }: NewRequest['gegevens'],
  registraties: ReturnType<typeof registratiesAsRead>,
): boolean {
  const isRecent = typeof diplomaDatum === 'string' && plusYears(diplomaDatum, RECENT_DIPLOMA_YEARS) >= today;
  return diplomaHerkomst !== 'duo' || !isRecent || opleidingstaal !== 'nl' || !registraties.every(stands);
}
