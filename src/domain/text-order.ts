/**
 * Compares two texts by code unit, for `sort`: negative, 0 or positive. SQLite (BINARY) and PostgreSQL (collation C) order
 * the texts that we sort by, ids and moments, the same way; `localeCompare` does not, and is slower.
 */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
