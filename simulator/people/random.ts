/** A function that returns the next random number, from 0 (included) to 1 (excluded). */
export type Random = () => number;

/**
 * Returns a generator of pseudo-random numbers (Mulberry32). The same seed gives the same numbers on every machine;
 * only its lowest 32 bits count.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
