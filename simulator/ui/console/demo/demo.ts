import { parsed } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { button, field, fileField, select, setOptions } from '../elements/controls.ts';
import { h, redraw } from '../elements/dom.ts';
import { faultLine } from '../people/people.ts';
import { layout } from '../texts/layout.ts';
import { texts } from '../texts/texts.ts';
import type { Demo } from '../types.d.ts';
import { FROM_FILE, toDemo } from './file.ts';
import { createPlayer } from './player.ts';
import type { DemoProgress } from './progress.ts';
import { loadProgress } from './progress.ts';
import { stepView } from './step.ts';

const words = texts.demo;

/**
 * Creates the panel that plays a demonstration step by step in a separate world. That world is deleted when the user
 * stops the demonstration. The progress survives a reload of the page.
 * @param go shows another world
 * @param canvas shows Mijn register for the person of the step
 */
export function demoPanel(
  app: App,
  go: (world: string) => Promise<void>,
  canvas: Pick<import('../canvas.ts').Canvas, 'setScreen' | 'reload'>,
) {
  const { store } = app;
  /** The demonstrations that the user opened from a file. */
  const opened: Demo[] = [];
  /** Name of the world that was shown last; null before a world is shown. */
  let world: string | null = null;

  const choice = select([]);
  const progress = h('p', { class: 'utrecht-paragraph lead', role: 'status' });
  const stage = h('div', { class: 'stage', tabindex: '-1' });
  const previous = button(words.previous, () => player.moveBy(-1), { keys: 'PageUp' });
  const next = button(words.next, () => player.moveBy(1), { look: 'primary-action', keys: 'PageDown' });
  const start = button(words.start, begin, { look: 'primary-action' });
  const controls = h(
    'div',
    { class: 'buttons' },
    previous,
    next,
    button(words.again, () => player.goTo(0)),
    button(words.stop, stop, { look: 'subtle' }),
  );
  const waiting = h('p', { class: 'waiting', 'aria-live': 'polite' });
  const running = h('div', { class: 'running', hidden: true }, progress, controls, waiting, stage);
  const faults = h('ul', { class: 'lines', lang: 'en' });
  const part = panel(
    'demonstratie',
    words.title,
    h('div', { class: 'row' }, field(words.choose, choice), start, fileField(words.file, open)),
    faults,
    running,
  );
  const listeners: (() => void)[] = [];
  const all = () => [...opened, ...(store.known.demos ?? [])];
  const offer = () =>
    setOptions(
      choice,
      all().map(({ name, title }) => [name, title]),
    );

  /** Reads a demonstration from a file, selects it and begins it. */
  async function open(chosen: File) {
    await app.run(part, async () => {
      const read = await toDemo(parsed(await chosen.text()), chosen.name);
      selectDemo(read);
      await begin();
    });
  }

  /**
   * Selects a demonstration in the list. One that was opened from a file stays in the list until the page is closed.
   */
  function selectDemo(demo: Demo) {
    if (demo.name.startsWith(FROM_FILE)) {
      const had = opened.findIndex(({ name }) => name === demo.name);
      opened.splice(Math.max(had, 0), had === -1 ? 0 : 1, demo);
    }
    offer();
    choice.value = demo.name;
  }

  async function begin() {
    const demo = all().find(({ name }) => name === choice.value);
    if (demo !== undefined) await player.goTo(0, demo);
  }

  async function stop() {
    if (await player.stop()) start.focus();
  }

  /**
   * Shows a step and chooses its person. null hides the demonstration.
   * @param isLast false shows nothing yet, because a later step follows at once
   */
  function show(now: DemoProgress | null, isLast: boolean) {
    running.hidden = now === null;
    if (now === null || !isLast) return;
    const { steps } = now.demo;
    const { persona, screen = '' } = now.played.step;
    canvas.setScreen(screen);
    const isSame = app.selection.slug === persona;
    app.selection.choose(persona);
    for (const listener of listeners) listener();
    // Another person is loaded already.
    if (isSame) canvas.reload();
    const last = now.at === steps.length - 1;
    progress.textContent = `${words.step(now.at + 1, steps.length)}: ${steps[now.at]?.title}${last ? `. ${words.done}` : ''}`;
    previous.setAttribute('aria-disabled', String(now.at === 0));
    next.setAttribute('aria-disabled', String(last));
    redraw(stage, ...stepView(app, part, steps, now.at, now.played), h('p', { class: 'hint' }, words.keys));
  }

  const player = createPlayer(store, go, {
    run: (action) => app.run(part, action),
    showBusy(isBusy) {
      waiting.textContent = isBusy ? layout.present.busy : '';
    },
    show,
  });
  store.on('demos', () => {
    offer();
    if (player.current !== null) choice.value = player.current.demo.name;
  });
  store.on('demoFaults', (wrong) => redraw(faults, ...wrong.map(faultLine)));
  store.on('world', (seen) => {
    if (seen.world === world) return;
    world = seen.world;
    const kept = loadProgress(world);
    if (kept !== null) selectDemo(kept.demo);
    player.resume(kept);
  });
  return {
    element: part.element,
    isRunning: () => player.current !== null,
    focus: () => stage.focus(),
    moveBy: player.moveBy,
    /** Begins the chosen demonstration; does nothing when one is being played. */
    beginIfNone: () => (player.current === null ? begin() : Promise.resolve()),
    /** Adds a function that is called each time that a step is shown. */
    onShown(listener: () => void) {
      listeners.push(listener);
    },
    /**
     * Returns the steps of the demonstration that is being played, and the index of the current step; null when none is
     * being played.
     */
    now: () => player.current && { steps: player.current.demo.steps, at: player.current.at },
  };
}

/** The panel that plays demonstrations, as `demoPanel` returns it. */
export type DemoPanel = ReturnType<typeof demoPanel>;
