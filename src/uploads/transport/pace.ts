/** The minimum rate at which a client must send. Times are in milliseconds, the rate is in bytes per second. */
export interface PaceLimits {
  /** Maximum time without bytes at the start of a request. */
  readonly grace: number;
  /** Maximum time without bytes for a client that has sent faster than the minimum rate before. */
  readonly window: number;
  readonly bytesPerSecond: number;
}

/** A meter that tells whether a client sends fast enough. Every `now` is in milliseconds, from the same clock. */
export interface Pace {
  /** Counts bytes that were received. */
  received(bytes: number, now: number): void;
  /** Stops measuring while the service does not read, because the client cannot send then. */
  pause(now: number): void;
  /** Continues measuring after `pause`. */
  resume(now: number): void;
  /** Returns true when the client has sent too few bytes until now; false while measuring is paused. */
  isTooSlow(now: number): boolean;
}

/**
 * Returns a meter for one request that began at `start`. The client is too slow when a deadline passes: first `grace` ms
 * after `start`, and later by the time that each received byte takes at the minimum rate. A client that has sent faster
 * may pause for up to `window` ms.
 */
export function createPace({ grace, window, bytesPerSecond }: PaceLimits, start: number): Pace {
  let deadline = start + grace;
  let pausedAt: number | null = null;
  return {
    received(bytes, now) {
      deadline = Math.min(deadline + (bytes / bytesPerSecond) * 1_000, Math.max(deadline, now + window));
    },
    pause(now) {
      pausedAt ??= now;
    },
    resume(now) {
      if (pausedAt !== null) deadline += now - pausedAt;
      pausedAt = null;
    },
    isTooSlow: (now) => pausedAt === null && now >= deadline,
  };
}
