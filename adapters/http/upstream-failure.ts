import * as z from 'zod';
import {
  ClientDisconnected,
  DeadlinePassed,
  UpstreamError,
  type UpstreamFacts,
  type UpstreamFault,
} from '../../src/ports/call.ts';
import type { UpstreamName } from '../../src/wire/values.ts';

interface FailureFacts extends UpstreamFacts {
  /** HTTP status; absent when there was no answer. */
  readonly status?: number;
  readonly retryable?: boolean;
  // The failure is about this request alone: the circuit breaker does not count it.
  readonly requestOnly?: boolean;
}

/**
 * A failure of a call to an upstream over HTTP. It says also whether the call is retried, and whether the circuit
 * breaker counts it.
 */
export class UpstreamFailure extends UpstreamError {
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly requestOnly: boolean;

  constructor(upstream: UpstreamName, fault: UpstreamFault, why: string, facts: FailureFacts = {}) {
    super(upstream, fault, why, facts);
    this.status = facts.status;
    this.retryable = facts.retryable ?? false;
    this.requestOnly = facts.requestOnly ?? false;
  }
}

/** A number of seconds from 1 to 3600; undefined when the header is absent or invalid. */
export function retryAfterSeconds(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), 3_600);
}

// The upstream received nothing: there was no connection, whatever the code is. An `AggregateError` has the error of each
// address of a name.
const wasNeverSent = (error: unknown): boolean =>
  error instanceof AggregateError ||
  codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT' ||
  (error instanceof Error && 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo'));
// A failed TLS handshake, such as an invalid certificate, no common version, or a server without TLS: the upstream did
// not process the request.
const HANDSHAKE_FAILED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_|ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS)|ERR_SSL_.+(HANDSHAKE|PROTOCOL|CERTIFICATE|UNKNOWN_CA|VERSION))/;
// A connection that was closed, or an HTTP/2 stream that was reset. A request that may be executed twice can then be
// sent again.
const CLOSED_BY_UPSTREAM = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  // HTTP/2: RST_STREAM, GOAWAY with an error, and a stream that closed without an answer.
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_SESSION_ERROR',
  'UND_ERR_INFO',
]);
// Codes of OpenSSL. After the handshake they mean: TLS ended, and so the connection.
const TLS_ENDED = /^ERR_SSL_/;
// An answer that had begun did not end: the connection was closed, or nothing more arrived in time.
const BROKEN_OFF = new Set([...CLOSED_BY_UPSTREAM, 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
const TIMED_OUT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

/**
 * Returns the error for a call that failed before any answer arrived: `late` after a timeout, `unreadable` for an
 * answer that is not HTTP, else `unavailable`. Returns `ClientDisconnected` and `UpstreamError` unchanged.
 */
export function connectionFailure(upstream: UpstreamName, error: unknown): Error {
  if (error instanceof ClientDisconnected || error instanceof UpstreamError) return error;
  if (error instanceof DeadlinePassed) return new UpstreamFailure(upstream, 'late', 'deadline of the request');
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new UpstreamFailure(upstream, 'unreadable', code);
  if (isParserError(error) || code.startsWith('HPE_')) return new UpstreamFailure(upstream, 'unreadable', 'not HTTP');
  const isUnsent = wasNeverSent(error);
  const undone = isUnsent || HANDSHAKE_FAILED.test(code);
  return new UpstreamFailure(upstream, TIMED_OUT.has(code) ? 'late' : 'unavailable', code, {
    retryable: isUnsent || CLOSED_BY_UPSTREAM.has(code) || (!undone && TLS_ENDED.test(code)),
    undone,
    lost: !undone,
  });
}

/**
 * Returns the error as `connectionFailure` does, for a call that was not sent: after the deadline with `undone: true`.
 */
export function unsentFailure(upstream: UpstreamName, reason: unknown): Error {
  if (!(reason instanceof DeadlinePassed)) return connectionFailure(upstream, reason);
  return new UpstreamFailure(upstream, 'late', 'deadline of the request', { undone: true });
}

/**
 * Returns the error for a body that broke off: `late` when the deadline of the request passed, else `unreadable`.
 * Returns `ClientDisconnected` and `UpstreamError` unchanged.
 */
export function bodyFailure(upstream: UpstreamName, error: unknown): Error {
  if (error instanceof ClientDisconnected || error instanceof UpstreamError) return error;
  if (error instanceof DeadlinePassed) return new UpstreamFailure(upstream, 'late', 'deadline of the request');
  return new UpstreamFailure(upstream, 'unreadable', `body: ${codeOf(error)}`, { lost: true });
}

/**
 * Returns true when the upstream broke off the body, or a reader ended it because the upstream was too slow
 * (`UpstreamError`); false when its reader or a deadline ended it for another reason.
 */
export function isBrokenOff(error: unknown): boolean {
  if (error instanceof UpstreamError) return true;
  const code = codeOf(error);
  return BROKEN_OFF.has(code) || TLS_ENDED.test(code) || isParserError(error);
}

/**
 * Returns the code of an error; `no answer` for an error without a code, as after a timeout of `AbortSignal` (whose
 * code is a number).
 */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';

// Compares names, because the browser bundle has no undici.
const isParserError = (error: unknown): boolean => error instanceof Error && error.name === 'HTTPParserError';

/** What a status means. It holds unless the adapter of the upstream gives the status a meaning of its own. */
export interface StatusMeaning {
  readonly statuses: RegExp;
  /** `unreadable` is 502 for the client of the service, `unavailable` 503. */
  readonly fault: UpstreamFault;
  /** Which circuit breaker counts the answer as a failure. */
  readonly counts: 'upstream' | 'operation' | 'nothing';
  /** A request that may be executed twice is sent once more, within the budget of retries. */
  readonly isRetried: boolean;
}

// The first entry that matches applies. docs/reliability.md, "What a status means", has the same rows.
const STATUS_MEANINGS: readonly StatusMeaning[] = [
  { statuses: /^[123]/, fault: 'unreadable', counts: 'upstream', isRetried: false },
  // Our credential or our number of calls: every call of the operation would be refused. Another operation may have
  // another scope or another limit.
  { statuses: /^(401|407|429)$/, fault: 'unavailable', counts: 'operation', isRetried: false },
  // Some servers and proxies close an idle connection with a 408, at the moment of our next call (RFC 9110, 15.5.9).
  { statuses: /^408$/, fault: 'unavailable', counts: 'nothing', isRetried: true },
  // About this request: one field, one document, one scope. The upstream works.
  { statuses: /^4/, fault: 'unavailable', counts: 'nothing', isRetried: false },
  { statuses: /^50[234]$/, fault: 'unavailable', counts: 'upstream', isRetried: true },
  { statuses: /./, fault: 'unavailable', counts: 'upstream', isRetried: false },
];

export const meaningOf = (status: number): StatusMeaning =>
  STATUS_MEANINGS.find(({ statuses }) => statuses.test(String(status))) as StatusMeaning;

/** A 4xx says why the request was refused. Another body, such as the page of a gateway, is not worth the wait. */
export const hasReason = (status: number): boolean => status >= 400 && status < 500;

// RFC 9457, and the errors of the BRP and of ZGW.
const RefusalWire = z.object({
  title: z.string().nullish().catch(null),
  code: z.string().nullish().catch(null),
  invalidParams: z
    .array(z.object({ name: z.string().nullish().catch(null), code: z.string().nullish().catch(null) }))
    .nullish()
    .catch(null),
});

// A name without spaces that begins with a lower case letter. Any other text can be a value.
const CODE = /^[a-z][A-Za-z0-9_-]{0,59}$/;
const MAX_TITLE = 120;

/** The texts of a refusal that may be logged. */
export interface RefusalText {
  /** The code of the error, and then those of the invalid parameters. */
  readonly codes: readonly string[];
  readonly params: readonly { readonly name: string; readonly code: string | undefined }[];
  /** Undefined for none. `…` stands for words with a capital or a digit: they can be a name or a number of a person. */
  readonly title: string | undefined;
}

export function parseRefusal(json: unknown): RefusalText {
  const { title, code, invalidParams } = RefusalWire.safeParse(json).data ?? {};
  const loggable = (text: string | null | undefined) => (text != null && CODE.test(text) ? text : undefined);
  const params = (invalidParams ?? []).map((param) => ({ name: param.name ?? '', code: loggable(param.code) }));
  return {
    codes: [loggable(code), ...params.map((param) => param.code)].filter((one) => one !== undefined),
    params,
    title: title ? masked(title) : undefined,
  };
}

/** Returns the reason that the body of a refusal gives, for the log. */
export function reasonOf(json: unknown): string {
  const { codes, title } = parseRefusal(json);
  return [...codes, ...(title === undefined ? [] : [`"${title}"`])].join(', ');
}

const masked = (text: string): string =>
  text
    .slice(0, MAX_TITLE)
    .split(/\s+/)
    .map((word) => (/^[("']?\p{Ll}+(?:-\p{Ll}+)*[)"'.,:;!?]*$/u.test(word) ? word : '…'))
    .join(' ');
