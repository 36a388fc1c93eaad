import { api, inWorld, PageError, UNDO_PREFIX } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { loadFromSession, saveInSession } from '../app/session.ts';
import { h } from '../elements/dom.ts';
import { layout } from '../texts/layout.ts';

/**
 * An action that can be undone: a Dutch text for it (`what`), and the snapshots (stored copies of a world) from before
 * it.
 */
interface UndoableAction {
  what: string;
  snapshots: { world: string; name: string }[];
}

const STORAGE = 'ongedaan';
/** Maximum number of actions that can be undone. The snapshots for older actions are deleted. */
const MAX_KEPT = 10;

/**
 * Creates the button that undoes the last action, and the function `snapshotForUndo`. Call that function before an
 * action that deletes data. Each browser tab has its own list of actions.
 * @param part the panel that shows the errors
 * @param go shows another world
 */
export function createUndo(app: App, part: { message: HTMLElement }, go: (world: string) => Promise<void>) {
  let kept: UndoableAction[] = loadFromSession(STORAGE) ?? [];
  const what = h('span', { class: 'visually-hidden' });
  const element = h(
    'button',
    { type: 'button', class: 'bar__button', 'data-key': 'undo', onclick: undo },
    layout.undo,
    what,
  );

  function draw() {
    const last = kept.at(-1);
    what.textContent = ` ${last?.what ?? layout.undoNone}`;
    element.title = last?.what ?? layout.undoNone;
    element.setAttribute('aria-disabled', String(last === undefined));
    saveInSession(STORAGE, kept);
  }

  async function undo() {
    const last = kept.at(-1);
    if (last === undefined || element.getAttribute('aria-busy') === 'true') return;
    element.setAttribute('aria-busy', 'true');
    await app.run(
      part,
      async () => {
        const missing = await restore(last);
        for (const { name } of last.snapshots) await remove(name);
        kept = kept.filter((one) => one !== last);
        draw();
        if (missing !== null) {
          // `run` loads the data of the store again only after a success, and other worlds may be restored.
          await app.store.refreshAfterAction();
          throw missing;
        }
        const [first] = last.snapshots;
        if (last.snapshots.length === 1 && first !== undefined && first.world !== app.store.world)
          await go(first.world);
      },
      layout.undone(last.what),
    );
    element.removeAttribute('aria-busy');
  }

  draw();
  return {
    element,
    /**
     * Makes a snapshot (a stored copy) of each world, and remembers the action; at most ten actions are remembered.
     * @param did Dutch text for what the action does
     */
    async snapshotForUndo(did: string, worlds: readonly string[]) {
      const at = Date.now();
      const snapshots = worlds.map((world) => ({ world, name: `${UNDO_PREFIX}${world}-${at}` }));
      for (const { world, name } of snapshots)
        await api(`${inWorld(world)}/snapshots/${encodeURIComponent(name)}`, { method: 'PUT' });
      kept.push({ what: did, snapshots });
      const old = kept.splice(0, kept.length - MAX_KEPT).flatMap((one) => one.snapshots);
      draw();
      for (const { name } of old) await remove(name);
    },
  };
}

/**
 * Restores the worlds of an action from their snapshots. Resolves with the refusal for a snapshot that no longer exists,
 * after it restored the other worlds; null when all exist. Rejects when another restore fails: the snapshots are kept,
 * so that the user can try again.
 */
async function restore({ snapshots }: UndoableAction) {
  let missing = null;
  for (const { world, name } of snapshots) {
    try {
      await api(`${inWorld(world)}/snapshots/${encodeURIComponent(name)}/restore`, { method: 'POST', body: {} });
    } catch (error) {
      if (!(error instanceof PageError) || error.status !== 404) throw error;
      missing = error;
    }
  }
  return missing;
}

/** Deletes a snapshot, and ignores any failure. */
const remove = (name: string) => api(`snapshots/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(() => {});
