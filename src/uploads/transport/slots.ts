import { MAX_DOWNLOADS, MAX_DOWNLOADS_PER_OWNER } from '../../domain/upload-limits.ts';
import { createCapacity } from '../../http/capacity.ts';
import { Problem } from '../../problem.ts';

/** The slots of downloads: a slot is the permission to do one download. */
export interface DownloadSlots {
  /**
   * Takes a slot for this owner. Returns a function that releases it. Throws 429 when the owner has the maximum number
   * of slots, 503 when all slots are in use.
   */
  take(owner: string): () => void;
}

/** Options of a problem for a client that may try again after two seconds. */
export const RETRY = { headers: { 'Retry-After': '2' } };

const FULL = 'Er worden nu te veel documenten tegelijk gelezen. Probeer het zo opnieuw.';

/** Returns the slots of downloads of this process, all of them free (uploads.md, "Limits"). */
export function createDownloadSlots(): DownloadSlots {
  const capacity = createCapacity({
    total: MAX_DOWNLOADS,
    perOwner: MAX_DOWNLOADS_PER_OWNER,
    tooMany: (mine) => new Problem('te-veel-verzoeken', `U leest al ${mine} documenten tegelijk.`, RETRY),
    full: () => new Problem('overbelast', FULL, RETRY),
  });
  return {
    take(owner) {
      capacity.take(owner, 1);
      return () => capacity.release(owner, 1);
    },
  };
}
