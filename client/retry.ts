import { NetworkError, retryAfterOf } from './errors.ts';

const RETRYABLE_STATUSES = [429, 502, 503, 504];
/** Maximum wait in seconds before a retry. */
const MAX_WAIT_SECONDS = 10;

/**
 * Returns true when a GET that was answered with this status may be sent again: a page that waits longer than ten
 * seconds does better to show the problem. `retryAfter` is the value of `Retry-After` in seconds; null for none.
 */
export const isRetryable = (status: number, retryAfter: number | null): boolean =>
  RETRYABLE_STATUSES.includes(status) && (retryAfter ?? 0) <= MAX_WAIT_SECONDS;

/**
 * Sends a GET with `send`, and sends it again at most `times` times after status 429, 502, 503 or 504 or a
 * `NetworkError`. Before each retry it waits as long as `Retry-After` says, or else 0.25 seconds, which doubles each
 * time up to 10 seconds. A response that asks for more than 10 seconds is returned. Rejects with the last error, or when
 * `signal` is aborted before or during a wait.
 */
export async function withRetry(
  times: number,
  signal: AbortSignal | undefined,
  send: () => Promise<Response>,
): Promise<Response> {
  for (let turn = 0; ; turn++) {
    const mayRetry = turn + 1 <= times;
    const outcome = await send().catch((error: unknown) => {
      if (!mayRetry || !(error instanceof NetworkError)) throw error;
      return null;
    });
    const retryAfter = outcome && retryAfterOf(outcome);
    if (outcome && (!mayRetry || !isRetryable(outcome.status, retryAfter))) return outcome;
    const seconds = retryAfter ?? Math.min(0.25 * 2 ** turn, MAX_WAIT_SECONDS);
    await pause(seconds * 1_000, signal);
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
