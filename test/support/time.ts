import { vi } from 'vitest';

/** Milliseconds after which `vi.waitFor` gives up, as `expect.poll` does, which a hook cannot use (vitest.config.ts). */
export const WAIT_MS = 60_000;

/**
 * Stops `Date` and `performance.now()`, until `vi.useRealTimers()`. Set both forward with `vi.advanceTimersByTime`, or
 * only `Date` with `vi.setSystemTime`. Timers are not affected.
 */
export function stopClocks(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
}

/** Sets `Date` forward by this number of seconds, until `vi.useRealTimers()`. Timers are not affected. */
export function advanceDate(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1_000);
}
