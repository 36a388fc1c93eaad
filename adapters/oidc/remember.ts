/** Maximum number of entries of a map of tokens or callers. */
const MAX_ENTRIES = 10_000;

/** Puts a value at the end of a map, and drops the first one when there are more than `MAX_ENTRIES`. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
}
