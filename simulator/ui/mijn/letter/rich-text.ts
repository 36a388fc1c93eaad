import type { ParagraphDto, PlaceholderDefDto, RichTextNodeDto } from 'zorgregister-bff/client';
import { asPrinted } from '../../../../src/wire/typed-values.ts';
import { highlightedPlaceholder, type LetterParagraph } from '../../../letters/letter.ts';

/** Returns the text of a placeholder in a letter: its label, highlighted, when it has none. */
export const placeholderText = (
  key: string | null,
  text: string | null,
  placeholders: ReadonlyMap<string, PlaceholderDefDto>,
) => asPrinted(key, text) || highlightedPlaceholder(placeholders.get(key ?? '')?.label ?? key ?? '');

/** Returns true when the text after a placeholder ends its sentence. */
export const isBeforeStop = (nodes: readonly RichTextNodeDto[], index: number) =>
  nodes[index + 1]?.text?.startsWith('.') ?? false;

const isEnd = (node: RichTextNodeDto | undefined) => node === undefined || node.type === 'lineBreak';

/**
 * Returns a paragraph of rich text as one of a letter. An empty placeholder is highlighted, but for one that the service
 * fills in on a line of its own, as in an address: then there is no such line.
 */
export const toParagraph = (
  { nodes, list }: ParagraphDto,
  placeholders: ReadonlyMap<string, PlaceholderDefDto>,
): LetterParagraph => ({
  list,
  spans: nodes.map(({ type, text, marks, key }, index) => {
    if (type === 'lineBreak') return { text: '\n' };
    if (type === 'placeholder') {
      const isLine = isEnd(nodes[index - 1]) && isEnd(nodes[index + 1]);
      const isLeftOut = text === '' && isLine && placeholders.get(key)?.autoResolvable;
      const typed = isBeforeStop(nodes, index) ? (text?.replace(/\.\s*$/, '') ?? null) : text;
      return { text: isLeftOut ? '' : placeholderText(key, typed, placeholders) };
    }
    const [bold, italic, underline] = [marks.includes('bold'), marks.includes('italic'), marks.includes('underline')];
    return { text, bold, italic, underline };
  }),
});
