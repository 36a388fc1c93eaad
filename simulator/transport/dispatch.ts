/**
 * Handles a request to a simulated upstream: finds its operation, applies the faults of the world, and returns what
 * must be sent. Used for calls over a socket, within the process and in a page.
 */
import type { ActiveFault, SimulatedUpstream } from '../worlds/faults.ts';
import type { World } from '../worlds/index.ts';
import { type Delivery, deliveryOf, toDeliveredAnswer } from './delivery.ts';
import type { ReceivedBody, RequestHeaders, SimulatedAnswer, SimulatedOperation } from './operation.ts';
import { matcher } from './paths.ts';

/** A request to a simulated upstream whose body has been read. */
export interface DispatchedRequest extends ReceivedBody {
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  readonly headers: RequestHeaders;
}

/** Returns a promise only when there is something to wait for. */
export type Dispatch = (world: World, request: DispatchedRequest) => Delivery | Promise<Delivery>;

type WorldAt = (name: string) => World;

export interface DispatchOptions<Target> {
  readonly upstream: SimulatedUpstream;
  /** Operations in order of priority: the first one that matches a request handles it. */
  readonly operations: readonly SimulatedOperation<Target>[];
  readonly worldAt: WorldAt;
  /** The first argument of `SimulatedOperation.run`. */
  readonly targetOf: (world: World) => Target;
  /** Returns the upstream's response for a `status` fault on this path. When absent, a standard problem is sent. */
  readonly failure?: (fault: ActiveFault, path: string) => SimulatedAnswer;
}

/** The 404 for an unknown path. Its text helps a developer who called a simulator instead of the service. */
const UNKNOWN_PATH: Delivery = {
  kind: 'answer',
  status: 404,
  headers: { 'content-type': 'text/plain;charset=UTF-8' },
  body: 'Dit is een gesimuleerde bron. Dit pad bestaat hier niet. De dienst zelf luistert op een andere poort: PORT, meestal 3000.\n',
};

/** Returns a function that finds and runs the operation for a request to one upstream. An unknown path gives a 404. */
export function createDispatch<Target>(options: DispatchOptions<Target>): Dispatch {
  const { upstream, operations, worldAt, targetOf, failure } = options;
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
    const { name, emptyBody } = operation;
    const traceparent = request.headers.get('traceparent');
    const call = { upstream, operation: name, traceparent, hasEmptyAnswer: emptyBody !== undefined };
    const met = runWithFault(worldAt, world, call, (fault) =>
      fault?.kind === 'empty' ? { status: 200, body: emptyBody } : operation.run(targetOf(world), request, params),
    );
    const send = (outcome: FaultResult<SimulatedAnswer>) =>
      deliver(outcome, failure && ((fault) => failure(fault, path)));
    return met instanceof Promise ? met.then(send) : send(met);
  };
}

const NO_QUERY = new URLSearchParams();
const NO_ANSWER: SimulatedAnswer = { status: 200 };

/** Returns what must be sent for the result of a call; a promise when its `quirk` is a delay. */
function deliver(
  { fault, result = NO_ANSWER }: FaultResult<SimulatedAnswer>,
  failure: ((fault: ActiveFault) => SimulatedAnswer) | undefined,
): Delivery | Promise<Delivery> {
  const delivery =
    fault === null && result.quirk === undefined ? toDeliveredAnswer(result) : deliveryOf(result, fault, failure);
  return typeof result.quirk === 'number' ? runAfter(result.quirk, () => delivery) : delivery;
}

/** A call to an operation of an upstream, as the choice of its fault needs it. */
interface FaultableCall {
  readonly upstream: SimulatedUpstream;
  readonly operation: string;
  readonly traceparent: string | null;
  /** True when the operation has an answer without data (`emptyBody`), which a fault `empty` needs. */
  readonly hasEmptyAnswer?: boolean;
}

/** The result is undefined when the fault prevented the operation. */
interface FaultResult<Result> {
  readonly fault: ActiveFault | null;
  readonly result: Result | undefined;
}

const NOT_EXECUTED: ReadonlySet<string> = new Set(['refused', 'reset', 'hang', 'status', 'garbage']);
/** The fault of a call when its world was reset or deleted during its delay. Its `upstream` is not used. */
const WORLD_RESET: ActiveFault = { id: 'world-reset', scenario: null, upstream: 'register', kind: 'reset' };

/**
 * Chooses the fault for a call, waits for its delay, and then calls `execute` with the fault (null for none), unless
 * the fault prevents that. When the world is reset or deleted during the delay, the fault is a reset connection, and
 * `execute` is not called.
 */
export function runWithFault<Result>(
  worldAt: WorldAt,
  world: World,
  { upstream, operation, traceparent, hasEmptyAnswer }: FaultableCall,
  execute: (fault: ActiveFault | null) => Result | Promise<Result>,
): FaultResult<Result> | Promise<FaultResult<Result>> {
  const proceed = (fault: ActiveFault | null) => {
    if (fault !== null && NOT_EXECUTED.has(fault.kind)) return { fault, result: undefined };
    const result = execute(fault);
    return result instanceof Promise ? result.then((ready) => ({ fault, result: ready })) : { fault, result };
  };
  const { delay, fault } = world.draw(upstream, operation, traceparent, hasEmptyAnswer);
  // A call from before a reset of the world must not change the new world.
  const current = () => (worldAt(world.name) === world ? fault : WORLD_RESET);
  return delay > 0 ? runAfter(delay, () => proceed(current())) : proceed(current());
}

const runAfter = <Result>(ms: number, work: () => Result | Promise<Result>): Promise<Result> =>
  new Promise((resolve) => setTimeout(resolve, ms)).then(work);
