import { randomUUID } from 'node:crypto';

export interface Trace {
  /** UUID; also in the `instance` of a problem and in the log line. */
  readonly requestId: string;
  /** W3C, 32 hexadecimal digits: the client's when it sent a valid one, else made of the digits of `requestId`. */
  readonly traceId: string;
  /** W3C, two hexadecimal digits. */
  readonly flags: string;
  /** W3C parent id, 16 hexadecimal digits, in the `traceparent` of the answer. */
  readonly operationId: string;
  /** The client's parent id; null when it sent no valid one. */
  readonly foreignOperationId: string | null;
  /** Valid, for the upstreams; null when there is none. */
  readonly tracestate: string | null;
}

// W3C Trace Context, 3.3.1.3: a key, and a value without a comma or an equals sign.
const STATE_MEMBER = /^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
const MAX_STATE = { length: 512, members: 32 };

const TRACEPARENT = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** W3C Trace Context, level 1. An invalid or absent `traceparent` starts a new trace. */
export function readTrace(traceparent: string | undefined, tracestate = ''): Trace {
  const requestId = randomUUID();
  // One random number serves for all three ids: making one takes longer than the rest of this function.
  const ownTraceId = withoutDashes(requestId);
  const operationId = ownTraceId.slice(16);
  if (traceparent === undefined)
    return { requestId, operationId, foreignOperationId: null, traceId: ownTraceId, flags: '01', tracestate: null };
  const [, version, traceId, parentId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  // Version 00 has nothing after the flags; later versions may. Version ff is invalid.
  const valid =
    traceId !== undefined && flags !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  return {
    requestId,
    operationId,
    foreignOperationId: valid ? (parentId ?? null) : null,
    traceId: valid ? traceId : ownTraceId,
    flags: valid ? flags : '01',
    tracestate: valid && isState(tracestate) ? tracestate : null,
  };
}

const withoutDashes = (uuid: string): string =>
  uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);

function isState(text: string): boolean {
  if (text === '' || text.length > MAX_STATE.length) return false;
  const members = text.split(',').map((member) => member.trim());
  return members.length <= MAX_STATE.members && members.every((member) => STATE_MEMBER.test(member));
}

export const traceparentOf = ({ traceId, operationId, flags }: Trace): string =>
  `00-${traceId}-${operationId}-${flags}`;
