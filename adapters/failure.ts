import { errors } from 'undici';
import {
  CallerGone,
  DeadlinePassed,
  UpstreamError,
  type UpstreamFacts,
  type UpstreamFault,
} from '../src/ports/call.ts';
import type { Bron } from '../src/wire/values.ts';

interface FailureFacts extends UpstreamFacts {
  readonly status?: number;
  /** Whether another try may well succeed. */
  readonly again?: boolean;
}

/** An `UpstreamError` that knows whether another attempt makes sense. */
export class Failed extends UpstreamError {
  readonly status: number | undefined;
  readonly again: boolean;

  constructor(bron: Bron, fault: UpstreamFault, why: string, facts: FailureFacts = {}) {
    super(bron, fault, why, facts);
    this.status = facts.status;
    this.again = facts.again ?? false;
  }
}

/** `Retry-After`, which is seconds or a date, in seconds and within reason. */
export function secondsOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), 3_600);
}

/** Codes of undici and Node for a connection that was never made: nothing can have been done on the other side. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** Of TLS: neither side has said anything yet but who it is. */
const UNTRUSTED =
  /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_\w*(CERTIFICATE|UNKNOWN_CA|VERSION|PROTOCOL|HANDSHAKE))/;
/** A kept connection that was closed under us: for a read, asking again is safe. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const LATE = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

/** What happened when no answer began. */
export function noAnswer(bron: Bron, error: unknown): Error {
  if (error instanceof CallerGone || error instanceof UpstreamError) return error;
  if (error instanceof DeadlinePassed) return new Failed(bron, 'late', 'deadline of the request');
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new Failed(bron, 'unreadable', 'not HTTP');
  }
  const undone = NEVER_SENT.has(code) || UNTRUSTED.test(code);
  return new Failed(bron, LATE.has(code) ? 'late' : 'unavailable', code, {
    again: NEVER_SENT.has(code) || CLOSED.has(code),
    undone,
    lost: !undone,
  });
}

/** The code of an error of Node or undici; of an error without one, that there was no connection. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no connection';
