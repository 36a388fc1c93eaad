import { compareText } from '../../simulator/worlds/state-memory.ts';
import { isImpossibleClaim } from '../../src/ports/store/claim.ts';
import {
  type Leftover,
  NO_FILE,
  type Upload,
  type UploadKey,
  type UploadStore,
} from '../../src/ports/store/uploads.ts';
import { isFree, keyOf, type MemoryTables, UNCLAIMED, type UploadRow } from './tables.ts';

const EMPTY = { ...NO_FILE, state: 'pending', links: [], perhapsStored: false } as const;

const nameOf = ({ owner, wizardId, localId }: UploadKey): string => keyOf(owner, wizardId, localId);

const toUpload = ({ claim, claimedUntil, links: _, state, ...row }: UploadRow): Upload => ({
  ...row,
  state: state === 'pending' && isFree({ claim, claimedUntil }) ? 'lost' : state,
});

export function uploadStore({ applications, uploads, leftovers, leases }: MemoryTables): UploadStore {
  const put = (row: UploadRow): void => {
    uploads.set(nameOf(row), row);
  };
  const claimedRow = (name: UploadKey, token: string): UploadRow | undefined => {
    const row = uploads.get(nameOf(name));
    return row?.claim === token ? row : undefined;
  };

  function recordLeftover({ documentId, perhapsStored }: UploadRow): void {
    if (perhapsStored && !leftovers.has(documentId))
      leftovers.set(documentId, { documentId, key: null, since: Date.now() });
  }

  const byId = (documentId: string): UploadRow | undefined =>
    [...uploads.values()].find((row) => row.documentId === documentId);
  const mine = (owner: string, documentId: string): UploadRow | undefined => {
    const row = byId(documentId);
    return row?.owner === owner && row.state === 'uploaded' ? row : undefined;
  };

  const isMentioned = ({ owner, documentId }: UploadRow): boolean =>
    [...applications.values()].some((row) => row.owner === owner && row.documentIds.includes(documentId));

  function mark(which: (row: UploadRow) => boolean): void {
    for (const [name, row] of uploads)
      if (row.state === 'uploaded' && row.links.length === 0 && which(row) && !isMentioned(row))
        uploads.set(name, { ...row, ...UNCLAIMED, state: 'deleting' });
  }

  /** Skips an upload with a claim. */
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

  function dropFromApplications({ owner, documentId }: UploadRow): void {
    for (const [id, row] of applications)
      if (row.owner === owner && row.documentIds.includes(documentId)) {
        const documentIds = row.documentIds.filter((one) => one !== documentId);
        applications.set(id, { ...row, documentIds, version: row.version + 1 });
      }
  }

  return {
    async claim(name, { workspace, categoryId, documentId }, { token, until }, at) {
      const { owner, wizardId, localId } = name;
      const claimed = { claim: token, claimedUntil: until };
      const existing = uploads.get(nameOf(name));
      if (existing === undefined) {
        const row: UploadRow = {
          owner,
          workspace,
          wizardId,
          localId,
          ...EMPTY,
          ...claimed,
          categoryId,
          documentId,
          createdAt: at,
        };
        put(row);
        return toUpload(row);
      }
      if (existing.state === 'uploaded') return toUpload(existing);
      if (existing.state === 'deleting' || !isFree(existing)) return null;
      put({ ...existing, ...claimed, workspace, categoryId, createdAt: at, state: 'pending' });
      return toUpload({ ...existing, workspace, categoryId });
    },

    async renew(name, token, until) {
      const row = claimedRow(name, token);
      if (row === undefined) return false;
      put({ ...row, claimedUntil: until });
      return true;
    },

    async receive(name, token, file, quota) {
      const row = claimedRow(name, token);
      if (row === undefined) return 'lapsed';
      const now = Date.now();
      const others = [...uploads.values()].filter(
        (other) =>
          other.owner === row.owner &&
          other.wizardId === row.wizardId &&
          other.localId !== row.localId &&
          other.links.length === 0 &&
          other.omvang !== null &&
          (other.state === 'uploaded' || (other.state === 'pending' && other.claimedUntil > now)),
      );
      const bytes = others.reduce((sum, { omvang }) => sum + (omvang ?? 0), 0);
      if (others.length >= quota.documents || bytes + file.omvang > quota.bytes) return 'quota';
      put({ ...row, ...file, perhapsStored: true });
      if (row.documentId !== file.documentId) recordLeftover(row);
      return 'received';
    },

    async settle(name, token, key) {
      const row = claimedRow(name, token);
      if (row === undefined) return false;
      put({ ...row, ...UNCLAIMED, state: 'uploaded', key, perhapsStored: false });
      return true;
    },

    async reject(name, token) {
      const row = claimedRow(name, token);
      if (row === undefined) return;
      put({ ...row, ...EMPTY, ...UNCLAIMED, state: 'rejected' });
      recordLeftover(row);
    },

    async release(name, token, how) {
      const row = claimedRow(name, token);
      if (row === undefined) return;
      if (how === 'unreceived' && !row.perhapsStored) uploads.delete(nameOf(name));
      else put({ ...row, ...UNCLAIMED });
    },

    list: async (owner, localIds) =>
      [...uploads.values()]
        .filter((row) => row.owner === owner && (localIds?.includes(row.localId) ?? true))
        .sort(
          (a, b) =>
            b.createdAt - a.createdAt || compareText(a.localId, b.localId) || compareText(a.documentId, b.documentId),
        )
        .map(toUpload),

    named: async (owner, documentIds) =>
      [...uploads.values()].filter((row) => row.owner === owner && documentIds.includes(row.documentId)).map(toUpload),

    async find(documentId, workspace) {
      const row = [...uploads.values()].find((one) => one.documentId === documentId && one.workspace === workspace);
      return row === undefined ? null : toUpload(row);
    },

    async link(owner, documentIds, applicationId) {
      const rows = [...new Set(documentIds)].map((documentId) => mine(owner, documentId));
      // Links all documents or none. Earlier links of this application stay: the register may have received them.
      if (rows.includes(undefined)) return false;
      for (const row of rows)
        if (row !== undefined && !row.links.includes(applicationId))
          put({ ...row, links: [...row.links, applicationId] });
      return true;
    },

    async beginDelete(owner, documentId, { token, until }, evenIfLinked) {
      const row = mine(owner, documentId);
      if (row === undefined) return 'absent';
      if (row.links.length > 0 && evenIfLinked === undefined) return 'linked';
      const deleting: UploadRow = { ...row, state: 'deleting', claim: token, claimedUntil: until };
      put(deleting);
      return toUpload(deleting);
    },

    async endDelete(documentId, token) {
      const row = byId(documentId);
      if (row?.claim === token) uploads.delete(nameOf(row));
    },

    async cancelDelete(documentId, token) {
      const row = byId(documentId);
      if (row?.claim === token) put({ ...row, ...UNCLAIMED, state: 'uploaded' });
    },

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
