import { describe, expect, it } from 'vitest';
import {
  createLetterClient,
  fillablePlaceholderOf,
  freeText,
  type LetterClient,
  placeholderOf,
  type Sections,
  sectionTextOf,
} from '../support/letter.ts';
import { useService } from '../support/service.ts';

const service = await useService();

const sectionsOf = async (letter: LetterClient): Promise<Sections> => (await letter.brief()).sections;

/** Changes the sections of a letter and saves them. Returns status, body and the faults as `pointer code`. */
async function saved(change: (sections: Sections) => unknown, letter = createLetterClient(service)) {
  const sections = await sectionsOf(letter);
  const changed = change(sections);
  const { status, body } = await letter.put('dana', Array.isArray(changed) ? changed : sections);
  const faults = (body.errors ?? []).map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
  return { status, code: body.code, faults, body };
}

const AT = '/sections/2/blocks/0';
const NODE = `${AT}/content/paragraphs/0/nodes/0`;
const freeTextOf = (...paragraphs: object[]) => ({ type: 'freeText', content: { paragraphs } });
/** Returns a change that replaces the section Besluit by one block with this node. */
const withNode = (node: unknown) => withBlock(freeTextOf({ nodes: [node] }));
const withBlock = (block: unknown) => withBlocks([block]);
const withBlocks = (blocks: unknown[]) => (sections: Sections) => {
  sections[2].blocks = blocks;
};

describe('PUT /brief', () => {
  it('stores text, marks, lists and placeholders as sent, and gives a new block an id', async () => {
    const letter = createLetterClient(service);
    const marked = [
      { type: 'text', text: 'Wij ', marks: [] },
      { type: 'text', text: 'wijzen toe', marks: ['bold', 'underline', 'italic'] },
    ];
    const block = freeTextOf(
      { nodes: [...marked, { type: 'lineBreak' }, { type: 'placeholder', key: 'naam' }] },
      { nodes: [{ type: 'text', text: 'één 🎈 <b>' }], list: 'bullet' },
      { nodes: [{ type: 'text', text: '' }], list: 'number' },
    );
    const { status, body } = await saved(withBlock(block), letter);
    expect(status).toBe(200);
    expect(body.sections[2].blocks).toEqual([
      {
        type: 'freeText',
        blockId: expect.stringMatching(/^[\w-]{36}$/),
        content: {
          paragraphs: [
            {
              nodes: [
                { type: 'text', text: 'Wij ', marks: [], key: null },
                { type: 'text', text: 'wijzen toe', marks: ['bold', 'underline', 'italic'], key: null },
                { type: 'lineBreak', text: null, marks: null, key: null },
                { type: 'placeholder', text: 'L. van Dijk', marks: null, key: 'naam' },
              ],
              list: null,
            },
            { nodes: [{ type: 'text', text: 'één 🎈 <b>', marks: [], key: null }], list: 'bullet' },
            { nodes: [{ type: 'text', text: '', marks: [], key: null }], list: 'number' },
          ],
        },
        sourcePassageId: null,
        sourceVersion: null,
        edited: null,
      },
    ]);
    expect((await letter.get('bas')).body.brief).toEqual(body);
    expect((await letter.put('dana', body.sections)).body.sections).toEqual(body.sections);
  });

  it('ignores the title and the flags that a client sends for a section that is not locked, and keeps those of the template', async () => {
    const { status, body } = await saved((sections) => {
      Object.assign(sections[2], { title: 'Uitspraak', required: false, locked: true });
      delete sections[3].title;
    });
    expect(status).toBe(200);
    expect(body.sections[2]).toMatchObject({ title: 'Besluit', required: true, locked: false });
    expect(body.sections[3]).toMatchObject({ title: 'Motivering' });
  });

  it('ignores the text that a client sends for a placeholder with an automatic value', async () => {
    const letter = createLetterClient(service);
    const { body } = await saved((sections) => {
      placeholderOf(sections, 'naam').text = 'Iemand Anders';
      placeholderOf(sections, 'uren_opgegeven').text = '9.999';
      placeholderOf(sections, 'registernummer').text = null;
    }, letter);
    expect(JSON.stringify(body)).not.toMatch(/Iemand Anders|9\.999/);
    expect(sectionTextOf(body.sections, 'motivering')).toContain('2.412 uur');
  });

  it('stores {{naam}} in typed text as it is, without replacing it by a value', async () => {
    const { status, body } = await saved((sections) => {
      fillablePlaceholderOf(sections).text = '{{naam}}{{registernummer}}';
      sections[5].blocks = [freeText('{{naam}} {naam} {{{{naam}}}}')];
    });
    expect(status).toBe(200);
    expect(fillablePlaceholderOf(body.sections).text).toBe('{{naam}}{{registernummer}}');
    expect(sectionTextOf(body.sections, 'bewijsstukken')).toBe('{{naam}} {naam} {{{{naam}}}}');
  });

  it('accepts 1,000 placeholders in one letter with 200', async () => {
    const { status, body } = await saved(
      withBlock(freeTextOf({ nodes: Array.from({ length: 1_000 }, () => ({ type: 'placeholder', key: 'naam' })) })),
    );
    expect(status).toBe(200);
    expect(sectionTextOf(body.sections, 'besluit')).toBe('L. van Dijk'.repeat(1_000));
  });
});

