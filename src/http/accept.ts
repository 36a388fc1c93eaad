/** What nearly every client sends, and need not be negotiated about. */
const PLAIN = new Set(['', '*/*', 'application/json', 'application/json, text/plain, */*']);
/** From the most specific to the least. */
const RANGES = ['application/json', 'application/*', '*/*'];

/**
 * Whether an `Accept` leaves room for JSON (RFC 9110, 12.5.1): the most specific range that fits decides. Parameters of a media
 * type (`charset`, `version`) do not matter here; its weight does.
 */
export function acceptsJson(header: string): boolean {
  if (PLAIN.has(header)) return true;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.map((text) => /^q\s*=\s*([\d.]+)$/.exec(text)?.[1]).find((text) => text !== undefined);
    weights.set(range, Math.max(weights.get(range) ?? 0, q === undefined ? 1 : Number(q)));
  }
  const range = RANGES.find((one) => weights.has(one));
  return range !== undefined && (weights.get(range) ?? 0) > 0;
}
