import { computed, signal } from '@preact/signals';
import { randomUuid } from 'zorgregister-bff/client';
import type { Failure } from '../calls/outcome.ts';
import { placeOf } from '../session.ts';
import { type NotSaved, type Storage, storedVersionOf, type Version } from './stored-version.ts';

/** Milliseconds between the last change and the moment at which it is saved. */
const PAUSE = 600;

type SaverState<Value> =
  | { kind: 'loading' }
  | { kind: 'unreadable'; failure: Failure }
  | { kind: 'saved' }
  | { kind: 'changed' }
  | { kind: 'saving' }
  | NotSaved<Value>;

/**
 * Returns a saver: it reads a value from the service, and saves it after each change, with `If-Match`. A change that is not
 * saved yet is also in `localStorage` (under `name`, for each tab), so that a reload does not lose it.
 */
export function createSaver<Value>({ name, ...storage }: { name: string } & Storage<Value>) {
  const unsaved = unsavedOf(name) as ReturnType<typeof unsavedOf<Value>>;
  const version = storedVersionOf(storage);
  const value = signal(undefined as Value | undefined);
  const state = signal({ kind: 'loading' } as SaverState<Value>);
  /** True after changes from elsewhere were merged with those of the user, until the next change by the user. */
  const isMerged = signal(false);
  /** The version to which the changes in `localStorage` were made; during a conflict an old version. */
  let base = version.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let isStopped = false;

  /** Reads the value, and saves the changes in `localStorage` that were made to this version of it. */
  async function open() {
    const failure = await reopen();
    if (failure) state.value = { kind: 'unreadable', failure };
  }

  /** Opens it again. What is shown stays when it cannot be read: returns why. */
  async function reopen() {
    const outcome = await version.read();
    if (outcome.failure) return outcome.failure;
    show(outcome.data, outcome.response);
    const kept = unsaved.take();
    if (kept !== null) await saveKept(kept);
    return undefined;
  }

  async function saveKept(kept: Unsaved<Value>) {
    value.value = kept.value;
    base = kept.before;
    if (base.etag === version.etag() || version.isSaved(kept.value)) await save();
    else goOn(version.merged(base.value, kept.value));
  }

  function show(theirs: Value, response: Response) {
    version.adopt(theirs, response);
    value.value = theirs;
    state.value = { kind: 'saved' };
  }

  /** Changes the value. During a conflict only this browser stores it: a reload finds the conflict again. */
  function change(next: Value) {
    if (isStopped) return;
    value.value = next;
    isMerged.value = false;
    if (state.value.kind === 'conflict') return unsaved.keep({ before: base, value: next });
    become('changed');
    plan(next);
  }

  /** A failure is shown until the next save succeeds. */
  function become(kind: 'changed' | 'saving') {
    if (state.value.kind !== 'waiting') state.value = { kind };
  }

  function plan(changed: Value) {
    base = version.now();
    unsaved.keep({ before: base, value: changed });
    clearTimeout(timer);
    timer = setTimeout(saveOnce, PAUSE);
  }

  /** Saves the value now, and also what is changed meanwhile, until all is saved or a save fails. */
  async function save() {
    do await saveOnce();
    while (state.value.kind === 'changed' && !isStopped);
  }

  /** Saves the value of now. During a conflict and after `stop` it sends nothing. */
  async function saveOnce() {
    clearTimeout(timer);
    // Not once: another call may have waited for the same save, and now be first to send.
    while (running !== null) await running;
    if (isStopped || value.value === undefined || state.value.kind === 'conflict') return;
    if (version.isSaved(value.value)) return settle(value.value);
    running = send(value.value).finally(() => (running = null));
    await running;
  }

  async function send(sent: Value) {
    become('saving');
    const result = await version.save(sent, () => value.value as Value);
    if (isStopped) return;
    if (result === null) settle(value.value as Value);
    else if (result.kind === 'waiting') state.value = result;
    else goOn(result);
  }

  /** Shows a merged value and saves it, or asks which version to keep. */
  function goOn({ value: mine, ...result }: ReturnType<typeof version.merged>) {
    isMerged.value = JSON.stringify(mine) !== JSON.stringify(value.value);
    value.value = mine;
    if (result.kind === 'conflict') state.value = result;
    else settle(mine);
  }

  function settle(current: Value) {
    const isSaved = version.isSaved(current);
    state.value = { kind: isSaved ? 'saved' : 'changed' };
    if (isSaved) unsaved.remove();
    else plan(current);
  }

  /** Reads the value again while it is saved: it may have changed elsewhere. A change by the user meanwhile stays. */
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

  /** Ends a conflict: keeps and saves the version of this tab or that of the service. */
  async function resolve(choice: 'mine' | 'theirs') {
    if (state.value.kind !== 'conflict') return;
    const chosen = choice === 'theirs' ? state.value.theirs : (value.value as Value);
    state.value = { kind: 'changed' };
    change(chosen);
    await save();
  }

  /** Forgets the changes of all tabs that are not saved yet. */
  function discard() {
    clearTimeout(timer);
    unsaved.clear();
  }

  return {
    value,
    state,
    open,
    reopen,
    change,
    save,
    refresh,
    resolve,
    isMerged,
    isSaved: computed(() => state.value.kind === 'saved'),
    etag: version.etag,
    discard,
    stop() {
      isStopped = true;
      discard();
    },
  };
}

export type Saver<Value> = ReturnType<typeof createSaver<Value>>;

type Unsaved<Value> = { before: Version<Value>; value: Value };

const TAB = 'mijn-register:tab';

const tab = sessionStorage.getItem(TAB) ?? randomUuid();

// Stored only while the page is reloaded: a copy of this tab, which begins with the same session storage, gets another id.
addEventListener('pageshow', () => sessionStorage.removeItem(TAB));
addEventListener('pagehide', () => sessionStorage.setItem(TAB, tab));

/** Keeps unsaved changes in `localStorage`, one version for each tab, so that no tab overwrites that of another. */
function unsavedOf<Value>(name: string) {
  const place = placeOf(`niet-bewaard:${name}`);
  const read = () => JSON.parse(localStorage.getItem(place) ?? '{}') as Record<string, Unsaved<Value>>;

  function write(versions: Record<string, Unsaved<Value>>) {
    if (Object.keys(versions).length === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(versions));
  }

  return {
    /** Returns the version of this tab; without one, takes over that of another tab, which may be closed. */
    take(): Unsaved<Value> | null {
      const versions = read();
      const from = tab in versions ? tab : Object.keys(versions)[0];
      if (from === undefined) return null;
      const { [from]: taken, ...others } = versions;
      write({ ...others, [tab]: taken as Unsaved<Value> });
      return taken ?? null;
    },
    keep: (version: Unsaved<Value>) => write({ ...read(), [tab]: version }),
    remove() {
      const { [tab]: _, ...others } = read();
      write(others);
    },
    clear: () => localStorage.removeItem(place),
  };
}