describe('a passage in PUT /brief', () => {
  const passage = (over: object = {}) => ({
    type: 'passage',
    sourcePassageId: 'p-besluit-buiten-behandeling',
    sourceVersion: 2,
    content: {
      paragraphs: [
        'Wij behandelen uw aanvraag niet verder. Dat heet: wij stellen uw aanvraag buiten behandeling. Wij hebben niet beoordeeld of u aan de eisen voor herregistratie voldoet.',
        'Wij nemen dit besluit op grond van artikel 4:5 van de Algemene wet bestuursrecht (Awb).',
      ].map((text) => ({ nodes: [{ type: 'text', text }] })),
    },
    ...over,
  });
  const SAME = [false, false, false];
  /** The first paragraph of the first block in a section. */
  const opening = (s: Sections, index: number) => s[index].blocks[0].content.paragraphs[0];
  const edited = async (change: (sections: Sections) => unknown) => {
    const { body } = await saved(change);
    return body.sections.flatMap(({ blocks }: Sections[number]) =>
      blocks.filter(({ type }: { type: string }) => type === 'passage').map((one: { edited: boolean }) => one.edited),
    );
  };

  it.each<[string, (s: Sections) => unknown, boolean[]]>([
    ['that is equal to the library text', () => undefined, SAME],
    ['with its placeholder filled in', (s) => Object.assign(fillablePlaceholderOf(s), { text: 'mei' }), SAME],
    [
      'with its text split over more nodes',
      (s) => {
        const { nodes } = opening(s, 2);
        nodes.splice(0, 1, { type: 'text', text: 'Wij wijzen ' }, { type: 'text', text: nodes[0].text.slice(11) });
      },
      SAME,
    ],
    ['that is added by the drafter without changes', withBlock(passage()), SAME],
    ['that is unchanged but sent with edited: true', withBlock(passage({ edited: true })), SAME],
    [
      'that is changed but sent with edited: false',
      (s) => {
        s[2].blocks[0].edited = false;
        opening(s, 2).nodes[0].text += ' ';
      },
      [true, false, false],
    ],
    ['with a word in bold', (s) => Object.assign(opening(s, 2).nodes[0], { marks: ['bold'] }), [true, false, false]],
    ['with another key', (s) => Object.assign(fillablePlaceholderOf(s), { key: 'reactiedatum' }), [false, true, false]],
    ['turned into a list', (s) => Object.assign(opening(s, 4), { list: 'bullet' }), [false, false, true]],
  ])('%s gets the value of `edited` that follows from the text in the library', async (_, change, expected) => {
    expect(await edited(change)).toEqual(expected);
  });

  it.each([
    ['that does not exist', { sourcePassageId: 'p-iets' }, 'sourcePassageId'],
    ['of another profession', { sourcePassageId: 'p-motivering-gz' }, 'sourcePassageId'],
    ['of another template', { sourcePassageId: 'p-reg-besluit-toewijzing' }, 'sourcePassageId'],
    ['of another section', { sourcePassageId: 'p-gevolgen-doorhaling', sourceVersion: 5 }, 'sourcePassageId'],
    ['without an id', { sourcePassageId: null }, 'sourcePassageId'],
    ['in a version that does not exist', { sourceVersion: 3 }, 'sourceVersion'],
    ['without a version', { sourceVersion: null }, 'sourceVersion'],
  ])('%s is refused with 400 and a pointer to the wrong member', async (_, over, member) => {
    const { status, faults } = await saved(withBlock(passage(over)));
    expect([status, faults.map((fault: string) => fault.split(' ')[0])]).toEqual([400, [`${AT}/${member}`]]);
  });
});

