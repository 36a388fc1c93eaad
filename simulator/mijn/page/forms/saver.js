import { computed, signal } from '@preact/signals';
import { placeOf } from '../session.js';

/** @import { Failure, Outcome } from '../calls/outcome.js' */

/** Milliseconds between the last change and the moment at which it is saved. */
const PAUSE = 600;

/**
 * The state of a saver. `loading`: the value is not read yet. `unreadable`: it could not be read. `saved`: the service
 * has the value. `changed`: the value has a change that will be saved. `saving`: a save is in progress. `waiting`: a
 * save failed, and the page must call `save` again. `conflict`: another tab saved another version (`theirs`), and the
 * user must choose.
 * @template Value
 * @typedef {{ kind: 'loading' } | { kind: 'unreadable', failure: Failure } | { kind: 'saved' } | { kind: 'changed' } |
 * { kind: 'saving' } | { kind: 'waiting', failure: Failure } | { kind: 'conflict', theirs: Value }} SaverState
 */

/**
 * Returns a saver: an object that reads a value from the service and saves it after each change. No change is lost by a
 * reload, a second tab or a lost connection.
 * - Every save has `If-Match` with the `ETag` of the version that it changes. When another tab saved first, the service
 * answers 412 and the user chooses a version.
 * - Changes that are not saved yet are also in `localStorage`, with the `ETag` of the version that they change. `open`
 * restores these changes after a reload.
 * - A save that fails changes the state to `waiting`. The saver does not try again itself: the page that shows the
 * failure calls `save`.
 * @template Value
 * @param {object} options
 * @param {string} options.name part of the key in `localStorage` of the changes that are not saved yet
 * @param {() => Promise<Outcome<Value>>} options.read reads the value; its response has an `ETag`
 * @param {(value: Value, headers: { 'If-Match': string }) => Promise<Outcome<unknown>>} options.write saves the value; its
 * response has the new `ETag`
 */
export function createSaver({ name, read, write }) {
  const place = placeOf(name);
  const value = signal(/** @type {Value | undefined} */ (undefined));
  const state = signal(/** @type {SaverState<Value>} */ ({ kind: 'loading' }));
  let etag = '';
  let saved = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** The save that is in progress; null when there is none. @type {Promise<void> | null} */
  let running = null;
  /** True after `stop`: the request is submitted or deleted, and nothing is saved any more. */
  let isStopped = false;

  /**
   * Reads the version of the service. When this browser has changes that are not saved yet, saves them; when they were
   * made to another version than the one that was read, the state becomes `conflict` instead. When the version cannot
   * be read, the state becomes `unreadable`.
   */
  async function open() {
    const outcome = await read();
    if (outcome.failure) {
      state.value = { kind: 'unreadable', failure: outcome.failure };
      return;
    }
    adopt(outcome.data, outcome.response);
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null');
    if (kept === null || JSON.stringify(kept.value) === saved) {
      localStorage.removeItem(place);
      return;
    }
    value.value = kept.value;
    if (kept.etag !== etag) state.value = { kind: 'conflict', theirs: outcome.data };
    else await save();
  }

  /**
   * Makes the version that the service returned (`theirs`) the value of the saver, and keeps its `ETag`. The state
   * becomes `saved`.
   * @param {Value} theirs
   * @param {Response} response
   */
  function adopt(theirs, response) {
    etag = response.headers.get('ETag') ?? '*';
    saved = JSON.stringify(theirs);
    value.value = theirs;
    state.value = { kind: 'saved' };
  }

  /**
   * Changes the value, and saves it 600 ms after the last change. During a conflict the change is only kept in this
   * browser, and after `stop` it is ignored.
   * @param {Value} next
   */
  function change(next) {
    if (isStopped) return;
    value.value = next;
    localStorage.setItem(place, JSON.stringify({ etag, value: next }));
    if (state.value.kind === 'conflict') return;
    state.value = { kind: 'changed' };
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }

  /**
   * Saves the value now, unless it is saved already, there is a conflict, or `stop` was called. When another save is in progress, waits for
   * that save first, because its answer has the `ETag` that the next save must send.
   */
  async function save() {
    clearTimeout(timer);
    await running;
    if (isStopped || value.value === undefined || state.value.kind === 'conflict') return;
    if (JSON.stringify(value.value) === saved) {
      localStorage.removeItem(place);
      state.value = { kind: 'saved' };
      return;
    }
    running = send(value.value).finally(() => {
      running = null;
    });
    await running;
  }

  /** Sends one version of the value to the service, and sets the state from the result. @param {Value} sent */
  async function send(sent) {
    state.value = { kind: 'saving' };
    const outcome = await write(sent, { 'If-Match': etag });
    if (isStopped) return;
    if (!outcome.failure) {
      etag = outcome.response.headers.get('ETag') ?? '*';
      saved = JSON.stringify(sent);
      const isLast = JSON.stringify(value.value) === saved;
      if (isLast) localStorage.removeItem(place);
      else timer = setTimeout(save, PAUSE);
      state.value = { kind: isLast ? 'saved' : 'changed' };
    } else if (outcome.failure.problem.code === 'versie-verouderd') await compare(sent);
    else state.value = { kind: 'waiting', failure: outcome.failure };
  }

  /**
   * Reads the current version of the service after an answer 412. When it equals the version that was sent, the save
   * had arrived and only its answer was lost. Otherwise another tab saved another version, and the state becomes
   * `conflict`.
   * @param {Value} sent
   */
  async function compare(sent) {
    const outcome = await read();
    if (outcome.failure) {
      state.value = { kind: 'waiting', failure: outcome.failure };
      return;
    }
    const mine = value.value;
    adopt(outcome.data, outcome.response);
    value.value = mine;
    if (saved !== JSON.stringify(sent)) state.value = { kind: 'conflict', theirs: outcome.data };
    else if (JSON.stringify(mine) !== saved) await save();
  }

  /**
   * Ends a conflict: takes the version of this tab (`mine`) or that of the service (`theirs`), and saves it if needed.
   * Does nothing when there is no conflict.
   * @param {'mine' | 'theirs'} choice
   */
  async function resolve(choice) {
    if (state.value.kind !== 'conflict') return;
    if (choice === 'theirs') value.value = state.value.theirs;
    state.value = { kind: 'changed' };
    await save();
  }

  return {
    value,
    state,
    open,
    change,
    save,
    resolve,
    /** True when the service has the current value. */
    isSaved: computed(() => state.value.kind === 'saved'),
    /** Returns the `ETag` of the version that was read or saved last, for another request with `If-Match`. */
    etag: () => etag,
    /**
     * Cancels the planned save and forgets the changes that are kept in this browser. Call it when the request was
     * submitted or deleted: after that, `change` and `save` do nothing.
     */
    stop() {
      isStopped = true;
      clearTimeout(timer);
      localStorage.removeItem(place);
    },
  };
}

/** A saver, as `createSaver` returns it. @template Value @typedef {ReturnType<typeof createSaver<Value>>} Saver */
