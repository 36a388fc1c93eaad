import { computed, signal } from '@preact/signals';
import type { Failure } from '../calls/outcome.ts';
import type { NotSaved, Storage } from './stored-version.ts';
import { storedVersionOf } from './stored-version.ts';
import { unsavedOf } from './unsaved.ts';

/** Milliseconds between the last change and the moment at which it is saved. */
const PAUSE = 600;

/**
 * The state of a saver (see `createSaver`). After a failed save (`waiting`), `save` must be called again. In a
 * `conflict`, the user must choose.
 */
type SaverState<Value> =
  | { kind: 'loading' }
  | { kind: 'unreadable'; failure: Failure }
  | { kind: 'saved' }
  | { kind: 'changed' }
  | { kind: 'saving' }
  | NotSaved<Value>;

/**
 * Returns a saver: an object that reads a value from the service, and saves the value after each change. `If-Match`
 * prevents that a save overwrites a change from another tab. A change that is not saved yet is also in `localStorage`,
 * separately for each tab, so that a reload does not lose it. After a failed save, call `save` to try again.
 * @param options `name`: part of the key in `localStorage` of the changes that are
 * not saved yet
 */
export function createSaver<Value>({ name, ...storage }: { name: string } & Storage<Value>) {
  const unsaved = unsavedOf(name) as ReturnType<typeof unsavedOf<Value>>;
  const version = storedVersionOf(storage);
  const value = signal(undefined as Value | undefined);
  const state = signal({ kind: 'loading' } as SaverState<Value>);
  /** The `ETag` of the version to which the changes in `localStorage` were made; during a conflict an old version. */
  let base = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The save that is in progress; null when there is none. */
  let running: Promise<void> | null = null;
  /** True after `stop`: nothing is saved any more. */
  let isStopped = false;

  /**
   * Reads the value from the service. Then saves the changes that `localStorage` still has. When these changes were
   * made to another version of the value, does not save them: the state becomes `conflict`.
   */
  async function open() {
    const outcome = await version.read();
    if (outcome.failure) {
      state.value = { kind: 'unreadable', failure: outcome.failure };
      return;
    }
    show(outcome.data, outcome.response);
    const kept = unsaved.take();
    if (kept === null) return;
    value.value = kept.value;
    base = kept.etag;
    if (kept.etag === version.etag() || version.isSaved(kept.value)) await save();
    else state.value = { kind: 'conflict', theirs: outcome.data };
  }

  /** Sets the value to a value from the service. */
  function show(theirs: Value, response: Response) {
    version.adopt(theirs, response);
    value.value = theirs;
    state.value = { kind: 'saved' };
  }

  /**
   * Changes the value, which is saved 600 ms after the last change. During a conflict the change is only stored in this
   * browser, so that a reload finds the conflict again, and after `stop` it is ignored.
   */
  function change(next: Value) {
    if (isStopped) return;
    value.value = next;
    if (state.value.kind === 'conflict') unsaved.keep({ etag: base, value: next });
    else plan(next);
  }

  /** Stores a change in this browser, and plans to save it. */
  function plan(changed: Value) {
    base = version.etag();
    unsaved.keep({ etag: base, value: changed });
    state.value = { kind: 'changed' };
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }

  /**
   * Saves the value now; when a save is in progress, waits for it first. Sends nothing when the value is saved already,
   * during a conflict, or after `stop`.
   */
  async function save() {
    clearTimeout(timer);
    // Not once: another call may have waited for the same save, and now be first to send.
    while (running !== null) await running;
    if (isStopped || value.value === undefined || state.value.kind === 'conflict') return;
    if (version.isSaved(value.value)) return settle(value.value);
    running = send(value.value).finally(() => {
      running = null;
    });
    await running;
  }

  /** Sends a value to the service, and sets the state to the result. */
  async function send(sent: Value) {
    state.value = { kind: 'saving' };
    const result = await version.save(sent, () => value.value as Value);
    if (isStopped) return;
    if (result?.kind === 'merged') value.value = result.value;
    if (result === null || result.kind === 'merged') settle(value.value as Value);
    else state.value = result;
  }

  /** Sets the state after a save, and plans to save the value again if it was changed since. */
  function settle(current: Value) {
    if (!version.isSaved(current)) return plan(current);
    unsaved.remove();
    state.value = { kind: 'saved' };
  }

  /**
   * Reads the value again while it is saved, because it may have changed elsewhere. Keeps a change that the user makes
   * meanwhile. When the value does not exist any more, the state becomes `unreadable`.
   */
  async function refresh() {
    if (isStopped || state.value.kind !== 'saved') return;
    const before = version.etag();
    const outcome = await version.read();
    if (isStopped || state.value.kind !== 'saved' || version.etag() !== before) return;
    if (!outcome.failure) {
      if (outcome.response.headers.get('ETag') !== before) show(outcome.data, outcome.response);
    } else if (outcome.failure.problem.status === 404) {
      value.value = undefined;
      state.value = { kind: 'unreadable', failure: outcome.failure };
    }
  }

  /**
   * Ends a conflict: keeps the version of this tab (`mine`) or the version of the service (`theirs`), and saves it.
   * Does nothing when there is no conflict.
   */
  async function resolve(choice: 'mine' | 'theirs') {
    if (state.value.kind !== 'conflict') return;
    const chosen = choice === 'theirs' ? state.value.theirs : (value.value as Value);
    state.value = { kind: 'changed' };
    change(chosen);
    await save();
  }

  /** Forgets the changes of all tabs that are not saved yet, so that `open` shows the value of the service. */
  function discard() {
    clearTimeout(timer);
    unsaved.clear();
  }

  return {
    value,
    state,
    open,
    change,
    save,
    refresh,
    resolve,
    /** True when the service has the current value. */
    isSaved: computed(() => state.value.kind === 'saved'),
    /** Returns the `ETag` of the version that was read or saved last, for use in `If-Match`. */
    etag: version.etag,
    discard,
    /** Discards the changes that are not saved. After that, this saver does nothing any more. */
    stop() {
      isStopped = true;
      discard();
    },
  };
}

/** A saver, as `createSaver` returns it. */
export type Saver<Value> = ReturnType<typeof createSaver<Value>>;
