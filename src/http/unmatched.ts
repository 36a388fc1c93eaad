import leven, { closestMatch } from 'leven';
import { Problem } from '../problem.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Operation } from './operation.ts';

/** Where all but the probes are. */
const PREFIX = '/api/v1/';

/** The path of an operation as it is called. */
export const fullPath = ({ path, atRoot }: Operation): string => (atRoot ? path : `/api/v1${path}`);

/**
 * What remains when no operation has answered: a method that the path does not have (405 with `Allow`), an OPTIONS, or a path
 * that nobody has (404, naming the nearest that exists). `methods`: those of the path.
 */
export function unmatched(operations: readonly Operation[]) {
  const known = [...new Set(operations.map(fullPath))];
  return (http: Pick<Exchange, 'method' | 'path' | 'set'>, methods: ReadonlySet<string>): Answer => {
    if (methods.size === 0) throw new Problem('pad-onbekend', unknownPath(http.path, known));
    const allow = [...methods, 'OPTIONS'].sort().join(', ');
    http.set('Allow', allow);
    if (http.method === 'OPTIONS') return { status: 204 };
    throw new Problem('methode-niet-toegestaan', `Hier kan alleen ${allow}.`);
  };
}

/** Characters of a path that is compared with ours; a longer one is not meant for any of them. */
const LONGEST = 100;
const PATHS = 'De paden staan in /api/v1/openapi.json.';

/** What to say about a path that no operation has: the nearest one, where there is one. */
function unknownPath(path: string, known: readonly string[]): string {
  if (path.length > LONGEST) return PATHS;
  if (known.includes(withoutSlashes(path))) return 'Laat de schuine streep aan het einde weg.';
  if (path === '/') return `De dienst begint bij ${PREFIX}. Om te lezen en te proberen: /docs, buiten productie.`;
  const near = nearest(path, known);
  return near === undefined ? PATHS : `Bedoelde u ${near}? ${PATHS}`;
}

/** The path without the slashes at its end. An expression for this takes quadratic time on a path of slashes. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** The same without what goes before it, as that is left out or written otherwise first. */
const bare = (path: string): string => path.replace(/^\/api(\/v\d+)?(?=\/)/, '');

function nearest(path: string, known: readonly string[]): string | undefined {
  const asked = bare(path);
  const names = new Map(known.map((one) => [bare(one), one]));
  const near = closestMatch(asked, [...names.keys()]);
  const isMeant = near !== undefined && leven(asked, near) <= Math.ceil((near.length - 1) / 3);
  return isMeant ? names.get(near) : undefined;
}
