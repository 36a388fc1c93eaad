import { parsed, Refusal } from './api.js';
import { panel } from './app.js';
import { button, field, select, setOptions } from './controls.js';
import { playStep, resetWorld } from './demo-play.js';
import { stepView } from './demo-step.js';
import { h, redraw } from './dom.js';
import { texts } from './texts.js';

/** @import { App } from './app.js' */
/** @import { Demo } from './types.d.ts' */
/** @import { Played } from './demo-play.js' */

const words = texts.demo;

/**
 * A demonstration from a file, a step at a time. Going back means beginning again and playing up to there, so that a step
 * always finds the world as it was the first time.
 * @param {App} app
 */
export function demoPanel(app) {
  const { store } = app;
  /** @type {Demo[]} opened from a file */
  const opened = [];
  /** @type {Demo | null} */
  let demo = null;
  let at = -1;
  let busy = false;

  const choice = select([]);
  const file = h('input', { type: 'file', accept: '.json,application/json', class: 'file', onchange: open });
  const progress = h('p', { class: 'utrecht-paragraph lead', role: 'status' });
  const stage = h('div', { class: 'stage', tabindex: '-1' });
  const previous = button(words.previous, () => goTo(at - 1), { keys: 'PageUp' });
  const next = button(words.next, () => goTo(at + 1), { look: 'primary-action', keys: 'PageDown' });
  const controls = h(
    'div',
    { class: 'buttons' },
    previous,
    next,
    button(words.again, () => goTo(0)),
  );
  const running = h('div', { hidden: true }, progress, controls, h('p', { class: 'hint' }, words.keys), stage);
  const part = panel(
    'demonstratie',
    words.title,
    h(
      'div',
      { class: 'row' },
      field(words.choose, choice),
      button(words.start, begin, { look: 'primary-action' }),
      field(words.file, file),
    ),
    running,
  );
  part.element.addEventListener('keydown', (event) => {
    if (demo === null || (event.key !== 'PageDown' && event.key !== 'PageUp')) return;
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
      opened.unshift(read);
      offer();
      choice.value = read.name;
      await begin();
    });
    file.value = '';
  }

  async function begin() {
    demo = all().find(({ name }) => name === choice.value) ?? null;
    if (demo !== null) await goTo(0);
  }

  /** @param {number} step */
  async function goTo(step) {
    if (demo === null || busy || step < 0 || step >= demo.steps.length) return;
    busy = true;
    const { steps } = demo;
    await app.run(part, async () => {
      const from = step === at + 1 && step > 0 ? step : 0;
      if (from === 0 && steps[0]?.reset === undefined) await resetWorld(store.world);
      for (let one = from; one <= step; one += 1) {
        const played = await playStep(store.world, /** @type {Demo['steps'][number]} */ (steps[one]));
        at = one;
        if (one === step) show(played);
      }
    });
    busy = false;
  }

  /** @param {Played} played */
  function show(played) {
    if (demo === null) return;
    const { steps } = demo;
    running.hidden = false;
    progress.textContent = `${words.step(at + 1, steps.length)}: ${steps[at]?.title}${at === steps.length - 1 ? `. ${words.done}` : ''}`;
    previous.setAttribute('aria-disabled', String(at === 0));
    next.setAttribute('aria-disabled', String(at === steps.length - 1));
    redraw(stage, ...stepView(app, part, steps, at, played));
  }

  store.on('demos', offer);
  return part.element;
}

/**
 * @param {any} value
 * @param {string} fileName
 * @returns {Demo}
 */
function toDemo(value, fileName) {
  const steps = value?.steps;
  const good = Array.isArray(steps) && steps.length > 0 && steps.every((one) => one?.title && one?.persona);
  if (!good) throw new Refusal(texts.problems.file, [{ detail: words.invalid }], null);
  return { name: `bestand:${fileName}`, title: `${value.title ?? fileName} (${fileName})`, steps };
}
