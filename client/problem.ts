import type { ProblemCode, ProblemMembers } from './api.ts';

interface ProblemBase {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Explanation in Dutch that can be shown to the user. */
  readonly detail: string;
  readonly instance?: string;
  readonly traceId?: string;
}

type Extra = { [Code in keyof ProblemMembers]: keyof ProblemMembers[Code] }[keyof ProblemMembers];
type MembersOf<Code> = Code extends keyof ProblemMembers ? ProblemMembers[Code] : unknown;
type Without<Code> = { readonly [Name in Exclude<Extra, keyof MembersOf<Code>>]?: undefined };

/** The type of a problem with this code. */
export type ProblemOf<Code extends ProblemCode | null> = ProblemBase &
  Readonly<MembersOf<Code>> &
  Without<Code> & {
    /**
     * Code of the problem; compare this, not the texts. Null for a response without a problem body: a 404 for an object
     * that does not exist or belongs to another person, some 403, and a response that is not from the service.
     */
    readonly code: Code;
  };

/**
 * The body of an error response (RFC 9457): a union, discriminated by `code`. Some codes have extra members:
 * `bestand-te-groot`, for example, has `maxSizeMb`.
 *
 * @see http://127.0.0.1:3000/docs/reference/problems.md of a running service: what to do for each code
 */
export type Problem = { [Code in ProblemCode]: ProblemOf<Code> }[ProblemCode] | ProblemOf<null>;

const DETAIL_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'U mag dit niet doen.',
  404: 'Dit bestaat niet, of is niet van u.',
};

/** For a response that is not of the service, such as one of a proxy or of the server of the frontend. */
const otherDetail = (status: number): string =>
  `Niet de dienst antwoordde, maar iets ervoor, zoals een proxy (${status}). Draait de dienst? Klopt de baseUrl van createClient?`;

/**
 * Returns the problem in the body of an error response. For another body, returns a problem with `code` null and a text
 * for the status.
 */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, statusText } = response;
  const body = jsonIn(await response.text());
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string')
    return body as Problem;
  // Every answer of the service has this header.
  const isOfService = response.headers.has('API-Version');
  const detail = isOfService
    ? (DETAIL_BY_STATUS[status] ?? `De dienst antwoordde met ${status}.`)
    : otherDetail(status);
  return { type: 'about:blank', title: statusText, status, detail, code: null };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
