import { describe, expect, it } from 'vitest';
import * as edits from '../../simulator/ui/mijn/letter/edits.ts';
import { fromTree, type Tree, type TreeNode, toTree } from '../../simulator/ui/mijn/letter/rich-text.ts';
import type { Mark } from '../../src/wire/values.ts';
import { useService } from '../support/service.ts';

const service = await useService();

type Content = Parameters<typeof toTree>[0];
type Node = Content['paragraphs'][number]['nodes'][number];
const text = (words: string, ...marks: Mark[]): Node => ({ type: 'text', text: words, marks, key: null });
const placeholder = (key: string, typed: string | null = null): Node => ({
  type: 'placeholder',
  text: typed,
  marks: null,
  key,
});
const BREAK: Node = { type: 'lineBreak', text: null, marks: null, key: null };
const list = (kind: 'bullet' | 'number' | null, ...nodes: Node[]) => ({ nodes, list: kind });
const plain = (...nodes: Node[]) => list(null, ...nodes);

/** Returns a tree of nodes as a browser has them. */
const treeOf = (made: Tree): TreeNode =>
  typeof made === 'string'
    ? { nodeName: '#text', textContent: made, childNodes: [] }
    : { nodeName: made[0].toUpperCase(), textContent: null, childNodes: made[1].map(treeOf), dataset: made[2] ?? {} };

describe('the editor of a letter', () => {
  it('reads what it shows as the same rich text, for the letter and every passage', async () => {
    const { body } = await service.get('/api/v1/brief', { as: 'drafter-dana', headers: { 'x-role': 'drafter' } });
    const blocks: { content: Content }[] = body.brief.sections.flatMap(({ blocks }: { blocks: [] }) => blocks);
    const contents = [...blocks, ...body.availablePassages].map(({ content }) => content as Content);
    expect(contents.length).toBeGreaterThan(15);
    for (const content of contents) {
      const nodes = content.paragraphs.flatMap((one) => one.nodes);
      const filled = new Map(
        nodes.flatMap((one) => (one.type === 'placeholder' ? [[one.key, one.text] as const] : [])),
      );
      expect(fromTree(treeOf(['div', toTree(content)]), filled)).toEqual(content);
    }
  });

  it.each<[string, Content['paragraphs']]>([
    ['all marks', [plain(text('a', 'bold'), text('b', 'bold', 'italic', 'underline'), text('c'))]],
    [
      'two kinds of list',
      [list('bullet', text('a')), list('bullet', text('b')), list('number', text('c')), plain(text('d'))],
    ],
    ['line breaks, also at the end', [plain(text('a'), BREAK, BREAK, text('b'), BREAK)]],
    ['a placeholder at the end', [plain(text('a'), placeholder('naam', 'Yılmaz'))]],
    ['spaces', [plain(text('  a  b '))]],
    ['an empty paragraph and an empty item', [plain(text('a')), plain(), list('bullet'), plain(text('b'))]],
  ])('reads what it shows as the same rich text: %s', (_, paragraphs) => {
    const tree = treeOf(['div', toTree({ paragraphs })]);
    expect(fromTree(tree, new Map([['naam', 'Yılmaz']]))).toEqual({ paragraphs });
  });

  it.each<[string, Tree[], Content['paragraphs']]>([
    ['text without a paragraph', ['a', ['b', ['b']]], [plain(text('a'), text('b', 'bold'))]],
    [
      'other elements of a browser',
      [
        [
          'div',
          [
            ['strong', ['a']],
            ['em', ['b']],
            ['span', ['c']],
          ],
        ],
      ],
      [plain(text('a', 'bold'), text('b', 'italic'), text('c'))],
    ],
    ['a list in a paragraph', [['p', ['a', ['ul', [['li', ['b']]]]]]], [plain(text('a')), list('bullet', text('b'))]],
    [
      'a heading, a picture and a link',
      [
        ['h1', ['a']],
        [
          'p',
          [
            ['img', []],
            ['a', ['b']],
          ],
        ],
      ],
      [plain(text('a')), plain(text('b'))],
    ],
    ['characters that the service refuses', [['p', ['a\u202eb\tc\u0000']]], [plain(text('ab c'))]],
    ['text in a placeholder', [['p', [['span', ['typed'], { key: 'naam' }]]]], [plain(placeholder('naam'))]],
    ['nothing', [], []],
  ])('reads only what a rich text can hold: %s', (_, children, paragraphs) => {
    expect(fromTree(treeOf(['div', children]), new Map())).toEqual({ paragraphs });
  });
});

