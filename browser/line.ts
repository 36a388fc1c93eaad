import { createGate, ROOM } from '../adapters/http/bulkhead.ts';
import { Failed } from '../adapters/http/upstream-failure.ts';
import type { FaultOn, SimulatedUpstream } from '../simulator/worlds/faults.ts';
import type { World } from '../simulator/worlds/index.ts';
import { type Call, CallerGone } from '../src/ports/call.ts';
import type { Bron } from '../src/wire/values.ts';

/** The way to a source in this very page. It goes wrong as a connection does, and is retried, broken off and written down as one. */
export interface Line {
  pass<Result>(question: Question, call: Call, work: Work<Result>): Promise<Result>;
}

interface Question {
  /** As a fault names it. */
  readonly operation: string;
  /** Milliseconds until the answer must begin; none: as long as the call may last. */
  readonly patience?: number;
  readonly retry?: boolean;
}

/**
 * What is done on the other side. Of a fault that is about the answer it makes the answer; `begun` says that the answer has
 * begun to come.
 */
type Work<Result> = (fault: FaultOn | null, begun: () => void) => Promise<Result>;

export function createLine(bron: SimulatedUpstream, worldAt: (name: string) => Pick<World, 'draw'>): Line {
  const gate = createGate(bron, ROOM);

  return {
    pass: ({ operation, patience, retry = false }, call, work) =>
      gate.pass(
        () =>
          inTime(bron, call.signal, patience, async (begun) => {
            const { delay, fault } = worldAt(call.workspace).draw(bron, operation, `00-${call.traceId}-`);
            if (fault?.kind === 'refused')
              throw new Failed(bron, 'unavailable', 'ECONNREFUSED', { again: true, undone: true });
            if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
            switch (fault?.kind) {
              case 'reset':
                throw reset(bron);
              case 'hang':
                return never();
              case 'lost':
                await work(null, begun);
                throw reset(bron);
              case 'cut':
                await work(null, begun);
                throw new Failed(bron, 'unreadable', 'body: cut', { lost: true });
              default:
                return work(fault, begun);
            }
          }),
        { retry, call },
      ),
  };
}

/** A connection that was closed under us. */
export const reset = (bron: Bron): Failed => new Failed(bron, 'unavailable', 'ECONNRESET', { again: true, lost: true });

const never = <Result>(): Promise<Result> => new Promise(() => undefined);

/** The result, or that it took too long, or that nobody waits for it. What was begun on the other side is finished all the same. */
function inTime<Result>(
  bron: Bron,
  signal: AbortSignal,
  patience: number | undefined,
  work: (begun: () => void) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) return Promise.reject(reasonOf(bron, signal));
  return new Promise((resolve, reject) => {
    const aborted = (): void => settle(() => reject(reasonOf(bron, signal)));
    const late = (): void => settle(() => reject(new Failed(bron, 'late', 'UND_ERR_HEADERS_TIMEOUT', { lost: true })));
    const timer = patience === undefined ? undefined : setTimeout(late, patience);
    const begun = (): void => clearTimeout(timer);
    function settle(how: () => void): void {
      begun();
      signal.removeEventListener('abort', aborted);
      how();
    }
    signal.addEventListener('abort', aborted, { once: true });
    work(begun).then(
      (result) => settle(() => resolve(result)),
      (error) => settle(() => reject(error)),
    );
  });
}

const reasonOf = (bron: Bron, { reason }: AbortSignal): Error =>
  reason instanceof CallerGone ? reason : new Failed(bron, 'late', 'deadline of the request');
