import { compareText } from '../../simulator/worlds/state-memory.ts';
import { NO_FILE, type Upload, type UploadKey, type UploadStore } from '../../src/ports/store/uploads.ts';
import { isFree, keyOf, type MemoryTables, UNCLAIMED, type UploadRow } from './tables.ts';

const EMPTY = { ...NO_FILE, state: 'pending', links: [], perhapsStored: false } as const;

const nameOf = ({ owner, wizardId, localId }: UploadKey): string => keyOf(owner, wizardId, localId);

const toUpload = ({ claim, claimedUntil, links: _, state, ...row }: UploadRow): Upload => ({
  ...row,
  state: state === 'pending' && isFree({ claim, claimedUntil }) ? 'lost' : state,
});

export function uploadStore({ applications, uploads }: MemoryTables): UploadStore {
  const put = (row: UploadRow): void => {
    uploads.set(nameOf(row), row);
  };
  const claimedRow = (name: UploadKey, token: string): UploadRow | undefined => {
    const row = uploads.get(nameOf(name));
    return row?.claim === token ? row : undefined;
  };

  const byId = (documentId: string): UploadRow | undefined =>
    [...uploads.values()].find((row) => row.documentId === documentId);
  const mine = (owner: string, documentId: string): UploadRow | undefined => {
    const row = byId(documentId);
    return row?.owner === owner && row.state === 'uploaded' ? row : undefined;
  };

  const isMentioned = ({ owner, documentId }: UploadRow): boolean =>
    [...applications.values()].some((row) => row.owner === owner && row.documentIds.includes(documentId));

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
      const isAbandoned = (row: UploadRow): boolean =>
        row.state === 'uploaded'
          ? row.links.length === 0 && !isMentioned(row)
          : row.state === 'deleting' && isFree(row);
      const abandoned = [...uploads.values()].filter(
        (row) => row.owner === owner && documentIds.includes(row.documentId) && isAbandoned(row),
      );
      for (const row of abandoned) uploads.delete(nameOf(row));
      return abandoned.map(({ documentId, key }) => ({ documentId, key }));
    },

    removed: async () => undefined,
  };
}
