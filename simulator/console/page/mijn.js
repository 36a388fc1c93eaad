import { bench } from './bench-texts.js';
import { h } from './dom.js';

/** @import { App } from './app.js' */

/**
 * Returns the address of Mijn register for a person in a world.
 * @param {string} slug
 * @param {string} world
 * @param {string} [screen] of Mijn register, such as `#/voorbeeld`
 */
export function mijnOf(slug, world, screen = '') {
  const search = new URLSearchParams({ als: slug, ...(world !== 'default' && { wereld: world }) });
  return `/_simulator/mijn/?${search}${screen}`;
}

/**
 * Returns a panel with Mijn register for the chosen person, in a frame. The frame is loaded when it is first shown. It
 * is loaded again when another person is chosen, and after a change of the clock, the faults or the step of a
 * demonstration.
 * @param {App} app
 * @param {{ screen?: string, title: (naam: string) => string, onlyLetters?: boolean }} options
 */
export function mijnFrame(app, { screen = '', title, onlyLetters = false }) {
  const { store, selection } = app;
  const frame = h('iframe', { class: 'mijn', hidden: true });
  const none = h('p', { class: 'utrecht-paragraph hint mijn-panel__none', hidden: true }, bench.noPaper);
  const panel = h('div', { class: 'mijn-panel' }, frame, none);
  let visible = false;
  let loaded = '';
  /** The state of the world when the page in the frame was loaded, as text. */
  let read = '';
  let loading = false;
  /** True when the world changed while the frame was being loaded, so that it must be loaded again. */
  let again = false;

  const stateOf = () => {
    const { world } = store.known;
    return JSON.stringify([world?.world, world?.clock.today, world?.clock.firstDay, world?.faults.map(({ id }) => id)]);
  };

  function show() {
    const persona = (store.known.personas ?? []).find(({ slug }) => slug === selection.slug);
    if (!visible || persona === undefined || store.known.world === undefined) return;
    const shown = !onlyLetters || persona.kind === 'letter';
    frame.hidden = !shown;
    none.hidden = shown;
    if (!shown) return;
    frame.title = title(persona.naam);
    const address = mijnOf(persona.slug, store.world, screen);
    const now = stateOf();
    if (address !== loaded) {
      loading = true;
      again = false;
      frame.contentWindow?.location.replace(address);
    } else if (now !== read) refresh();
    loaded = address;
    read = now;
  }

  /** Loads the frame again. When it is being loaded, waits for that first, because a reload would cancel it. */
  function refresh() {
    again = loading;
    if (!loading) frame.contentWindow?.location.reload();
  }

  frame.addEventListener('load', () => {
    loading = false;
    if (again) refresh();
  });
  store.on('world', show);
  store.on('personas', show);
  selection.on(show);
  return {
    panel,
    frame,
    /** Shows or hides the frame. @param {boolean} now */
    setVisible(now) {
      visible = now;
      show();
    },
    /** Loads the frame again, because a step of a demonstration has changed the world. */
    reload() {
      if (visible && loaded !== '') refresh();
    },
  };
}
