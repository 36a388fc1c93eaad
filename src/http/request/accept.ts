/** Usual values of the header `Accept` that allow JSON. They need no parsing. */
const USUAL = new Set(['', '*/*', 'application/json', 'application/json, text/plain, */*']);
/** Media ranges that match JSON, sorted from most to least specific. */
const RANGES = ['application/json', 'application/*', '*/*'];

/**
 * Returns true when the value of an `Accept` header allows a JSON answer (RFC 9110, 12.5.1); an empty value does. The
 * most specific media range that matches JSON decides: its weight (`q`) must be above 0.
 */
export function acceptsJson(header: string): boolean {
  if (USUAL.has(header)) return true;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.map((text) => /^q\s*=\s*([\d.]+)$/.exec(text)?.[1]).find((text) => text !== undefined);
    weights.set(range, Math.max(weights.get(range) ?? 0, q === undefined ? 1 : Number(q)));
  }
  const range = RANGES.find((one) => weights.has(one));
  return range !== undefined && (weights.get(range) ?? 0) > 0;
}
