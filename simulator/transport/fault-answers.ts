/** The responses that faults produce: the same over a socket and in the browser. */
import type { ActiveFault } from '../worlds/faults.ts';
import type { SimulatedAnswer } from './operation.ts';

/**
 * Default time between two bytes of a `drip`, in milliseconds: short enough to avoid an idle timeout, too long to
 * finish in time.
 */
const DEFAULT_DRIP_INTERVAL = 250;
/** Returns the time between two bytes of a `drip`, in milliseconds. */
export const dripIntervalOf = ({ ms }: Pick<ActiveFault, 'ms'>): number =>
  typeof ms === 'number' ? ms : DEFAULT_DRIP_INTERVAL;

/** An HTML error page, which is sent with the media type of JSON. */
export const HTML_AS_JSON = '<!doctype html><title>Storing</title><p>Er is iets misgegaan.';

/** Returns the response of a `status` fault. */
export const statusFaultAnswer = ({
  status = 503,
  retryAfter,
}: Pick<ActiveFault, 'status' | 'retryAfter'>): SimulatedAnswer => ({
  status,
  type: 'application/problem+json',
  body: { type: 'about:blank', title: 'Storing', status },
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
});

/** Returns the body wrapped in another structure, which does not match the contract. */
export const withWrongShape = (body: unknown): unknown => ({ versie: 2, gegevens: body ?? null });
