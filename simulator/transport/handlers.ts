import { AsyncLocalStorage } from 'node:async_hooks';
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { CallOutcome, FaultOn } from '../worlds/faults.ts';
import type { ReceivedFile, SimulatedAnswer, SimulatedOperation } from './operation.ts';

/**
 * What goes past MSW: a body that was read already, and an answer that is too large for a `Response`. MSW copies what it is
 * given, and a hundred uploads at once would be a gigabyte.
 */
interface Carried {
  readonly body: unknown;
  readonly file?: ReceivedFile | undefined;
  /** What happens to a call of this operation. */
  readonly draw: (operation: string) => CallOutcome;
  /** The world that it came for has begun anew since. */
  readonly isOver: () => boolean;
  drawn?: CallOutcome;
  answer?: SimulatedAnswer;
}

export const carried = new AsyncLocalStorage<Carried>();

/** With these nothing is done: the question may as well not have come. */
const UNDONE: ReadonlySet<string> = new Set(['refused', 'reset', 'hang', 'status', 'garbage']);
const OVER: FaultOn = { id: 'over', scenario: null, upstream: 'register', kind: 'reset' };
const NO_ANSWER: SimulatedAnswer = { status: 200 };

/** MSW handlers around simulated operations in a scene. */
export function handlersOf<Scene>(operations: readonly SimulatedOperation<Scene>[], scene: Scene): HttpHandler[] {
  return operations.map(({ name, method, path, nothing, run }) =>
    http[method === 'any' ? 'all' : (method.toLowerCase() as Lowercase<typeof method>)](
      path,
      async ({ request, params }) => {
        const beside = carried.getStore();
        if (beside === undefined) throw new Error('a simulated operation outside its listener');
        const { delay, fault: drawn } = beside.draw(name);
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        // What was asked before a reset does nothing after it.
        const fault = beside.isOver() ? OVER : drawn;
        beside.drawn = { delay, fault };
        const { pathname, searchParams } = new URL(request.url);
        const asked = { path: pathname, query: searchParams, headers: request.headers, ...beside };
        const isEmpty = fault?.kind === 'empty' && nothing !== undefined;
        const answer = isEmpty
          ? { status: 200, body: nothing }
          : UNDONE.has(fault?.kind ?? '')
            ? NO_ANSWER
            : await run(scene, asked, params as Record<string, string>);
        beside.answer = answer;
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
