import { similarPath } from '../../../src/http/operation/similar-path.ts';

/**
 * Returns the Dutch hint of the 404 for an unknown path, with a space at its end: to leave out the slash at the end, or
 * the path that the client may have meant, with the client's own values. Returns '' when none is near.
 *
 * @param known - the paths of the control API below `prefix`, with parameters such as `{world}`
 */
export function pathHint(
  path: string,
  prefix: string,
  known: readonly string[],
  isKnown: (path: string) => boolean,
): string {
  if (path.endsWith('/') && isKnown(path.slice(0, -1))) return 'Laat de schuine streep aan het einde weg. ';
  const near = similarPath(path.slice(prefix.length), known);
  return near === undefined ? '' : `Bedoelde u ${prefix}${near.filled}? `;
}
