import { api, inWorld, parsed } from '../app/api.js';
import { panel } from '../app/app.js';
import { button, field, fileField, select, setOptions } from '../elements/controls.js';
import { h, redraw } from '../elements/dom.js';
import { bench } from '../texts/bench.js';
import { texts } from '../texts/texts.js';
import { leaveWorld } from '../world/leave.js';
import { FROM_FILE, toDemo } from './file.js';
import { playStep, resetWorld } from './play.js';
import { loadProgress, saveProgress, worldOf } from './progress.js';
import { stepView } from './step.js';

/** @import { App } from '../app/app.js' */
/** @import { Demo } from '../types.d.ts' */
/** @import { DemoProgress } from './progress.js' */

const words = texts.demo;

/**
 * Creates the panel that plays a demonstration step by step in a separate world (a copy of all simulated people and
 * data). That world is deleted when the user stops the demonstration. The progress survives a reload of the page.
 * @param {App} app
 * @param {(world: string) => Promise<void>} go shows another world
 * @param {Pick<import('../canvas.js').Canvas, 'setScreen' | 'reload'>} canvas shows Mijn register for the person of the step
 */
export function demoPanel(app, go, canvas) {
  const { store } = app;
  /** The demonstrations that the user opened from a file. @type {Demo[]} */
  const opened = [];
  /** The demonstration that is being played; null when there is none. @type {DemoProgress | null} */
  let current = null;
  /**
   * Name of the world that was shown last; null before a world is shown.
   * @type {string | null}
   */
  let world = null;
  let busy = false;

  const choice = select([]);
  const progress = h('p', { class: 'utrecht-paragraph lead', role: 'status' });
  const stage = h('div', { class: 'stage', tabindex: '-1' });
  const at = () => current?.at ?? -1;
  const previous = button(words.previous, () => goTo(at() - 1), { keys: 'PageUp' });
  const next = button(words.next, () => goTo(at() + 1), { look: 'primary-action', keys: 'PageDown' });
  const start = button(words.start, begin, { look: 'primary-action' });
  const controls = h(
    'div',
    { class: 'buttons' },
    previous,
    next,
    button(words.again, () => goTo(0)),
    button(words.stop, stop, { look: 'subtle' }),
  );
  const waiting = h('p', { class: 'waiting', 'aria-live': 'polite' });
  const running = h('div', { class: 'running', hidden: true }, progress, controls, waiting, stage);
  const part = panel(
    'demonstratie',
    words.title,
    h('div', { class: 'row' }, field(words.choose, choice), start, fileField(words.file, open)),
    running,
  );
  /** @type {(() => void)[]} */
  const listeners = [];
  const all = () => [...opened, ...(store.known.demos ?? [])];
  const offer = () =>
    setOptions(
      choice,
      all().map(({ name, title }) => [name, title]),
    );

  /** Reads a demonstration from a file, selects it and begins it. @param {File} chosen */
  async function open(chosen) {
    await app.run(part, async () => {
      const read = toDemo(parsed(await chosen.text()), chosen.name);
      selectDemo(read);
      await begin();
    });
  }

  /**
   * Selects a demonstration in the list. One that was opened from a file stays in the list until the page is closed.
   * @param {Demo} demo
   */
  function selectDemo(demo) {
    if (demo.name.startsWith(FROM_FILE)) {
      const had = opened.findIndex(({ name }) => name === demo.name);
      opened.splice(Math.max(had, 0), had === -1 ? 0 : 1, demo);
    }
    offer();
    choice.value = demo.name;
  }

  async function begin() {
    const demo = all().find(({ name }) => name === choice.value);
    if (demo !== undefined) await goTo(0, demo);
  }

  async function stop() {
    if (current === null || busy) return;
    const { from } = current;
    await app.run(part, () => leave(from));
    start.focus();
  }

  /** Shows the world `to`, and deletes the world in which the demonstration was played. @param {string} to */
  async function leave(to) {
    const own = store.world;
    saveProgress(own, null);
    show(null);
    await leaveWorld(own, to, go);
  }

  /**
   * Shows the world in which `demo` is played. Deletes the world of the demonstration that was played before, if there
   * was one. Resolves with the name of the world to show after `demo` is stopped.
   * @param {Demo} demo
   */
  async function enter(demo) {
    const own = worldOf(demo);
    const from = current?.from ?? (store.world === own ? 'default' : store.world);
    if (store.world === own) return from;
    if (current === null) await go(own);
    else await leave(own);
    return from;
  }

  /**
   * Plays the demonstration up to and including `step`. Plays only that step when it is the next one, all earlier steps
   * ended, and the world was not reset since. In other cases, and always with `chosen`, it resets the world and plays all
   * steps from the first. Does nothing while a step is being played.
   * @param {number} step index of the step
   * @param {Demo} [chosen] another demonstration than the current one
   */
  async function goTo(step, chosen) {
    const demo = chosen ?? current?.demo;
    if (demo === undefined || busy || step < 0 || step >= demo.steps.length) return;
    setBusy(true);
    let here = store.world;
    await app.run(part, async () => {
      const back = chosen === undefined ? (current?.from ?? 'default') : await enter(demo);
      here = store.world;
      const from = chosen === undefined && step === at() + 1 && !(await hasChanged()) ? step : 0;
      if (current !== null) saveProgress(here, { ...current, stepUnfinished: true });
      if (from === 0 && demo.steps[0]?.reset === undefined) await resetWorld(here);
      let kept = from === 0 ? {} : (current?.played.kept ?? {});
      for (let one = from; one <= step; one += 1) {
        const next = /** @type {Demo['steps'][number]} */ (demo.steps[one]);
        const done = await playStep(here, next, kept, () => {
          if (current !== null && store.world === here) current.stepUnfinished = true;
        });
        kept = done.kept;
        const now = {
          demo,
          at: one,
          played: done,
          firstDay: done.stepDone.world.clock.firstDay,
          from: back,
          stepUnfinished: false,
        };
        saveProgress(here, now);
        if (store.world === here) show(now, one === step);
      }
    });
    if (current !== null && store.world === here) saveProgress(here, current);
    setBusy(false);
  }

  /**
   * Notes whether a step is being played, and shows a text while it is.
   * @param {boolean} now
   */
  function setBusy(now) {
    busy = now;
    waiting.textContent = now ? bench.present.busy : '';
  }

  /**
   * Resolves with true when the next step cannot be played alone: no demonstration is being played, a step did not
   * finish, or the world was reset.
   */
  async function hasChanged() {
    if (current === null || current.stepUnfinished) return true;
    const now = await api(inWorld(store.world));
    return now.clock.firstDay !== current.firstDay;
  }

  /**
   * Makes `now` the current progress, shows its step, and chooses the person of that step. null ends the demonstration.
   * @param {DemoProgress | null} now
   * @param {boolean} [isLast] false only sets the progress, because a later step follows at once
   */
  function show(now, isLast = true) {
    current = now;
    running.hidden = now === null;
    if (now === null || !isLast) return;
    const { steps } = now.demo;
    canvas.setScreen(now.played.step.screen ?? '');
    app.selection.choose(now.played.step.persona);
    for (const listener of listeners) listener();
    canvas.reload();
    const last = now.at === steps.length - 1;
    progress.textContent = `${words.step(now.at + 1, steps.length)}: ${steps[now.at]?.title}${last ? `. ${words.done}` : ''}`;
    previous.setAttribute('aria-disabled', String(now.at === 0));
    next.setAttribute('aria-disabled', String(last));
    redraw(stage, ...stepView(app, part, steps, now.at, now.played), h('p', { class: 'hint' }, words.keys));
  }

  store.on('demos', () => {
    offer();
    if (current !== null) choice.value = current.demo.name;
  });
  store.on('world', (seen) => {
    if (seen.world === world) return;
    world = seen.world;
    const kept = loadProgress(world);
    if (kept !== null) selectDemo(kept.demo);
    show(kept);
  });
  return {
    element: part.element,
    isRunning: () => current !== null,
    focus: () => stage.focus(),
    /**
     * Plays the step that is `by` steps after the current one: 1 for the next step, -1 for the one before.
     * @param {number} by
     */
    moveBy: (by) => goTo(at() + by),
    /** Begins the chosen demonstration; does nothing when one is being played. */
    beginIfNone: () => (current === null ? begin() : Promise.resolve()),
    /** Adds a function that is called each time that a step is shown. @param {() => void} listener */
    onShown(listener) {
      listeners.push(listener);
    },
    /**
     * Returns the steps of the demonstration that is being played, and the index of the current step; null when none is
     * being played.
     */
    now: () => (current === null ? null : { steps: current.demo.steps, at: current.at }),
  };
}

/** The panel that plays demonstrations, as `demoPanel` returns it. @typedef {ReturnType<typeof demoPanel>} DemoPanel */
