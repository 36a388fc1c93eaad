import { sql } from 'kysely';
import { isFree } from '../claims.ts';
import { compileOnce } from '../database/compiled.ts';
import type { StoreConnections } from '../database/sqlite.ts';

interface Draft {
  readonly id: string;
  readonly owner: string;
  readonly draft: string | null;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: string;
  readonly updatedAt: string;
}

/** `versions` is a list of versions in one text (`versionText`), so that its SQL has the same text for any number. */
type VersionedDraft = Draft & { readonly versions: string };

/** Returns a list of versions as one text, such as `,3,4,`. */
export const versionText = (versions: readonly number[]): string => `,${versions.join()},`;

/** Returns an SQL condition that is true when the version of an application is in a list, which `versionText` made. */
export const hasVersionIn = (versions: unknown) => sql<boolean>`${versions} like '%,' || cast(version as text) || ',%'`;

/**
 * Returns a function that saves the draft of a Concept (draft application) and returns its new version. That function
 * returns undefined when it may not change the Concept: for example because another request has claimed (locked) it, or
 * its version is not in `ifVersions`.
 */
export function draftSaver({ relaxed, write, now }: StoreConnections) {
  const build = (value: <Name extends keyof Draft>(name: Name) => Draft[Name]) =>
    relaxed
      .updateTable('applications')
      .set({
        draft: value('draft'),
        stepIndex: value('stepIndex'),
        stepCount: value('stepCount'),
        documentIds: value('documentIds'),
        updatedAt: value('updatedAt'),
        version: sql`version + 1`,
      })
      .where('id', '=', value('id'))
      .where('owner', '=', value('owner'))
      .where('tag', '=', 'Concept')
      .where('sentKey', 'is', null)
      .where(isFree(now))
      .returning('version');
  // A portal saves a draft at every step of its form: the most frequent write by far.
  const save = compileOnce<Draft, { version: number }>(write, build);
  const saveVersion = compileOnce<VersionedDraft, { version: number }>(write, (value) =>
    build(value).where(hasVersionIn(value('versions'))),
  );

  return async (draft: Draft, ifVersions?: readonly number[]): Promise<number | undefined> => {
    const saved = ifVersions ? saveVersion({ ...draft, versions: versionText(ifVersions) }) : save(draft);
    return (await saved)?.version;
  };
}
