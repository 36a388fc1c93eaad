import type { Problem } from '../problem.ts';

/** A limited capacity of this process, such as a number of downloads, with a maximum for each owner (a bulkhead). */
export interface Capacity {
  /** Takes `amount` for this owner. Throws, and takes nothing, when that is more than a maximum. */
  take(owner: string, amount: number): void;
  /** Gives back an `amount` that this owner took. */
  release(owner: string, amount: number): void;
}

/** The maximums of a capacity, and the problem for each of them. */
export interface CapacityLimits {
  /** Maximum of all owners together. */
  readonly total: number;
  /** Maximum of one owner. */
  readonly perOwner: number;
  /** Returns the problem for an owner who has taken `taken` and asks for more than `perOwner`. */
  readonly tooMany: (taken: number) => Problem;
  /** Returns the problem when there is not enough left of `total`. */
  readonly full: () => Problem;
}

/** Returns a capacity of which nothing is taken. */
export function createCapacity({ total, perOwner, tooMany, full }: CapacityLimits): Capacity {
  const byOwner = new Map<string, number>();
  let all = 0;
  return {
    take(owner, amount) {
      const taken = byOwner.get(owner) ?? 0;
      if (taken + amount > perOwner) throw tooMany(taken);
      if (all + amount > total) throw full();
      byOwner.set(owner, taken + amount);
      all += amount;
    },
    release(owner, amount) {
      all -= amount;
      const left = (byOwner.get(owner) ?? amount) - amount;
      if (left === 0) byOwner.delete(owner);
      else byOwner.set(owner, left);
    },
  };
}
