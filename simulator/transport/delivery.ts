/**
 * This file converts the answer of a simulated operation, with the fault of the call, to what must be sent. The
 * transports (over a socket, within the process, in a page) send that.
 */
import type { ActiveFault } from '../worlds/faults.ts';
import type { FileContent, SimulatedAnswer } from './operation.ts';

/** The result of a call to a simulated upstream: a response, a reset connection, or no response at all (`SILENCE`). */
export type Delivery = DeliveredAnswer | typeof RESET | typeof SILENCE;

/** The result of a call when the upstream resets the connection. */
const RESET = { kind: 'reset' } as const;
/** The result of a call when the upstream keeps the connection open and sends nothing. */
const SILENCE = { kind: 'silence' } as const;

/** A response of a simulated upstream, in the form in which it is sent. */
export interface DeliveredAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Headers with names in lower case, without `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as a text or a file; null when there is no body. */
  readonly body: string | FileContent | null;
  /** True when half of the body is sent and the connection is then closed. */
  readonly cut?: true;
  /** Milliseconds between two bytes of the body. When absent, the body is sent at once. */
  readonly dripInterval?: number;
}

/**
 * Milliseconds between two bytes of a `drip` fault without a fixed duration. It is shorter than the service's timeout
 * for the next part of a body, but so long that the deadline of the call passes before the body is complete.
 */
const DEFAULT_DRIP_INTERVAL = 250;

const dripIntervalOf = ({ ms }: Pick<ActiveFault, 'ms'>): number =>
  typeof ms === 'number' ? ms : DEFAULT_DRIP_INTERVAL;

const JSON_TYPE = { 'content-type': 'application/json' };

/** The response for a `garbage` fault: an HTML error page with the media type of JSON, which some proxies send. */
const HTML_AS_JSON: DeliveredAnswer = {
  kind: 'answer',
  status: 200,
  headers: JSON_TYPE,
  body: '<!doctype html><title>Storing</title><p>Er is iets misgegaan.',
};

/** Returns the standard response for a `status` fault: a problem (RFC 9457) with the status of the fault, or 503. */
export const statusFaultAnswer = ({
  status = 503,
  retryAfter,
}: Pick<ActiveFault, 'status' | 'retryAfter'>): SimulatedAnswer => ({
  status,
  type: 'application/problem+json',
  body: { type: 'about:blank', title: 'Storing', status },
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
});

/**
 * Returns what must be sent for a call: the answer of the operation, changed by `fault`. When `fault` is null, or is a
 * fault that does not change the answer, the `quirk` of the answer applies, except a delay. `failure` returns the
 * response of the upstream for a `status` fault; when absent, that is a standard problem.
 */
export function deliveryOf(
  answer: SimulatedAnswer,
  fault: ActiveFault | null,
  failure: (fault: ActiveFault) => SimulatedAnswer = statusFaultAnswer,
): Delivery {
  switch (fault?.kind) {
    case 'refused':
    case 'reset':
    case 'lost':
      return RESET;
    case 'hang':
      return SILENCE;
    case 'status':
      return sent(failure(fault));
    case 'garbage':
      return HTML_AS_JSON;
    case 'wrong-schema':
      return sent({ status: 200, body: { versie: 2, gegevens: answer.body ?? null } });
    case 'cut':
      return { ...begun(answer), cut: true };
    case 'drip':
      return { ...begun(answer), dripInterval: dripIntervalOf(fault) };
  }
  if (answer.quirk === 'reset') return RESET;
  return answer.quirk === 'half' ? { ...sent(answer), cut: true } : sent(answer);
}

/**
 * Returns a response with status 200 and the body of the answer, whatever the status of the answer is. Used for the
 * faults `cut` and `drip`, which begin a response but do not complete it at once.
 */
function begun(answer: SimulatedAnswer): DeliveredAnswer {
  const { headers, body } = sent(answer);
  const isFile = typeof body === 'object' && body !== null;
  return { kind: 'answer', status: 200, headers: isFile ? headers : JSON_TYPE, body };
}

/**
 * Converts the answer of an operation to the form in which it is sent: a file unchanged or the body as a JSON text, and
 * names of headers in lower case. Ignores `quirk`.
 */
export function sent({ status, body, type, content, headers }: SimulatedAnswer): DeliveredAnswer {
  if (content !== undefined) return { kind: 'answer', status, headers: lowered(headers), body: content };
  if (body === undefined) return { kind: 'answer', status, headers: lowered(headers), body: null };
  const own = type === undefined ? JSON_TYPE : { 'content-type': type };
  return {
    kind: 'answer',
    status,
    headers: headers === undefined ? own : { ...own, ...lowered(headers) },
    body: JSON.stringify(body),
  };
}

const NO_HEADERS = {};

const lowered = (headers: SimulatedAnswer['headers']): Readonly<Record<string, string>> =>
  headers === undefined
    ? NO_HEADERS
    : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
