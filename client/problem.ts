import type { ProblemCode } from './api.ts';

/** One fault in a request. `pointer` is a JSON Pointer into the body, or the name of a parameter or header. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Why an answer is no success (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What happened, in Dutch, to show. */
  readonly detail: string;
  /** What to match on. Null where the interface has no body: 404 for what does not exist or is another's, and some 403. */
  readonly code: ProblemCode | null;
  readonly instance?: string;
  readonly traceId?: string;
  /** Every fault of the request at once. */
  readonly errors?: readonly Fault[];
  /** The source that failed, with 502, 503 and 504. */
  readonly bron?: string;
  /** Of the request that is there already. */
  readonly referentie?: string;
  /** Whatever else belongs to this problem. */
  readonly [member: string]: unknown;
}

const BARE: Readonly<Record<number, string>> = {
  403: 'U mag dit niet doen.',
  404: 'Dit bestaat niet, of is niet van u.',
};

/** The service itself says what is wrong; without that it was the proxy of a frontend, or a gateway, and nothing behind it. */
const before = (status: number): string =>
  `Niet de dienst antwoordde, maar iets ervoor, zoals een proxy (${status}). Draait de dienst?`;

/** The problem in an answer, also when it has no body. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, statusText } = response;
  const text = await response.text();
  if (/\bjson\b/.test(response.headers.get('Content-Type') ?? '') && text !== '') return JSON.parse(text) as Problem;
  const detail = BARE[status] ?? (status < 500 ? `De dienst antwoordde met ${status}.` : before(status));
  return { type: 'about:blank', title: statusText, status, detail, code: null };
}
