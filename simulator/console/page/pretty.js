import { parsed } from './api.js';
import { h } from './dom.js';
import { texts } from './texts.js';

/** JSON as people read it; anything else as it is. @param {string | null} text */
export function pretty(text) {
  if (text === null) return '';
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}

/**
 * Text of a machine, in a box that scrolls by keyboard as well.
 * @param {string} text
 * @param {string} name for who does not see where it is
 */
export const codeBlock = (text, name) =>
  h(
    'pre',
    { class: 'utrecht-code-block code', tabindex: '0', role: 'region', 'aria-label': name },
    h('code', {}, text),
  );

/** Lists within lists that are still read as such; deeper is JSON. */
const DEEPEST = 3;

/**
 * Facts as a list of terms, as deep as people read them.
 * @param {unknown} facts
 * @param {number} [depth]
 * @returns {HTMLElement}
 */
export function factList(facts, depth = 0) {
  if (facts === null || typeof facts !== 'object') return h('span', {}, valueText(facts));
  if (Array.isArray(facts) && facts.every((one) => one === null || typeof one !== 'object'))
    return h('span', {}, facts.map(valueText).join(', ') || texts.none);
  if (depth === DEEPEST) return h('code', {}, JSON.stringify(facts));
  return h(
    'dl',
    { class: 'facts' },
    ...Object.entries(facts).flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, factList(value, depth + 1))]),
  );
}

/** @param {unknown} value */
export function valueText(value) {
  if (value === true) return texts.yes;
  if (value === false) return texts.no;
  return value === null || value === undefined ? texts.none : String(value);
}
