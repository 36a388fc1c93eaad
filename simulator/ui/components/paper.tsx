import type { ComponentChildren } from 'preact';
import type { SentLetter } from '../../../testing/types.ts';
import { groupsOf, HIGHLIGHT, type Letter, type LetterSpan, UNBROKEN } from '../../letters/letter.ts';

const DAY = new Intl.DateTimeFormat('nl-NL', { dateStyle: 'long', timeZone: 'Europe/Amsterdam' });

type LetterPaperProps = { of: SentLetter['letter'] & Pick<Letter, 'note'>; label?: string };

/**
 * Shows a letter as on paper, in the order of its PDF. Empty placeholders are highlighted (`highlightedPlaceholder`).
 * @param props `label` is the name of the letter for screen readers
 */
export function LetterPaper({ of, label = of.onderwerp }: LetterPaperProps) {
  const facts = [
    ['Datum', of.date === null ? 'datum van verzending' : DAY.format(new Date(of.date))],
    ['Ons kenmerk', of.kenmerk],
    ['Registratienummer', of.registratienummer],
    ['Onderwerp', of.onderwerp],
  ] as const;
  return (
    <article class="paper" aria-label={label}>
      {of.note && <p class="paper__note">{of.note}</p>}
      <div class="paper__top">
        <strong>{of.sender[0]}</strong>
        <p>{of.sender.slice(1).join('\n')}</p>
      </div>
      <p class="paper__addressee">{marked(of.addressee.join('\n'))}</p>
      <dl class="paper__facts">
        {facts.map(
          ([term, value]) =>
            value && (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{marked(value)}</dd>
              </div>
            ),
        )}
      </dl>
      <Paragraphs of={of.paragraphs as Letter['paragraphs']} />
      <p class="paper__signature">{of.signature.join('\n')}</p>
    </article>
  );
}

/** Shows paragraphs. Consecutive items of the same kind of list become one list. */
export const Paragraphs = ({ of }: { of: Letter['paragraphs'] }) =>
  groupsOf(of).map(({ list, items }) => {
    if (list === null)
      return items.map(({ heading, spans }) => (heading ? <h2>{spans.map(span)}</h2> : <p>{spans.map(span)}</p>));
    const entries = items.map(({ spans }) => <li>{spans.map(span)}</li>);
    return list === 'bullet' ? <ul>{entries}</ul> : <ol>{entries}</ol>;
  });

function span({ text, bold, italic, underline }: LetterSpan) {
  let element = marked(text);
  if (bold) element = <strong>{element}</strong>;
  if (italic) element = <em>{element}</em>;
  if (underline) element = <u>{element}</u>;
  return element;
}

/** Returns a text in which the empty placeholders are highlighted, and what stays together is on one line. */
const marked = (text: string): ComponentChildren =>
  text.split(HIGHLIGHT[0]).map((part, index) => {
    const [label, rest] = part.split(HIGHLIGHT[1]);
    return index === 0 ? unbroken(part) : [<mark class="open-blank">{label}</mark>, unbroken(rest)];
  });

const unbroken = (text: string = '') =>
  text.split(UNBROKEN).map((part, index) => (index % 2 === 1 ? <span class="nowrap">{part}</span> : part));
