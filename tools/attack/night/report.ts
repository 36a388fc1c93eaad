/** Which errors citizens got during and after each failure, and which of these are faults. */
import type { Need, Seen } from './citizens.ts';

/**
 * Milliseconds after the end of a failure in which errors may still come: a circuit breaker stays open for 5 s
 * (reliability.md, "Timeouts and limits").
 */
export const RECOVERY = 6_000;
/** Minimum duration in seconds of a failure that must cause an error. A shorter one may cause none. */
const NOTICED = 10;

/** A failure of a part of the system for some seconds. */
export interface Phase {
  readonly name: string;
  readonly seconds: number;
  /**
   * The part of the system that fails: only requests that need it may get errors. Null: no request may get an error.
   */
  readonly takes: Need | null;
  begin(): unknown;
  /** Ends the failure. Absent: it needs no end. */
  end?(): unknown;
}

const isError = ({ status }: Seen): boolean => status === 0 || status >= 400;

/**
 * Returns the faults of a phase as sentences: errors of requests that do not need the part that failed, errors of any
 * request that was sent later than `RECOVERY` after the end of the failure (`ended`), and no error at all when a part was
 * away for `NOTICED` seconds: then it did not really fail.
 */
export function faultsOf({ name, seconds, takes }: Phase, its: readonly Seen[], ended: number): string[] {
  const wrong = its.filter((one) => isError(one) && (takes === null || !one.action.needs.includes(takes)));
  const late = its.filter((one) => isError(one) && one.at > ended + RECOVERY);
  const isUnnoticed = takes !== null && seconds >= NOTICED && !its.some(isError);
  return [
    ...(isUnnoticed ? [`${name}: nobody got an error, so nothing failed`] : []),
    ...(wrong.length > 0 ? [`${name}: ${wrong.length} errors where nothing was needed: ${kindsOf(wrong)}`] : []),
    ...(late.length > 0 ? [`${name}: ${late.length} errors after the recovery: ${kindsOf(late)}`] : []),
  ];
}

const kindsOf = (its: readonly Seen[]): string =>
  [...Map.groupBy(its, ({ action, status }) => `${action.name} ${status || 'no answer'}`)]
    .map(([kind, all]) => `${kind} × ${all.length}`)
    .join(', ');

export function summary(its: readonly Seen[], ended: number): string {
  const errors = its.filter(isError);
  const times = its.map(({ ms }) => ms).sort((a, b) => a - b);
  const last = errors.filter(({ at }) => at > ended).at(-1);
  const after = last === undefined ? '' : `; last error ${((last.at - ended) / 1_000).toFixed(1)} s after its end`;
  const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
  return `${its.length} requests, ${errors.length} errors${errors.length > 0 ? ` (${kindsOf(errors)})` : ''}, p99 ${p99} ms, slowest ${Math.round(times.at(-1) ?? 0)} ms${after}`;
}
