import { Refusal } from './api.js';
import { h } from './dom.js';
import { texts } from './texts.js';

/** @import { Store } from './store.js' */

/** Milliseconds for which a status message is shown. */
const MESSAGE_TIME = 4_000;

/**
 * Returns the functions that every panel uses: the store, `say` (shows a status message) and `run` (runs an action and
 * shows its error).
 * @param {Store} store
 */
export function createApp(store) {
  const status = /** @type {HTMLElement} */ (document.getElementById('said'));
  let timer = 0;

  /** @param {string} text */
  function say(text) {
    status.textContent = text;
    status.classList.add('toast');
    clearTimeout(timer);
    timer = setTimeout(() => {
      status.textContent = '';
      status.classList.remove('toast');
    }, MESSAGE_TIME);
  }

  return {
    store,
    say,
    /**
     * Runs an action, shows that it is done, and refreshes the store. When the action fails, its error is shown in the
     * panel.
     * @template T
     * @param {Panel} panel
     * @param {() => Promise<T>} action
     * @param {string | ((done: T) => string)} [done]
     * @returns {Promise<boolean>} true when the action succeeded
     */
    async run(panel, action, done) {
      const showError = (/** @type {unknown} */ error) => panel.message.replaceChildren(problem(error));
      panel.message.replaceChildren();
      try {
        const result = await action();
        store.refresh().catch(showError);
        if (done !== undefined) say(typeof done === 'string' ? done : done(result));
        return true;
      } catch (error) {
        showError(error);
        return false;
      }
    },
  };
}

/** @typedef {ReturnType<typeof createApp>} App */

/** Returns an alert with the message of an error and what to do. @param {unknown} error */
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
 * Returns a section of the page: a heading, a place for error messages, and the children.
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
