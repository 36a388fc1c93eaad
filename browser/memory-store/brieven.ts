import type { Brief, BriefContent, BriefStore } from '../../src/ports/store/brief-store.ts';
import type { MemoryTables } from './tables.ts';

export function briefStore({ brieven, current }: MemoryTables): BriefStore {
  const currentOf = (workspace: string): Brief | undefined => brieven.get(current.get(workspace) ?? '');
  const present = (briefId: string): Brief | undefined => {
    const brief = brieven.get(briefId);
    return brief !== undefined && current.get(brief.workspace) === briefId ? brief : undefined;
  };

  function add(workspace: string, briefId: string, content: BriefContent): void {
    brieven.set(briefId, letter(content, { ...FRESH, briefId, workspace, version: 1 }));
    current.set(workspace, briefId);
  }

  return {
    current: async (workspace) => currentOf(workspace) ?? null,

    async begin(workspace, briefId, content) {
      if (!current.has(workspace)) add(workspace, briefId, content);
    },

    async change({ briefId, version }, { tag, content }) {
      const brief = present(briefId);
      if (brief?.version !== version) return false;
      brieven.set(briefId, letter(content, { ...brief, tag, version: version + 1 }));
      return true;
    },

    async restart(workspace, briefId, content, seen) {
      const brief = currentOf(workspace);
      if (seen !== undefined && (brief?.briefId !== seen.briefId || brief.version !== seen.version)) return false;
      if (brief === undefined || brief.tag === 'sent' || brief.sending !== null) {
        add(workspace, briefId, content);
        return true;
      }
      const { briefId: same, version } = brief;
      brieven.set(same, letter(content, { ...FRESH, briefId: same, workspace, version: version + 1 }));
      return true;
    },

    async send({ briefId, version, sending }, token) {
      const brief = present(briefId);
      if (brief?.tag !== 'approved' || brief.version !== version || brief.sending !== sending) return false;
      brieven.set(briefId, { ...brief, sending: token });
      return true;
    },

    async unsend(briefId, token) {
      const brief = brieven.get(briefId);
      if (brief?.tag === 'approved' && brief.sending === token) brieven.set(briefId, { ...brief, sending: null });
    },

    async settle(briefId, at) {
      const brief = brieven.get(briefId);
      if (brief?.tag !== 'approved') return false;
      brieven.set(briefId, { ...brief, tag: 'sent', sentAt: at, version: brief.version + 1 });
      return true;
    },
  };
}

/** A letter that an older version of this package saved has no `savedBy` or no `submitters`. */
export const savedLetter = (row: object): object => ({ savedBy: [], submitters: [], ...row });

type BriefState = Omit<Brief, keyof BriefContent>;

const FRESH = { tag: 'draft', sentAt: null, sending: null } as const;

/** Returns a letter with this content and state. A member that both have comes from the state. */
const letter = (content: BriefContent, { briefId, workspace, version, tag, sentAt, sending }: BriefState): Brief => ({
  ...content,
  briefId,
  workspace,
  version,
  tag,
  sentAt,
  sending,
});
