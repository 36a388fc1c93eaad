import { onTestFinished, vi } from 'vitest';

/** Milliseconds after which `vi.waitFor` gives up, as `expect.poll` does, which a hook cannot use (vitest.config.ts). */
export const WAIT_MS = 60_000;

/** Does what `vi.useFakeTimers` does, until the test ends. */
export function fakeTimers(options?: Parameters<typeof vi.useFakeTimers>[0]): void {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers(options);
}

/**
 * Stops `Date` and `performance.now()`, until the test ends. Set both forward with `vi.advanceTimersByTime`, or only
 * `Date` with `vi.setSystemTime`. Timers are not affected.
 */
export function stopClocks(): void {
  fakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
}

/** Sets `Date` forward by this number of seconds, until the test ends. Timers are not affected. */
export function advanceDate(seconds: number): void {
  const now = Date.now();
  fakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1_000);
}
