import { Problem } from '../../problem.ts';

/** Runs work when a slot is free, and returns its result. Throws 503 when the wait takes too long. */
export type RunQueued = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a queue that runs at most `atOnce` pieces of work at the same time. More work waits, first in first out,
 * for at most `maxWait` milliseconds.
 */
export function createWorkQueue(atOnce: number, maxWait: number): RunQueued {
  let busy = 0;
  /** Starts each waiting piece of work, in order. */
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
