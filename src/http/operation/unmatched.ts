import leven, { closestMatch } from 'leven';
import { Problem, type Sentence } from '../../problem.ts';
import type { Answer, Exchange } from '../exchange.ts';
import type { Operation } from './operation.ts';

const PREFIX = '/api/v1/';

export const fullPath = ({ path, atRoot }: Operation): string => (atRoot ? path : PREFIX + path.slice(1));

/**
 * Answers a request that no operation handles. `methods` are those of the requested path; an empty set means an unknown
 * path and throws 404. For a known path: 204 with `Allow` for OPTIONS, else throws 405 with `Allow`.
 */
export function unmatched(operations: readonly Operation[]) {
  const known = [...new Set(operations.map(fullPath))];
  return (
    { method, path, state }: Pick<Exchange, 'method' | 'path' | 'state'>,
    methods: ReadonlySet<string>,
  ): Answer => {
    if (methods.size === 0) throw new Problem('pad-onbekend', unknownPath(path, known));
    const allow = [...methods, 'OPTIONS'].sort().join(', ');
    state.headers.Allow = allow;
    if (method === 'OPTIONS') return { status: 204 };
    throw new Problem('methode-niet-toegestaan', {
      detail: `Hier kan alleen ${allow}.`,
      english: `Only ${allow} is possible here.`,
    });
  };
}

// Maximum length of a path, in UTF-16 units, for which a similar one is searched.
const MAX_LENGTH = 100;
const PATHS = {
  detail: `De paden staan in ${PREFIX}openapi.json.`,
  english: `The paths are in ${PREFIX}openapi.json.`,
};
const SLASH = { detail: 'Laat de schuine streep aan het einde weg.', english: 'Leave the slash at the end out.' };
const ROOT = {
  detail: `De dienst begint bij ${PREFIX}. Om te lezen en te proberen: /docs, buiten productie.`,
  english: `The service begins at ${PREFIX}. To read and try it: /docs, outside production.`,
};

function unknownPath(path: string, known: readonly string[]): Sentence {
  if (path.length > MAX_LENGTH) return PATHS;
  if (known.includes(withoutSlashes(path))) return SLASH;
  if (path === '/') return ROOT;
  const near = meant(bare(path)) ?? nearest(path, known);
  return near === undefined
    ? PATHS
    : { detail: `Bedoelde u ${near}? ${PATHS.detail}`, english: `Did you mean ${near}? ${PATHS.english}` };
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

// What clients write in English, without a final `s`.
const IN_ENGLISH: Readonly<Record<string, string>> = {
  letter: 'brief',
  'license-renewal': 'herregistraties',
  're-registration': 'herregistraties',
  reregistration: 'herregistraties',
  renewal: 'herregistraties',
};

function meant(asked: string): string | undefined {
  const [, word = ''] = /^\/([a-z-]+?)s?$/i.exec(asked) ?? [];
  const name = word.toLowerCase();
  return Object.hasOwn(IN_ENGLISH, name) ? PREFIX + IN_ENGLISH[name] : undefined;
}

// Without `/api` and the version, which clients most often forget, mistype or write twice, and without what comes
// before it, such as the path of a proxy.
const bare = (path: string): string => path.replace(/^.*\/api(\/v\d+)?(?=\/)/, '');

function nearest(path: string, known: readonly string[]): string | undefined {
  const asked = bare(path);
  const names = new Map(known.map((one) => [bare(one), one]));
  const like = similarPath(asked, [...names.keys()]);
  // Without the client's own values, which can be a burgerservicenummer.
  if (like !== undefined) return names.get(like.known);
  const near = closestMatch(asked, [...names.keys()]);
  const isMeant = near !== undefined && leven(asked, near) <= Math.ceil((near.length - 1) / 3);
  return isMeant ? names.get(near) : undefined;
}

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
