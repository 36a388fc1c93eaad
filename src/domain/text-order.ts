/**
 * Compares two texts by code unit, for `sort`: returns a negative number, 0 or a positive number. SQLite (BINARY) and
 * PostgreSQL (collation C) sort ids and times in the same order as this function. `localeCompare` uses another order,
 * and is slower.
 */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
