import { describe, expect, it } from 'vitest';
import { besluitOf, checkBesluit, checkUhd, lastDayOf } from '../../src/brief/besluit.ts';
import type { Placeholders } from '../../src/brief/placeholders.ts';
import {
  briefConflict,
  checkComplete,
  checkResolved,
  dateSections,
  freeze,
  hasVisibleContent,
  isBlank,
} from '../../src/brief/rules.ts';
import type { ZaakBesluit } from '../../src/ports/brieven.ts';
import type { BriefBlock, BriefSection } from '../../src/ports/store/brief-store.ts';
import type { FieldFault, Problem } from '../../src/problem.ts';
import type { RichText, RichTextNode } from '../../src/wire/rich-text.ts';

const text = (words: string): RichTextNode => ({ type: 'text', text: words, marks: [] });
const blank = (key: string, typed: string | null = null): RichTextNode => ({ type: 'placeholder', key, text: typed });
const BREAK: RichTextNode = { type: 'lineBreak' };
const rich = (...nodes: RichTextNode[]): RichText => ({ paragraphs: [{ nodes, list: null }] });
const free = (...nodes: RichTextNode[]): BriefBlock => ({ type: 'freeText', blockId: 'b', content: rich(...nodes) });
const section = (blocks: readonly BriefBlock[], over: Partial<BriefSection> = {}): BriefSection => ({
  sectionKey: 'kern',
  title: 'Kern',
  required: false,
  locked: false,
  blocks,
  ...over,
});
/** `auto` and `empty` are filled by the server, `typed` by the drafter; all other keys are unknown. */
const placeholders: Placeholders = {
  use: (key) => (key === 'typed' ? 'fillable' : ['auto', 'empty', 'datum_brief'].includes(key) ? 'auto' : 'vervallen'),
  value: (key) => (key === 'auto' ? '42' : key === 'datum_brief' ? '1 juni 2026' : null),
};
const def = { label: '', autoResolvable: true, fillable: false, deprecated: false };
const factsOf = (sections: readonly BriefSection[]) => ({
  brief: { sections, placeholders: [{ ...def, key: 'auto' }] },
  placeholders,
});
const short = (faults: readonly FieldFault[]) => faults.map(({ code, pointer }) => `${code} ${pointer}`);
const caught = (run: () => unknown): Problem | null => {
  try {
    run();
    return null;
  } catch (error) {
    return error as Problem;
  }
};

/** The fault of the first node of a letter, when it is an empty placeholder. */
const OPEN = 'plaatshouder-open /sections/0/blocks/0/content/paragraphs/0/nodes/0';

describe('a text', () => {
  it.each([
    ['null', null, true],
    ['the empty text', '', true],
    ['spaces and line ends', ' \t\r\n\u00a0', true],
    ['invisible characters', '\u200b\u00ad\u2066\u3164', true],
    ['one letter', 'a', false],
    ['a letter after an invisible character', '\u200ba', false],
  ])('is blank when it has only invisible characters: %s', (_, words, expected) => {
    expect(isBlank(words)).toBe(expected);
  });

  it.each([
    ['without paragraphs', { paragraphs: [] }, false],
    ['with a line break only', rich(BREAK), false],
    ['with a blank text', rich(text(' ')), false],
    ['with a blank and a visible text', rich(text(' '), text('a')), true],
    ['with an empty placeholder', rich(blank('typed')), true],
  ])('%s has visible content only when it has a placeholder or a visible text', (_, content, expected) => {
    expect(hasVisibleContent(content)).toBe(expected);
  });
});

