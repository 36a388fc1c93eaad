import { AsyncLocalStorage } from 'node:async_hooks';
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { ActiveFault, CallOutcome } from '../worlds/faults.ts';
import type { SimulatedAnswer, SimulatedFile, SimulatedOperation } from './operation.ts';

/**
 * Data of one call that does not pass through MSW: the body, which is already read, and the answer, which may be a
 * large file. MSW copies request and response, and a hundred simultaneous uploads would take a gigabyte.
 */
interface CallContext {
  readonly body: unknown;
  readonly file?: SimulatedFile | undefined;
  /** Decides whether a call of this operation is delayed or fails. */
  readonly draw: (operation: string) => CallOutcome;
  /** True when the world was reset after the request arrived. */
  readonly isWorldReset: () => boolean;
  /** Set by the handler: the outcome that was decided. */
  outcome?: CallOutcome;
  /** Set by the handler: the answer of the operation. */
  answer?: SimulatedAnswer;
}

/** The context of the call that is being handled. */
export const callContext = new AsyncLocalStorage<CallContext>();

/** Faults with which the operation is not executed. */
const NOT_EXECUTED: ReadonlySet<string> = new Set(['refused', 'reset', 'hang', 'status', 'garbage']);
/** Fault of a call that was still running when its world was reset. */
const WORLD_RESET: ActiveFault = { id: 'world-reset', scenario: null, upstream: 'register', kind: 'reset' };
const NO_ANSWER: SimulatedAnswer = { status: 200 };

/** Returns an MSW handler for each operation; `target` is what the operations work on. */
export function handlersOf<Target>(operations: readonly SimulatedOperation<Target>[], target: Target): HttpHandler[] {
  return operations.map(({ name, method, path, emptyBody, run }) =>
    http[method === 'any' ? 'all' : (method.toLowerCase() as Lowercase<typeof method>)](
      path,
      async ({ request, params }) => {
        const context = callContext.getStore();
        if (context === undefined) throw new Error('a simulated operation was called outside its listener');
        const { delay, fault: drawn } = context.draw(name);
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        // A call from before a reset of the world must not change the new world.
        const fault = context.isWorldReset() ? WORLD_RESET : drawn;
        context.outcome = { delay, fault };
        const { pathname, searchParams } = new URL(request.url);
        const simulatedRequest = { path: pathname, query: searchParams, headers: request.headers, ...context };
        const isEmpty = fault?.kind === 'empty' && emptyBody !== undefined;
        const answer = isEmpty
          ? { status: 200, body: emptyBody }
          : NOT_EXECUTED.has(fault?.kind ?? '')
            ? NO_ANSWER
            : await run(target, simulatedRequest, params as Record<string, string>);
        context.answer = answer;
        return new HttpResponse(answer.body === undefined ? null : JSON.stringify(answer.body), {
          status: answer.status,
          headers: {
            ...(answer.body !== undefined && { 'Content-Type': answer.type ?? 'application/json' }),
            ...answer.headers,
          },
        });
      },
    ),
  );
}
