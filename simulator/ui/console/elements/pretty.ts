import { parsed } from '../app/api.ts';
import { texts } from '../texts/texts.ts';
import { h } from './dom.ts';

/** Returns JSON text with indentation, and any other text unchanged; an empty text for null. */
export function pretty(text: string | null) {
  if (text === null) return '';
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}

/**
 * Returns a box with code or JSON.
 * @param name label for screen readers
 */
export const codeBlock = (text: string, name: string) =>
  h(
    'pre',
    { class: 'utrecht-code-block code', tabindex: '0', role: 'region', 'aria-label': name },
    h('code', {}, text),
  );

/** Level of nested lists at which `factList` shows an object as JSON. */
const MAX_DEPTH = 3;

/**
 * Returns an element with the input (facts) or the outcome of a rule. An object becomes a description list, and an
 * object in that list becomes a list again; an object inside three lists is shown as JSON.
 * @param depth the number of lists around this value
 */
export function factList(facts: unknown, depth: number = 0): HTMLElement {
  if (facts === null || typeof facts !== 'object') return h('span', {}, valueText(facts));
  if (Array.isArray(facts) && facts.every((one) => one === null || typeof one !== 'object'))
    return h('span', {}, facts.map(valueText).join(', ') || texts.none);
  if (depth === MAX_DEPTH) return h('code', {}, JSON.stringify(facts));
  return h(
    'dl',
    { class: 'facts' },
    ...Object.entries(facts).flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, factList(value, depth + 1))]),
  );
}

/** Returns a value as text: `ja` or `nee` for a boolean, and `geen` for null or undefined. */
export function valueText(value: unknown) {
  if (value === true) return texts.yes;
  if (value === false) return texts.no;
  return value === null || value === undefined ? texts.none : String(value);
}
