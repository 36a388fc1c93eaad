/**
 * Finds the operation for a request, applies the faults of the world, and returns what is sent back. All transports use
 * it.
 */
import type { ActiveFault, SimulatedUpstream } from '../worlds/faults.ts';
import type { World } from '../worlds/index.ts';
import { type Delivery, deliveryOf, sent } from './delivery.ts';
import type { RequestHeaders, SimulatedAnswer, SimulatedFile, SimulatedOperation } from './operation.ts';
import { matcher } from './paths.ts';

/** A request whose body has been read. */
export interface DispatchedRequest extends ReceivedBody {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: RequestHeaders;
}

/** A request body that has been read. */
export interface ReceivedBody {
  /** Parsed JSON, or the fields of a form; undefined when there was none or it was not JSON. */
  readonly body: unknown;
  /** The file in the body, which was written to disk while the body was read. */
  readonly file?: SimulatedFile | undefined;
}

/** Returns what an upstream sends back for a request in a world; a promise only when there is something to wait for. */
export type Dispatch = (world: World, request: DispatchedRequest) => Delivery | Promise<Delivery>;

/** Finds a world by its name. */
type WorldAt = (name: string) => World;

/** Options of `createDispatch`, for one upstream. */
export interface DispatchOptions<Target> {
  readonly upstream: SimulatedUpstream;
  /** Operations in order of priority: the first one that matches a request handles it. */
  readonly operations: readonly SimulatedOperation<Target>[];
  readonly worldAt: WorldAt;
  /** Returns the target of the operations in a world: the first argument of `SimulatedOperation.run`. */
  readonly targetOf: (world: World) => Target;
}

/** The 404 for an unknown path. Its text helps a developer who uses the port of a simulator instead of the service. */
const UNKNOWN_PATH: Delivery = {
  kind: 'answer',
  status: 404,
  headers: { 'content-type': 'text/plain;charset=UTF-8' },
  body: 'Dit is een gesimuleerde bron. Dit pad bestaat hier niet. De dienst zelf luistert op een andere poort: PORT, meestal 3000.\n',
};

/** Returns the function that answers the requests to one upstream. */
export function createDispatch<Target>(options: DispatchOptions<Target>): Dispatch {
  const { upstream, operations, worldAt, targetOf } = options;
  const table = operations.map((operation) => ({ operation, match: matcher(operation.path) }));

  function find(method: string, path: string) {
    for (const { operation, match } of table) {
      const params = operation.method === method || operation.method === 'any' ? match(path) : null;
      if (params !== null) return { operation, params };
    }
    return null;
  }

  return (world, { method, url, ...received }) => {
    const at = url.indexOf('?');
    const path = at === -1 ? url : url.slice(0, at);
    const found = find(method, path);
    if (found === null) return UNKNOWN_PATH;
    const { operation, params } = found;
    const request = { ...received, path, query: at === -1 ? NO_QUERY : new URLSearchParams(url.slice(at)) };
    const call = { upstream, operation: operation.name, traceparent: request.headers.get('traceparent') };
    const { emptyBody } = operation;
    const met = meetFault(worldAt, world, call, (fault) =>
      fault?.kind === 'empty' && emptyBody !== undefined
        ? { status: 200, body: emptyBody }
        : operation.run(targetOf(world), request, params),
    );
    return met instanceof Promise ? met.then(deliver) : deliver(met);
  };
}

const NO_QUERY = new URLSearchParams();
const NO_ANSWER: SimulatedAnswer = { status: 200 };

/** Returns what is sent for the outcome of a call; a promise when the answer has a delay. */
function deliver({ fault, result = NO_ANSWER }: MetFault<SimulatedAnswer>): Delivery | Promise<Delivery> {
  const delivery = fault === null && result.quirk === undefined ? sent(result) : deliveryOf(result, fault);
  return typeof result.quirk === 'number' ? afterwards(result.quirk, () => delivery) : delivery;
}

/** A call to an upstream: the data that faults and the journal need. */
interface DrawnCall {
  readonly upstream: SimulatedUpstream;
  readonly operation: string;
  /** The header of the caller (W3C Trace Context). */
  readonly traceparent: string | null;
}

/** The outcome of a call. `fault` null: no fault. `result` undefined: the operation was not executed. */
interface MetFault<Result> {
  readonly fault: ActiveFault | null;
  readonly result: Result | undefined;
}

/** Kinds of fault with which the operation is not executed. */
const NOT_EXECUTED: ReadonlySet<string> = new Set(['refused', 'reset', 'hang', 'status', 'garbage']);
/** Fault of a call that was still running when its world was reset. */
const WORLD_RESET: ActiveFault = { id: 'world-reset', scenario: null, upstream: 'register', kind: 'reset' };

/**
 * Decides which fault hits a call, waits for its latency, and executes it unless the fault prevents that. Returns a
 * promise only when there is something to wait for.
 */
export function meetFault<Result>(
  worldAt: WorldAt,
  world: World,
  { upstream, operation, traceparent }: DrawnCall,
  execute: (fault: ActiveFault | null) => Result | Promise<Result>,
): MetFault<Result> | Promise<MetFault<Result>> {
  const proceed = (fault: ActiveFault | null) => {
    if (fault !== null && NOT_EXECUTED.has(fault.kind)) return { fault, result: undefined };
    const result = execute(fault);
    return result instanceof Promise ? result.then((ready) => ({ fault, result: ready })) : { fault, result };
  };
  const { delay, fault } = world.draw(upstream, operation, traceparent);
  // A call from before a reset of the world must not change the new world.
  const current = () => (worldAt(world.name) === world ? fault : WORLD_RESET);
  return delay > 0 ? afterwards(delay, () => proceed(current())) : proceed(current());
}

/** Returns what `work` returns, after `ms` milliseconds. */
const afterwards = <Result>(ms: number, work: () => Result | Promise<Result>): Promise<Result> =>
  new Promise((resolve) => setTimeout(resolve, ms)).then(work);
