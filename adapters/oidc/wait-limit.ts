import { UpstreamError } from '../../src/ports/call.ts';

/**
 * Returns a function that calls `wait` and returns its result, for at most `max` requests at a time. It throws
 * `UpstreamError` for one more. Without a limit, an issuer that does not answer could occupy all places for requests,
 * also of callers whom the service can identify without that issuer.
 */
export function limitWaiting(max: number) {
  let waiting = 0;
  return async <Result>(wait: () => Promise<Result>): Promise<Result> => {
    if (waiting >= max)
      throw new UpstreamError('identiteit', 'unavailable', 'too many requests wait', { retryAfter: 1, undone: true });
    waiting += 1;
    try {
      return await wait();
    } finally {
      waiting -= 1;
    }
  };
}
