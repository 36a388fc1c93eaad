import { api, inWorld, onChange } from '../app/api.js';
import { loadFromSession, saveInSession } from '../app/session.js';
import { button } from '../elements/controls.js';
import { dayText } from '../elements/dates.js';
import { h } from '../elements/dom.js';
import { download } from '../elements/download.js';
import { layout } from '../texts/layout.js';
import { freeWorld } from '../world/free.js';
import { leaveWorld } from '../world/leave.js';
import { withKeptIds } from './ids.js';
import { actionOf, notRepeatableCall, notRepeatableChange, settingOf, stepsOf } from './steps.js';

/** @import { App } from '../app/app.js' */
/** @import { RecordedAction } from './steps.js' */
/** @import { Entry } from '../types.d.ts' */

const STORAGE = 'opname';
/** Maximum number of journal entries (recorded requests) that a recording reads. */
const LIMIT = 200;
const words = layout.record;

/**
 * A recording of a demonstration in progress: the world that is recorded, the world to show after it (`from`), the
 * actions so far, and in Dutch the changes that no step can make (`notRepeatable`).
 * @typedef {{ world: string, from: string, actions: RecordedAction[], notRepeatable: string[] }} Recording
 */

/**
 * Returns the part of the page that records what the user does in a separate world, as the steps of a demonstration. At
 * the end a file with the steps is downloaded, and that world is deleted.
 * @param {App} app
 * @param {(world: string) => Promise<void>} go shows another world
 */
export function recorder(app, go) {
  const { store, selection } = app;
  /** @type {Recording | null} */
  let recording = loadFromSession(STORAGE);
  const message = h('div', { class: 'messages' });
  const status = h('p', { class: 'utrecht-paragraph', role: 'status' });
  const start = button(words.start, begin);
  const stop = button(words.stop, end, { look: 'primary-action' });
  const element = h(
    'div',
    { id: 'opname' },
    h('h3', { class: 'utrecht-heading-3' }, words.title),
    h('p', { class: 'utrecht-paragraph hint' }, words.hint),
    message,
    status,
    h('div', { class: 'buttons' }, start, stop),
  );

  function draw() {
    start.hidden = recording !== null;
    stop.hidden = recording === null;
    status.textContent = recording === null ? '' : words.running(recording.world, recording.actions.length);
    saveInSession(STORAGE, recording);
  }

  async function begin() {
    const day = store.known.world?.clock.today;
    const from = store.world;
    await app.run({ message }, async () => {
      // Another recorder may use the first one.
      const world = await freeWorld('opname');
      // First the reset: it would remove what the user does in a world that is shown already.
      await api(`${inWorld(world)}/reset`, { method: 'POST', body: { begin: day } });
      await go(world);
      const reset = day === undefined ? true : { begin: day };
      recording = { world, from, actions: [{ at: Date.now(), persona: selection.slug, reset }], notRepeatable: [] };
      draw();
    });
  }

  async function end() {
    const done = recording;
    if (done === null) return;
    await app.run({ message }, async () => {
      /** @type {Entry[]} */
      const entries = await api(`${inWorld(done.world)}/journal?limit=${LIMIT}`);
      const writes = entries.filter(({ request }) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method));
      const calls = writes.map(actionOf);
      const actions = withKeptIds([...done.actions, ...calls.filter((one) => one !== null)], entries, actionOf);
      const notRepeatable = [
        ...(entries.length === LIMIT ? [words.notRepeatable.early(LIMIT)] : []),
        ...done.notRepeatable,
        ...writes.filter((_, at) => calls[at] === null).map(notRepeatableCall),
      ];
      const steps = stepsOf(actions, titleOf, words.say);
      download('opname.json', { name: 'opname', title: words.fileTitle, steps });
      recording = null;
      draw();
      await leaveWorld(done.world, done.from, go);
      const files = actions.flatMap(({ form }) => form?.file.name ?? []);
      status.textContent = words.done(steps.length, files, notRepeatable);
    });
  }

  /** Returns the Dutch title of the step that repeats an action. @param {RecordedAction} action */
  function titleOf({ persona, reset, clock, scenarios, faults, decide, brief, document, method, path, form }) {
    const naam = app.nameOf(persona);
    if (form !== undefined) return words.uploads(naam, form.file.name);
    if (path !== undefined)
      return words.calls(naam, `${method ?? 'GET'} ${path.replace('/api/v1', '').replace(/\{[^{}]+\}/g, '…')}`);
    if (reset !== undefined) return words.begins(reset === true ? '' : dayText(reset.begin ?? ''));
    if (decide !== undefined) return words.decides;
    if (brief !== undefined) return words.letter;
    if (document !== undefined) return words.document;
    if (scenarios !== undefined || faults !== undefined) return words.faults;
    return clock === undefined ? words.looks(naam) : words.time;
  }

  /**
   * Adds an action to the recording, if there is one, with the current time.
   * @param {Omit<RecordedAction, 'at' | 'persona'>} action
   * @param {string} [persona]
   */
  function add(action, persona = selection.slug) {
    recording?.actions.push({ at: Date.now(), persona, ...action });
    draw();
  }

  onChange((change) => {
    if (recording === null || store.world !== recording.world) return;
    if (change.as !== undefined) {
      // Requests that change data are read from the journal at the end, with those of Mijn register.
      if (change.method === 'GET') add({ path: change.path }, change.as.split('@')[0]);
      return;
    }
    // A reset of all worlds also resets the recorded world, and there a step can only reset that one.
    if (change.path === 'reset') return add({ reset: true });
    if (!change.path.startsWith(`${inWorld(recording.world)}/`)) return;
    if (/^PUT [^/]+\/[^/]+\/snapshots/.test(`${change.method} ${change.path}`)) return;
    const setting = settingOf(change, store.known.world ?? { scenarios: [], faults: [] }, store.known.uploads ?? []);
    if (setting !== null) add(setting);
    else {
      recording.notRepeatable.push(notRepeatableChange(change));
      draw();
    }
  });
  selection.on((slug) => {
    if (recording !== null && store.world === recording.world) add({}, slug);
  });
  draw();
  return element;
}
