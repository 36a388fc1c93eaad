/** Which requests a case handler of the simulated register decides on (domain.md 4.4, "Manual review"). */
import { stands } from '../../../src/domain/registraties.ts';
import { scholingThreshold, urennorm } from '../../../src/domain/urennorm.ts';
import { plusYears } from '../../../src/wire/dates.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { registratiesAsRead } from './registraties.ts';

/** One in this many requests gets a manual review without a reason. */
const SAMPLE_RATE = 5;
/** Years after which a diploma alone is not enough (domain.md 1.3). */
const RECENT_DIPLOMA_YEARS = 5;

/** A request that comes in. */
interface NewRequest {
  readonly soort: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly documenten: unknown;
}

/** True when a request needs a manual review. The flag of a persona overrides the sample only. */
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

/** False when DUO has a recent Dutch diploma of a person who was never struck off; otherwise true. */
function isManualRegistratie(
  { today }: ResidentInWorld,
  { diplomaHerkomst, diplomaDatum, opleidingstaal }: NewRequest['gegevens'],
  registraties: ReturnType<typeof registratiesAsRead>,
): boolean {
  const isRecent = typeof diplomaDatum === 'string' && plusYears(diplomaDatum, RECENT_DIPLOMA_YEARS) >= today;
  return diplomaHerkomst !== 'duo' || !isRecent || opleidingstaal !== 'nl' || !registraties.every(stands);
}
