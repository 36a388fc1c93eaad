import { http, type RequestHandler } from 'msw';
import type { Persona } from '../fixtures/person.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';
import { createDirectory } from '../simulator/people/directory.ts';
import { explainFault } from '../simulator/persona-files/explain.ts';
import { readPersonas } from '../simulator/persona-files/read.ts';
import type { PersonaFile } from '../simulator/persona-files/schema.ts';
import { isScenario, SCENARIO_NAMES, type ScenarioName } from '../simulator/worlds/scenarios.ts';
import type { Clock } from '../src/ports/clock.ts';
import { callerOf, unknownName, withCaller } from './caller.ts';
import type { HandlersControl } from './types.ts';
import { createWorld } from './world.ts';

export type { PersonaFile } from '../simulator/persona-files/schema.ts';
export type { ScenarioName } from '../simulator/worlds/scenarios.ts';
export type { ClockChange, HandledRequest, HandledZaak, HandlersControl, HandlersSnapshot } from './types.ts';

/** Options of `handlers`: who calls the service, its date, its faults, and what is kept. */
export interface HandlersOptions {
  /**
   * The caller of a request that does not identify one itself: a persona's slug (`sanne-de-wit`, `behandelaar-bas`) or
   * `burger-7`, with `@` and the name of a world (tenant of the simulator) after it when that is not `default`. A
   * request without `Authorization` also gets a token. Without this option every request must identify its caller, as
   * with the real service.
   */
  readonly persona?: string | undefined;
  /**
   * Personas of your own, each in the form of a persona file (guides/own-people.md). `handlers` throws when one of them
   * is not valid.
   */
  readonly personas?: readonly PersonaFile[] | undefined;
  /**
   * The date (`YYYY-MM-DD`), or the date and time (RFC 3339), at which the clock of the service stands still. A date
   * without a time means 12:00 UTC. Without this option the clock runs as usual.
   */
  readonly clock?: string | Date | undefined;
  /**
   * Scenarios (sets of faults) to switch on; none when absent. They have the same names in the console, the command
   * line and the control API.
   */
  readonly scenario?: ScenarioName | readonly ScenarioName[] | undefined;
  /**
   * The origin whose requests are answered (`http://localhost:3000`). Without it the handlers answer requests to every
   * origin.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Name under which the state is kept in `sessionStorage`, so that it survives a reload of the page. Without it the
   * state is lost at a reload.
   */
  readonly keep?: string | undefined;
}

/** The MSW handlers of a page, with functions for a test or a story to control the simulated world behind them. */
export type Handlers = RequestHandler[] & HandlersControl;

/**
 * Returns MSW handlers that answer as the whole service, with its real rules and a new world. Two calls share nothing,
 * unless both have the same `keep`. Throws when an option is not valid. For a story, a test or a page without a server:
 *
 *     const suspended = handlers({ persona: 'pieter-hoekstra' });
 *     export const Suspended = { parameters: { msw: { handlers: suspended } }, beforeEach: () => suspended.reset() };
 *
 * State is kept for as long as the handlers are used. `reset()` returns to the beginning (`beforeEach`), and calling
 * this function again gives a new world.
 */
export function handlers({
  persona,
  personas = [],
  clock,
  scenario = [],
  baseUrl = '*',
  keep,
}: HandlersOptions = {}): Handlers {
  const directory = createDirectory(ownPersonas(personas));
  const caller = persona === undefined ? null : callerOf(directory, persona);
  const { service, control } = createWorld(directory, clockOf(clock), clock !== undefined, scenariosOf(scenario), {
    world: persona?.split('@')[1] ?? 'default',
    keep: keep === undefined ? null : `zorgregister-bff:${keep}`,
  });
  const base = baseOf(baseUrl);
  const list = ['/api/v1/*', '/health', '/health/ready'].map((path) =>
    http.all(`${base}${path}`, ({ request }) => service(request, withCaller(request.headers, caller))),
  );
  // Not enumerable, so that code that copies or merges the list sees an ordinary array of handlers.
  return Object.defineProperties(
    list,
    Object.fromEntries(Object.entries(control).map(([name, value]) => [name, { value }])),
  ) as unknown as Handlers;
}

/**
 * Checks the persona files, and throws when one of them is not valid. Returns a function that returns their personas,
 * the same list each time.
 */
function ownPersonas(personas: readonly PersonaFile[]): () => readonly Persona[] {
  const sources = personas.map((file, index) => ({ file: `personas[${index}]`, text: JSON.stringify(file) }));
  const { own, faults } = readPersonas(sources, PERSONAS);
  if (faults.length > 0) throw new Error(`handlers: ${faults.map(explainFault).join('\n')}`);
  const list = own.map(({ persona }) => persona);
  return () => list;
}

/**
 * Returns the origin without a trailing slash, and `*` unchanged. Throws for a URL with a path, because the service has
 * fixed paths.
 */
function baseOf(baseUrl: string): string {
  const [, base] = /^(\*|https?:\/\/[^/?#]+)\/*$/.exec(baseUrl) ?? [];
  if (base !== undefined) return base;
  throw new Error('handlers: baseUrl must be an origin, without a path (http://localhost:3000), or * for every one');
}

/**
 * Matches a date, or a date and time (RFC 3339). It is checked because `Date.parse` also accepts 01-06-2026, and reads
 * it as 6 January.
 */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Returns a clock that stands still at `clock`, or the real clock when it is undefined. Throws when `clock` is not
 * valid.
 */
function clockOf(clock: string | Date | undefined): Clock {
  if (clock === undefined) return { now: () => new Date() };
  const at = typeof clock === 'string' ? momentOf(clock) : clock.getTime();
  if (Number.isNaN(at)) throw new Error('handlers: clock must be a day (2026-06-01), a moment (RFC 3339) or a Date');
  return { now: () => new Date(at) };
}

/**
 * Converts a date, or a date and time (RFC 3339), to milliseconds since 1970. A date without a time means 12:00 UTC.
 * Returns NaN when the text is neither.
 */
function momentOf(text: string): number {
  const [, day = '', time] = MOMENT.exec(text) ?? [];
  // Noon UTC is the same day in the Netherlands all year.
  const noon = new Date(`${day}T12:00:00Z`);
  // `Date` turns 30 February into 2 March; refuse such a day.
  if (Number.isNaN(noon.getTime()) || !noon.toISOString().startsWith(day)) return Number.NaN;
  return time === undefined ? noon.getTime() : Date.parse(text);
}

function scenariosOf(scenario: string | readonly string[]): ScenarioName[] {
  return [scenario].flat().map((name) => {
    if (isScenario(name)) return name;
    throw unknownName('scenario', name, SCENARIO_NAMES);
  });
}
