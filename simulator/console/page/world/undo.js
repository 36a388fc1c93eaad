import { api, inWorld, Refusal } from '../app/api.js';
import { loadFromSession, saveInSession } from '../app/session.js';
import { h } from '../elements/dom.js';
import { layout } from '../texts/layout.js';

/** @import { App } from '../app/app.js' */

/**
 * An action that can be undone: a Dutch text for it (`what`), and the snapshots (stored copies of a world) from before
 * it.
 * @typedef {object} UndoableAction
 * @property {string} what
 * @property {{ world: string, name: string }[]} snapshots
 */

const STORAGE = 'ongedaan';
const PREFIX = 'ongedaan-';
/** Maximum number of actions that can be undone. The snapshots for older actions are deleted. */
const MAX_KEPT = 10;

/**
 * Creates the button that undoes the last action, and the function `snapshotForUndo`. Call that function before an
 * action that deletes data. Each browser tab has its own list of actions.
 * @param {App} app
 * @param {{ message: HTMLElement }} part the panel that shows the errors
 * @param {(world: string) => Promise<void>} go shows another world
 */
export function createUndo(app, part, go) {
  /** @type {UndoableAction[]} */
  let kept = loadFromSession(STORAGE) ?? [];
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
     * @param {string} did Dutch text for what the action does
     * @param {readonly string[]} worlds
     */
    async snapshotForUndo(did, worlds) {
      const at = Date.now();
      const snapshots = worlds.map((world) => ({ world, name: `${PREFIX}${world}-${at}` }));
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
 * @param {UndoableAction} action
 */
async function restore({ snapshots }) {
  let missing = null;
  for (const { world, name } of snapshots) {
    try {
      await api(`${inWorld(world)}/snapshots/${encodeURIComponent(name)}/restore`, { method: 'POST', body: {} });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      missing = error;
    }
  }
  return missing;
}

/** Deletes a snapshot, and ignores any failure. @param {string} name */
const remove = (name) => api(`snapshots/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(() => {});

/** Returns true for the name of a snapshot that `snapshotForUndo` made. @param {string} name */
export const isUndoSnapshot = (name) => name.startsWith(PREFIX);
