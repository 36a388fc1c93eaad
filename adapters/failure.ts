import { errors } from 'undici';
import { CallerGone, DeadlinePassed, UpstreamError } from '../src/ports/call.ts';
import type { Bron } from '../src/wire/values.ts';
import { Failed } from './failed.ts';

/** Codes for a connection that was never made: nothing can have been done on the other side. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Codes of Node and OpenSSL for a certificate that will not do, or a server that speaks no TLS: before anything is sent. */
const NOT_TRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_|ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS)|ERR_SSL_.+(HANDSHAKE|PROTOCOL|CERTIFICATE|UNKNOWN_CA|VERSION))/;
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
  const undone = NEVER_SENT.has(code) || NOT_TRUSTED.test(code);
  return new Failed(bron, LATE.has(code) ? 'late' : 'unavailable', code, {
    again: NEVER_SENT.has(code) || CLOSED.has(code),
    undone,
    lost: !undone,
  });
}

/** The code of an error of Node or undici; of an error without one, that there was no connection. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no connection';
