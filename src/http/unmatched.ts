import leven, { closestMatch } from 'leven';
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';
import type { Answer, Operation } from './operation.ts';

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

function unknownPath(path: string, known: readonly string[]): string {
  if (known.includes(path.replace(/\/+$/, ''))) return 'Laat de schuine streep aan het einde weg.';
  if (path === '/') return `De dienst begint bij ${PREFIX}. Om te lezen en te proberen: /docs, buiten productie.`;
  const near = path.length > 100 ? undefined : nearest(path, known);
  const hint = near === undefined ? '' : `Bedoelde u ${near}? `;
  return `${hint}De paden staan in /api/v1/openapi.json.`;
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
