import { Problem } from '../../problem.ts';

/**
 * A function that runs `work` and returns its result. It first waits while the maximum number of pieces of work are
 * running. It throws 503 `overbelast` when that wait takes too long.
 */
export type RunQueued = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that runs at most `atOnce` pieces of work at the same time. Other work waits in order of arrival,
 * and is refused with 503 `overbelast` after `maxWait` milliseconds.
 */
export function createWorkQueue(atOnce: number, maxWait: number): RunQueued {
  let busy = 0;
  /** The functions that start each waiting piece of work, in order of arrival. */
  const waiting = new Set<() => void>();

  const queue = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new Problem('overbelast', TOO_BUSY, { headers: { 'Retry-After': '5' } }));
      }, maxWait);
      waiting.add(begin);
    });

  return async (work) => {
    if (busy >= atOnce) await queue();
    else busy += 1;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      // The slot passes directly to the next in the queue, so that new work cannot overtake it.
      if (next === undefined) busy -= 1;
      else waiting.delete(next);
      next?.();
    }
  };
}

const TOO_BUSY = 'Er worden nu te veel bestanden verwerkt. Probeer het zo opnieuw.';
