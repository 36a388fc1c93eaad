import { randomUUID } from 'node:crypto';

export interface Trace {
  /** Names this one request; a problem's `instance` and the log line share it. */
  readonly requestId: string;
  /** W3C trace id: the caller's when it sent one that is valid, else new. */
  readonly traceId: string;
  readonly flags: string;
  /** Names this request in its trace: 8 bytes, hexadecimal. What the answer's `traceparent` says. */
  readonly operationId: string;
  /** What the caller called its own part of the trace, when it sent one that is valid. */
  readonly foreignOperationId: string | null;
}

const TRACEPARENT = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads `traceparent` (W3C Trace Context, level 1). A malformed one is ignored, as that text asks, and a new trace begins. */
export function readTrace(traceparent: string | undefined): Trace {
  const [, version, traceId, parentId, flags, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  // Version 00 has nothing after the flags; later ones may, and ff is none.
  const valid =
    traceId !== undefined && flags !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  const requestId = randomUUID();
  return {
    requestId,
    operationId: requestId.replaceAll('-', '').slice(16),
    foreignOperationId: valid ? (parentId ?? null) : null,
    traceId: valid ? traceId : randomUUID().replaceAll('-', ''),
    flags: valid ? flags : '01',
  };
}

/** What an answer says of its place in the trace. */
export const traceparentOf = ({ traceId, operationId, flags }: Trace): string =>
  `00-${traceId}-${operationId}-${flags}`;

/** Eight bytes, for an operation that no request names. */
export const newOperationId = (): string => randomUUID().replaceAll('-', '').slice(16);
