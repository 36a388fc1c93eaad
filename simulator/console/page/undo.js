import { api, inWorld } from './api.js';
import { bench } from './bench-texts.js';
import { h } from './dom.js';

/** @import { App } from './app.js' */

/**
 * Something that can be undone: what was done, and the snapshots that were kept before it.
 * @typedef {object} Kept
 * @property {string} what
 * @property {{ world: string, name: string }[]} snapshots
 */

const STORAGE = 'ongedaan';
const PREFIX = 'ongedaan-';
/** Number of actions that can be undone. The snapshots of older ones are deleted. */
const MAX_KEPT = 10;

/**
 * Returns the button that undoes the last destructive action, and `keep`, which every such action calls first. The list
 * is per browser tab, and survives a reload.
 * @param {App} app
 * @param {{ message: HTMLElement }} part
 * @param {(world: string) => Promise<void>} go shows another world
 */
export function createUndo(app, part, go) {
  /** @type {Kept[]} */
  let kept = load();
  const what = h('span', { class: 'visually-hidden' });
  const element = h(
    'button',
    { type: 'button', class: 'bar__button', 'data-key': 'undo', onclick: undo },
    bench.undo,
    what,
  );

  function draw() {
    const last = kept.at(-1);
    what.textContent = ` ${last?.what ?? bench.undoNone}`;
    element.title = last?.what ?? bench.undoNone;
    element.setAttribute('aria-disabled', String(last === undefined));
    save(kept);
  }

  async function undo() {
    const last = kept.at(-1);
    if (last === undefined || element.getAttribute('aria-busy') === 'true') return;
    element.setAttribute('aria-busy', 'true');
    await app.run(
      part,
      async () => {
        for (const { world, name } of last.snapshots) {
          await api(`${inWorld(world)}/snapshots/${encodeURIComponent(name)}/restore`, { method: 'POST', body: {} });
          await remove(name);
        }
        kept = kept.filter((one) => one !== last);
        const [first] = last.snapshots;
        if (last.snapshots.length === 1 && first !== undefined && first.world !== app.store.world)
          await go(first.world);
        draw();
      },
      bench.undone(last.what),
    );
    element.removeAttribute('aria-busy');
  }

  draw();
  return {
    element,
    /**
     * Keeps a snapshot of each world before something destroys it.
     * @param {string} did
     * @param {readonly string[]} worlds
     */
    async keep(did, worlds) {
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

/** Deletes a snapshot; one that is gone already is no matter. @param {string} name */
const remove = (name) => api(`snapshots/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(() => {});

/** True for the name of a snapshot that was kept for undo. @param {string} name */
export const isAutomatic = (name) => name.startsWith(PREFIX);

/** @returns {Kept[]} */
function load() {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {Kept[]} kept */
function save(kept) {
  try {
    sessionStorage.setItem(STORAGE, JSON.stringify(kept));
  } catch {
    // Storage is absent or full: undo works until the page is closed.
  }
}
