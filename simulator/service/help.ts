/** What the answers of the service have for developers, on a server and in the MSW handlers of a page. */
import { PROBLEMS, type ProblemCode } from '../../src/problem-codes.ts';

/** The request headers that only development knows, and that a page of another origin may send. */
export const DEVELOPMENT_HEADERS = ['X-Medewerker', 'X-Role', 'X-Rollen', 'X-Subject'];

/** The response headers that only development has, and that a page of another origin may read. */
export const EXPOSED_IN_DEVELOPMENT = ['Link', 'Preference-Applied', 'Preference-Ignored'];

export const problemPageAt = (code: ProblemCode): string => `/docs/problems/${code}`;

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

/** Returns the text of the page at this path about a problem code: what it means, and what to do. Null for another path. */
export function problemPage(path: string): string | null {
  const [, code = ''] = /^\/docs\/problems\/([a-z-]+)$/.exec(path) ?? [];
  if (!isProblemCode(code)) return null;
  const { status, title, english, remedy } = PROBLEMS[code];
  return `${code}: ${status} ${title} (${english})

What to do: ${remedy}

The journal has the reasons for each answer: /_simulator/ of a server, bff.journal() of handlers().
docs/reference/problems.md has all codes, docs/reference/first-mistakes.md the mistakes of the first hour.
`;
}
