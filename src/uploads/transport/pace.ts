/** How fast a client must send. Milliseconds, and bytes a second. */
export interface PaceLimits {
  /** How long nothing need come at the beginning. */
  readonly grace: number;
  /** How long nothing need come after much has. */
  readonly window: number;
  readonly bytesPerSecond: number;
}

/** Whether a client sends fast enough. The moments are milliseconds of one clock. */
export interface Pace {
  /** Bytes have come. */
  received(bytes: number, now: number): void;
  /** We cannot take more for now; this time is not the client's. */
  pause(now: number): void;
  resume(now: number): void;
  isTooSlow(now: number): boolean;
}

/**
 * Compares the bytes of one request with a least rate (a token bucket that holds time): each byte buys time until the next must
 * come, and what is left over can be saved up to `window`. A client that sends at the rate or faster is never too slow, also when
 * it stops for `window` once in a while; one that sends a byte now and then has no more than `grace`.
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
