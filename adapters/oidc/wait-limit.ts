import { UpstreamError } from '../../src/ports/call.ts';

/**
 * Returns a function that calls `wait` and returns its result. At most `max` calls may be in progress, and at most
 * `perOwner` for one owner; one more throws `UpstreamError`. Without this limit, requests that wait for an issuer could
 * take all slots, also those of callers whom the service can identify without that issuer.
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
