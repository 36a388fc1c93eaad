import { Refusal } from './api.js';
import { h } from './dom.js';
import { texts } from './texts.js';

/** @import { Store } from './store.js' */

/** How long what was said stays in sight. */
const IN_SIGHT = 4_000;

/**
 * What every panel is given: the store, a voice, and a way to do something that may be refused.
 * @param {Store} store
 */
export function createApp(store) {
  const said = /** @type {HTMLElement} */ (document.getElementById('said'));
  let timer = 0;

  /** @param {string} text */
  function say(text) {
    said.textContent = text;
    said.classList.add('toast');
    clearTimeout(timer);
    timer = setTimeout(() => {
      said.textContent = '';
      said.classList.remove('toast');
    }, IN_SIGHT);
  }

  return {
    store,
    say,
    /**
     * Does something, says that it is done, and then asks what has become of the world. A refusal is shown in the panel where it
     * was asked for.
     * @template T
     * @param {Panel} panel
     * @param {() => Promise<T>} action
     * @param {string | ((done: T) => string)} [done]
     * @returns {Promise<boolean>} whether it was done
     */
    async run(panel, action, done) {
      const refused = (/** @type {unknown} */ error) => panel.message.replaceChildren(problem(error));
      panel.message.replaceChildren();
      try {
        const result = await action();
        store.refresh().catch(refused);
        if (done !== undefined) say(typeof done === 'string' ? done : done(result));
        return true;
      } catch (error) {
        refused(error);
        return false;
      }
    },
  };
}

/** @typedef {ReturnType<typeof createApp>} App */

/** @param {unknown} error */
function problem(error) {
  if (!(error instanceof Refusal)) reportError(error);
  const refusal = error instanceof Refusal ? error : new Refusal(texts.problems.unexpected, [], String(error));
  return h(
    'div',
    { class: 'utrecht-alert utrecht-alert--error message', role: 'alert' },
    h(
      'div',
      { class: 'utrecht-alert__content' },
      h('p', { class: 'utrecht-paragraph' }, h('strong', {}, refusal.message)),
      refusal.errors.length > 0 &&
        h(
          'ul',
          { class: 'utrecht-unordered-list' },
          ...refusal.errors.map(({ pointer, detail }) => h('li', {}, pointer ? `${pointer}: ${detail}` : detail)),
        ),
      refusal.remedy !== null && h('p', { class: 'utrecht-paragraph' }, refusal.remedy),
    ),
  );
}

/**
 * A part of the page: a heading, room for what goes wrong, and a body.
 * @param {string} id
 * @param {string} title
 * @param {...(Node | string)} children
 */
export function panel(id, title, ...children) {
  const message = h('div', { class: 'messages' });
  const element = h(
    'section',
    { class: 'panel', id, 'aria-labelledby': `${id}-kop`, tabindex: '-1' },
    h('h2', { class: 'utrecht-heading-2', id: `${id}-kop` }, title),
    message,
    ...children,
  );
  return { element, message };
}

/** @typedef {ReturnType<typeof panel>} Panel */
