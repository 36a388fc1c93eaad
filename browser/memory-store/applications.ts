import { compareText } from '../../simulator/worlds/state-memory.ts';
import {
  type Application,
  type ApplicationStore,
  type ApplicationSummary,
  addedApplication,
  type NewApplication,
  reasonUnchanged,
} from '../../src/ports/store/applications.ts';
import { type ApplicationRow, isFree, type MemoryTables, UNCLAIMED } from './tables.ts';

export function applicationStore({ applications, uploads }: MemoryTables): ApplicationStore {
  const change = (row: ApplicationRow, changes: Partial<ApplicationRow>): ApplicationRow => {
    const changed = { ...row, ...changes };
    applications.set(row.id, changed);
    return changed;
  };
  const mine = (owner: string, id: string): ApplicationRow | undefined => {
    const row = applications.get(id);
    return row?.owner === owner ? row : undefined;
  };
  const isConcept = (row: ApplicationRow | undefined): row is ApplicationRow => row?.tag === 'Concept' && isFree(row);

  const isChangeable = (row: ApplicationRow | undefined, ifVersions?: readonly number[]): row is ApplicationRow =>
    isConcept(row) && row.sentKey === null && (ifVersions === undefined || ifVersions.includes(row.version));

  /** Also by one that was sent without a confirmation. */
  const isTaken = (
    { id, owner, type }: Pick<ApplicationRow, 'id' | 'owner' | 'type'>,
    about: string | null = null,
  ): boolean =>
    [...applications.values()].some(
      (row) =>
        row.id !== id && row.owner === owner && row.type === type && (row.about ?? null) === about && isOpen(row),
    );

  const isLinkedTo =
    ({ id, owner }: ApplicationRow) =>
    (documentId: string): boolean =>
      [...uploads.values()].some(
        (upload) => upload.owner === owner && upload.documentId === documentId && upload.links.includes(id),
      );

  function unlink({ id, owner }: ApplicationRow, kept: readonly string[] = []): void {
    for (const [name, upload] of uploads)
      if (upload.owner === owner && upload.links.includes(id) && !kept.includes(upload.documentId))
        uploads.set(name, { ...upload, links: upload.links.filter((link) => link !== id) });
  }

  return {
    list: async (owner) =>
      [...applications.values()]
        .filter((row) => row.owner === owner)
        .sort(
          (a, b) =>
            compareText(b.updatedAt, a.updatedAt) || compareText(b.createdAt, a.createdAt) || compareText(b.id, a.id),
        )
        .map(toSummary),

    open: async (owner) =>
      [...applications.values()].filter((row) => row.owner === owner && isOpen(row)).map(toSummary),

    async find(owner, id) {
      const row = mine(owner, id);
      return row === undefined ? null : toApplication(row);
    },

    async add(application, max = Number.POSITIVE_INFINITY) {
      const existing = applications.get(application.id);
      if (existing !== undefined) return toApplication(existing);
      const { owner } = application;
      const concepts = [...applications.values()].filter((row) => row.owner === owner && row.tag === 'Concept');
      if (concepts.length >= max) return null;
      const row = toRow(application, 'Concept');
      applications.set(application.id, row);
      return toApplication(row);
    },

    async addPending(application, { sentKey, sentHash, about = null }, { token, until }) {
      if (applications.has(application.id) || isTaken(application, about)) return false;
      const claim = { claim: token, claimedUntil: until };
      change(toRow(application, 'Pending'), { sentKey, sentHash, about, sentAt: Date.now(), ...claim });
      return true;
    },

    async adopt(id, sentAt, { sentHash }, { token, until }, documentIds) {
      const row = applications.get(id);
      if (row?.tag !== 'Pending' || row.sentAt !== sentAt || !isFree(row)) return false;
      const draft = row.sentHash === sentHash ? row.draft : null;
      const sending = { sentAt: Date.now(), sentHash: nextSentHash(row, sentHash), draft, documentIds };
      change(row, { claim: token, claimedUntil: until, ...sending });
      return true;
    },

    async sync(owner, id, content, at, ifVersions) {
      const row = mine(owner, id);
      if (!isChangeable(row, ifVersions)) return reasonUnchanged(row && toApplication(row), ifVersions);
      const { draft, stepIndex, stepCount, documentIds } = content;
      return change(row, { draft, stepIndex, stepCount, documentIds, updatedAt: at, version: row.version + 1 }).version;
    },

    async remove(owner, id, ifVersions) {
      const row = mine(owner, id);
      if (!isChangeable(row, ifVersions)) return reasonUnchanged(row && toApplication(row), ifVersions);
      applications.delete(id);
      return row.documentIds;
    },

    async claim(owner, id, { token, until }) {
      const row = mine(owner, id);
      return isConcept(row)
        ? toApplication(change(row, { claim: token, claimedUntil: until }))
        : reasonUnchanged(row && toApplication(row));
    },

    async send(id, token, { sentKey, sentHash, about = null }, documentIds) {
      const row = applications.get(id);
      if (row?.tag !== 'Concept' || row.claim !== token || isTaken(row, about)) return false;
      change(row, { sentKey, sentHash: nextSentHash(row, sentHash), about, sentAt: Date.now(), documentIds });
      return true;
    },

    async release(id, token) {
      const row = applications.get(id);
      if (row?.claim === token && isUnsettled(row)) change(row, UNCLAIMED);
    },

    async forget(id, known) {
      const row = applications.get(id);
      if (row === undefined || !isUnsettled(row)) return false;
      const isMine =
        'token' in known
          ? row.claim === known.token
          : row.sentAt !== null &&
            row.sentAt === known.sentAt &&
            row.sentAt <= Date.now() - (known.silentFor ?? 0) &&
            isFree(row);
      if (!isMine) return false;
      if (row.tag === 'Pending') applications.delete(id);
      else change(row, { ...UNCLAIMED, sentKey: null, sentHash: null, sentAt: null });
      unlink(row);
      return true;
    },

    async dropDocument(owner, documentId) {
      for (const row of applications.values())
        if (row.owner === owner && row.documentIds.includes(documentId)) {
          const documentIds = row.documentIds.filter((id) => id !== documentId);
          change(row, { documentIds, version: row.version + 1 });
        }
    },

    async settle(id, { referentie, manual, at }, sent) {
      const known = applications.get(id);
      const row = known ?? (sent && toRow(sent.application, 'Pending'));
      if (row === undefined || !isUnsettled(row)) return false;
      if (sent?.isOnly) unlink(row, sent.application.documentIds);
      const version = row.version + 1;
      const sending = row.sentKey === null ? sent?.sending : undefined;
      const settled = { tag: 'InBehandeling', referentie, manual, submittedAt: at, updatedAt: at, version } as const;
      const documentIds = known === undefined ? row.documentIds : row.documentIds.filter(isLinkedTo(row));
      change(row, { ...UNCLAIMED, ...sending, ...settled, documentIds });
      return true;
    },

    async decide(id, { tag, reden, at }) {
      const row = applications.get(id);
      if (row?.tag === 'InBehandeling') change(row, { tag, reden, updatedAt: at, version: row.version + 1 });
    },
  };
}

const isUnsettled = ({ tag }: ApplicationRow): boolean => tag === 'Concept' || tag === 'Pending';

/** True when it is being sent, was sent without a confirmation, or is in progress (InBehandeling). */
const isOpen = ({ tag, sentKey }: ApplicationRow): boolean =>
  tag === 'InBehandeling' || tag === 'Pending' || (tag === 'Concept' && sentKey !== null);

/** `mixed` when other content was sent before: the register can have received either content. */
const nextSentHash = (row: ApplicationRow, sentHash: string): string =>
  row.sentHash === null || row.sentHash === sentHash ? sentHash : 'mixed';

function toApplication({ claim, claimedUntil, ...row }: ApplicationRow): Application {
  return { ...row, claimed: !isFree({ claim, claimedUntil }) };
}

function toSummary(row: ApplicationRow): ApplicationSummary {
  const { draft: _, ...summary } = toApplication(row);
  return summary;
}

const toRow = (application: NewApplication, tag: 'Concept' | 'Pending'): ApplicationRow => ({
  ...addedApplication(application, tag),
  ...UNCLAIMED,
});
