import { MAX_DOWNLOADS, MAX_DOWNLOADS_PER_OWNER } from '../../domain/upload-limits.ts';
import { Problem } from '../../problem.ts';

/**
 * A limited number of slots for concurrent work, with a maximum per owner (a bulkhead). A slot is the permission to do
 * one upload or download.
 */
export interface Slots {
  /**
   * Takes a slot for this owner. Returns a function that releases it. Throws 429 when the owner has the maximum number
   * of slots, 503 when all slots are in use.
   */
  take(owner: string): () => void;
}

interface SlotLimits {
  /** Maximum number of slots of this process that are in use at the same time. */
  readonly atOnce: number;
  /** Maximum number of slots of one owner. */
  readonly each: number;
  /** Returns the 429 problem for an owner who already has `mine` slots. */
  readonly tooMany: (mine: number) => Problem;
  /** Dutch text of the 503 problem when all slots are in use. */
  readonly full: string;
}

/** Options of a problem for a client that may try again after two seconds. */
export const RETRY = { headers: { 'Retry-After': '2' } };

/** Returns the slots for one kind of work in this process. At the start all of them are free. */
export function createSlots({ atOnce, each, tooMany, full }: SlotLimits): Slots {
  const inUse = new Map<string, number>();
  let total = 0;
  return {
    take(owner) {
      const mine = inUse.get(owner) ?? 0;
      if (mine >= each) throw tooMany(mine);
      if (total >= atOnce) throw new Problem('overbelast', full, RETRY);
      inUse.set(owner, mine + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (inUse.get(owner) ?? 1) - 1;
        if (left === 0) inUse.delete(owner);
        else inUse.set(owner, left);
      };
    },
  };
}

/** Returns the slots of downloads (uploads.md, "Limits"). */
export const createDownloadSlots = (): Slots =>
  createSlots({
    atOnce: MAX_DOWNLOADS,
    each: MAX_DOWNLOADS_PER_OWNER,
    tooMany: (mine) => new Problem('te-veel-verzoeken', `U leest al ${mine} documenten tegelijk.`, RETRY),
    full: 'Er worden nu te veel documenten tegelijk gelezen. Probeer het zo opnieuw.',
  });
