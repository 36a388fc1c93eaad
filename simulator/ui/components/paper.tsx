import type { ComponentChildren } from 'preact';
import type { SentLetter } from '../../../testing/types.ts';

const DAY = new Intl.DateTimeFormat('nl-NL', { dateStyle: 'long', timeZone: 'Europe/Amsterdam' });

/**
 * A piece of text in a paragraph, with its marks (`bold`, `italic`, `underline`). `open` is true for a placeholder that
 * is not filled in, and `isBreak` for a line break.
 */
type Piece = { text: string; marks?: readonly unknown[]; open?: boolean; isBreak?: boolean };

/**
 * A paragraph of a letter, or an item of a list. `list` is the kind of list, `bullet` or `number`; null for a
 * paragraph. `heading` is true for a paragraph that is a heading.
 */
type Paragraph = { list: string | null; heading?: boolean | undefined; pieces: readonly Piece[] };

interface PaperProps {
  label: string;
  top?: readonly string[];
  addressee?: readonly string[];
  facts?: readonly (readonly string[])[];
  paragraphs: readonly Paragraph[];
  signature?: readonly string[];
}

/**
 * Shows a letter as on paper. `label` is its name for screen readers, and `facts` are terms with their values, such as
 * the date.
 */
export const Paper = ({ label, top = [], addressee = [], facts = [], paragraphs, signature = [] }: PaperProps) => (
  <article class="paper" aria-label={label}>
    {top.length > 0 && (
      <div class="paper__top">
        <strong>{top[0]}</strong>
        <p>{lines(top.slice(1))}</p>
      </div>
    )}
    {addressee.length > 0 && <p class="paper__addressee">{lines(addressee)}</p>}
    {facts.length > 0 && (
      <dl class="paper__facts">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
    <Paragraphs of={paragraphs} />
    {signature.length > 0 && <p class="paper__signature">{lines(signature)}</p>}
  </article>
);

/** Shows a letter that the register sent, as on paper. */
export function SentPaper({ of }: { of: SentLetter['letter'] }) {
  const facts = [
    ['Datum', of.date && DAY.format(new Date(of.date))],
    ['Ons kenmerk', of.kenmerk],
    ['Registratienummer', of.registratienummer],
    ['Onderwerp', of.onderwerp],
  ] as const;
  return (
    <Paper
      label={of.onderwerp}
      top={of.sender}
      addressee={of.addressee}
      facts={facts.flatMap(([term, value]) => (value ? [[term, value]] : []))}
      paragraphs={of.paragraphs.map(({ spans, ...paragraph }) => ({
        ...paragraph,
        pieces: spans.map(({ text, bold, italic, underline }) => ({
          text,
          marks: [bold && 'bold', italic && 'italic', underline && 'underline'],
        })),
      }))}
      signature={of.signature}
    />
  );
}

/** Shows paragraphs. Consecutive items of the same kind of list become one list. */
export function Paragraphs({ of }: { of: readonly Paragraph[] }) {
  const groups: { list: string | null; items: Paragraph[] }[] = [];
  for (const paragraph of of) {
    const last = groups.at(-1);
    if (last !== undefined && last.list !== null && last.list === paragraph.list) last.items.push(paragraph);
    else groups.push({ list: paragraph.list, items: [paragraph] });
  }
  return groups.map(({ list, items }) => {
    if (list === null)
      return items.map(({ heading, pieces }) => (heading ? <h2>{pieces.map(piece)}</h2> : <p>{pieces.map(piece)}</p>));
    const entries = items.map(({ pieces }) => <li>{pieces.map(piece)}</li>);
    return list === 'bullet' ? <ul>{entries}</ul> : <ol>{entries}</ol>;
  });
}

/** Shows a piece of text with its marks, or a line break. */
function piece({ text, marks = [], open = false, isBreak = false }: Piece) {
  if (isBreak) return <br />;
  let element: ComponentChildren = open ? <mark class="open-blank">{text}</mark> : text;
  if (marks.includes('bold')) element = <strong>{element}</strong>;
  if (marks.includes('italic')) element = <em>{element}</em>;
  if (marks.includes('underline')) element = <u>{element}</u>;
  return element;
}

/** Returns texts with line breaks between them. */
const lines = (texts: readonly string[]) =>
  texts.map((text, index) =>
    index === 0 ? (
      text
    ) : (
      <>
        <br />
        {text}
      </>
    ),
  );
