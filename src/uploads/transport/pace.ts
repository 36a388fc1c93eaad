/** The minimum rate of a client: times in milliseconds, rate in bytes a second. */
export interface PaceLimits {
  /** How long a client may send nothing at the start. */
  readonly grace: number;
  /** How long a client may send nothing after it sent faster than the rate. */
  readonly window: number;
  readonly bytesPerSecond: number;
}

/** Measures whether a client sends fast enough. All moments are milliseconds of one clock. */
export interface Pace {
  /** Counts received bytes. */
  received(bytes: number, now: number): void;
  /** Stops the clock: the service cannot read now, so this time does not count against the client. */
  pause(now: number): void;
  resume(now: number): void;
  isTooSlow(now: number): boolean;
}

/**
 * Returns a meter that compares one request with a minimum rate (a token bucket of time). Each byte moves the
 * deadline for the next byte, up to `window` from now. A client that sends at the rate or faster is never too slow,
 * even if it sometimes stops for `window`; a client that sends one byte now and then is too slow after about `grace`.
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
