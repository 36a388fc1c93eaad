import {
  type DOMOutputSpec,
  DOMParser,
  type Mark as DocumentMark,
  Fragment,
  type MarkSpec,
  type Node,
  Schema,
  Slice,
  type TagParseRule,
} from 'prosemirror-model';
import type { ParagraphDto, RichTextBlockDto, RichTextNodeDto } from 'zorgregister-bff/client';
import { withoutForbidden } from '../../../../src/wire/rich-text.ts';
import type { List, Mark } from '../../../../src/wire/values.ts';
import { groupsOf } from '../../../letters/letter.ts';

/** Returns pasted HTML without styles, which the page may not set (CSP): they stay to be read, as `data-style`. */
export const withoutStyles = (html: string) => html.replaceAll(/\sstyle=(?=["'])/g, ' data-style=');

/** Matches a text that was pasted with a style. */
const styledAs = (style: RegExp): TagParseRule => ({
  tag: 'span[data-style]',
  consuming: false,
  getAttrs: ({ dataset }) => style.test(dataset.style ?? '') && null,
});

const shownAs = (tag: string, ...others: TagParseRule[]) => ({
  parseDOM: [...others, { tag }],
  toDOM: (): DOMOutputSpec => [tag, 0],
});

/** Matches what Word puts before an item of a list: its bullet or its number. */
const WORD_MARKER = 'span[data-style*="mso-list"]';

const LISTS: Readonly<Record<string, List>> = { ul: 'bullet', ol: 'number' };

type PastedElement = Parameters<NonNullable<TagParseRule['getAttrs']>>[0];

function listOf(element: PastedElement): List | null {
  const marker = element.querySelector(WORD_MARKER)?.textContent;
  if (marker) return /\w[.)]/.test(marker) ? 'number' : 'bullet';
  return LISTS[element.closest('ul, ol')?.localName ?? ''] ?? null;
}

const textOf = ({ textContent }: { textContent: string | null }) => (textContent ?? '').replace(/\s+/g, ' ').trim();

/** Returns a list for its items, which have the name of its kind. */
const listNode = (kind: List, tag: 'ul' | 'ol') => ({
  [`${kind}List`]: { content: `${kind}+`, definingForContent: true, toDOM: (): DOMOutputSpec => [tag, 0] },
  [kind]: {
    content: 'inline*',
    // A list that is pasted in an empty paragraph stays a list.
    definingForContent: true,
    parseDOM: [
      { tag: 'p', priority: 60, getAttrs: (element: PastedElement) => listOf(element) === kind && null },
      {
        tag: 'li',
        getAttrs: (element: PastedElement) => element.querySelector('p') === null && listOf(element) === kind && null,
      },
    ],
    toDOM: (): DOMOutputSpec => ['li', 0],
  },
});

/** The documents of the editor: what a rich text can hold (domain.md 4.8), and nothing else. */
export const schema = new Schema({
  nodes: {
    doc: { content: '(paragraph | bulletList | numberList)+' },
    paragraph: {
      content: 'inline*',
      definingForContent: true,
      parseDOM: [
        { tag: 'p' },
        { tag: WORD_MARKER, ignore: true },
        // A heading of a letter is a bold paragraph.
        {
          tag: 'h1, h2, h3, h4, h5, h6',
          getContent: (heading): Fragment => Fragment.from(words(textOf(heading), ['bold'])),
        },
        {
          tag: 'tr',
          // Not a table that only sets where paragraphs are, as in an email.
          getAttrs: (row) => row.querySelectorAll('p, li, div, tr').length <= row.children.length && null,
          getContent: (row): Fragment =>
            Fragment.from(words(Array.from(row.childNodes, textOf).filter(Boolean).join('; '))),
        },
      ],
      toDOM: (): DOMOutputSpec => ['p', 0],
    },
    ...listNode('bullet', 'ul'),
    ...listNode('number', 'ol'),
    text: { group: 'inline' },
    lineBreak: {
      group: 'inline',
      inline: true,
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: (): DOMOutputSpec => ['br'],
    },
    placeholder: {
      group: 'inline',
      inline: true,
      attrs: { key: {} },
      parseDOM: [{ tag: 'span[data-key]', getAttrs: ({ dataset }) => ({ key: dataset.key }) }],
      toDOM: ({ attrs: { key } }): DOMOutputSpec => ['span', { 'data-key': key }],
    },
  },
  marks: {
    bold: shownAs(
      'b',
      // The element that Google Docs puts around everything.
      { tag: 'b[id^="docs-internal-guid"]', skip: true },
      { tag: 'strong' },
      styledAs(/(?<![\w-])font-weight: ?(bold|[6-9])/),
    ),
    italic: shownAs('i', { tag: 'em' }, styledAs(/font-style: ?italic/)),
    underline: shownAs('u', styledAs(/text-decoration: ?underline/)),
  } satisfies Record<Mark, MarkSpec>,
});

/** Returns the list that a paragraph is an item of. */
export const listIn = ({ type: { name } }: Node) => (name === 'paragraph' ? null : (name as List));

/** Returns the paragraphs of a document, with the items of its lists. */
export const linesOf = ({ children }: Node) => children.flatMap((one) => (one.isTextblock ? [one] : one.children));

/** Returns the document of these paragraphs, in which items after each other are one list. */
export const documentWith = (lines: readonly Node[]) =>
  schema.node(
    'doc',
    null,
    groupsOf(lines.map((line) => ({ list: listIn(line), line }))).flatMap(({ list, items }) => {
      const nodes = items.map(({ line }) => line);
      return list === null ? nodes : schema.node(`${list}List`, null, nodes);
    }),
  );

const paragraph = (list: List | null, nodes: readonly Node[]) => schema.node(list ?? 'paragraph', null, nodes);
function words(text: string, names: readonly Mark[] | null = []) {
  const marks = names?.map((name) => schema.mark(name));
  return text === '' ? [] : [schema.text(text, marks)];
}

/** Returns the document of a rich text. One without paragraphs gets an empty one, to type in. */
export function documentOf({ paragraphs }: RichTextBlockDto): Node {
  const nodeOf = ({ type, text, marks, key }: RichTextNodeDto): Node[] =>
    type === 'text' ? words(text, marks) : [schema.node(type, type === 'placeholder' ? { key } : null)];
  const made = paragraphs.map(({ nodes, list }) => paragraph(list, nodes.flatMap(nodeOf)));
  return documentWith(made.length > 0 ? made : [paragraph(null, [])]);
}

/**
 * Returns the rich text of a document, with what is filled in for its placeholders: without empty paragraphs, and without
 * characters that the service refuses.
 */
export function contentOf(document: Node, filled: ReadonlyMap<string, string | null>): RichTextBlockDto {
  const nodeOf = ({ type, attrs: { key }, text, marks }: Node): RichTextNodeDto => {
    if (type.name === 'lineBreak') return { type: 'lineBreak', text: null, marks: null, key: null };
    if (type.name === 'placeholder') return { type: 'placeholder', text: filled.get(key) ?? null, marks: null, key };
    return { type: 'text', text: withoutForbidden(text ?? ''), marks: marks.map(nameOf), key: null };
  };
  const paragraphs: ParagraphDto[] = linesOf(document).map((one) => ({
    nodes: one.children.map(nodeOf).filter(({ type, text }) => type !== 'text' || text !== ''),
    list: listIn(one),
  }));
  const isWritten = ({ type, text }: RichTextNodeDto) => type === 'placeholder' || /\S/.test(text ?? '');
  return { paragraphs: paragraphs.filter(({ nodes }) => nodes.some(isWritten)) };
}

const nameOf = ({ type }: DocumentMark) => type.name as Mark;

const DELETED = 'del, s, strike, [data-style*="line-through"]';
const SCHEME = /^(?:https?:\/\/|mailto:)/;

/** Returns an address as people write it: without `https://` or `mailto:`, and without a slash at its end. */
const shortOf = (address: string) => address.replace(SCHEME, '').replace(/\/$/, '');

/**
 * Reads pasted HTML. Text that was deleted, as with tracked changes in Word, is left out. The address of a link comes after
 * its text, unless it is the text.
 */
class PastedParser extends DOMParser {
  override parseSlice(...[pasted, options]: Parameters<DOMParser['parseSlice']>) {
    const root = pasted as PastedElement;
    for (const deleted of root.querySelectorAll(DELETED)) deleted.remove();
    for (const link of root.querySelectorAll('a')) {
      const [text, address] = [textOf(link), link.getAttribute('href') ?? ''];
      if (text !== '' && SCHEME.test(address) && shortOf(address) !== shortOf(text))
        link.append(` (${shortOf(address)})`);
    }
    return super.parseSlice(pasted, options);
  }
}

export const pastedParser = new PastedParser(schema, DOMParser.fromSchema(schema).rules);

/** Returns a plain text with the marks and the list of its place, and a paragraph for each line that is not empty. */
export function sliceOf(text: string, marks: readonly DocumentMark[], list: List | null): Slice {
  const lines = text.split(/[\r\n\u2028\u2029]+/).map(withoutForbidden);
  const made = lines.filter(Boolean).map((line) => paragraph(list, words(line, marks.map(nameOf))));
  if (made.length === 0) return Slice.empty;
  const depth = list === null ? 1 : 2;
  return new Slice(documentWith(made).content, depth, depth);
}
