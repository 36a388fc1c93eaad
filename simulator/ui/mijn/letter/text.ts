import type { ParagraphDto, PlaceholderDefDto, RichTextBlockDto, RichTextNodeDto } from 'zorgregister-bff/client';
import { highlightedPlaceholder, type LetterParagraph } from '../../../letters/letter.ts';

/** The marks of a text (such as bold), each with its sign in plain text. */
const SIGNS = [
  ['bold', '**'],
  ['italic', '*'],
  ['underline', '__'],
] as const;

/**
 * Returns a rich text as plain text that a user can edit, such as `**vet**` for bold, `{sleutel}` for a placeholder and
 * `- ` for an item of a list. `fromText` reads that form.
 */
export function toText(content: RichTextBlockDto | null) {
  const paragraphs = content?.paragraphs ?? [];
  return paragraphs
    .map(({ nodes, list }, index) => {
      const sign = list === 'bullet' ? '- ' : list === 'number' ? '1. ' : '';
      const before = index === 0 ? '' : list !== null && paragraphs[index - 1]?.list === list ? '\n' : '\n\n';
      return before + sign + (nodes ?? []).map(nodeText).join('');
    })
    .join('');
}

/** Returns a node of a rich text as plain text, in the form of `toText`. */
function nodeText({ type, text, marks, key }: RichTextNodeDto) {
  if (type === 'lineBreak') return '\\\n';
  if (type === 'placeholder') return `{${key}}`;
  const signs = SIGNS.filter(([mark]) => marks?.includes(mark)).map(([, sign]) => sign);
  return `${signs.join('')}${(text ?? '').replaceAll(/[\\*_{}]/g, '\\$&')}${signs.toReversed().join('')}`;
}

/**
 * Returns the rich text for a plain text in the form of `toText`.
 * @param filled the texts of the placeholders, keyed by the key of the placeholder
 */
export function fromText(text: string, filled: ReadonlyMap<string, string | null> = new Map()): RichTextBlockDto {
  const paragraphs = text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .flatMap((part) => linesOf(part))
    .map((line) => paragraphOf(line, filled))
    .filter(({ nodes }) => (nodes ?? []).length > 0);
  return { paragraphs };
}

/**
 * Returns the paragraphs in a part of a typed text, as plain text. Each item of a list is a paragraph; other lines that
 * follow each other become one paragraph.
 * @param part text without empty lines
 */
function linesOf(part: string) {
  const lines: string[] = [];
  for (const line of part.split('\n')) {
    const isItem = /^(- |\d+\. )/.test(line);
    const last = lines.at(-1);
    if (last === undefined || isItem || /^(- |\d+\. )/.test(last)) lines.push(line);
    else lines[lines.length - 1] = `${last}${last.endsWith('\\') ? '\n' : ' '}${line}`;
  }
  return lines;
}

/**
 * Returns the paragraph of rich text for one line of plain text in the form of `toText`.
 * @param filled the texts of the placeholders, keyed by the key of the placeholder
 */
function paragraphOf(line: string, filled: ReadonlyMap<string, string | null>): ParagraphDto {
  const [sign = ''] = /^(- |\d+\. )/.exec(line) ?? [];
  const nodes: RichTextNodeDto[] = [];
  const marks: Set<string> = new Set();
  let plain = '';
  const flush = () => {
    if (plain !== '')
      nodes.push({
        type: 'text',
        text: plain,
        marks: SIGNS.map(([mark]) => mark).filter((one) => marks.has(one)),
        key: null,
      });
    plain = '';
  };
  const rest = line.slice(sign.length);
  let at = 0;
  for (const found of rest.matchAll(/\\\n|\\([\\*_{}])|\*\*|\*|__|\{([^{}\n]+)\}/g)) {
    plain += rest.slice(at, found.index);
    at = found.index + found[0].length;
    const [token, escaped, key] = found;
    const mark = SIGNS.find(([, one]) => one === token)?.[0];
    if (escaped !== undefined) plain += escaped;
    else {
      flush();
      if (token === '\\\n') nodes.push({ type: 'lineBreak', text: null, marks: null, key: null });
      else if (key !== undefined) nodes.push({ type: 'placeholder', text: filled.get(key) ?? null, marks: null, key });
      else if (mark !== undefined && !marks.delete(mark)) marks.add(mark);
    }
  }
  plain += rest.slice(at);
  flush();
  return { nodes, list: sign === '' ? null : sign === '- ' ? 'bullet' : 'number' };
}

/** Returns a paragraph of rich text as one of a letter. An empty placeholder is highlighted (`highlightedPlaceholder`). */
export const toParagraph = (
  { nodes, list }: ParagraphDto,
  placeholders: ReadonlyMap<string, PlaceholderDefDto>,
): LetterParagraph => ({
  list,
  spans: (nodes ?? []).map(({ type, text, marks, key }) => {
    if (type === 'lineBreak') return { text: '\n' };
    if (type === 'text') {
      const has = (mark: 'bold' | 'italic' | 'underline') => marks?.includes(mark) ?? false;
      return { text: text ?? '', bold: has('bold'), italic: has('italic'), underline: has('underline') };
    }
    const definition = placeholders.get(key ?? '');
    return text === null || (text === '' && !definition?.autoResolvable)
      ? { text: highlightedPlaceholder(definition?.label ?? key ?? '') }
      : { text };
  }),
});
