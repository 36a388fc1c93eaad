import { groupsOf, type Letter } from '../letters/letter.ts';
import { detailsOf } from '../letters/pdf.ts';

/** Returns a letter as plain text, as it stands on paper: an empty line between paragraphs, a line per list item. */
export function letterText(letter: Letter): string {
  const { sender, addressee, onderwerp, paragraphs, signature } = letter;
  const body = groupsOf(paragraphs).flatMap(({ list, items }) => {
    const texts = items.map(({ spans }) => spans.map(({ text }) => text).join(''));
    if (list === null) return texts;
    return [texts.map((text, index) => `${list === 'bullet' ? '-' : `${index + 1}.`} ${text}`).join('\n')];
  });
  const details = detailsOf(letter).map(([label, text]) => `${label}: ${text}`);
  const head = [sender, addressee, [...details, `Onderwerp: ${onderwerp}`]].map((lines) => lines.join('\n'));
  return `${[...head, ...body, signature.join('\n')].join('\n\n')}\n`;
}
