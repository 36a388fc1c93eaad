/** What the answers of the service have for developers, on a server and in the MSW handlers of a page. */
import { PROBLEMS, type ProblemCode } from '../../src/problem-codes.ts';

/** The request headers that only development knows, and that a page of another origin may send. */
export const DEVELOPMENT_HEADERS = ['X-Medewerker', 'X-Role', 'X-Rollen', 'X-Subject'];

/** The response headers that only development has, and that a page of another origin may read. */
export const EXPOSED_IN_DEVELOPMENT = ['Link', 'Preference-Applied', 'Preference-Ignored'];

export const problemPageAt = (code: ProblemCode): string => `/docs/problems/${code}`;

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

/** Returns the problem of which the page is at this path; null for another path. */
export function problemAt(path: string) {
  const [, code = ''] = /^\/docs\/problems\/([a-z-]+)$/.exec(path) ?? [];
  return isProblemCode(code) ? { code, ...PROBLEMS[code] } : null;
}

/** Returns the text of the page about a problem: what it means, and what to do. */
export const problemText = ({ code, status, title, english, remedy }: NonNullable<ReturnType<typeof problemAt>>) =>
  `${code}: ${status} ${title} (${english})

What to do: ${remedy}

The journal has the reasons for each answer: /_simulator/ of a server, bff.journal() of handlers().
docs/reference/problems.md has all codes, docs/reference/first-mistakes.md the mistakes of the first hour.
`;
