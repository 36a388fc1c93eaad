/** The responses that faults produce: the same over a socket and in the browser. */
import type { FaultOn } from '../worlds/faults.ts';
import type { SimulatedAnswer } from './operation.ts';

/**
 * Default time between two bytes of a `drip`, in milliseconds: short enough to avoid an idle timeout, too long to
 * finish in time.
 */
const DEFAULT_DRIP_INTERVAL = 250;
/** Returns the time between two bytes of a `drip`, in milliseconds. */
export const dropOf = ({ ms }: Pick<FaultOn, 'ms'>): number => (typeof ms === 'number' ? ms : DEFAULT_DRIP_INTERVAL);

/** An HTML error page, which is sent with the media type of JSON. */
export const GARBAGE = '<!doctype html><title>Storing</title><p>Er is iets misgegaan.';

/** Returns the response of a `status` fault. */
export const refusalOf = ({ status = 503, retryAfter }: Pick<FaultOn, 'status' | 'retryAfter'>): SimulatedAnswer => ({
  status,
  type: 'application/problem+json',
  body: { type: 'about:blank', title: 'Storing', status },
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
});

/** Returns the body wrapped in another structure, which does not match the contract. */
export const otherShape = (body: unknown): unknown => ({ versie: 2, gegevens: body ?? null });
