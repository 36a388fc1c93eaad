import { BULKHEAD_LIMITS, type Bulkhead, createBulkhead } from '../adapters/http/bulkhead.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import { runWithFault } from '../simulator/transport/dispatch.ts';
import type { ActiveFault, SimulatedUpstream } from '../simulator/worlds/faults.ts';
import type { World, Worlds } from '../simulator/worlds/index.ts';
import { type Call, ClientDisconnected } from '../src/ports/call.ts';
import type { NotUnderstood } from '../src/wire/json.ts';
import type { UpstreamName } from '../src/wire/values.ts';

/** A connection to a simulated upstream within the page, with the timeouts, retries and limits of a real connection. */
export interface SimulatedConnection {
  /**
   * Runs one call to the upstream and returns the result of `work`. Throws an `UpstreamFailure` when the upstream
   * cannot be called or is late, `ClientDisconnected` when the client has left, and otherwise what `work` throws.
   */
  run<Result>(request: CallOptions, call: Call, work: Work<Result>): Promise<Result>;
  /**
   * Runs one operation of an upstream that is not called over HTTP. Applies the fault that is set in the world: it
   * throws, waits, or lets `answer` apply the fault. Calls `execute` with the fault (null for none), unless the fault
   * prevents that, and returns the result of `execute`.
   */
  perform<Result>(
    request: CallOptions & { readonly operation: string },
    call: Call,
    execute: (fault: ActiveFault | null) => Promise<Result>,
    answer: (fault: ActiveFault | null, onHeaders: () => void) => Promise<void>,
  ): Promise<Result>;
  /** Makes the next call in this world begin with a closed circuit breaker; in every world when `world` is absent. */
  renew(world?: string): void;
}

interface CallOptions {
  /** Milliseconds in which the answer must begin; no such limit when absent. */
  readonly headersTimeout?: number;
  readonly retry?: boolean;
}

/** Calls `onHeaders` when its answer begins, and notes in `context` what it did not understand. */
type Work<Result> = (world: World, onHeaders: () => void, context: WorkContext) => Promise<Result>;

interface WorkContext {
  notUnderstood: readonly NotUnderstood[] | undefined;
}

/** Returns a connection to a simulated upstream, with the faults of `worlds`. */
export function createSimulatedConnection(
  upstream: SimulatedUpstream,
  worlds: Pick<Worlds, 'at' | 'isRefusing'>,
): SimulatedConnection {
  /** One for each world, so that failures in one world do not open the circuit breaker of another. */
  const bulkheads = new Map<string, Bulkhead>();

  function bulkheadOf(world: string): Bulkhead {
    const bulkhead = bulkheads.get(world) ?? createBulkhead(upstream, BULKHEAD_LIMITS);
    bulkheads.set(world, bulkhead);
    return bulkhead;
  }

  const run: SimulatedConnection['run'] = ({ headersTimeout, retry = false }, call, work) => {
    const context = { retry, call, notUnderstood: undefined };
    return bulkheadOf(call.workspace).run(
      () =>
        withTimeout(upstream, call.signal, headersTimeout, async (onHeaders) => {
          if (worlds.isRefusing(call.workspace, upstream))
            throw new UpstreamFailure(upstream, 'unavailable', 'ECONNREFUSED', { retryable: true, undone: true });
          return work(worlds.at(call.workspace), onHeaders, context);
        }),
      context,
    );
  };

  return {
    run,
    perform: ({ operation, ...options }, call, execute, answer) =>
      run(options, call, async (world, onHeaders) => {
        const drawn = { upstream, operation, traceparent: traceparentOf(call) };
        const { fault, result } = await runWithFault(worlds.at, world, drawn, execute);
        if (fault?.kind === 'reset' || fault?.kind === 'lost') throw connectionReset(upstream);
        if (fault?.kind === 'hang') return never();
        await answer(fault, onHeaders);
        return result as Awaited<ReturnType<typeof execute>>;
      }),
    renew(world) {
      if (world === undefined) bulkheads.clear();
      else bulkheads.delete(world);
    },
  };
}

/** W3C Trace Context: the trace id of the call, without a span id. */
export const traceparentOf = ({ traceId }: Call): string => `00-${traceId}-`;

/** Returns the failure for a connection that the upstream has reset. */
export const connectionReset = (upstream: UpstreamName): UpstreamFailure =>
  new UpstreamFailure(upstream, 'unavailable', 'ECONNRESET', { retryable: true, lost: true });

/** Returns the failure for an answer that the upstream interrupted. */
export const answerCut = (upstream: UpstreamName): UpstreamFailure =>
  new UpstreamFailure(upstream, 'unreadable', 'body: UND_ERR_SOCKET', { lost: true });

/** Returns a promise that is never settled, for an upstream that does not answer. */
export const never = <Result>(): Promise<Result> => new Promise(() => undefined);

// Rejects when `signal` is aborted, or when the answer has not begun within `headersTimeout` milliseconds (undefined:
// no limit). `work` itself is not stopped.
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

/** The reason of the signal when the client disconnected, otherwise a failure `late`. */
const reasonOf = (upstream: UpstreamName, { reason }: AbortSignal): Error =>
  reason instanceof ClientDisconnected ? reason : new UpstreamFailure(upstream, 'late', 'deadline of the request');
