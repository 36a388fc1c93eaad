import { dayText } from '../elements/dates.ts';
import { h } from '../elements/dom.ts';
import { texts } from '../texts/texts.ts';

import type { SentLetter } from '../types.d.ts';

const words = texts.mailbox;

/** Returns a letter as it looks on paper. */
export function paper({
  sender,
  addressee,
  date,
  kenmerk,
  registratienummer,
  onderwerp,
  paragraphs,
  signature,
}: SentLetter['letter']) {
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

/** Returns the paragraphs of a letter. Consecutive items of the same kind of list become one list. */
function groups(paragraphs: SentLetter['letter']['paragraphs']) {
  const elements: HTMLElement[] = [];
  let before: string | null = null;
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

/** Returns a piece of text of a paragraph, in bold, italic or underlined when the piece says so. */
function piece({ text, bold, italic, underline }: SentLetter['letter']['paragraphs'][number]['spans'][number]) {
  let element: HTMLElement = h('span', {}, text);
  if (bold) element = h('strong', {}, element);
  if (italic) element = h('em', {}, element);
  if (underline) element = h('u', {}, element);
  return element;
}

/** Returns lines of text with a line break between them. */
const withLineBreaks = (lines: string[]) => lines.flatMap((line, index) => (index === 0 ? [line] : [h('br'), line]));

/** Returns the elements of a term and its value; an empty list when the value is empty or null. */
const row = (term: string, value: string | null) =>
  value ? [h('div', {}, h('dt', {}, term), h('dd', {}, value))] : [];
