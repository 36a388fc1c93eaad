import { vi } from 'vitest';

/** Only the time of day, from here on: what waits goes on waiting. `vi.useRealTimers()` ends it. */
export function later(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1_000);
}
