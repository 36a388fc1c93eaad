import { type Caller, wantsStepUp } from '../../src/auth/identity.ts';
import { type Answer, type Exchange, listenerOf } from '../../src/http/exchange.ts';
import type { Operation } from '../../src/http/operation/operation.ts';
import type { Intercept } from '../../src/http/operation/run.ts';
import { refusal } from '../../src/openapi/problem-examples.ts';
import { ClientDisconnected } from '../../src/ports/call.ts';
import { Problem } from '../../src/problem.ts';
import type { ProblemCode } from '../../src/problem-codes.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import type { ActiveFault, CallOutcome } from '../worlds/faults.ts';
import type { Worlds } from '../worlds/index.ts';
import { canHaveFault, codeFor, type Refusals, refusalsOf, type ServiceCatalogue } from './catalogue.ts';

/**
 * Simulated faults of the service itself: a request is delayed, refused or disconnected when a fault of the world or
 * the request header `Prefer` says so.
 */

/** The middleware that applies simulated faults to the service, and the operations that can have faults. */
export interface ServiceFaults {
  /** For one operation; the service calls it for each request. */
  readonly intercept: Intercept;
  /** Keyed by operation id. An operation that can have a fault is added when `intercept` is called for it. */
  readonly catalogue: ServiceCatalogue;
}

interface ServiceFaultOptions {
  readonly worlds: Pick<Worlds, 'at' | 'drawService'>;
  /** Waits until half of the request body has arrived, for the fault `cut`. */
  readonly receiveHalf: (http: Exchange) => Promise<void>;
}

/** `code` is a status (three digits) or a problem code; `retryAfter` is in seconds. */
interface AskedRefusal {
  readonly code: string;
  readonly retryAfter?: number | undefined;
}

/** What a request would still write after a reset or deletion does not belong in the new world. */
export const WORLD_REPLACED = new Problem(
  'overbelast',
  'Deze wereld is opnieuw begonnen of verwijderd terwijl uw verzoek onderweg was. Probeer het opnieuw.',
  { headers: { 'Retry-After': '1' }, reason: 'the world was reset or deleted during the request' },
);

const SOURCE = 'reference/scenarios.md, "Faults of the service"';

/** The result also has the refusals that a fault can cause, keyed by operation. */
export function createServiceFaults({ worlds, receiveHalf }: ServiceFaultOptions): ServiceFaults {
  const catalogue = new Map<string, Refusals>();

  function intercept(operation: Operation): ReturnType<Intercept> {
    if (!canHaveFault(operation))
      return (http, _caller, run) => {
        const { code, wait, unknown } = preferenceOf(http.req.headersDistinct.prefer);
        const asked = [...(wait === null ? [] : [`wait=${wait}`]), ...(code === null ? [] : [`code=${code}`])];
        sayIgnored(http, [...unknown, ...asked], 'nothing');
        return run();
      };
    const refusals = refusalsOf(operation);
    catalogue.set(operation.id, refusals);

    /** For a request without a caller, from the faults of the default world. */
    function drawFault(http: Exchange, caller: Caller | null): CallOutcome {
      const slug = caller?.subject.split('@')[0];
      return worlds.drawService(caller?.workspace ?? DEFAULT_WORLD, operation.id, (fault) => {
        if (fault.persona !== undefined && fault.persona !== slug) return false;
        const asked = refusalAskedBy(fault);
        return asked === null || toRefusal(operation, refusals, asked, http) !== null;
      });
    }

    /** Waits for this number of milliseconds. Throws when the caller's world is reset or deleted in the meantime. */
    async function waitInWorld(http: Exchange, caller: Caller | null, ms: number): Promise<void> {
      const name = caller?.workspace ?? DEFAULT_WORLD;
      const world = worlds.at(name);
      await releaseDuring(http, () => new Promise((resolve) => setTimeout(resolve, ms)));
      if (worlds.at(name) !== world) throw WORLD_REPLACED;
    }

    return async (http, caller, run) => {
      const preferred = preferenceOf(http.req.headersDistinct.prefer);
      const refusalWith = (code: string) => toRefusal(operation, refusals, { code }, http);
      const wanted = preferred.code === null ? null : refusalWith(preferred.code);
      const { delay, fault } = drawFault(http, caller);
      recordPreference(http, preferred, (code) => refusalWith(code) !== null, refusals);
      if (fault !== null || delay > 0) recordFault(http, delay, fault);
      const ms = delay + (preferred.wait ?? 0) * 1_000;
      if (ms > 0) await waitInWorld(http, caller, ms);
      if (wanted !== null) return returnOrThrow(wanted);
      if (fault === null) return run();
      const asked = refusalAskedBy(fault);
      const result = asked && toRefusal(operation, refusals, asked, http);
      if (result) return returnOrThrow(result);
      // A download changes nothing, and `run` would have sent its whole answer already.
      if (fault.kind === 'lost' && operation.media === undefined) await run().catch(() => undefined);
      if (fault.kind === 'cut') await releaseDuring(http, () => receiveHalf(http));
      throw new ClientDisconnected('simulated fault: the connection is closed');
    };
  }

  return { intercept, catalogue };
}

/** Returns the error answer that a fault asks for; null for a fault that is not an error answer, such as a delay. */
function refusalAskedBy({ kind, code, status, retryAfter }: ActiveFault): AskedRefusal | null {
  if (kind === 'problem') return { code: code ?? '', retryAfter };
  return kind === 'status' ? { code: String(status), retryAfter } : null;
}