describe('a letter', () => {
  it.each<[string, BriefSection[], string[], string[]]>([
    ['without sections', [], [], []],
    [
      'with a required section without blocks',
      [section([], { required: true })],
      ['sectie-onvolledig /sections/0'],
      [],
    ],
    ['with an optional section without blocks', [section([])], [], []],
    [
      'whose second required section is blank',
      [section([free(text('a'))], { required: true }), section([free(text(' '))], { required: true })],
      ['sectie-onvolledig /sections/1'],
      [],
    ],
    [
      'with a required section of which one block has a text',
      [section([free(text(' ')), free(text('a'))], { required: true })],
      [],
      [],
    ],
    [
      'with an empty placeholder in the second block',
      [section([free(text('a')), free(BREAK, blank('typed'))])],
      ['plaatshouder-open /sections/0/blocks/1/content/paragraphs/0/nodes/1'],
      ['plaatshouder-open /sections/0/blocks/1/content/paragraphs/0/nodes/1'],
    ],
    ['with a placeholder that the drafter filled in', [section([free(blank('typed', 'x'))])], [], []],
    ['with a placeholder that the drafter filled with a space', [section([free(blank('typed', ' '))])], [OPEN], [OPEN]],
    ['with an automatic placeholder that has a value', [section([free(blank('auto'))])], [], []],
    [
      'with an automatic placeholder without a value, whatever was typed',
      [section([free(blank('empty', 'x'))])],
      [OPEN],
      [OPEN],
    ],
    [
      'with an unknown placeholder',
      [section([free(blank('old', 'x'))])],
      ['plaatshouder-vervallen /sections/0/blocks/0/content/paragraphs/0/nodes/0'],
      [],
    ],
  ])('%s has its faults at a submit, and fewer at an approval', (_, sections, complete, resolved) => {
    const facts = factsOf(sections);
    expect(short(checkComplete(facts))).toEqual(complete);
    expect(short(checkResolved(facts))).toEqual(resolved);
  });

  it('has a Dutch sentence for each fault', () => {
    const sections = [
      section([], { required: true, title: 'Aanhef' }),
      section([free(blank('typed'), blank('empty'), blank('old'))]),
    ];
    expect(checkComplete(factsOf(sections)).map(({ detail }) => detail)).toEqual([
      '“Aanhef” heeft nog geen tekst.',
      'Vul deze plaatshouder in.',
      'Het register en de BRP hebben hier geen waarde voor.',
      'Deze plaatshouder bestaat niet of niet meer.',
    ]);
  });

  it('is shown in the journal without its text', () => {
    const facts = factsOf([section([free(text('geheim'))], { required: true })]);
    for (const { shown } of [checkComplete, checkResolved])
      expect(shown.facts?.(facts)).toEqual({
        sections: [{ sectionKey: 'kern', required: true, locked: false, blocks: 1 }],
        placeholders: [{ key: 'auto', use: 'auto', value: '42' }],
      });
  });

  const fault = (code: FieldFault['code']): FieldFault => ({ pointer: '/x', code, detail: '', english: '' });
  it.each<[FieldFault['code'][], string, string]>([
    [['plaatshouder-open'], 'plaatshouder-open', 'Een plaatshouder heeft nog geen waarde.'],
    [
      ['plaatshouder-vervallen', 'sectie-onvolledig'],
      'sectie-onvolledig',
      'Een verplicht deel heeft nog geen tekst. Er zijn 2 punten.',
    ],
    [
      ['besluit-tegenstrijdig', 'plaatshouder-vervallen'],
      'plaatshouder-vervallen',
      'Een plaatshouder bestaat niet of niet meer. Er zijn 2 punten.',
    ],
    [['besluit-tegenstrijdig'], 'besluit-tegenstrijdig', 'Het besluit in de brief klopt niet.'],
  ])('with the faults %j is refused with %s', (codes, code, detail) => {
    const [first = fault('ongeldige-waarde'), ...others] = codes.map(fault);
    const problem = briefConflict([first, ...others]);
    expect(problem).toMatchObject({ code, status: 409, detail });
    expect(problem.extras.errors).toHaveLength(codes.length);
  });

  it('with a fault of an unexpected code throws an error', () => {
    expect(caught(() => briefConflict([fault('ongeldige-waarde')]))?.message).toBe('no problem for ongeldige-waarde');
  });
});

describe('an approved letter', () => {
  const frozen = (...blocks: BriefBlock[]) => freeze({ sections: [section(blocks)] }, placeholders);

  it.each<[string, BriefBlock[], RichTextNode[][] | null]>([
    ['has the value of an automatic placeholder', [free(blank('auto', 'x'))], [[text('42')]]],
    ['has the text that the drafter typed', [free(text('a'), blank('typed', 'b'))], [[text('a'), text('b')]]],
    ['has an empty text for what has no value', [free(text('a'), blank('empty', 'x'))], [[text('a'), text('')]]],
    ['keeps a placeholder of the date of sending', [free(blank('datum_brief'))], [[blank('datum_brief')]]],
    ['has no paragraph without nodes', [free(), free(text('a'))], [[text('a')]]],
    [
      'has the blocks of a section in order',
      [free(text('a')), free(BREAK, text('b'))],
      [[text('a')], [BREAK, text('b')]],
    ],
    ['has no section without text', [free(text(' ')), free(blank('typed'))], null],
  ])('%s', (_, blocks, paragraphs) => {
    expect(frozen(...blocks)).toEqual(
      paragraphs === null
        ? []
        : [
            {
              sectionKey: 'kern',
              title: 'Kern',
              content: { paragraphs: paragraphs.map((nodes) => ({ nodes, list: null })) },
            },
          ],
    );
  });

  it('is sent with the date of sending, and an empty text for a date that is unknown', () => {
    const sections = [{ sectionKey: 'k', title: 'K', content: rich(text('a'), blank('datum_brief'), blank('x')) }];
    expect(dateSections(sections, { datum_brief: '2 juni 2026' })).toEqual([
      { sectionKey: 'k', title: 'K', content: rich(text('a'), text('2 juni 2026'), text('')) },
    ]);
  });
});

