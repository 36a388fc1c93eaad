import { BULKHEAD_LIMITS, createBulkhead } from '../adapters/http/bulkhead.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import type { ActiveFault, SimulatedUpstream } from '../simulator/worlds/faults.ts';
import type { World } from '../simulator/worlds/index.ts';
import { type Call, ClientDisconnected } from '../src/ports/call.ts';
import type { UpstreamName } from '../src/wire/values.ts';

/**
 * A connection to a simulated upstream within the page. It fails like a real connection, and has the same timeouts,
 * retry, bulkhead and call records.
 */
export interface SimulatedConnection {
  /** Runs `work` and returns its result. Throws `UpstreamFailure` on a fault or timeout. */
  run<Result>(request: SimulatedCall, call: Call, work: Work<Result>): Promise<Result>;
}

/** One call to a simulated upstream. */
interface SimulatedCall {
  /** Name of the operation, as in a fault. */
  readonly operation: string;
  /** Milliseconds until the answer must begin; absent: only the deadline of the call applies. */
  readonly headersTimeout?: number;
  readonly retry?: boolean;
}

/**
 * The work of the upstream. It receives a fault that changes the answer, or null. It calls `onHeaders` when the answer
 * begins, which stops the headers timeout.
 */
type Work<Result> = (fault: ActiveFault | null, onHeaders: () => void) => Promise<Result>;

/** Creates the connection to upstream `upstream`. `worldAt` returns the world (the simulator's tenant) by name. */
export function createSimulatedConnection(
  upstream: SimulatedUpstream,
  worldAt: (name: string) => Pick<World, 'draw'>,
): SimulatedConnection {
  const bulkhead = createBulkhead(upstream, BULKHEAD_LIMITS);

  return {
    run: ({ operation, headersTimeout, retry = false }, call, work) =>
      bulkhead.run(
        () =>
          withTimeout(upstream, call.signal, headersTimeout, async (onHeaders) => {
            const { delay, fault } = worldAt(call.workspace).draw(upstream, operation, `00-${call.traceId}-`);
            if (fault?.kind === 'refused')
              throw new UpstreamFailure(upstream, 'unavailable', 'ECONNREFUSED', { retryable: true, undone: true });
            if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
            switch (fault?.kind) {
              case 'reset':
                throw connectionReset(upstream);
              case 'hang':
                return never();
              case 'lost':
                await work(null, onHeaders);
                throw connectionReset(upstream);
              case 'cut':
                await work(null, onHeaders);
                throw new UpstreamFailure(upstream, 'unreadable', 'body: cut', { lost: true });
              default:
                return work(fault, onHeaders);
            }
          }),
        { retry, call },
      ),
  };
}

/** Returns the failure for a connection that the upstream reset. */
export const connectionReset = (upstream: UpstreamName): UpstreamFailure =>
  new UpstreamFailure(upstream, 'unavailable', 'ECONNRESET', { retryable: true, lost: true });

const never = <Result>(): Promise<Result> => new Promise(() => undefined);

/** Returns the result of `work`, or rejects on the headers timeout or an abort. `work` itself is not cancelled. */
function withTimeout<Result>(
  upstream: UpstreamName,
  signal: AbortSignal,
  headersTimeout: number | undefined,
  work: (onHeaders: () => void) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) return Promise.reject(reasonOf(upstream, signal));
  return new Promise((resolve, reject) => {
    const aborted = (): void => settle(() => reject(reasonOf(upstream, signal)));
    const late = (): void =>
      settle(() => reject(new UpstreamFailure(upstream, 'late', 'UND_ERR_HEADERS_TIMEOUT', { lost: true })));
    const timer = headersTimeout === undefined ? undefined : setTimeout(late, headersTimeout);
    const onHeaders = (): void => clearTimeout(timer);
    function settle(how: () => void): void {
      onHeaders();
      signal.removeEventListener('abort', aborted);
      how();
    }
    signal.addEventListener('abort', aborted, { once: true });
    work(onHeaders).then(
      (result) => settle(() => resolve(result)),
      (error) => settle(() => reject(error)),
    );
  });
}

/** Returns the error for an aborted call. */
const reasonOf = (upstream: UpstreamName, { reason }: AbortSignal): Error =>
  reason instanceof ClientDisconnected ? reason : new UpstreamFailure(upstream, 'late', 'deadline of the request');
