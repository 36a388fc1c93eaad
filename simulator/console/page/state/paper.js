import { dayText } from '../elements/dates.js';
import { h } from '../elements/dom.js';
import { texts } from '../texts/texts.js';

/** @import { SentLetter } from '../types.d.ts' */

const words = texts.mailbox;

/** Returns a letter as it looks on paper. @param {SentLetter['letter']} letter */
export function paper({ sender, addressee, date, kenmerk, registratienummer, onderwerp, paragraphs, signature }) {
  const [name = '', ...reach] = sender;
  return h(
    'article',
    { class: 'paper', 'aria-label': onderwerp },
    h('div', { class: 'paper__sender' }, h('strong', {}, name), h('div', {}, ...withLineBreaks(reach))),
    h('p', { class: 'paper__addressee' }, ...withLineBreaks(addressee)),
    h(
      'dl',
      { class: 'paper__details' },
      ...row(words.date, date && dayText(date)),
      ...row(words.kenmerk, kenmerk),
      ...row(words.number, registratienummer),
    ),
    h('h3', {}, `${words.subject}: ${onderwerp}`),
    ...groups(paragraphs),
    h('p', { class: 'paper__signature' }, ...withLineBreaks(signature)),
  );
}

/**
 * Returns the paragraphs of a letter. Consecutive items of the same kind of list become one list.
 * @param {SentLetter['letter']['paragraphs']} paragraphs
 */
function groups(paragraphs) {
  /** @type {HTMLElement[]} */
  const elements = [];
  /** @type {string | null} */
  let before = null;
  for (const { list, heading, spans } of paragraphs) {
    if (list === null) elements.push(h(heading ? 'h4' : 'p', {}, ...spans.map(piece)));
    else {
      if (list !== before) elements.push(h(list === 'bullet' ? 'ul' : 'ol'));
      elements.at(-1)?.append(h('li', {}, ...spans.map(piece)));
    }
    before = list;
  }
  return elements;
}

/**
 * Returns a piece of text of a paragraph, in bold, italic or underlined when the piece says so.
 * @param {SentLetter['letter']['paragraphs'][number]['spans'][number]} span
 */
function piece({ text, bold, italic, underline }) {
  /** @type {HTMLElement} */
  let element = h('span', {}, text);
  if (bold) element = h('strong', {}, element);
  if (italic) element = h('em', {}, element);
  if (underline) element = h('u', {}, element);
  return element;
}

/** Returns lines of text with a line break between them. @param {string[]} lines */
const withLineBreaks = (lines) => lines.flatMap((line, index) => (index === 0 ? [line] : [h('br'), line]));

/**
 * Returns the elements of a term and its value; an empty list when the value is empty or null.
 * @param {string} term
 * @param {string | null} value
 */
const row = (term, value) => (value ? [h('div', {}, h('dt', {}, term), h('dd', {}, value))] : []);
