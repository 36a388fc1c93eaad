import { computed, signal } from '@preact/signals';
import { unsavedOf } from './unsaved.js';

/** @import { Failure, Outcome } from '../calls/outcome.js' */

/** Milliseconds between the last change and the moment at which it is saved. */
const PAUSE = 600;

/**
 * The state of a saver (see `createSaver`). `waiting`: a save failed, and `save` must be called again. `conflict`: the
 * service has another version (`theirs`), and the user must choose.
 * @template Value
 * @typedef {{ kind: 'loading' } | { kind: 'unreadable', failure: Failure } | { kind: 'saved' } | { kind: 'changed' } |
 * { kind: 'saving' } | { kind: 'waiting', failure: Failure } | { kind: 'conflict', theirs: Value }} SaverState
 */

/**
 * Returns a saver: an object that reads a value from the service, and saves the value after each change. `If-Match`
 * prevents that a save overwrites a change from another tab. A change that is not saved yet is also in `localStorage`,
 * separately for each tab, so that a reload does not lose it. After a failed save, call `save` to try again.
 * @template Value
 * @param {object} options
 * @param {string} options.name part of the key in `localStorage` of the changes that are not saved yet
 * @param {() => Promise<Outcome<Value>>} options.read reads the value; its response has an `ETag`
 * @param {(value: Value, headers: { 'If-Match': string }) => Promise<Outcome<unknown>>} options.write saves the value; its
 * response has the new `ETag`
 * @param {(value: Value) => unknown} [options.stored] returns the value as the service stores it, when that differs from
 * the value in the page; by that the saver compares two values
 * @param {(before: Value, theirs: Value) => boolean} [options.isEdited] returns true when a user changed the value
 * between two versions of the service; every change is one by a user when this is absent
 */
export function createSaver({ name, read, write, stored = (value) => value, isEdited = () => true }) {
  const unsaved = /** @type {ReturnType<typeof unsavedOf<Value>>} */ (unsavedOf(name));
  const textOf = (/** @type {Value} */ some) => JSON.stringify(stored(some));
  const value = signal(/** @type {Value | undefined} */ (undefined));
  const state = signal(/** @type {SaverState<Value>} */ ({ kind: 'loading' }));
  let etag = '';
  /** The `ETag` of the version to which the changes in `localStorage` were made; until a conflict ends, not `etag`. */
  let base = '';
  /** The value that the service has. @type {Value | undefined} */
  let saved;
  const isStored = (/** @type {Value} */ some) => saved !== undefined && textOf(some) === textOf(saved);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** The save that is in progress; null when there is none. @type {Promise<void> | null} */
  let running = null;
  /** True after `stop`: nothing is saved any more. */
  let isStopped = false;

  /**
   * Reads the value from the service. Then saves the changes that `localStorage` still has. When these changes were
   * made to another version of the value, does not save them: the state becomes `conflict`.
   */
  async function open() {
    const outcome = await read();
    if (outcome.failure) {
      state.value = { kind: 'unreadable', failure: outcome.failure };
      return;
    }
    adopt(outcome.data, outcome.response);
    const kept = unsaved.take();
    if (kept === null) return;
    if (isStored(kept.value)) {
      unsaved.remove();
      return;
    }
    value.value = kept.value;
    base = kept.etag;
    if (kept.etag !== etag) state.value = { kind: 'conflict', theirs: outcome.data };
    else await save();
  }

  /**
   * Sets the value of the saver to a value from the service; the state becomes `saved`.
   * @param {Value} theirs
   * @param {Response} response
   */
  function adopt(theirs, response) {
    etag = response.headers.get('ETag') ?? '*';
    saved = theirs;
    value.value = theirs;
    state.value = { kind: 'saved' };
  }

  /**
   * Changes the value, which is saved 600 ms after the last change. During a conflict the change is only stored in this
   * browser, so that a reload finds the conflict again, and after `stop` it is ignored.
   * @param {Value} next
   */
  function change(next) {
    if (isStopped) return;
    value.value = next;
    if (state.value.kind !== 'conflict') base = etag;
    unsaved.keep({ etag: base, value: next });
    if (state.value.kind === 'conflict') return;
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
    await running;
    if (isStopped || value.value === undefined || state.value.kind === 'conflict') return;
    if (isStored(value.value)) {
      unsaved.remove();
      state.value = { kind: 'saved' };
      return;
    }
    running = send(value.value).finally(() => {
      running = null;
    });
    await running;
  }

  /** Sends a value to the service, and sets the state to the result. @param {Value} sent */
  async function send(sent) {
    state.value = { kind: 'saving' };
    const outcome = await write(sent, { 'If-Match': etag });
    if (isStopped) return;
    if (!outcome.failure) {
      etag = outcome.response.headers.get('ETag') ?? '*';
      saved = sent;
      saveRest();
    } else if (outcome.failure.problem.code === 'versie-verouderd') await compare(sent);
    else state.value = { kind: 'waiting', failure: outcome.failure };
  }

  /**
   * Reads the value from the service, after a save was refused because the service has another version. When the value
   * of the service equals `sent`, an earlier attempt to save it did arrive. When no user changed the value since it was
   * saved here, the value in the page replaces it. Any other value is a conflict.
   * @param {Value} sent
   */
  async function compare(sent) {
    const outcome = await read();
    if (outcome.failure) {
      state.value = { kind: 'waiting', failure: outcome.failure };
      return;
    }
    const mine = value.value;
    const before = saved;
    adopt(outcome.data, outcome.response);
    value.value = mine;
    if (isStored(sent) || (before !== undefined && !isEdited(before, outcome.data))) saveRest();
    else state.value = { kind: 'conflict', theirs: outcome.data };
  }

  /** Sets the state after a value of this tab was saved, and plans to save the value again if it was changed since. */
  function saveRest() {
    const current = /** @type {Value} */ (value.value);
    if (isStored(current)) {
      unsaved.remove();
      state.value = { kind: 'saved' };
      return;
    }
    base = etag;
    unsaved.keep({ etag, value: current });
    state.value = { kind: 'changed' };
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }

  /**
   * Reads the value again while it is saved, because it may have changed elsewhere. Keeps a change that the user makes
   * meanwhile. When the value does not exist any more, the state becomes `unreadable`.
   */
  async function refresh() {
    if (isStopped || state.value.kind !== 'saved') return;
    const before = etag;
    const outcome = await read();
    if (isStopped || state.value.kind !== 'saved' || etag !== before) return;
    if (!outcome.failure) {
      if (outcome.response.headers.get('ETag') !== before) adopt(outcome.data, outcome.response);
    } else if (outcome.failure.problem.status === 404) {
      value.value = undefined;
      state.value = { kind: 'unreadable', failure: outcome.failure };
    }
  }

  /**
   * Ends a conflict: keeps the version of this tab (`mine`) or the version of the service (`theirs`), and saves it.
   * Does nothing when there is no conflict.
   * @param {'mine' | 'theirs'} choice
   */
  async function resolve(choice) {
    if (state.value.kind !== 'conflict') return;
    const chosen = choice === 'theirs' ? state.value.theirs : /** @type {Value} */ (value.value);
    state.value = { kind: 'changed' };
    change(chosen);
    await save();
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
    etag: () => etag,
    /**
     * Cancels the planned save and removes the changes of all tabs that are stored in this browser. After that, `change`
     * and `save` do nothing.
     */
    stop() {
      isStopped = true;
      clearTimeout(timer);
      unsaved.clear();
    },
  };
}

/** A saver, as `createSaver` returns it. @template Value @typedef {ReturnType<typeof createSaver<Value>>} Saver */
