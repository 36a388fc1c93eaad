import { Temporal } from 'temporal-polyfill';
import type * as z from 'zod';
import { currentRegistration, effectiveUhd } from '../../src/domain/registraties.ts';
import { dateOf } from '../../src/ports/clock.ts';
import { registratiesAsRead } from '../upstreams/register/registraties.ts';
import type { ClockSetting } from '../worlds/settings.ts';
import { type ControlDeps, loginNamed, slugOf } from './deps.ts';
import { ControlError } from './refusals.ts';
import type { ClockChange } from './schema.ts';

type Change = z.output<typeof ClockChange>;
type ClockDeps = Pick<ControlDeps, 'worlds' | 'directory'>;

const HELP = {
  detail:
    'Geef één van: real (waar), set (2026-06-01 of een moment), move (+4months, -1day, "+1year 2days"), deadline (een persona) of frozen.',
  english:
    'Give one of: real (true), set (2026-06-01 or a moment), move (+4months, -1day, "+1year 2days"), deadline (a persona) or frozen.',
};

/** The world itself is not changed. Null for the real time. Throws a 400, 404 or 409 when the change is not possible. */
export function clockSettingAfter(deps: ClockDeps, world: string, change: Change): ClockSetting | null {
  const { worlds } = deps;
  const { real, set, move, deadline, days, frozen } = change;
  const choices = [real, set, move, deadline].filter((one) => one !== undefined).length;
  const isRealFrozen = real !== undefined && frozen !== undefined;
  if (
    choices > 1 ||
    isRealFrozen ||
    (choices === 0 && frozen === undefined) ||
    (days !== undefined && deadline === undefined)
  )
    throw new ControlError('klok-onduidelijk', HELP);
  if (real) return null;
  const now = worlds.clock.now(world);
  const moment = checkMoment(momentOf(deps, world, change, now));
  const before = worlds.settings(world).clock;
  const firstDay = before?.firstDay ?? dateOf(now);
  const begun = before?.begun && { begun: before.begun };
  const isFrozen = frozen ?? (before === null ? worlds.isCommonClockFrozen : before.kind === 'frozen');
  if (isFrozen) return { firstDay, ...begun, kind: 'frozen', at: moment };
  return { firstDay, ...begun, kind: 'running', ahead: moment - worlds.runningClock.now(world).getTime() };
}

/** The world begins on a day (`YYYY-MM-DD`), and stands still there. Throws a 400 for one 200 years or more from now. */
export function beginOn(day: string): ClockSetting {
  return { kind: 'frozen', at: checkMoment(noonOf(day)), firstDay: day, begun: true };
}

/** Maximum distance of a world's clock from the real time, in milliseconds: about 200 years. */
const MAX_DISTANCE = 200 * 366 * 24 * 60 * 60 * 1_000;
function checkMoment(moment: Date): number {
  const at = moment.getTime();
  if (Math.abs(at - Date.now()) < MAX_DISTANCE) return at;
  throw tooFar();
}

const tooFar = (): ControlError =>
  new ControlError('klok-te-ver', {
    detail: 'Verder dan tweehonderd jaar gaat de klok niet.',
    english: 'The clock does not go further than two hundred years.',
  });

/** Returns 12:00 UTC on a day (`YYYY-MM-DD`). At that time, the Netherlands has the same date. */
const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);

function momentOf(deps: ClockDeps, world: string, { set, move, deadline, days = 0 }: Change, now: Date): Date {
  if (set !== undefined) return set.length === 10 ? noonOf(set) : new Date(set);
  if (move !== undefined) return moveBy(now, move);
  if (deadline !== undefined) return noonOf(addDays(deadlineOf(deps, world, deadline), days));
  return now;
}

const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

function deadlineOf(deps: ClockDeps, world: string, persona: string): string {
  const login = loginNamed(deps, world, persona);
  const here = deps.worlds.at(world);
  const found = here.byLogin(login);
  const registraties = found === null ? [] : registratiesAsRead(here, found);
  const registratie = currentRegistration({ registraties, today: here.today() });
  const uhd = registratie && effectiveUhd(registratie);
  if (uhd) return uhd;
  throw new ControlError('geen-deadline', {
    detail: `${slugOf(login)} heeft geen uiterste herregistratiedatum. Kies iemand die geregistreerd is, bijvoorbeeld sanne-de-wit.`,
    english: `${slugOf(login)} has no deadline. Choose a person who is registered, such as sanne-de-wit.`,
  });
}

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes'] as const;

/** The sign at the start counts for all parts. Months and days are calendar months and days in Europe/Amsterdam. */
function moveBy(now: Date, text: string): Date {
  const [, sign, rest = ''] = /^\s*([+-])\s*(\S.*)$/.exec(text) ?? [];
  const parts = [...rest.matchAll(/(\d{1,5})\s*([a-z]+)\s*/gy)];
  const duration: Partial<Record<(typeof UNITS)[number], number>> = {};
  for (const [, count, name] of parts) {
    const unit = UNITS.find((one) => one === name || one.slice(0, -1) === name);
    if (unit === undefined) throw moveRefused();
    duration[unit] = (duration[unit] ?? 0) + Number(count);
  }
  const isWhole = parts.reduce((length, [part]) => length + part.length, 0) === rest.length;
  if (sign === undefined || parts.length === 0 || !isWhole) throw moveRefused();
  const start = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('Europe/Amsterdam');
  try {
    return new Date((sign === '-' ? start.subtract(duration) : start.add(duration)).epochMilliseconds);
  } catch {
    throw tooFar();
  }
}

const moveRefused = (): ControlError =>
  new ControlError('klok-onduidelijk', {
    detail: `Schrijf + of −, een getal en ${UNITS.join(', ')}: bijvoorbeeld +4months, -1day of "+1year 2days".`,
    english: `Write + or -, a number and ${UNITS.join(', ')}: for example +4months, -1day or "+1year 2days".`,
  });
