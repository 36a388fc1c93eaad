import leven, { closestMatch } from 'leven';
import { Problem } from '../../problem.ts';
import type { Answer, Exchange } from '../exchange.ts';
import type { Operation } from './operation.ts';
import { similarPath } from './similar-path.ts';

export const PREFIX = '/api/v1/';

export const fullPath = ({ path, atRoot }: Operation): string => (atRoot ? path : PREFIX + path.slice(1));

/**
 * `methods` are those of the requested path; an empty set means an unknown path and throws 404. For a known path: 204
 * with `Allow` for OPTIONS, else throws 405 with `Allow`.
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
    throw new Problem('methode-niet-toegestaan', `Hier kan alleen ${allow}.`);
  };
}

const MAX_LENGTH = 100;
const PATHS = `De paden staan in ${PREFIX}openapi.json.`;

function unknownPath(path: string, known: readonly string[]): string {
  if (path.length > MAX_LENGTH) return PATHS;
  if (known.includes(withoutSlashes(path))) return 'Laat de schuine streep aan het einde weg.';
  if (path === '/') return `De dienst begint bij ${PREFIX}. Om te lezen en te proberen: /docs, buiten productie.`;
  const near = meant(bare(path)) ?? nearest(path, known);
  return near === undefined ? PATHS : `Bedoelde u ${near}? ${PATHS}`;
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
