import { http, type RequestHandler } from 'msw';
import type { Persona } from '../fixtures/person.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';
import { createDirectory } from '../simulator/people/directory.ts';
import { explainFault } from '../simulator/persona-files/explain.ts';
import { readPersonas, sourcesOf } from '../simulator/persona-files/read.ts';
import type { PersonaJson } from '../simulator/persona-files/schema.ts';
import { problemAt, problemText } from '../simulator/service/help.ts';
import { isScenario, SCENARIO_NAMES, type ScenarioName } from '../simulator/worlds/scenarios.ts';
import type { Clock } from '../src/ports/clock.ts';
import { callerOf, unknownName, withCaller } from './caller.ts';
import { originHeaders } from './service.ts';
import type { HandlersControl } from './types.ts';
import { createWorld } from './world.ts';

export type { PersonaFile } from '../simulator/persona-files/schema.ts';
export type { ScenarioName } from '../simulator/worlds/scenarios.ts';
export type { ClockChange, Fault, HandledRequest, HandledZaak, HandlersControl, HandlersSnapshot } from './types.ts';

/** Options of `handlers`. */
export interface HandlersOptions {
  /**
   * The caller of requests that do not identify one: a persona's slug (`sanne-de-wit`, `behandelaar-bas`) or
   * `burger-7`, optionally with `@` and the name of a world (a separate copy of all simulated people and data). Without
   * this option, each request must identify its caller, as with the real service.
   */
  readonly persona?: string | undefined;
  /** Personas of your own, each in the form of a persona file (guides/own-people.md). */
  readonly personas?: readonly PersonaJson[] | undefined;
  /**
   * The date (`YYYY-MM-DD`, meaning 12:00 UTC), or date and time (RFC 3339), at which the clock of the service stands
   * still, in the years 1900 to 2199. Without this option the clock runs.
   */
  readonly clock?: string | Date | undefined;
  /** Scenarios (named sets of faults) that are on from the start; none when absent. */
  readonly scenario?: ScenarioName | readonly ScenarioName[] | undefined;
  /**
   * The origin whose requests are answered (`http://localhost:3000`); requests to every origin when absent. The path may
   * begin with that of a proxy, as in `/portal/api/v1/notes`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Name under which the state is kept in `sessionStorage`, so that it survives a reload of the page. Not kept when
   * absent.
   */
  readonly keep?: string | undefined;
}

const OPTIONS = 'persona, personas, clock, scenario, baseUrl and keep';

/** MSW request handlers, with functions by which a test or a story controls the simulated data, clock and faults. */
export type Handlers = RequestHandler[] & HandlersControl;

/**
 * Returns MSW request handlers that answer like the service, for a story, a test or a page without a server. They apply
 * the real rules to simulated data. Throws when an option is not valid. For example:
 *
 *     const suspended = handlers({ persona: 'pieter-hoekstra' });
 *     export const Suspended = { parameters: { msw: { handlers: suspended } }, beforeEach: () => suspended.reset() };
 *
 * `reset()` restores the initial data.
 */
export function handlers(options: HandlersOptions = {}): Handlers {
  if (typeof options !== 'object' || options === null)
    throw new Error("handlers takes its options as an object: { persona: 'sanne-de-wit' }");
  const { persona, personas = [], clock, scenario = [], baseUrl = '*', keep, ...others } = options;
  const [wrong] = Object.keys(others);
  // Without the types, as in a test of Vitest, a clock with another name would just run.
  if (wrong !== undefined) throw new Error(`handlers: there is no option "${wrong}"; the options are ${OPTIONS}`);
  const directory = createDirectory(ownPersonas(personas));
  const origin = originOf(baseUrl);
  const caller = persona === undefined ? null : callerOf(directory, persona);
  const { service, control } = createWorld(directory, clockOf(clock), clock !== undefined, scenariosOf(scenario), {
    world: persona?.split('@')[1] ?? 'default',
    keep: keep === undefined ? null : `zorgregister-bff:${keep}`,
    origin: origin === '*' ? originOfPage() : origin,
  });
  const list = ['/api/v1/*', ...(origin === '*' ? [] : ['/*/api/v1/*']), '/health', '/health/ready'].map((path) =>
    http.all(`${origin}${path}`, ({ request }) =>
      PART_OF_PAGE.test(new URL(request.url).pathname)
        ? undefined
        : service(request, withCaller(request.headers, caller)),
    ),
  );
  // The pages to which the `Link` of a problem leads.
  list.push(
    http.get(`${origin}/docs/problems/:code`, ({ request }) => {
      const problem = problemAt(new URL(request.url).pathname);
      const headers = { ...originHeaders(request), 'Content-Type': 'text/plain; charset=utf-8' };
      return problem === null ? undefined : new Response(problemText(problem), { headers });
    }),
  );
  // Not enumerable, so that code that copies or merges the list sees an ordinary array of handlers.
  return Object.defineProperties(
    list,
    Object.fromEntries(Object.entries(control).map(([name, value]) => [name, { value }])),
  ) as unknown as Handlers;
}

/** The path of a module or style sheet of the page, which can be in a folder `api/v1` too, as `/src/api/v1/notes.ts`. */
const PART_OF_PAGE = /\.(?:[cm]?[jt]sx?|css)$/;

function ownPersonas(personas: readonly PersonaJson[]): () => readonly Persona[] {
  const { own, faults } = readPersonas(sourcesOf(personas), PERSONAS);
  if (faults.length > 0) throw new Error(`handlers: ${faults.map(explainFault).join('\n')}`);
  const list = own.map(({ persona }) => persona);
  return () => list;
}

/** Returns the origin without a trailing slash, and `*` unchanged. Throws for a URL with a path, query or fragment. */
function originOf(baseUrl: string): string {
  const [, origin] = /^(\*|https?:\/\/[^/?#]+)\/*$/.exec(baseUrl) ?? [];
  if (origin !== undefined) return origin;
  throw new Error('handlers: baseUrl must be an origin, without a path (http://localhost:3000), or * for every one');
}

/** Returns the origin of the page; that of any server outside a page, and in a page without an origin (`about:srcdoc`). */
function originOfPage(): string {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  return location?.origin.startsWith('http') ? location.origin : 'http://localhost';
}

/** Matches a date, or a date and time (RFC 3339). Needed because `Date.parse` also accepts other forms. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** The real clock when `clock` is undefined. Throws for a value that is no date, or is too far from now. */
function clockOf(clock: string | Date | undefined): Clock {
  if (clock === undefined) return { now: () => new Date() };
  const at = new Date(typeof clock === 'string' ? momentOf(clock) : clock);
  const year = at.getUTCFullYear();
  if (!(year >= 1900 && year <= 2199))
    throw new Error(
      'handlers: clock must be a day (2026-06-01), a moment (RFC 3339) or a Date, in the years 1900 to 2199',
    );
  return { now: () => new Date(at) };
}

/** A date means 12:00 UTC. NaN when the text is no date. */
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