describe('an edit of a letter', () => {
  const atoms = (...paragraphs: Content['paragraphs']) => edits.atomsOf({ paragraphs });
  const two = atoms(plain(text('ab')), list('bullet', text('cd')));

  it.each<[string, readonly edits.Atom[], Content['paragraphs']]>([
    [
      'typing',
      edits.replace(two, { from: 1, to: 1 }, edits.plainAtoms('x', ['bold'], null)),
      [plain(text('a'), text('x', 'bold'), text('b')), list('bullet', text('cd'))],
    ],
    [
      'typing over a selection',
      edits.replace(two, { from: 1, to: 4 }, edits.plainAtoms('x', [], null)),
      [plain(text('axd'))],
    ],
    ['deleting the end of a paragraph', edits.replace(two, { from: 2, to: 3 }, []), [plain(text('abcd'))]],
    [
      'pasting lines',
      edits.replace(two, { from: 4, to: 4 }, edits.plainAtoms('x\r\n\r\ny', [], 'bullet')),
      [plain(text('ab')), list('bullet', text('cx')), list('bullet', text('yd'))],
    ],
    [
      'pasting what the service refuses',
      edits.replace(two, { from: 0, to: 0 }, edits.plainAtoms('x\u202e\ty', [], null)),
      [plain(text('x yab')), list('bullet', text('cd'))],
    ],
    [
      'bold',
      edits.toggleMark(two, { from: 1, to: 4 }, 'bold'),
      [plain(text('a'), text('b', 'bold')), list('bullet', text('c', 'bold'), text('d'))],
    ],
    [
      'bold twice',
      edits.toggleMark(edits.toggleMark(two, { from: 1, to: 4 }, 'bold'), { from: 1, to: 4 }, 'bold'),
      [plain(text('ab')), list('bullet', text('cd'))],
    ],
    [
      'bold on a part that is bold',
      edits.toggleMark(edits.toggleMark(two, { from: 0, to: 1 }, 'bold'), { from: 0, to: 2 }, 'bold'),
      [plain(text('ab', 'bold')), list('bullet', text('cd'))],
    ],
    [
      'marks in one order',
      edits.toggleMark(edits.toggleMark(two, { from: 0, to: 2 }, 'underline'), { from: 0, to: 2 }, 'bold'),
      [plain(text('ab', 'bold', 'underline')), list('bullet', text('cd'))],
    ],
    [
      'a list on two paragraphs',
      edits.toggleList(two, { from: 1, to: 4 }, 'bullet'),
      [list('bullet', text('ab')), list('bullet', text('cd'))],
    ],
    [
      'another kind of list',
      edits.toggleList(two, { from: 4, to: 4 }, 'number'),
      [plain(text('ab')), list('number', text('cd'))],
    ],
    ['no list', edits.toggleList(two, { from: 3, to: 5 }, 'bullet'), [plain(text('ab')), plain(text('cd'))]],
    [
      'Enter',
      edits.split(two, { from: 4, to: 4 }).atoms,
      [plain(text('ab')), list('bullet', text('c')), list('bullet', text('d'))],
    ],
    [
      'Enter in an empty item',
      edits.split(atoms(plain(text('a')), list('bullet')), { from: 2, to: 2 }).atoms,
      [plain(text('a')), plain()],
    ],
    ['Enter in an empty paragraph', edits.split(atoms(plain()), { from: 0, to: 0 }).atoms, [plain(), plain()]],
  ])('makes the right rich text: %s', (_, edited, paragraphs) => {
    expect(edits.contentOf(edited)).toEqual({ paragraphs });
  });

  const marked = atoms(plain(text('a', 'bold'), text('b')), list('number', placeholder('naam'), text('c', 'italic')));
  it.each<[string, edits.Selected, Mark[]]>([
    ['the text before it', { from: 1, to: 1 }, ['bold']],
    ['the first text of its paragraph', { from: 0, to: 0 }, ['bold']],
    ['all of the selection', { from: 0, to: 2 }, []],
    ['the text after a placeholder', { from: 4, to: 4 }, ['italic']],
    ['nothing, beside a placeholder only', { from: 3, to: 3 }, []],
    ['the texts of a selection, and not its placeholders', { from: 3, to: 5 }, ['italic']],
  ])('continues with the marks of %s', (_, selected, marks) => {
    expect(edits.marksAt(marked, selected)).toEqual(marks);
  });

  it('is in the list of its paragraph', () => {
    expect([0, 2, 3, 5].map((place) => edits.listAt(marked, place))).toEqual([null, null, 'number', 'number']);
  });
});
