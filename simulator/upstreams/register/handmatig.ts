/** Decides which requests a case handler of the simulated register must review (domain.md 4.4, "Manual review"). */
import { isValid } from '../../../src/domain/registraties.ts';
import { scholingThreshold, urennorm } from '../../../src/domain/urennorm.ts';
import { plusYears } from '../../../src/wire/dates.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { registratiesAsRead } from './registraties.ts';

/**
 * A sample of the residents, one in this number, has all requests reviewed manually. Their login decides whether they
 * are in the sample, so it is always the same residents.
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
 * Returns true when a case handler must review a request. First the rules decide: when one of them asks for a review,
 * the result is true. Otherwise the member `handmatig` of the persona decides or, when that is absent, the sample.
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
 * Returns true when a request for registration needs manual review. Returns false only for a recent diploma from DUO of
 * a programme in Dutch, when no registration of the person is struck off.
 */
function isManualRegistratie(
  { today }: ResidentInWorld,
  { diplomaHerkomst, diplomaDatum, opleidingstaal }: NewRequest['gegevens'],
  registraties: ReturnType<typeof registratiesAsRead>,
): boolean {
  const isRecent = typeof diplomaDatum === 'string' && plusYears(diplomaDatum, RECENT_DIPLOMA_YEARS) >= today;
  return diplomaHerkomst !== 'duo' || !isRecent || opleidingstaal !== 'nl' || !registraties.every(isValid);
}
