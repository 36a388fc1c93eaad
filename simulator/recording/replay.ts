/**
 * Returns recorded answers of real upstreams, as answers of the simulated upstreams about personas whose files contain
 * them.
 */
import type { OpnameAntwoord } from '../../fixtures/opname.ts';
import { BRP_DATE_TYPES, toPartialBrpDate } from '../people/brp-date.ts';
import { dateAt, dayOf } from '../people/days.ts';
import { refusal, type SimulatedAnswer } from '../transport/operation.ts';
import type { ResidentInWorld } from '../worlds/index.ts';

type Asked = Pick<OpnameAntwoord, 'operatie' | 'registratie' | 'velden'>;

/**
 * Returns the recorded answer about a person; null when there is none for this operation and registration. An answer
 * with all fields in `velden` comes before others. Its dates are moved, so that the day of the recording becomes the
 * first day of the person in this world.
 */
export function recordedAnswer(
  found: ResidentInWorld | null,
  { operatie, registratie, velden }: Asked,
): SimulatedAnswer | null {
  const { opname } = found?.resident.person ?? {};
  if (found === null || opname === undefined) return null;
  const candidates = opname.antwoorden.filter((one) => one.operatie === operatie && one.registratie === registratie);
  const hasAll = (one: Asked) => (velden ?? []).every((veld) => one.velden?.includes(veld));
  const answer = candidates.find(hasAll) ?? candidates[0];
  if (answer === undefined) return null;
  if (answer.status === 404) return refusal(404, 'Niet gevonden', 'De opname heeft hier een 404.');
  const days = dayOf(found.firstDay) - dayOf(opname.vandaag);
  return {
    status: 200,
    body: fillRecording(answer.inhoud, { days, bsn: found.resident.bsn ?? '', login: found.resident.loginId }),
  };
}

interface Target {
  readonly days: number;
  readonly bsn: string;
  readonly login: string;
}

/**
 * Returns a copy of a recorded value with its dates moved by `now.days` days. `{bsn}` and `{login}` in texts are
 * replaced by the burgerservicenummer and the login of the person.
 */
function fillRecording(value: unknown, now: Target): unknown {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return moveDay(value, now);
    return value.replaceAll('{bsn}', now.bsn).replaceAll('{login}', now.login);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => fillRecording(one, now));
  const { type: given, datum, jaar, maand = 7 } = value as Record<string, unknown>;
  const type = BRP_DATE_TYPES.find((one) => one === given);
  if (type !== undefined && (typeof datum === 'string' || typeof jaar === 'number')) {
    const day =
      typeof datum === 'string' ? datum : `${String(jaar).padStart(4, '0')}-${String(maand).padStart(2, '0')}-15`;
    return toPartialBrpDate(moveDay(day, now), type);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillRecording(member, now)]));
}

const moveDay = (day: string, { days }: Target): string => dateAt(dayOf(day) + days);
