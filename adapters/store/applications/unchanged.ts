import type { Unchanged } from '../../../src/ports/store/applications.ts';
import type { StoreConnections } from '../database/sqlite.ts';
import { isClaimed } from '../map.ts';

/**
 * Returns a function to call after a conditional change that changed no application. It reads the application `id` of
 * `owner` and returns why: for example `stale` for another version. It also returns `busy` for a Concept (draft
 * application) that is free by now, so that the caller tries again.
 */
export const reasonFinder =
  ({ relaxed, atStore }: StoreConnections) =>
  async (owner: string, id: string, ifVersions?: readonly number[]): Promise<Unchanged> => {
    const row = await relaxed
      .selectFrom('applications')
      .select(['tag', 'version', 'sentKey', 'claim', 'claimedUntil', atStore(Date.now()).as('now')])
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (row === undefined || row.tag === 'Pending') return 'absent';
    if (row.tag !== 'Concept') return 'submitted';
    if (isClaimed(row)) return 'busy';
    if (row.sentKey !== null) return 'in-doubt';
    return ifVersions !== undefined && !ifVersions.includes(row.version) ? 'stale' : 'busy';
  };
