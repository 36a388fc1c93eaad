import { UpstreamError } from '../../src/ports/call.ts';

/**
 * Returns a function that calls `wait` and returns its result, for at most `max` requests at a time, of which `perOwner`
 * of the same owner. It throws `UpstreamError` for one more. Without a limit, an issuer that does not answer could occupy
 * all places for requests, also of callers whom the service can identify without that issuer.
 */
export function limitWaiting(max: number, perOwner: number = max) {
  const owners: string[] = [];
  return async <Result>(wait: () => Promise<Result>, owner = ''): Promise<Result> => {
    if (owners.length >= max || owners.filter((one) => one === owner).length >= perOwner)
      throw new UpstreamError('identiteit', 'unavailable', 'too many requests wait', { retryAfter: 1, undone: true });
    owners.push(owner);
    try {
      return await wait();
    } finally {
      owners.splice(owners.indexOf(owner), 1);
    }
  };
}
