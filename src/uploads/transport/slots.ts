import { MOST_DOWNLOADS, MOST_DOWNLOADS_EACH } from '../../domain/upload-limits.ts';
import { Problem } from '../../problem.ts';

export interface Slots {
  /** Takes a place for one more of this owner; the result gives it back. Throws 429 when the owner has too many, 503 when there is no place. */
  take(owner: string): () => void;
}

interface Bounds {
  readonly atOnce: number;
  readonly each: number;
  readonly tooMany: (mine: number) => Problem;
  readonly full: string;
}

export const RETRY = { headers: { 'Retry-After': '2' } };

/** Places for what is under way at the same time in this process, of which each owner may have some. */
export function createSlots({ atOnce, each, tooMany, full }: Bounds): Slots {
  const underway = new Map<string, number>();
  let total = 0;
  return {
    take(owner) {
      const mine = underway.get(owner) ?? 0;
      if (mine >= each) throw tooMany(mine);
      if (total >= atOnce) throw new Problem('overbelast', full, RETRY);
      underway.set(owner, mine + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (underway.get(owner) ?? 1) - 1;
        if (left === 0) underway.delete(owner);
        else underway.set(owner, left);
      };
    },
  };
}

export const createDownloadSlots = (): Slots =>
  createSlots({
    atOnce: MOST_DOWNLOADS,
    each: MOST_DOWNLOADS_EACH,
    tooMany: (mine) => new Problem('te-veel-verzoeken', `U leest al ${mine} documenten tegelijk.`, RETRY),
    full: 'Er worden nu te veel documenten tegelijk gelezen. Probeer het zo opnieuw.',
  });
