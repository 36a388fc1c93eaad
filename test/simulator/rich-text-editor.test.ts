import { describe, expect, it } from 'vitest';
import { contentOf, documentOf, schema, sliceOf } from '../../simulator/ui/mijn/letter/editor-document.ts';
import type { Mark } from '../../src/wire/values.ts';
import { useService } from '../support/service.ts';

const service = await useService();

type Content = Parameters<typeof documentOf>[0];
type Node = Content['paragraphs'][number]['nodes'][number];
const text = (words: string, ...marks: Mark[]): Node => ({ type: 'text', text: words, marks, key: null });
const naam: Node = { type: 'placeholder', text: 'Yılmaz', marks: null, key: 'naam' };
const BREAK: Node = { type: 'lineBreak', text: null, marks: null, key: null };
const list = (kind: 'bullet' | 'number' | null, ...nodes: Node[]) => ({ nodes, list: kind });
const plain = (...nodes: Node[]) => list(null, ...nodes);

describe('a document of the editor of a letter', () => {
  it('has the same rich text, for the letter and every passage', async () => {
    const { body } = await service.get('/api/v1/brief', { as: 'drafter-dana', headers: { 'x-role': 'drafter' } });
    const blocks: { content: Content }[] = body.brief.sections.flatMap(({ blocks }: { blocks: [] }) => blocks);
    const contents = [...blocks, ...body.availablePassages].map(({ content }) => content as Content);
    expect(contents.length).toBeGreaterThan(15);
    for (const content of contents) {
      const nodes = content.paragraphs.flatMap((one) => one.nodes);
      const filled = nodes.flatMap((one) => (one.type === 'placeholder' ? [[one.key, one.text] as const] : []));
      expect(contentOf(documentOf(content), new Map(filled))).toEqual(content);
    }
  });

  it.each<[string, Content['paragraphs'], Content['paragraphs']?]>([
    ['all marks', [plain(text('a', 'bold'), text('b', 'bold', 'italic', 'underline'), text('c'))]],
    ['lists', [list('bullet', text('a')), list('bullet', text('b')), list('number', text('c')), plain(text('d'))]],
    ['line breaks, also at the end', [plain(text('a'), BREAK, BREAK, text('b'), BREAK)]],
    ['a placeholder at the end', [plain(text('a'), naam)]],
    ['spaces', [plain(text('  a  b '))]],
    ['marks in another order', [plain(text('a', 'underline', 'bold'))], [plain(text('a', 'bold', 'underline'))]],
    ['texts with the same marks', [plain(text('a'), text('b'))], [plain(text('ab'))]],
    ['an empty paragraph and an empty item', [plain(text('a')), plain(), list('bullet')], [plain(text('a'))]],
    ['characters that are refused', [plain(text('a\u202eb\tc\u0000'), text('\u0000', 'bold'))], [plain(text('ab c'))]],
    ['nothing', []],
  ])('has what a rich text can hold: %s', (_, paragraphs, expected = paragraphs) => {
    const document = documentOf({ paragraphs });
    document.check();
    expect(contentOf(document, new Map([['naam', 'Yılmaz']]))).toEqual({ paragraphs: expected });
  });

  it.each<[string, string, Content['paragraphs']]>([
    ['lines', 'x\r\n\r\ny\n', [list('bullet', text('x', 'bold')), list('bullet', text('y', 'bold'))]],
    ['characters that the service refuses', 'x\u202e\ty', [list('bullet', text('x y', 'bold'))]],
    ['nothing', '\n', []],
  ])('takes plain text with the marks and the list of its place: %s', (_, pasted, paragraphs) => {
    const { content } = sliceOf(pasted, [schema.mark('bold')], 'bullet');
    const doc = schema.node('doc', null, content.size > 0 ? content : documentOf({ paragraphs: [] }).content);
    expect(contentOf(doc, new Map())).toEqual({ paragraphs });
  });
});
