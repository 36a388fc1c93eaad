import { BULKHEAD_LIMITS, createBulkhead } from '../adapters/http/bulkhead.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import { meetFault } from '../simulator/transport/dispatch.ts';
import type { ActiveFault, SimulatedUpstream } from '../simulator/worlds/faults.ts';
import type { World, Worlds } from '../simulator/worlds/index.ts';
import { type Call, ClientDisconnected } from '../src/ports/call.ts';
import type { UpstreamName } from '../src/wire/values.ts';

/**
 * A connection to a simulated upstream within the page. It fails like a real connection, and has the same timeouts,
 * retry, bulkhead and call records.
 */
export interface SimulatedConnection {
  /** Runs `work` and returns its result. Throws `UpstreamFailure` when the upstream refuses, or on a timeout. */
  run<Result>(request: CallOptions, call: Call, work: Work<Result>): Promise<Result>;
  /**
   * Runs one operation that is not an operation over HTTP. Throws `UpstreamFailure` also for a fault of the connection;
   * `answer` turns the result into what the caller gets, and applies any other fault.
   */
  perform<Result>(
    request: CallOptions & { readonly operation: string },
    call: Call,
    execute: () => Promise<Result>,
    answer: (fault: ActiveFault | null, onHeaders: () => void) => Promise<void>,
  ): Promise<Result>;
}

/** Options of one call. */
interface CallOptions {
  /** Milliseconds until the answer must begin; absent: only the deadline of the call applies. */
  readonly headersTimeout?: number;
  readonly retry?: boolean;
}

/**
 * The work of the upstream in a world. It calls `onHeaders` when the answer begins, which stops the headers timeout.
 */
type Work<Result> = (world: World, onHeaders: () => void) => Promise<Result>;

/** Returns a connection to a simulated upstream. `worlds` gives the faults of each world. */
export function createSimulatedConnection(
  upstream: SimulatedUpstream,
  worlds: Pick<Worlds, 'at' | 'isRefusing'>,
): SimulatedConnection {
  const bulkhead = createBulkhead(upstream, BULKHEAD_LIMITS);

  const run: SimulatedConnection['run'] = ({ headersTimeout, retry = false }, call, work) =>
    bulkhead.run(
      () =>
        withTimeout(upstream, call.signal, headersTimeout, async (onHeaders) => {
          if (worlds.isRefusing(call.workspace, upstream))
            throw new UpstreamFailure(upstream, 'unavailable', 'ECONNREFUSED', { retryable: true, undone: true });
          return work(worlds.at(call.workspace), onHeaders);
        }),
      { retry, call },
    );

  return {
    run,
    perform: ({ operation, ...options }, call, execute, answer) =>
      run(options, call, async (world, onHeaders) => {
        const drawn = { upstream, operation, traceparent: traceparentOf(call) };
        const { fault, result } = await meetFault(worlds.at, world, drawn, execute);
        if (fault?.kind === 'reset' || fault?.kind === 'lost') throw connectionReset(upstream);
        if (fault?.kind === 'hang') return never();
        if (fault?.kind === 'cut') throw answerCut(upstream);
        await answer(fault, onHeaders);
        return result as Awaited<ReturnType<typeof execute>>;
      }),
  };
}

/** Returns the header by which a simulator knows which request caused a call (W3C Trace Context). */
export const traceparentOf = ({ traceId }: Call): string => `00-${traceId}-`;

/** Returns the failure for a connection that the upstream reset. */
export const connectionReset = (upstream: UpstreamName): UpstreamFailure =>
  new UpstreamFailure(upstream, 'unavailable', 'ECONNRESET', { retryable: true, lost: true });

/** Returns the failure for an answer that the upstream broke off. */
export const answerCut = (upstream: UpstreamName): UpstreamFailure =>
  new UpstreamFailure(upstream, 'unreadable', 'body: UND_ERR_SOCKET', { lost: true });

/** Returns a promise that stays pending: the timeout of the call ends it. */
export const never = <Result>(): Promise<Result> => new Promise(() => undefined);

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

/** Returns the error for an aborted call: the reason when the client disconnected, else a timeout failure. */
const reasonOf = (upstream: UpstreamName, { reason }: AbortSignal): Error =>
  reason instanceof ClientDisconnected ? reason : new UpstreamFailure(upstream, 'late', 'deadline of the request');
