import { parsed } from './api.js';
import { h } from './dom.js';

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

/**
 * Facts as a list of terms where they are plain, else as JSON.
 * @param {unknown} facts
 * @param {string} name
 */
export function factList(facts, name) {
  if (facts === null || typeof facts !== 'object' || Array.isArray(facts)) return h('span', {}, valueText(facts));
  const plain = Object.values(facts).every((value) => value === null || typeof value !== 'object');
  if (!plain) return codeBlock(JSON.stringify(facts, null, 2), name);
  return h(
    'dl',
    { class: 'facts' },
    ...Object.entries(facts).flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, valueText(value))]),
  );
}

/** @param {unknown} value */
export function valueText(value) {
  if (value === true) return 'ja';
  if (value === false) return 'nee';
  if (value === null || value === undefined) return 'geen';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
