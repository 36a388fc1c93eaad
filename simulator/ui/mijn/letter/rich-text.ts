import type { ParagraphDto, PlaceholderDefDto } from 'zorgregister-bff/client';
import { highlightedPlaceholder, type LetterParagraph } from '../../../letters/letter.ts';

/** Returns the text of a placeholder in a letter: highlighted when the user still has to fill it in. */
export function placeholderText(
  key: string | null,
  text: string | null,
  placeholders: ReadonlyMap<string, PlaceholderDefDto>,
) {
  const definition = placeholders.get(key ?? '');
  return text === null || (text === '' && !definition?.autoResolvable)
    ? highlightedPlaceholder(definition?.label ?? key ?? '')
    : text;
}

/** Returns a paragraph of rich text as one of a letter. An empty placeholder is highlighted (`highlightedPlaceholder`). */
export const toParagraph = (
  { nodes, list }: ParagraphDto,
  placeholders: ReadonlyMap<string, PlaceholderDefDto>,
): LetterParagraph => ({
  list,
  spans: nodes.map(({ type, text, marks, key }) => {
    if (type === 'lineBreak') return { text: '\n' };
    if (type === 'placeholder') return { text: placeholderText(key, text, placeholders) };
    const has = (mark: 'bold' | 'italic' | 'underline') => marks?.includes(mark) ?? false;
    return { text: text ?? '', bold: has('bold'), italic: has('italic'), underline: has('underline') };
  }),
});