describe('rich text in PUT /brief', () => {
  it.each([
    ['an unknown node', { type: 'script', text: 'x' }, ['type ongeldige-waarde']],
    ['a node without a type', { text: 'x' }, ['type ongeldige-waarde']],
    ['text without text', { type: 'text' }, ['text ontbreekt']],
    ['text with a key', { type: 'text', text: 'x', key: 'naam' }, ['key hoort-niet-hier']],
    ['an unknown mark', { type: 'text', text: 'x', marks: ['bold', 'blink'] }, ['marks/1 ongeldige-waarde']],
    ['a repeated mark', { type: 'text', text: 'x', marks: ['bold', 'bold'] }, ['marks/1 dubbel']],
    ['a mark in capitals', { type: 'text', text: 'x', marks: ['Bold'] }, ['marks/0 ongeldige-waarde']],
    ['a placeholder without a key', { type: 'placeholder', text: 'x' }, ['key ontbreekt']],
    ['a placeholder with marks', { type: 'placeholder', key: 'naam', marks: ['bold'] }, ['marks hoort-niet-hier']],
    ['a key of 65 characters', { type: 'placeholder', key: 'x'.repeat(65) }, ['key buiten-bereik']],
    [
      'a line break with text, key and marks',
      { type: 'lineBreak', text: 'x', key: 'y', marks: ['bold'] },
      ['text hoort-niet-hier', 'key hoort-niet-hier', 'marks hoort-niet-hier'],
    ],
    ['a NUL', { type: 'text', text: 'a\0b' }, ['text ongeldig-teken']],
    ['a line feed', { type: 'text', text: 'a\nb' }, ['text ongeldig-teken']],
    ['an unpaired surrogate', { type: 'text', text: '\ud800' }, ['text ongeldig-teken']],
    ['a character that changes the reading direction', { type: 'text', text: 'a\u202eb' }, ['text ongeldig-teken']],
    ['a NUL in a placeholder', { type: 'placeholder', key: 'zienswijze', text: '\0' }, ['text ongeldig-teken']],
    ['a NUL in a key', { type: 'placeholder', key: 'a\0' }, ['key ongeldig-teken']],
  ])('with %s is refused with 400 ongeldig-verzoek', async (_, node, expected) => {
    const { status, code, faults } = await saved(withNode(node));
    const pointed = expected.map((fault) => `${NODE}/${fault}`);
    expect([status, code, faults]).toEqual([400, 'ongeldig-verzoek', pointed]);
  });

  it.each([
    ['an unknown list', freeTextOf({ nodes: [], list: 'dash' }), ['content/paragraphs/0/list ongeldige-waarde']],
    ['an unknown block', { type: 'image' }, ['type ongeldige-waarde']],
    ['a block without a type', {}, ['type ongeldige-waarde']],
    [
      'free text with a source',
      { ...freeText('x'), sourcePassageId: 'p', sourceVersion: 1 },
      ['sourcePassageId hoort-niet-hier', 'sourceVersion hoort-niet-hier'],
    ],
    ['a block with an id that is not allowed', { ...freeText('x'), blockId: '<b>' }, ['blockId ongeldige-waarde']],
    ['a block with the id of another block', { ...freeText('x'), blockId: '2-1' }, ['blockId dubbel']],
    ['an unknown member', { ...freeText('x'), html: '<b>' }, ['html onbekend-veld']],
    ['number', freeTextOf({ nodes: [{ type: 'text', text: 1 }] }), ['content/paragraphs/0/nodes/0/text verkeerd-type']],
  ])('with %s is refused with 400', async (_, block, expected) => {
    const { status, faults } = await saved(withBlock(block));
    expect([status, faults]).toEqual([400, expected.map((fault) => `${AT}/${fault}`)]);
  });

  it('gets all faults in one answer: at most 100 in `errors`, and `detail` says when there are more', async () => {
    const many = await saved(withBlock(freeTextOf({ nodes: Array.from({ length: 900 }, () => ({ type: 'x' })) })));
    expect(many.faults).toHaveLength(100);
    expect(many.body.detail).toContain('meer dan 100');
    const two = await saved((sections) => {
      sections[2].blocks = [{ type: 'x' }];
      sections[3].blocks = [{ type: 'y' }];
    });
    expect(two.faults).toEqual([2, 3].map((n) => `/sections/${n}/blocks/0/type ongeldige-waarde`));
  });

  it('of 18,000 numbers instead of nodes is refused with 400 and the first 100 of them', async () => {
    const paragraphs = Array.from({ length: 18 }, () => ({ nodes: Array(1_000).fill(1) }));
    const { status, body, faults } = await saved(withBlock({ type: 'freeText', content: { paragraphs } }));
    expect(status).toBe(400);
    expect(body.detail).toBe('Er zijn meer dan 100 fouten in de inhoud; hier staan de eerste 100.');
    expect(faults).toEqual(
      Array.from({ length: 100 }, (_, n) => `${AT}/content/paragraphs/0/nodes/${n} verkeerd-type`),
    );
  });

  it('of 10,000 blocks is refused with 413 above 256 KiB and with 400 below it; 180 blocks are accepted', async () => {
    const flood = Array.from({ length: 10_000 }, () => freeText('x'));
    expect((await saved(withBlocks(flood))).status).toBe(413);
    const short = (n: number) => Array.from({ length: n }, () => ({}));
    expect((await saved(withBlocks(short(10_000)))).status).toBe(400);
    const spread = await saved((sections) => {
      for (const section of sections) section.blocks = short(1_000);
    });
    expect(spread).toMatchObject({ status: 400, faults: ['/sections buiten-bereik'] });
    const empty = Array.from({ length: 60 }, () => ({ type: 'freeText', content: { paragraphs: short(100) } }));
    expect(await saved(withBlocks(empty))).toMatchObject({ status: 400, faults: ['/sections buiten-bereik'] });
    expect(await saved(withBlocks(Array.from({ length: 180 }, () => freeText('x'))))).toMatchObject({ status: 200 });
  });

  it('with 1,800 texts that each have all marks is accepted', async () => {
    const nodes = Array(900).fill({ type: 'text', text: 'x', marks: ['bold', 'italic', 'underline'] });
    const blocks = [1, 2].map(() => ({ type: 'freeText', content: { paragraphs: [{ nodes, list: null }] } }));
    expect((await saved(withBlocks(blocks))).status).toBe(200);
  });

  it('with 125,000 wrong marks is refused with 400', async () => {
    const nodes = Array.from({ length: 125 }, () => ({ marks: Array(1_000).fill(1) }));
    expect((await saved(withBlock({ content: { paragraphs: [{ nodes }] } }))).status).toBe(400);
  });

  it('without a list of sections is refused with 400', async () => {
    const letter = createLetterClient(service);
    for (const sections of [null, undefined, 'x', {}]) expect((await letter.put('dana', sections)).status).toBe(400);
  });
});

