import leven, { closestMatch } from 'leven';

/** Maximum number of characters of an unknown path for which a similar path is suggested. */
const MAX_LENGTH = 100;

/**
 * Returns the Dutch hint of the 404 for an unknown path, with a space at its end: to leave out the slash at the end, or
 * the path that the client may have meant, with the client's own values. Returns '' when none is near.
 *
 * @param known - the paths of the control API, with parameters such as `{world}`
 */
export function pathHint(path: string, known: readonly string[], isKnown: (path: string) => boolean): string {
  if (path.endsWith('/') && isKnown(path.slice(0, -1))) return 'Laat de schuine streep aan het einde weg. ';
  if (path.length > MAX_LENGTH) return '';
  const possible = known.map((one) => filledIn(one, path));
  const near = closestMatch(path, possible);
  const isMeant = near !== undefined && leven(path, near) <= Math.ceil((near.length - '/_simulator'.length) / 3);
  return isMeant ? `Bedoelde u ${near}? ` : '';
}

/** Returns a known path with the segments of `path` in place of its parameters, counted from the end. */
function filledIn(known: string, path: string): string {
  const segments = path.split('/').reverse();
  const filled = known
    .split('/')
    .reverse()
    .map((segment, index) => (segment.startsWith('{') ? segments[index] || segment : segment));
  return filled.reverse().join('/');
}
