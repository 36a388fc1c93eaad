import type { ProblemCode } from './api.ts';

/** A fault in a request. `pointer` is a JSON Pointer into the body, or the name of a parameter or header. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** The body of an error response (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Explanation in Dutch that can be shown to the user. */
  readonly detail: string;
  /**
   * Code of the problem; compare this, not the texts. Null for a response without a body (a 404 for an object that does
   * not exist or belongs to another person, and some 403), and for a response that is not from the service.
   */
  readonly code: ProblemCode | null;
  readonly instance?: string;
  readonly traceId?: string;
  /** All faults in the request. */
  readonly errors?: readonly Fault[];
  /** Name of the upstream that failed, in a 502, 503 or 504. */
  readonly bron?: string;
  /** `referentie` of the existing application that conflicts with the request. */
  readonly referentie?: string;
  /** Other members, which depend on the code. */
  readonly [member: string]: unknown;
}

/** Dutch texts for responses without a body, keyed by status. */
const DETAIL_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'U mag dit niet doen.',
  404: 'Dit bestaat niet, of is niet van u.',
};

/**
 * Returns the text for a 5xx without a problem body. Such a response comes from a proxy or gateway, because the service
 * always sends a problem body.
 */
const proxyDetail = (status: number): string =>
  `Niet de dienst antwoordde, maar iets ervoor, zoals een proxy (${status}). Draait de dienst?`;

/** Returns the problem in an error response, or a problem made from its status when it has no JSON body. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, statusText } = response;
  const text = await response.text();
  if (/\bjson\b/.test(response.headers.get('Content-Type') ?? '') && text !== '') return JSON.parse(text) as Problem;
  const detail =
    DETAIL_BY_STATUS[status] ?? (status < 500 ? `De dienst antwoordde met ${status}.` : proxyDetail(status));
  return { type: 'about:blank', title: statusText, status, detail, code: null };
}
