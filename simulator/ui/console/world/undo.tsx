import { signal } from '@preact/signals';
import { About } from '../../components/parts.tsx';
import { api, inWorld, PageError, UNDO_PREFIX } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import { loadFromSession, saveInSession } from '../app/session.ts';

/** An action that can be undone: a Dutch text for it (`what`), and the snapshots from before it. */
interface UndoableAction {
  what: string;
  snapshots: { world: string; name: string }[];
}

const STORAGE = 'ongedaan';
/** Maximum number of actions that can be undone. The snapshots for older actions are deleted. */
const MAX_KEPT = 10;

/**
 * Creates what undoes the last action, and the function `snapshotForUndo`. Call that function before an
 * action that deletes data. Each browser tab has its own list of actions.
 * @param part the panel that shows the errors
 * @param go shows another world
 */
export function createUndo(app: App, part: Part, go: (world: string) => Promise<void>) {
  const kept = signal<readonly UndoableAction[]>(loadFromSession(STORAGE) ?? []);
  const isBusy = signal(false);

  function keep(actions: readonly UndoableAction[]) {
    kept.value = actions;
    saveInSession(STORAGE, actions);
  }

  async function undo() {
    const last = kept.value.at(-1);
    if (last === undefined || isBusy.value) return;
    isBusy.value = true;
    await app.run(
      part,
      async () => {
        const missing = await restore(last);
        for (const { name } of last.snapshots) await remove(name);
        keep(kept.value.filter((one) => one !== last));
        if (missing !== null) {
          // `run` loads the data of the store again only after a success, and other worlds may be restored.
          await app.store.refreshAfterAction();
          throw missing;
        }
        const [first] = last.snapshots;
        if (last.snapshots.length === 1 && first !== undefined && first.world !== app.store.world)
          await go(first.world);
      },
      `Ongedaan gemaakt: ${last.what}.`,
    );
    isBusy.value = false;
  }

  return {
    kept,
    isBusy,
    undo,
    /**
     * Makes a snapshot (a stored copy) of each world, and remembers the action; at most ten actions are remembered.
     * @param did Dutch text for what the action does
     */
    async snapshotForUndo(did: string, worlds: readonly string[]) {
      const at = Date.now();
      const snapshots = worlds.map((world) => ({ world, name: `${UNDO_PREFIX}${world}-${at}` }));
      for (const { world, name } of snapshots)
        await api(`${inWorld(world)}/snapshots/${encodeURIComponent(name)}`, { method: 'PUT' });
      const all = [...kept.value, { what: did, snapshots }];
      keep(all.slice(-MAX_KEPT));
      for (const old of all.slice(0, -MAX_KEPT)) for (const { name } of old.snapshots) await remove(name);
    },
  };
}

/** What undoes the last action, as `createUndo` returns it. */
export type Undo = ReturnType<typeof createUndo>;

/** The button that undoes the last action. */
export function UndoButton({ of: { kept, isBusy, undo } }: { of: Undo }) {
  const last = kept.value.at(-1)?.what;
  return (
    <button
      type="button"
      class="bar__button"
      title={last ?? 'niets'}
      aria-disabled={last === undefined}
      aria-busy={isBusy.value}
      onClick={undo}
    >
      Maak ongedaan
      <About>{last ?? 'niets'}</About>
    </button>
  );
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
