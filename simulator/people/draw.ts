export interface Draw {
  /** Returns a random whole number from `min` to `max`, both included; `min` when `max` is lower. */
  between(min: number, max: number): number;
  /** Returns a random item. Throws a `RangeError` when the list is empty. */
  pick<Item>(list: readonly Item[]): Item;
  /** Throws a `RangeError` when the list is empty. */
  weighted<Item>(list: readonly Item[], weightOf: (item: Item) => number): Item;
  /** Returns true with a chance of `percent`, from 0 to 100. */
  chance(percent: number): boolean;
}

export function createDraw(random: Random): Draw {
  const at = <Item>(list: readonly Item[], index: number): Item => {
    const item = list[index];
    if (item === undefined) throw new RangeError('nothing to draw from');
    return item;
  };
  return {
    between: (min, max) => min + Math.floor(random() * (Math.max(max, min) - min + 1)),
    pick: (list) => at(list, Math.floor(random() * list.length)),
    weighted(list, weightOf) {
      let left = random() * list.reduce((sum, item) => sum + weightOf(item), 0);
      for (const item of list) {
        left -= weightOf(item);
        if (left < 0) return item;
      }
      return at(list, 0);
    },
    chance: (percent) => random() * 100 < percent,
  };
}

/** A function that returns the next random number, from 0 (included) to 1 (excluded). */
export type Random = () => number;

/** Mulberry32: the same on every machine. Only the lowest 32 bits of the seed count. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
