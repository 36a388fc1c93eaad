import type { ProblemCode } from './api.ts';

/** One error in a request. `pointer` is a JSON Pointer into the body, or the name of a parameter or header. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** An error response (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What happened, in Dutch, to show to the user. */
  readonly detail: string;
  /**
   * The code to match on. Null for a response without a body: a 404 (not found, or owned by another person) and some
   * 403, or a response that is not from the service.
   */
  readonly code: ProblemCode | null;
  readonly instance?: string;
  readonly traceId?: string;
  /** All errors in the request. */
  readonly errors?: readonly Fault[];
  /** The upstream that failed, with a 502, 503 or 504. */
  readonly bron?: string;
  /** `referentie` of the application that exists already. */
  readonly referentie?: string;
  /** Other members of this problem. */
  readonly [member: string]: unknown;
}

/** Dutch texts for responses without a body, by status. */
const DETAIL_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'U mag dit niet doen.',
  404: 'Dit bestaat niet, of is niet van u.',
};

/**
 * Returns the text for a 5xx without a problem: it comes from a proxy or gateway, as the service always sends a
 * problem.
 */
const proxyDetail = (status: number): string =>
  `Niet de dienst antwoordde, maar iets ervoor, zoals een proxy (${status}). Draait de dienst?`;

/** Returns the problem of an error response; makes one from the status when the response has no JSON. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, statusText } = response;
  const text = await response.text();
  if (/\bjson\b/.test(response.headers.get('Content-Type') ?? '') && text !== '') return JSON.parse(text) as Problem;
  const detail =
    DETAIL_BY_STATUS[status] ?? (status < 500 ? `De dienst antwoordde met ${status}.` : proxyDetail(status));
  return { type: 'about:blank', title: statusText, status, detail, code: null };
}
