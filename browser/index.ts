import { http, type RequestHandler } from 'msw';
import { isScenario, SCENARIO_NAMES, type ScenarioName } from '../simulator/worlds/scenarios.ts';
import type { Clock } from '../src/ports/clock.ts';
import { callerOf, unknownName, withCaller } from './caller.ts';
import { createWorld } from './world.ts';

export type { ScenarioName } from '../simulator/worlds/scenarios.ts';

export interface HandlersOptions {
  /**
   * Who calls when a request does not say so: a persona's slug (`sanne-de-wit`, `behandelaar-bas`) or `burger-7`. A request
   * without `Authorization` then gets a token as well. Without it every request has to say who calls, as with the real service.
   */
  readonly persona?: string | undefined;
  /** The day (`YYYY-MM-DD`) or moment at which time stands still. Without it: now, and running. */
  readonly clock?: string | Date | undefined;
  /** What goes wrong: names as in the console, the CLI and the control API. */
  readonly scenario?: ScenarioName | readonly ScenarioName[] | undefined;
  /** Where the service seems to be (`http://localhost:3000`). Without it: at every address. */
  readonly baseUrl?: string | undefined;
}

/**
 * The whole service as handlers of MSW, with its own rules and a world of its own: two calls share nothing. For a story, a test
 * or a page without a server:
 *
 *     export const Suspended = { parameters: { msw: handlers({ persona: 'pieter-hoekstra' }) } };
 *
 * The world is as old as the call: what must begin anew for every visit calls it anew (`beforeEach`).
 */
export function handlers({ persona, clock, scenario = [], baseUrl = '*' }: HandlersOptions = {}): RequestHandler[] {
  const caller = persona === undefined ? null : callerOf(persona);
  const service = createWorld(clockOf(clock), clock !== undefined, scenariosOf(scenario));
  const base = baseOf(baseUrl);
  return ['/api/v1/*', '/health', '/health/ready'].map((path) =>
    http.all(`${base}${path}`, ({ request }) => service(request, withCaller(request.headers, caller))),
  );
}

/** Paths are the service's own, so that what is below another path would be nobody's. */
function baseOf(baseUrl: string): string {
  const [, base] = /^(\*|https?:\/\/[^/?#]+)\/*$/.exec(baseUrl) ?? [];
  if (base !== undefined) return base;
  throw new Error('handlers: baseUrl must be an origin, without a path (http://localhost:3000), or * for every one');
}

/** RFC 3339, the time left out or not. `Date.parse` would read more: 01-06-2026 as the sixth of January. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

function clockOf(clock: string | Date | undefined): Clock {
  if (clock === undefined) return { now: () => new Date() };
  const at = typeof clock === 'string' ? momentOf(clock) : clock.getTime();
  if (Number.isNaN(at)) throw new Error('handlers: clock must be a day (2026-06-01), a moment (RFC 3339) or a Date');
  return { now: () => new Date(at) };
}

function momentOf(text: string): number {
  const [, day = '', time] = MOMENT.exec(text) ?? [];
  // Noon, so that no time zone makes another day of it.
  const noon = new Date(`${day}T12:00:00Z`);
  // The thirtieth of February would be the second of March.
  if (Number.isNaN(noon.getTime()) || !noon.toISOString().startsWith(day)) return Number.NaN;
  return time === undefined ? noon.getTime() : Date.parse(text);
}

function scenariosOf(scenario: string | readonly string[]): ScenarioName[] {
  return [scenario].flat().map((name) => {
    if (isScenario(name)) return name;
    throw unknownName('scenario', name, SCENARIO_NAMES);
  });
}
