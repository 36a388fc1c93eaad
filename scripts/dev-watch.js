import { readdirSync, watch } from 'node:fs';
import { basename, join } from 'node:path';

/** Matches the names of source files, but not the names of temporary files that editors write in the same folder. */
const RELEVANT = /^[^.].*\.(?:ts|js|json|css|html|yaml)$/;
/** Milliseconds without another change after which a change is reported. */
const QUIET = 25;

/**
 * Calls `onChange` when a file was changed, added or removed in one of the folders or below. It waits until no file has
 * changed for `QUIET` milliseconds, and passes the path of the last change. Folders are watched instead of files, because
 * many editors replace a file when they save it.
 * @param {readonly string[]} folders
 * @param {(path: string) => void} onChange
 */
export function watchFolders(folders, onChange) {
  /** The watchers, keyed by the path of the watched folder. @type {Map<string, import('node:fs').FSWatcher>} */
  const watchers = new Map();
  /** The timer for the change that is not reported yet. @type {NodeJS.Timeout | undefined} */
  let timer;

  /** Reports a change of this path, when no other change follows within `QUIET`. @param {string} path */
  const report = (path) => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET, path);
  };
  /** Stops watching a folder. @param {string} folder */
  const remove = (folder) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  /** Watches a folder and the folders below it. Returns true when one of them is new. @param {string} folder */
  const add = (folder) => {
    const isNew = !watchers.has(folder);
    if (isNew) {
      const watcher = watch(folder, (_, name) => onEvent(folder, String(name)));
      watchers.set(
        folder,
        watcher.on('error', () => remove(folder)),
      );
    }
    const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return below.map(({ name }) => add(join(folder, name))).includes(true) || isNew;
  };
  /** Handles a change of `name` in a watched folder. @param {string} folder @param {string} name */
  const onEvent = (folder, name) => {
    if (RELEVANT.test(name)) return report(join(folder, name));
    // The name is that of a folder that was added, or of the watched folder itself, which was removed.
    if (name === basename(folder)) remove(folder);
    try {
      if (add(folder)) report(join(folder, name));
    } catch {
      remove(folder);
    }
  };

  for (const folder of folders) add(folder);
}
