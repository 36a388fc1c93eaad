import { isImpossibleClaim } from '../../src/ports/store/claim.ts';
import type { Leftover, UploadStore } from '../../src/ports/store/uploads.ts';
import { isFree, type MemoryTables, UNCLAIMED, type UploadRow } from './tables.ts';

/**
 * Returns the methods of the store for documents that belong to no application, and for the lease of the job that
 * deletes them.
 */
export function leftoverMethods({
  applications,
  uploads,
  leftovers,
  leases,
}: MemoryTables): Pick<UploadStore, 'abandon' | 'sweep' | 'removed' | 'postpone' | 'lease'> {
  const isMentioned = ({ owner, documentId }: UploadRow): boolean =>
    [...applications.values()].some((row) => row.owner === owner && row.documentIds.includes(documentId));

  /**
   * Marks the selected stored uploads as being deleted, so that they can no longer be used. Skips uploads to which an
   * application refers.
   */
  function mark(which: (row: UploadRow) => boolean): void {
    for (const [name, row] of uploads)
      if (row.state === 'uploaded' && row.links.length === 0 && which(row) && !isMentioned(row))
        uploads.set(name, { ...row, ...UNCLAIMED, state: 'deleting' });
  }

  /**
   * Moves the selected uploads that are being deleted or not completely received to the leftovers (documents to be
   * deleted), and returns the new leftovers. Skips an upload with a claim (lock for a limited time).
   */
  function move(which: (row: UploadRow) => boolean): readonly Leftover[] {
    const moved: Leftover[] = [];
    for (const [name, row] of uploads) {
      if ((row.state !== 'deleting' && row.state !== 'pending') || !isFree(row) || !which(row)) continue;
      uploads.delete(name);
      const leftover = { documentId: row.documentId, key: row.key };
      if (!leftovers.has(row.documentId)) leftovers.set(row.documentId, { ...leftover, since: Date.now() });
      moved.push(leftover);
    }
    return moved;
  }

  /** Removes a document from the applications of its owner that list it. */
  function dropFromApplications({ owner, documentId }: UploadRow): void {
    for (const [id, row] of applications)
      if (row.owner === owner && row.documentIds.includes(documentId)) {
        const documentIds = row.documentIds.filter((one) => one !== documentId);
        applications.set(id, { ...row, documentIds, version: row.version + 1 });
      }
  }

  return {
    async abandon(owner, documentIds) {
      const isMine = (row: UploadRow) => row.owner === owner && documentIds.includes(row.documentId);
      mark(isMine);
      return move((row) => isMine(row) && row.state === 'deleting');
    },

    async sweep({ orphans, doubts }, max) {
      for (const row of uploads.values()) if (row.state === 'deleting' && isFree(row)) dropFromApplications(row);
      mark((row) => row.createdAt < orphans);
      move((row) => row.state === 'deleting');
      move((row) => row.state === 'pending' && row.createdAt < Math.min(orphans, doubts));
      for (const [name, row] of uploads) if (row.state === 'rejected' && row.createdAt < orphans) uploads.delete(name);
      // Skip an id that a later attempt uses again: its document is no longer left over.
      const used = new Set([...uploads.values()].map(({ documentId }) => documentId));
      return [...leftovers.values()]
        .filter(({ documentId, key, since }) => (key !== null || since < doubts) && !used.has(documentId))
        .sort((a, b) => a.since - b.since)
        .slice(0, max)
        .map(({ documentId, key }) => ({ documentId, key }));
    },

    async removed(documentId) {
      leftovers.delete(documentId);
    },

    async postpone(documentId) {
      const leftover = leftovers.get(documentId);
      if (leftover !== undefined) leftovers.set(documentId, { ...leftover, since: Date.now() });
    },

    async lease(job, holder, until) {
      const { holder: other = holder, until: end = 0 } = leases.get(job) ?? {};
      if (other !== holder && end > Date.now() && !isImpossibleClaim(end, Date.now())) return false;
      leases.set(job, { holder, until });
      return true;
    },
  };
}
