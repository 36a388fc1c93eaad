/** What a fault makes of an answer, where it makes one: the same over a socket and in a page. */
import type { FaultOn } from '../worlds/faults.ts';
import type { SimulatedAnswer } from './operation.ts';

/** Milliseconds between two drops: often enough never to stand still, and too slow to be whole in time. */
const DROP = 250;
export const dropOf = ({ ms }: Pick<FaultOn, 'ms'>): number => (typeof ms === 'number' ? ms : DROP);

/** A page that says that something is wrong, and claims to be JSON. */
export const GARBAGE = '<!doctype html><title>Storing</title><p>Er is iets misgegaan.';

export const refusalOf = ({ status = 503, retryAfter }: Pick<FaultOn, 'status' | 'retryAfter'>): SimulatedAnswer => ({
  status,
  type: 'application/problem+json',
  body: { type: 'about:blank', title: 'Storing', status },
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
});

/** The same facts in a shape that nobody agreed on. */
export const otherShape = (body: unknown): unknown => ({ versie: 2, gegevens: body ?? null });
