import { Problem } from '../../problem.ts';

/** Does a piece of work when it is its turn. Throws 503 when that takes too long. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Turns for so much work at the same time; more waits, in the order in which it came, for at most `patience` milliseconds. */
export function createTurns(atOnce: number, patience: number): Turn {
  let busy = 0;
  /** What begins each piece of work that waits. */
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
      }, patience);
      waiting.add(begin);
    });

  return async (work) => {
    if (busy >= atOnce) await queue();
    else busy += 1;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      // The place goes to the next without becoming free, so that nobody who comes now is before it.
      if (next === undefined) busy -= 1;
      else waiting.delete(next);
      next?.();
    }
  };
}

const TOO_BUSY = 'Er worden nu te veel bestanden verwerkt. Probeer het zo opnieuw.';
