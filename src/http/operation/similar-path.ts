import leven from 'leven';

const MAX_LENGTH = 100;

const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') === true;

/**
 * Returns the known path that is most similar to an unknown one; undefined when none is near. Segments are compared one
 * by one, so that a value is never taken for a name. What the client wrote before a known path, such as `/api`, is left
 * out, and it may have forgotten a parameter at the end.
 *
 * @param known - with parameters such as `{id}` @returns the known path, and that path with the values of the client
 */
export function similarPath(
  path: string,
  known: readonly string[],
): { readonly known: string; readonly filled: string } | undefined {
  if (path.length > MAX_LENGTH) return undefined;
  const given = path.split('/').slice(1);
  const templates = known.map((one) => one.split('/').slice(1));
  for (let from = 0; from < given.length; from += 1) {
    const [best] = templates
      .flatMap((template) => {
        const distance = distanceOf(given.slice(from), template);
        return distance === null ? [] : [{ template, distance }];
      })
      .sort((one, other) => one.distance - other.distance);
    if (best === undefined) continue;
    const { template } = best;
    const filled = template.map((segment, at) => (isParameter(segment) ? given[from + at] || segment : segment));
    return { known: `/${template.join('/')}`, filled: `/${filled.join('/')}` };
  }
  return undefined;
}

// Letters that differ in segments that are no parameter; null when more than a third of one does, or for another number
// of segments. A parameter counts a bit, so that a name is preferred.
function distanceOf(given: readonly string[], template: readonly string[]): number | null {
  const lacks = template.length - given.length;
  if (lacks !== 0 && !(lacks === 1 && isParameter(template.at(-1)))) return null;
  let sum = lacks / 2;
  for (const [at, segment] of given.entries()) {
    const wanted = template[at] ?? '';
    if (isParameter(wanted)) {
      if (segment === '') return null;
      sum += 1 / 4;
      continue;
    }
    const distance = leven(segment.toLowerCase(), wanted.toLowerCase());
    if (distance > Math.ceil(wanted.length / 3)) return null;
    sum += distance;
  }
  // A path of parameters only fits everything.
  return template.every(isParameter) ? null : sum;
}