describe('the decision of a letter', () => {
  const passage = (uitkomst: 'toewijzen' | 'afwijzen' | null, ...nodes: RichTextNode[]): BriefBlock => ({
    ...free(text('Een vaste tekst.'), ...nodes),
    type: 'passage',
    sourcePassageId: `p-${uitkomst}`,
    sourceVersion: 1,
    edited: false,
    besluit: uitkomst && { uitkomst, reden: 'uit de passage' },
  });
  const emptied: BriefBlock = { ...passage('toewijzen'), content: free(text(' ')).content };
  const source = { type: 'passage', sourceVersion: 1, edited: false } as const;
  const old: BriefBlock = { ...free(text('a')), ...source, sourcePassageId: 'old' };
  const letter = (blocks: readonly BriefBlock[], sectionKey = 'besluit') => ({
    sections: [section([]), section(blocks, { sectionKey })],
  });
  const TODAY = '2026-06-01';
  const CHOOSE = ['Kies een passage met een besluit: toewijzen, afwijzen of buiten behandeling.'];
  const [GRANTS, REFUSES] = (['toewijzen', 'afwijzen'] as const).map((uitkomst) => ({
    uitkomst,
    reden: 'uit de passage',
  }));
  const decision = (uitkomst: ZaakBesluit['uitkomst'], over: Partial<ZaakBesluit> = {}): ZaakBesluit => ({
    uitkomst,
    reden: 'uit de passage',
    datum: TODAY,
    ...over,
  });
  const reason = (typed: string | null) => blank('reden_afwijzing', typed);

  it.each<[string, ReturnType<typeof letter>, ZaakBesluit | null, string[], string[]]>([
    ['no section for it', letter([], 'kern'), null, [], []],
    [
      'no section for it, about a decided case',
      letter([], 'kern'),
      decision('toewijzen', { datum: '2026-05-31' }),
      ['/sections'],
      ['Op de aanvraag is op 31 mei 2026 al besloten: toewijzen. Een brief zonder besluit kan niet meer.'],
    ],
    ['no passage', letter([free(text('a'))]), null, ['/sections/1'], CHOOSE],
    ['passages without a decision', letter([passage(null), old]), null, ['/sections/1'], CHOOSE],
    ['one decision', letter([passage('toewijzen')]), null, [], []],
    ['one decision, and a passage whose text was removed', letter([emptied, passage('afwijzen')]), null, [], []],
    [
      'no passage in its only section',
      { sections: [section([], { sectionKey: 'besluit' })] },
      null,
      ['/sections/0'],
      CHOOSE,
    ],
    ['the same decision twice', letter([passage('toewijzen'), passage('toewijzen')]), null, [], []],
    ['the decision of the case', letter([passage('afwijzen')]), decision('afwijzen'), [], []],
    [
      'a grant of this day, whatever its reason',
      letter([passage('toewijzen')]),
      decision('toewijzen', { reden: null }),
      [],
      [],
    ],
    [
      'the decision of the case, on a later day',
      letter([passage('toewijzen')]),
      decision('toewijzen', { datum: '2026-05-31' }),
      ['/sections/1/blocks/0'],
      [
        'Passage p-toewijzen besluit toewijzen; op de aanvraag is op 31 mei 2026 al besloten. Een tweede besluit kan niet.',
      ],
    ],
    [
      'the outcome of the case, with another reason',
      letter([passage('afwijzen')]),
      decision('afwijzen', { reden: 'Anders.' }),
      ['/sections/1/blocks/0'],
      ['Passage p-afwijzen besluit afwijzen; op de aanvraag is vandaag al besloten met een andere reden: Anders.'],
    ],
    [
      'the outcome of the case, with a reason that the case does not have',
      letter([passage('afwijzen')]),
      decision('afwijzen', { reden: null }),
      ['/sections/1/blocks/0'],
      ['Passage p-afwijzen besluit afwijzen; op de aanvraag is vandaag al besloten zonder reden.'],
    ],
    [
      'two decisions',
      letter([passage('toewijzen'), passage(null), passage('afwijzen')]),
      decision('toewijzen'),
      ['/sections/1/blocks/0', '/sections/1/blocks/2'],
      ['Passage p-toewijzen besluit toewijzen.', 'Passage p-afwijzen besluit afwijzen.'],
    ],
    [
      'another decision than the case',
      letter([passage('toewijzen')]),
      decision('afwijzen'),
      ['/sections/1/blocks/0'],
      ['Passage p-toewijzen besluit toewijzen; op de aanvraag is al anders besloten: afwijzen.'],
    ],
  ])('with %s has its faults', (_, brief, decided, pointers, details) => {
    const faults = checkBesluit({ brief, decided, today: TODAY });
    expect(faults.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(faults.map(({ detail }) => detail)).toEqual(details);
    for (const { code } of faults) expect(code).toBe('besluit-tegenstrijdig');
  });

  it.each<[string, BriefBlock[], ReturnType<typeof besluitOf> | undefined]>([
    ['is absent without a passage', [free(reason('x'))], null],
    ['has the reason of its passage', [passage('afwijzen', text('a'))], REFUSES],
    [
      'has the reason that was typed',
      [passage('afwijzen', text('a'), reason(null), reason(' x '))],
      { uitkomst: 'afwijzen', reden: 'x' },
    ],
    ['does not take a reason from another placeholder', [passage('afwijzen', blank('typed', 'x'))], REFUSES],
    ['does not take a reason of spaces, or none', [passage('afwijzen', reason(' '), reason(null))], REFUSES],
    ['takes a typed reason only when it refuses', [passage('toewijzen', reason('x'))], GRANTS],
    ['is not that of a passage whose text was removed', [emptied], null],
    ['is that of the first passage', [passage('toewijzen'), passage('afwijzen')], GRANTS],
  ])('%s', (_, blocks, expected) => {
    expect(besluitOf(letter(blocks))).toEqual(expected);
  });

  it.each<[string, BriefBlock['type'], 'loopt' | 'voorbij' | null | undefined, string | null, number, string | null]>([
    ['free text', 'freeText', undefined, '2026-05-31', 0, null],
    ['a passage from before passages had a condition', 'passage', undefined, '2026-05-31', 0, null],
    ['a passage that is always right', 'passage', null, '2026-05-31', 0, null],
    ['a text until the date, on that day', 'passage', 'loopt', TODAY, 0, TODAY],
    ['a text until the date, the day after', 'passage', 'loopt', '2026-05-31', 1, '2026-05-31'],
    ['a text for after the date, on that day', 'passage', 'voorbij', TODAY, 1, null],
    ['a text for after the date, the day after', 'passage', 'voorbij', '2026-05-31', 0, null],
    ['a text until the date, when there is no date', 'passage', 'loopt', null, 0, null],
  ])('may have %s only when it is right today', (_, type, uhd, date, faults, lastDay) => {
    const block = type === 'passage' ? { ...old, ...(uhd !== undefined && { uhd }) } : free(text('a'));
    const withoutText = { ...block, content: free().content };
    const registratie = { uhd: date, specialistTot: null };
    const found = checkUhd({ brief: letter([block]), registratie, today: TODAY });
    expect(found.map(({ pointer, code }) => [pointer, code])).toEqual(
      faults === 0 ? [] : [['/sections/1/blocks/0', 'besluit-tegenstrijdig']],
    );
    expect(lastDayOf(letter([block]), registratie)).toBe(lastDay);
    expect(checkUhd({ brief: letter([withoutText]), registratie, today: TODAY })).toEqual([]);
    expect(checkUhd({ brief: letter([block]), registratie: null, today: TODAY })).toEqual([]);
  });

  it('is shown in the journal without its reason', () => {
    const brief = letter([passage('afwijzen')]);
    expect(checkBesluit.shown.facts?.({ brief, decided: decision('afwijzen'), today: TODAY })).toEqual({
      decided: { uitkomst: 'afwijzen', datum: TODAY },
      today: TODAY,
      used: [{ passageId: 'p-afwijzen', uitkomst: 'afwijzen' }],
    });
  });
});
