import type { ParagraphDto, PlaceholderDefDto, RichTextBlockDto, RichTextNodeDto } from 'zorgregister-bff/client';
import type { List, Mark } from '../../../../src/wire/values.ts';
import { groupsOf, highlightedPlaceholder, type LetterParagraph } from '../../../letters/letter.ts';
import { type Atom, contentOf, LINE_BREAK, plainAtoms } from './edits.ts';

/** The marks of a text, each with the element that shows it and all elements in which a browser writes it. */
const MARKS = [
  ['bold', 'b', /^(?:B|STRONG)$/],
  ['italic', 'i', /^(?:I|EM)$/],
  ['underline', 'u', /^U$/],
] as const;

/** An element that begins a paragraph, and the lists around it. */
const BLOCK = /^(?:P|DIV|LI|UL|OL|H\d|BLOCKQUOTE|PRE)$/;
const LISTS: Readonly<Record<string, List>> = { UL: 'bullet', OL: 'number' };

/** What `fromTree` reads of an element or a text of a page. */
export interface TreeNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<TreeNode>;
  /** `key` is the key of a placeholder; `filler` is there for a line break that is not in the text. */
  readonly dataset?: { readonly [name: string]: string | undefined };
}

/** A text or an element that is to be made: its name, what is in it, and its data. */
export type Tree =
  | string
  | readonly [name: string, children: readonly Tree[], dataset?: Readonly<Record<string, string>>];

/**
 * Returns a rich text as the elements that a user edits: a `p` or an `li` for each paragraph, `br` for a line break, and
 * a `span` with a key for a placeholder. `fromTree` reads them.
 */
export const toTree = ({ paragraphs }: RichTextBlockDto): Tree[] =>
  groupsOf(paragraphs).flatMap(({ list, items }): Tree[] => {
    const made = items.map(({ nodes }): Tree => {
      // Without the last one, a browser shows no caret at the end.
      const filler: Tree[] = nodes.at(-1)?.type === 'text' ? [] : [['br', [], { filler: '' }]];
      return [list === null ? 'p' : 'li', [...nodes.map(nodeTree), ...filler]];
    });
    return list === null ? made : [[list === 'bullet' ? 'ul' : 'ol', made]];
  });

function nodeTree(node: RichTextNodeDto): Tree {
  if (node.type === 'lineBreak') return ['br', []];
  if (node.type === 'placeholder') return ['span', [], { key: node.key }];
  return MARKS.reduce<Tree>((inner, [mark, name]) => (node.marks.includes(mark) ? [name, [inner]] : inner), node.text);
}

/**
 * Returns the rich text of the elements that a user edited, also when a browser made others of them. Other elements and
 * forbidden characters are left out.
 */
export function fromTree(root: TreeNode, filled: ReadonlyMap<string, string | null>): RichTextBlockDto {
  const atoms: Atom[] = [];
  /** Ends the paragraph before or after an element, when there is one. */
  const end = (list: List | null) => {
    if ((atoms.at(-1)?.type ?? 'end') !== 'end') atoms.push({ type: 'end', list });
  };
  function read(node: TreeNode, marks: readonly Mark[], list: List | null) {
    const { nodeName: name, dataset } = node;
    const key = dataset?.key;
    if (name === '#text') atoms.push(...plainAtoms(node.textContent ?? '', marks, list));
    else if (name === 'BR') atoms.push(...(dataset?.filler === undefined ? [LINE_BREAK] : []));
    else if (key !== undefined) atoms.push({ type: 'placeholder', text: filled.get(key) ?? null, marks: null, key });
    else {
      const inner = MARKS.flatMap(([mark, , elements]) => (marks.includes(mark) || elements.test(name) ? [mark] : []));
      const innerList = LISTS[name] ?? list;
      if (BLOCK.test(name)) end(list);
      const { length } = atoms;
      for (const child of node.childNodes) read(child, inner, innerList);
      // An empty paragraph is one too.
      if (/^(?:P|LI)$/.test(name) && atoms.length === length) atoms.push({ type: 'end', list: innerList });
      else if (BLOCK.test(name)) end(innerList);
    }
  }
  for (const child of root.childNodes) read(child, [], null);
  end(null);
  return contentOf(atoms);
}

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
