import { BULKHEAD_LIMITS, createBulkhead } from '../adapters/http/bulkhead.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import type { FaultOn, SimulatedUpstream } from '../simulator/worlds/faults.ts';
import type { World } from '../simulator/worlds/index.ts';
import { type Call, CallerGone } from '../src/ports/call.ts';
import type { Bron } from '../src/wire/values.ts';

/** The way to a source in this very page. It goes wrong as a connection does, and is retried, broken off and written down as one. */
export interface SimulatedConnection {
  run<Result>(question: SimulatedCall, call: Call, work: Work<Result>): Promise<Result>;
}

interface SimulatedCall {
  /** As a fault names it. */
  readonly operation: string;
  /** Milliseconds until the answer must begin; none: as long as the call may last. */
  readonly headersTimeout?: number;
  readonly retry?: boolean;
}

/**
 * What is done on the other side. Of a fault that is about the answer it makes the answer; `onHeaders` says that the answer has
 * onHeaders to come.
 */
type Work<Result> = (fault: FaultOn | null, onHeaders: () => void) => Promise<Result>;

export function createSimulatedConnection(
  bron: SimulatedUpstream,
  worldAt: (name: string) => Pick<World, 'draw'>,
): SimulatedConnection {
  const bulkhead = createBulkhead(bron, BULKHEAD_LIMITS);

  return {
    run: ({ operation, headersTimeout, retry = false }, call, work) =>
      bulkhead.run(
        () =>
          inTime(bron, call.signal, headersTimeout, async (onHeaders) => {
            const { delay, fault } = worldAt(call.workspace).draw(bron, operation, `00-${call.traceId}-`);
            if (fault?.kind === 'refused')
              throw new UpstreamFailure(bron, 'unavailable', 'ECONNREFUSED', { retryable: true, undone: true });
            if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
            switch (fault?.kind) {
              case 'reset':
                throw reset(bron);
              case 'hang':
                return never();
              case 'lost':
                await work(null, onHeaders);
                throw reset(bron);
              case 'cut':
                await work(null, onHeaders);
                throw new UpstreamFailure(bron, 'unreadable', 'body: cut', { lost: true });
              default:
                return work(fault, onHeaders);
            }
          }),
        { retry, call },
      ),
  };
}

/** A connection that was closed under us. */
export const reset = (bron: Bron): UpstreamFailure =>
  new UpstreamFailure(bron, 'unavailable', 'ECONNRESET', { retryable: true, lost: true });

const never = <Result>(): Promise<Result> => new Promise(() => undefined);

/** The result, or that it took too long, or that nobody waits for it. What was onHeaders on the other side is finished all the same. */
function inTime<Result>(
  bron: Bron,
  signal: AbortSignal,
  headersTimeout: number | undefined,
  work: (onHeaders: () => void) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) return Promise.reject(reasonOf(bron, signal));
  return new Promise((resolve, reject) => {
    const aborted = (): void => settle(() => reject(reasonOf(bron, signal)));
    const late = (): void =>
      settle(() => reject(new UpstreamFailure(bron, 'late', 'UND_ERR_HEADERS_TIMEOUT', { lost: true })));
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

const reasonOf = (bron: Bron, { reason }: AbortSignal): Error =>
  reason instanceof CallerGone ? reason : new UpstreamFailure(bron, 'late', 'deadline of the request');
