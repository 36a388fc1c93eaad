import { vi } from 'vitest';

/** Sets `Date` forward by this number of seconds, until `vi.useRealTimers()`. Timers are not affected. */
export function advanceDate(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1_000);
}