describe('a PUT /brief', () => {
  it.each<[string, (s: Sections) => unknown, string[]]>([
    [
      'an extra space in a locked section',
      (s) => {
        s[6].blocks[0].content.paragraphs[0].nodes[0].text += ' ';
      },
      ['/sections/6'],
    ],
    [
      'a bold word in a locked section',
      (s) => Object.assign(s[6].blocks[0].content.paragraphs[1].nodes[0], { marks: ['bold'] }),
      ['/sections/6'],
    ],
    ['an extra block in a locked section', (s) => void s[6].blocks.push(freeText('x')), ['/sections/6']],
    ['an extra empty block in a locked section', (s) => void s[6].blocks.push({ type: 'freeText' }), ['/sections/6']],
    ['a locked section without text', (s) => Object.assign(s[6], { blocks: [] }), ['/sections/6']],
    [
      'another placeholder in a locked section',
      (s) => {
        placeholderOf(s, 'naam').key = 'beroep';
      },
      ['/sections/0'],
    ],
    [
      'two changed locked sections',
      (s) => {
        s[0].blocks = [];
        s[7].blocks = [];
      },
      ['/sections/0', '/sections/7'],
    ],
    ['another title for a locked section', (s) => Object.assign(s[0], { title: 'Adres' }), ['/sections/0']],
    ['a locked section without its title', (s) => void delete s[0].title, ['/sections/0']],
    ['a locked section marked as optional', (s) => Object.assign(s[0], { required: false }), ['/sections/0']],
    ['a locked section marked as not locked', (s) => Object.assign(s[0], { locked: false }), ['/sections/0']],
    ['another block id in a locked one', (s) => Object.assign(s[0].blocks[0], { blockId: 'other' }), ['/sections/0']],
    ['a locked block without its id', (s) => Object.assign(s[0].blocks[0], { blockId: null }), ['/sections/0']],
    ['a locked block marked as edited', (s) => Object.assign(s[0].blocks[0], { edited: true }), ['/sections/0']],
    ['a missing section', (s) => s.filter((_, n) => n !== 5), ['/sections']],
    ['an extra section', (s) => [...s, { sectionKey: 'ps', blocks: [] }], ['/sections/8/sectionKey']],
    ['a section without a key', (s) => [...s, { blocks: [] }], ['/sections/8/sectionKey']],
    ['a repeated section', (s) => [...s, { ...s[5], blocks: [] }], ['/sections/8/sectionKey']],
    ['two sections in another order', (s) => [s[0], s[1], s[3], s[2], ...s.slice(4)], ['/sections/2/sectionKey']],
    ['no sections', () => [], Array(8).fill('/sections')],
  ])('with %s is refused with 409 sectie-vergrendeld', async (_, change, expected) => {
    const { status, code, faults } = await saved(change);
    expect([status, code]).toEqual([409, 'sectie-vergrendeld']);
    expect(faults).toEqual(expected.map((pointer) => `${pointer} sectie-vergrendeld`));
  });

  it('is accepted with 200 when it only splits the text of a locked section over more nodes', async () => {
    const { status } = await saved((sections) => {
      const [, { nodes }] = sections[6].blocks[0].content.paragraphs;
      const { text } = nodes[0];
      nodes.splice(0, 1, { type: 'text', text: text.slice(0, 4) }, { type: 'text', text: text.slice(4) });
      delete sections[6].blocks[0].edited;
      placeholderOf(sections, 'registernummer').text = '90000011130';
    });
    expect(status).toBe(200);
  });
});
