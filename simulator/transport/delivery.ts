/** Decides what a simulated upstream sends for the answer of an operation and the simulated fault of the call. */
import type { ActiveFault } from '../worlds/faults.ts';
import type { FileContent, SimulatedAnswer } from './operation.ts';

/** What a simulated upstream sends for a call: a response, a reset connection, or nothing at all (`SILENCE`). */
export type Delivery = DeliveredAnswer | typeof RESET | typeof SILENCE;

const RESET = { kind: 'reset' } as const;
const SILENCE = { kind: 'silence' } as const;

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

/** Returns the milliseconds between two bytes of a `drip` fault: `standard` when it has no fixed duration. */
export const dripIntervalOf = ({ ms }: Pick<ActiveFault, 'ms'>, standard = 250): number =>
  typeof ms === 'number' ? ms : standard;

const JSON_TYPE = { 'content-type': 'application/json' };

/** The response for a `garbage` fault: HTML with the media type of JSON, which some proxies send for an error. */
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
 * Returns what must be sent for the answer of an operation and the fault of the call. Without a fault that changes the
 * answer, the `quirk` of the answer is applied, except a delay. `failure` returns the response for a fault `status`.
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
      return toDeliveredAnswer(failure(fault));
    case 'garbage':
      return HTML_AS_JSON;
    case 'wrong-schema':
      return toDeliveredAnswer({ status: 200, body: { versie: 2, gegevens: answer.body ?? null } });
    case 'cut':
      return { ...toBegunAnswer(answer), cut: true };
    case 'drip':
      return { ...toBegunAnswer(answer), dripInterval: dripIntervalOf(fault) };
  }
  if (answer.quirk === 'reset') return RESET;
  return answer.quirk === 'half' ? { ...toDeliveredAnswer(answer), cut: true } : toDeliveredAnswer(answer);
}

/** For the faults `cut` and `drip`, which begin as a successful response. */
function toBegunAnswer(answer: SimulatedAnswer): DeliveredAnswer {
  const { headers, body } = toDeliveredAnswer(answer);
  const isFile = typeof body === 'object' && body !== null;
  return { kind: 'answer', status: 200, headers: isFile ? headers : JSON_TYPE, body };
}

/** Returns an answer as it is delivered without a fault. `quirk` is ignored. */
export function toDeliveredAnswer({ status, body, type, content, headers = {} }: SimulatedAnswer): DeliveredAnswer {
  if (content !== undefined || body === undefined) return { kind: 'answer', status, headers, body: content ?? null };
  const own = type === undefined ? JSON_TYPE : { 'content-type': type };
  return { kind: 'answer', status, headers: { ...own, ...headers }, body: JSON.stringify(body) };
}
