import { api, inWorld, parsed, Refusal } from './api.js';
import { panel } from './app.js';
import { button, field, select, setOptions } from './controls.js';
import { keepPlace, placeIn } from './demo-place.js';
import { playStep, resetWorld } from './demo-play.js';
import { stepView } from './demo-step.js';
import { h, redraw } from './dom.js';
import { texts } from './texts.js';

/** @import { App } from './app.js' */
/** @import { Demo } from './types.d.ts' */
/** @import { Place } from './demo-place.js' */

const words = texts.demo;

/**
 * A demonstration from a file, a step at a time. Going back means beginning again and playing up to there, so that a step
 * always finds the world as it was the first time. The place in it outlives a reload, and each world has its own.
 * @param {App} app
 */
export function demoPanel(app) {
  const { store } = app;
  /** @type {Demo[]} opened from a file */
  const opened = [];
  /** @type {Place | null} */
  let place = null;
  /** The world whose place that is. @type {string | null} */
  let world = null;
  let busy = false;

  const choice = select([]);
  const file = h('input', { type: 'file', accept: '.json,application/json', class: 'file', onchange: open });
  const progress = h('p', { class: 'utrecht-paragraph lead', role: 'status' });
  const stage = h('div', { class: 'stage', tabindex: '-1' });
  const at = () => place?.at ?? -1;
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
  const running = h('div', { class: 'running', hidden: true }, progress, controls, stage);
  const part = panel(
    'demonstratie',
    words.title,
    h('div', { class: 'row' }, field(words.choose, choice), start, field(words.file, file)),
    running,
  );
  part.element.addEventListener('keydown', (event) => {
    if (place === null || (event.key !== 'PageDown' && event.key !== 'PageUp')) return;
    // There these keys have a meaning of their own.
    if (event.target instanceof Element && event.target.closest('.code, select, input') !== null) return;
    event.preventDefault();
    (event.key === 'PageDown' ? next : previous).click();
  });

  const all = () => [...opened, ...(store.known.demos ?? [])];
  const offer = () =>
    setOptions(
      choice,
      all().map(({ name, title }) => [name, title]),
    );

  async function open() {
    const chosen = file.files?.[0];
    if (chosen === undefined) return;
    await app.run(part, async () => {
      const read = toDemo(parsed(await chosen.text()), chosen.name);
      take(read);
      await begin();
    });
    file.value = '';
  }

  /** One from a file is offered as long as the page is there. @param {Demo} demo */
  function take(demo) {
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

  function stop() {
    keepPlace(store.world, null);
    show(null);
    start.focus();
  }

  /**
   * @param {number} step
   * @param {Demo} [chosen] another demonstration than the one that is on
   */
  async function goTo(step, chosen) {
    const demo = chosen ?? place?.demo;
    if (demo === undefined || busy || step < 0 || step >= demo.steps.length) return;
    busy = true;
    const here = store.world;
    await app.run(part, async () => {
      const from = chosen === undefined && step === at() + 1 && !(await astray()) ? step : 0;
      if (place !== null) keepPlace(here, { ...place, halfway: true });
      if (from === 0 && demo.steps[0]?.reset === undefined) await resetWorld(here);
      for (let one = from; one <= step; one += 1) {
        const played = await playStep(here, /** @type {Demo['steps'][number]} */ (demo.steps[one]), () => {
          if (place !== null && store.world === here) place.halfway = true;
        });
        const now = { demo, at: one, played, firstDay: played.set.world.clock.firstDay, halfway: false };
        keepPlace(here, now);
        if (store.world === here) show(now, one === step);
      }
    });
    if (place !== null && store.world === here) keepPlace(here, place);
    busy = false;
  }

  /** Whether the world is not as the last step left it: a step was broken off, or the world began anew. */
  async function astray() {
    if (place === null || place.halfway) return true;
    const now = await api(inWorld(store.world));
    return now.clock.firstDay !== place.firstDay;
  }

  /**
   * @param {Place | null} now
   * @param {boolean} [whole] with what was answered; steps that are only passed through are not shown
   */
  function show(now, whole = true) {
    place = now;
    running.hidden = now === null;
    if (now === null || !whole) return;
    const { steps } = now.demo;
    const last = now.at === steps.length - 1;
    progress.textContent = `${words.step(now.at + 1, steps.length)}: ${steps[now.at]?.title}${last ? `. ${words.done}` : ''}`;
    previous.setAttribute('aria-disabled', String(now.at === 0));
    next.setAttribute('aria-disabled', String(last));
    redraw(stage, ...stepView(app, part, steps, now.at, now.played), h('p', { class: 'hint' }, words.keys));
  }

  store.on('demos', () => {
    offer();
    if (place !== null) choice.value = place.demo.name;
  });
  store.on('world', (seen) => {
    if (seen.world === world) return;
    world = seen.world;
    const kept = placeIn(world);
    if (kept !== null) take(kept.demo);
    show(kept);
  });
  return part.element;
}

const FROM_FILE = 'bestand:';

/**
 * @param {any} value
 * @param {string} fileName
 * @returns {Demo}
 */
function toDemo(value, fileName) {
  const steps = value?.steps;
  const good = Array.isArray(steps) && steps.length > 0 && steps.every((one) => one?.title && one?.persona);
  if (!good) throw new Refusal(texts.problems.file, [{ detail: words.invalid }], null);
  return { name: FROM_FILE + fileName, title: `${value.title ?? fileName} (${fileName})`, steps };
}