/** Null when the operation does not document it, or when this request could never get it (`step-up-nodig`). */
function toRefusal(
  operation: Operation,
  refusals: Refusals,
  asked: AskedRefusal,
  http: Exchange,
): Problem | Answer | null {
  const status = /^\d{3}$/.test(asked.code) ? Number(asked.code) : null;
  if (status !== null && refusals.empty.has(status)) return { status };
  const code = status === null ? asked.code : codeFor(refusals, status);
  const documented = code === null ? undefined : refusals.codes.get(code);
  if (documented === undefined || (code === 'step-up-nodig' && !wantsStepUp(http.req))) return null;
  const asDocumented = refusal(operation, code as ProblemCode, documented);
  const { extras } = asDocumented;
  const retryAfter = asked.retryAfter !== undefined && { 'Retry-After': String(asked.retryAfter) };
  return new Problem(code as ProblemCode, asDocumented, { ...extras, headers: { ...extras.headers, ...retryAfter } });
}

function returnOrThrow(outcome: Problem | Answer): Answer {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** Meanwhile the request does not count among the requests in progress, whose number is limited. */
const releaseDuring = (http: Exchange, wait: () => Promise<void>): Promise<void> =>
  http.state.slot?.releaseDuring(wait) ?? wait();

function recordFault(http: Exchange, delay: number, fault: ActiveFault | null): void {
  http.state.reason = `simulated fault: ${fault?.kind ?? 'latency'}`;
  listenerOf(http)?.({
    rule: 'simulatedFault',
    source: SOURCE,
    facts: { ...fault, ...(delay > 0 && { delay }) },
    outcome: fault === null ? `${delay} ms later` : (fault.code ?? fault.status ?? fault.kind),
  });
}

/** Also adds the preferences to the journal entry of the request. */
function recordPreference(
  http: Exchange,
  { code, wait, unknown }: Preference,
  isPossible: (code: string) => boolean,
  refusals: Refusals,
): void {
  if (code === null && wait === null && unknown.length === 0) return;
  const isRefused = code !== null && isPossible(code);
  const possible = [...refusals.codes.keys(), ...[...refusals.empty].map(String)].filter(isPossible);
  const toegepast = [...(wait === null ? [] : [`wait=${wait}`]), ...(isRefused ? [`code=${code}`] : [])];
  const genegeerd = [...unknown, ...(code === null || isRefused ? [] : [`code=${code}`])];
  if (toegepast.length > 0) http.state.headers['Preference-Applied'] = toegepast.join(', ');
  sayIgnored(http, genegeerd, `wait=0 to ${MAX_WAIT}, code=${possible.join('|')}`);
  listenerOf(http)?.({
    rule: 'prefer',
    source: SOURCE,
    facts: { code, wait },
    outcome:
      genegeerd.length === 0
        ? { toegepast }
        : { toegepast, genegeerd, mogelijk: { wait: `0 tot en met ${MAX_WAIT}`, code: possible } },
  });
}

/** Sets the response header `Preference-Ignored`, unless there are no such preferences. `possible` is an ASCII text. */
function sayIgnored(http: Exchange, preferences: readonly string[], possible: string): void {
  if (preferences.length === 0) return;
  const names = preferences.map((one) => one.slice(0, 60).replaceAll(/[^\x21-\x7e]/g, '?')).join(', ');
  http.state.headers['Preference-Ignored'] = `${names}; possible="${possible}"`;
}

/** The values of the header `Prefer` (RFC 7240); null when it is not in the header, or not valid. */
export interface Preference {
  /** In lower case: a status as text, a problem code, or a text that is neither. */
  readonly code: string | null;
  /** Seconds to wait before the request is handled: a whole number from 0 to 60. */
  readonly wait: number | null;
  /** The preferences that the simulator cannot apply to any operation, in lower case, such as `wait=61`. */
  readonly unknown: readonly string[];
}

/** Maximum value of `wait`, in seconds. A higher value is ignored. */
const MAX_WAIT = 60;
const NO_PREFERENCE: Preference = { code: null, wait: null, unknown: [] };

/** When a preference occurs twice, the first one counts (RFC 7240, section 2). */
function preferenceOf(values: readonly string[] | undefined): Preference {
  if (values === undefined) return NO_PREFERENCE;
  const given = new Map<string, string>();
  for (const item of values.join(',').split(',')) {
    const [preference = ''] = item.split(';');
    const [name = '', value = ''] = preference.split('=').map((part) => part.trim().toLowerCase());
    if (name !== '' && !given.has(name)) given.set(name, value);
  }
  const [, code = null] = /^"?([\w-]+)"?$/.exec(given.get('code') ?? '') ?? [];
  const [, seconds = null] = /^"?(\d{1,2})"?$/.exec(given.get('wait') ?? '') ?? [];
  const wait = seconds === null || Number(seconds) > MAX_WAIT ? null : Number(seconds);
  const isUnknown = (name: string) => !((name === 'code' && code !== null) || (name === 'wait' && wait !== null));
  const unknown = [...given].filter(([name]) => isUnknown(name));
  return { code, wait, unknown: unknown.map(([name, value]) => (value === '' ? name : `${name}=${value}`)) };
}
