/** The minimum rate at which a client must send. Times are in milliseconds, the rate is in bytes per second. */
export interface PaceLimits {
  /** Maximum time without bytes at the start of a request. */
  readonly grace: number;
  /** Maximum time without bytes for a client that has until then sent faster than the minimum rate. */
  readonly window: number;
  readonly bytesPerSecond: number;
}

/** Measures whether a client sends its request fast enough. Every `now` is in milliseconds, from the same clock. */
export interface Pace {
  /** Counts bytes that were received. */
  received(bytes: number, now: number): void;
  /** Stops measuring while the service does not read, because the client cannot send then. */
  pause(now: number): void;
  /** Continues measuring after `pause`. */
  resume(now: number): void;
  /**
   * Returns true when the client has sent fewer bytes than the minimum rate requires; false while measuring is paused.
   */
  isTooSlow(now: number): boolean;
}

/**
 * Returns a meter for one request that began at `start`. It keeps a deadline, first `grace` ms after `start`; the
 * client is too slow when the deadline passes. Received bytes move the deadline by the time that they take at the
 * minimum rate, but never further than `window` ms from now.
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
