import { UpstreamError } from '../../src/ports/call.ts';

/**
 * Limits the calls of `wait` in progress to `max`, and to `perOwner` for one owner; one more throws `UpstreamError`.
 * Else requests that wait for an issuer could take all slots, also those of callers who can be identified without that
 * issuer.
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
