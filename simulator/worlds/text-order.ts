/** Compares two texts by code unit, for `sort`. The databases sort ids and times in the same order. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
