/** Usual values of the header `Accept` that allow JSON. They need no parsing. */
const USUAL = new Set(['', '*/*', 'application/json', 'application/json, text/plain, */*']);

/** Returns true when the value of an `Accept` header allows a JSON answer; an empty value does. */
export const acceptsJson = (header: string): boolean => USUAL.has(header) || accepts(header, 'application/json');

/**
 * Returns true when the value of an `Accept` header allows one of the types that the OpenAPI document names for a
 * download. The type of the document itself is not compared: a client does not know it before (RFC 9110, 12.5.1 leaves
 * that to the server). The type of a problem counts too: a generated client that prefers JSON sends that alone.
 */
export const acceptsDownload = (header: string, media: readonly string[]): boolean =>
  [...media, 'application/problem+json'].some((type) => accepts(header, type));

/**
 * Returns true when the value of an `Accept` header allows an answer of this media type (RFC 9110, 12.5.1); an empty
 * value does. The most specific media range that matches the type decides: its weight (`q`) must be above 0.
 */
function accepts(header: string, type: string): boolean {
  if (header === '') return true;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.map((text) => /^q\s*=\s*([\d.]+)$/.exec(text)?.[1]).find((text) => text !== undefined);
    weights.set(range, Math.max(weights.get(range) ?? 0, q === undefined ? 1 : Number(q)));
  }
  const ranges = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const range = ranges.find((one) => weights.has(one));
  return range !== undefined && (weights.get(range) ?? 0) > 0;
}
