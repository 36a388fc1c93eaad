import { describe, expect, it } from 'vitest';
import { besluitOf, checkBesluit, checkGrounds, checkUhd, lastDayOf, verzoekOf } from '../../src/brief/besluit.ts';
import {
  AANVULLING,
  datesOfSending,
  type Placeholders,
  reactieTotOf,
  VOORNEMEN,
} from '../../src/brief/placeholders.ts';
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
import type { FieldFault } from '../../src/problem.ts';
import { longDate } from '../../src/wire/dates.ts';
import type { RichText, RichTextNode } from '../../src/wire/rich-text.ts';

const text = (words: string): RichTextNode => ({ type: 'text', text: words, marks: [] });
const blank = (key: string, typed: string | null = null): RichTextNode => ({ type: 'placeholder', key, text: typed });
const BREAK: RichTextNode = { type: 'lineBreak' };
const rich = (...nodes: RichTextNode[]): RichText => ({ paragraphs: [{ nodes, list: null }] });
const free = (...nodes: RichTextNode[]): BriefBlock => ({ type: 'freeText', blockId: 'b', content: rich(...nodes) });
const SOURCE = { type: 'passage', sourceVersion: 1, edited: false } as const;
const section = (blocks: readonly BriefBlock[], over: Partial<BriefSection> = {}): BriefSection => ({
  sectionKey: 'kern',
  title: 'Kern',
  required: false,
  locked: false,
  blocks,
  ...over,
});
/** The server has these values; the drafter fills in the keys of `TYPED`, and all other keys are unknown. */
const VALUES = new Map([
  ['auto', '42'],
  ['datum_brief', '1 juni 2026'],
  ['lines', 'Rue 1\nParis'],
  ['nothing', ''],
  ['empty', null],
]);
const TYPED = ['typed', 'reactiedatum', 'datum_gesprek', 'einddatum_', 'uren_meegeteld', 'periode_beoordeeld'];
const placeholders: Placeholders = {
  use: (key) => (TYPED.includes(key) ? 'fillable' : VALUES.has(key) ? 'auto' : 'vervallen'),
  value: (key) => VALUES.get(key) ?? null,
};
const def = { label: '', autoResolvable: true, fillable: false, deprecated: false };
const factsOf = (sections: readonly BriefSection[]) => ({
  brief: { sections, placeholders: [{ ...def, key: 'auto' }] },
  placeholders,
});
const short = (faults: readonly FieldFault[]) => faults.map(({ code, pointer }) => `${code} ${pointer}`);
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
    ['with a required section of no blocks', [section([], { required: true })], ['sectie-onvolledig /sections/0'], []],
    ['with an optional section without blocks', [section([])], [], []],
    [
      'whose second required section is blank',
      [section([free(text('a'))], { required: true }), section([free(text(' '))], { required: true })],
      ['sectie-onvolledig /sections/1'],
      [],
    ],
    ['with a required section of one text', [section([free(text(' ')), free(text('a'))], { required: true })], [], []],
    [
      'with an empty placeholder in the second block',
      [section([free(text('a')), free(BREAK, blank('typed'))])],
      ['plaatshouder-open /sections/0/blocks/1/content/paragraphs/0/nodes/1'],
      ['plaatshouder-open /sections/0/blocks/1/content/paragraphs/0/nodes/1'],
    ],
    ['with a placeholder that the drafter filled in', [section([free(blank('typed', 'x'))])], [], []],
    ['with a placeholder that the drafter filled with a space', [section([free(blank('typed', ' '))])], [OPEN], [OPEN]],
    ['with an automatic placeholder that has a value', [section([free(blank('auto'))])], [], []],
    ['with an automatic placeholder that says nothing in this letter', [section([free(blank('nothing'))])], [], []],
    ['with an automatic placeholder without value, and a text', [section([free(blank('empty', 'x'))])], [OPEN], [OPEN]],
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
      section([free(blank('typed'), blank('empty'), blank('old'), blank('strange'))]),
    ];
    const labelled = ['Typed', 'Empty', 'Old'].map((label) => ({ ...def, key: label.toLowerCase(), label }));
    const facts = { brief: { sections, placeholders: labelled }, placeholders };
    expect(checkComplete(facts).map(({ detail }) => detail)).toEqual([
      '“Aanhef” heeft nog geen tekst.',
      '“Typed” heeft nog geen tekst.',
      'Het register en de BRP hebben geen waarde voor “Empty”.',
      '“Old” bestaat niet meer.',
      'Deze plaatshouder bestaat niet.',
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

  const fault = (code: FieldFault['code']): FieldFault => ({ pointer: '/x', code, detail: `${code}!`, english: '' });
  it.each<[FieldFault['code'][], string, string]>([
    [['plaatshouder-open'], 'plaatshouder-open', 'plaatshouder-open!'],
    [['plaatshouder-vervallen', 'sectie-onvolledig'], 'sectie-onvolledig', 'sectie-onvolledig! En nog 1 punt.'],
    [
      ['besluit-tegenstrijdig', 'plaatshouder-vervallen', 'besluit-ongegrond'],
      'plaatshouder-vervallen',
      'plaatshouder-vervallen! En nog 2 punten.',
    ],
    [['besluit-tegenstrijdig'], 'besluit-tegenstrijdig', 'besluit-tegenstrijdig!'],
  ])('with the faults %j is refused with %s', (codes, code, detail) => {
    const [first = fault('ongeldige-waarde'), ...others] = codes.map(fault);
    const problem = briefConflict([first, ...others]);
    expect(problem).toMatchObject({ code, status: 409, detail });
    expect(problem.extras.errors).toHaveLength(codes.length);
  });

  it('with a fault of an unexpected code throws an error', () => {
    expect(() => briefConflict([fault('ongeldige-waarde')])).toThrow('no problem for ongeldige-waarde');
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
    ['has the blocks in their order', [free(text('a')), free(BREAK, text('b'))], [[text('a')], [BREAK, text('b')]]],
    ['has no section without text', [free(text(' ')), free(blank('typed'))], null],
    ['has a value of several lines on several lines', [free(blank('lines'))], [[text('Rue 1'), BREAK, text('Paris')]]],
    [
      'has no line of which nothing is left, and keeps a line that has a date of sending',
      [free(text('a'), BREAK, blank('nothing'), BREAK, blank('datum_brief', ''))],
      [[text('a'), BREAK, blank('datum_brief', '')]],
    ],
    ...['reactiedatum', 'datum_gesprek'].map((key): [string, BriefBlock[], RichTextNode[][]] => [
      `has the date of ${key} in words, and a text that is no date as it was typed`,
      [free(blank(key, '2026-06-01'), blank(key, 'binnenkort'), blank(key))],
      [[text('1 juni 2026'), text('binnenkort'), text('')]],
    ]),
    [
      'has counted hours with a full stop, and none that are no number',
      [free(blank('uren_meegeteld', '1950'), blank('uren_meegeteld', '1.950'), blank('uren_meegeteld', 'veel'))],
      [[text('1.950'), text('1.950'), text('veel')]],
    ],
    [
      'has the dates of a judged period in words',
      [
        free(
          ...['1-6-2021 t/m 2026-05-31', '1 juni 2021 tot 31-5-2026'].map((one) => blank('periode_beoordeeld', one)),
        ),
      ],
      [[text('1 juni 2021 tot en met 31 mei 2026'), text('1 juni 2021 tot 31 mei 2026')]],
    ],
    ...['typed', 'einddatum_'].map((key): [string, BriefBlock[], RichTextNode[][]] => [
      `has a date in ${key} as it was typed`,
      [free(blank(key, '2026-06-01'))],
      [[text('2026-06-01')]],
    ]),
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
    ...SOURCE,
    sourcePassageId: `p-${uitkomst}`,
    // A letter from before names were stored has none.
    ...(uitkomst === 'toewijzen' && { label: 'Toewijzing' }),
    besluit: uitkomst && { uitkomst, reden: 'uit de passage' },
  });
  const emptied: BriefBlock = { ...passage('toewijzen'), content: free(text(' ')).content };
  const old: BriefBlock = { ...free(text('a')), ...SOURCE, sourcePassageId: 'old' };
  const fits = (uitkomsten: ZaakBesluit['uitkomst'][] | null): BriefBlock => ({ ...old, uitkomsten });
  const letter = (blocks: readonly BriefBlock[], sectionKey = 'besluit') => ({
    sections: [section([]), section(blocks, { sectionKey })],
  });
  const TODAY = '2026-06-01';
  const CHOOSE = ['Kies een tekst met een besluit: toewijzen, afwijzen of buiten behandeling.'];
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
    ['an empty only section', { sections: [section([], { sectionKey: 'besluit' })] }, null, ['/sections/0'], CHOOSE],
    ['the same decision twice', letter([passage('toewijzen'), passage('toewijzen')]), null, [], []],
    ['the decision of the case', letter([passage('afwijzen')]), decision('afwijzen'), [], []],
    ['a grant of today, no reason', letter([passage('toewijzen')]), decision('toewijzen', { reden: null }), [], []],
    [
      'the decision of the case, on a later day',
      letter([passage('toewijzen')]),
      decision('toewijzen', { datum: '2026-05-31' }),
      ['/sections/1/blocks/0'],
      [
        '“Toewijzing” is een besluit: toewijzen; op de aanvraag is op 31 mei 2026 al besloten. Een tweede besluit kan niet.',
      ],
    ],
    [
      'the outcome of the case, with another reason',
      letter([passage('afwijzen')]),
      decision('afwijzen', { reden: 'Anders.' }),
      ['/sections/1/blocks/0'],
      ['“p-afwijzen” is een besluit: afwijzen; op de aanvraag is vandaag al besloten met een andere reden: Anders.'],
    ],
    [
      'the outcome of the case, with a reason that the case does not have',
      letter([passage('afwijzen')]),
      decision('afwijzen', { reden: null }),
      ['/sections/1/blocks/0'],
      ['“p-afwijzen” is een besluit: afwijzen; op de aanvraag is vandaag al besloten zonder reden.'],
    ],
    [
      'two decisions',
      letter([passage('toewijzen'), passage(null), passage('afwijzen')]),
      decision('toewijzen'),
      ['/sections/1/blocks/0', '/sections/1/blocks/2'],
      [
        '“Toewijzing” is een besluit: toewijzen; een brief heeft één besluit.',
        '“p-afwijzen” is een besluit: afwijzen; een brief heeft één besluit.',
      ],
    ],
    [
      'passages that do not fit the decision',
      letter([passage('afwijzen'), fits(['toewijzen']), fits(['afwijzen', 'toewijzen']), fits(null), old]),
      null,
      ['/sections/1/blocks/1'],
      ['“old” past niet bij een afwijzing. Vervang of verwijder die tekst.'],
    ],
    [
      'another decision than the case',
      letter([passage('toewijzen')]),
      decision('afwijzen'),
      ['/sections/1/blocks/0'],
      ['“Toewijzing” is een besluit: toewijzen; op de aanvraag is al anders besloten: afwijzen.'],
    ],
  ])('with %s has its faults', (_, brief, decided, pointers, details) => {
    const faults = checkBesluit({ brief, decided, today: TODAY });
    expect(faults.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(faults.map(({ detail }) => detail)).toEqual(details);
    for (const { code, detail, english } of faults) {
      expect(code).toBe('besluit-tegenstrijdig');
      expect(english.includes('another reason: Anders.')).toBe(detail.includes('andere reden: Anders.'));
      expect(english.includes('without a reason.')).toBe(detail.includes('zonder reden.'));
    }
  });

  it.each<[string, BriefBlock[], ReturnType<typeof besluitOf> | undefined]>([
    ['is absent without a passage', [free(reason('x'))], null],
    ['has the reason of its passage', [passage('afwijzen', text('a'))], REFUSES],
    [
      'has the reason that was typed',
      [passage('afwijzen', text('a'), reason(null), reason(' '), reason(' x '))],
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
    const found = checkUhd({ brief: letter([block]), registratie, today: TODAY, passages: [] });
    expect(found.map(({ pointer, code }) => [pointer, code])).toEqual(
      faults === 0 ? [] : [['/sections/1/blocks/0', 'besluit-tegenstrijdig']],
    );
    for (const { detail, english } of found) {
      expect(detail).toContain(uhd === 'loopt' ? '31 mei 2026, is voorbij.' : '1 juni 2026, is nog niet voorbij.');
      expect(english).toContain(uhd === 'loopt' ? '2026-05-31, has passed.' : '2026-06-01, has not passed.');
    }
    expect(checkUhd.shown.facts?.({ brief: letter([block]), registratie, today: TODAY, passages: [] })).toEqual({
      uhd: date,
      today: TODAY,
      used: uhd ? [{ passageId: 'old', uhd }] : [],
    });
    expect(lastDayOf(letter([block]), registratie)).toBe(lastDay);
    expect(lastDayOf(letter([block]), null)).toBeNull();
    expect(checkUhd({ brief: letter([withoutText]), registratie, today: TODAY, passages: [] })).toEqual([]);
    expect(checkUhd({ brief: letter([block]), registratie: null, today: TODAY, passages: [] })).toEqual([]);
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

it.each([
  ['2026-06-02', '2026-06-16'],
  ['2026-06-05', '2026-06-19'],
  ['2026-06-06', '2026-06-22'],
  ['2026-06-07', '2026-06-22'],
  ['2026-12-11', '2026-12-28'],
  ['2027-04-21', '2027-05-07'],
  ['2027-03-12', '2027-03-30'],
  ['2027-04-23', '2027-05-07'],
])('a reaction to an intended refusal of %s is in time until the workday %s', (day, until) => {
  expect(reactieTotOf(day)).toBe(until);
  expect(datesOfSending(day).zienswijze_tot).toBe(longDate(until));
});

describe('what a letter says that happened', () => {
  const TODAY = '2026-06-15';
  const plain = { ...free(text('a')), ...SOURCE, sourcePassageId: 'p' };
  const passage = (over: Partial<Extract<BriefBlock, { type: 'passage' }>>): BriefBlock => ({ ...plain, ...over });
  const decides = (uitkomst: ZaakBesluit['uitkomst']) => passage({ besluit: { uitkomst, reden: null } });
  const [GRANT, REFUSE, UNCONSIDERED] = [decides('toewijzen'), decides('afwijzen'), decides('buiten-behandeling')];
  const NOT_ASKED = passage({ reactie: 'niet-nodig' });
  const [NO_REACTION, REACTED] = [passage({ reactie: 'geen' }), passage({ reactie: 'gegeven' })];
  const SENT_ON = { verzondenOp: '2026-06-02', waarover: '' };
  const sent = (templateId: string, reactieTot: string) => ({ ...SENT_ON, templateId, reactieTot });
  const ASKED = sent(AANVULLING, '2026-06-14');
  const ANNOUNCED = sent(VOORNEMEN, '2026-06-14');
  const typed = { ...def, autoResolvable: false, fillable: true };
  const defs = [
    ...['datum_brief', 'datum_verzoek', 'datum_voornemen', 'reactie_voornemen'].map((key) => ({ ...def, key })),
    ...[...TYPED, 'reden_afwijzing'].map((key) => ({ ...typed, key })),
  ];
  const grounds = (
    blocks: readonly BriefBlock[],
    eerder: readonly (typeof ASKED)[],
    today = TODAY,
    urenOpgegeven: number | null = null,
    feiten: readonly string[] | null = [],
  ) => ({
    brief: { sections: [section([]), section(blocks), section([], { sectionKey: 'motivering' })], placeholders: defs },
    opdracht: { datumAanvraag: '2026-05-05', eerder, beroep: 'verpleegkundige' as const, urenOpgegeven, feiten },
    today,
    passages: [],
  });
  /** Returns the index of each faulty block, with what is said of it. */
  const faultsOf = (...facts: Parameters<typeof grounds>) =>
    checkGrounds(grounds(...facts)).map(({ code, pointer, detail }) => {
      expect(code).toBe('besluit-ongegrond');
      return `${pointer.replace('/sections/1/blocks/', '')}: ${detail}`;
    });
  const NOT_SENT = (templateId: string) =>
    `Er is over deze aanvraag geen brief verzonden met ${templateId === AANVULLING ? 'de vraag om aanvulling' : 'het voornemen om af te wijzen'}. Verzend die eerst, of kies een andere tekst.`;
  const TERM_RUNS = 'De aanvrager kan op de brief van 2 juni 2026 nog reageren tot en met 14 juni 2026.';
  const LATE =
    'Buiten behandeling stellen kon tot en met 14 juli 2026: vier weken na de termijn (Awb 4:5). Beoordeel de aanvraag.';
  const LATE_AFTER_SUNDAY = LATE.replace('14 juli', '13 juli');

  it.each<[string, (typeof ASKED)[], string, string[]]>([
    ['without a letter that asked to complete it', [], TODAY, [NOT_SENT(AANVULLING)]],
    ['after an announced refusal only', [ANNOUNCED], TODAY, [NOT_SENT(AANVULLING)]],
    ['on the last day of the term to complete it', [ASKED], '2026-06-14', [TERM_RUNS]],
    ['on the day after that term', [ASKED], '2026-06-15', []],
    ['in the term of the last of two', [sent(AANVULLING, '2026-05-20'), ASKED], '2026-06-14', [TERM_RUNS]],
    ['after the term of the last of two', [sent(AANVULLING, '2026-07-01'), ASKED, ANNOUNCED], TODAY, []],
    ['four weeks after the term', [sent(AANVULLING, '2026-06-16')], '2026-07-14', []],
    ['four weeks and a day after the term', [sent(AANVULLING, '2026-06-16')], '2026-07-15', [LATE]],
    ['on the workday after four weeks that end on a Sunday', [sent(AANVULLING, '2026-06-14')], '2026-07-13', []],
    ['a day later than that workday', [sent(AANVULLING, '2026-06-14')], '2026-07-14', [LATE_AFTER_SUNDAY]],
  ])('does not consider a request %s only when Awb 4:5 allows it', (_, eerder, today, expected) => {
    const blocks = [free(text('a')), UNCONSIDERED, free(blank('datum_verzoek'))];
    expect(faultsOf(blocks, eerder, today)).toEqual(expected.map((one) => `1: ${one}`));
    for (const block of [GRANT, free(text('a'))]) expect(faultsOf([block], eerder, today)).toEqual([]);
  });

  const WAS_ASKED = 'De aanvrager is op 2 juni 2026 om een reactie gevraagd. Kies de tekst over die reactie.';
  const TWO = 'De brief spreekt zichzelf tegen over de reactie van de aanvrager. Kies één tekst daarover.';
  const CHOOSE =
    'Kies de tekst waarom de aanvrager niet om een reactie is gevraagd, of verzend eerst het voornemen om af te wijzen (Awb 4:7).';
  it.each<[string, BriefBlock[], (typeof ASKED)[], string, string[]]>([
    ['a refusal that says nothing of it', [REFUSE, passage({})], [], TODAY, [`/sections/2: ${CHOOSE}`]],
    ['an announced refusal without it', [REFUSE, passage({})], [ANNOUNCED], TODAY, [`/sections/2: ${WAS_ASKED}`]],
    ['a refusal that says why it was not asked', [REFUSE, NOT_ASKED], [ASKED], TODAY, []],
    ['a refusal that says why it was not, announced', [REFUSE, NOT_ASKED], [ANNOUNCED], TODAY, [`1: ${WAS_ASKED}`]],
    ['no reaction, not announced', [REFUSE, NO_REACTION], [ASKED], TODAY, [`1: ${NOT_SENT(VOORNEMEN)}`]],
    ['a reaction, not announced', [REFUSE, REACTED], [], TODAY, [`1: ${NOT_SENT(VOORNEMEN)}`]],
    ['no reaction on the last day', [REFUSE, NO_REACTION], [ANNOUNCED], '2026-06-14', [`1: ${TERM_RUNS}`]],
    ['no reaction on the day after the term', [REFUSE, NO_REACTION], [ANNOUNCED], TODAY, []],
    ['a reaction within the term', [REFUSE, REACTED], [ANNOUNCED], '2026-06-03', []],
    ['a reaction and none', [REFUSE, NO_REACTION, REACTED], [ANNOUNCED], TODAY, [`1: ${TWO}`, `2: ${TWO}`]],
    ['a reaction in two passages', [REFUSE, REACTED, REACTED], [ANNOUNCED], TODAY, []],
    ['a grant, which needs none', [GRANT], [], TODAY, []],
    ['a grant after a reaction', [GRANT, REACTED], [ANNOUNCED], TODAY, []],
    ['a grant after a reaction, not announced', [GRANT, REACTED], [], TODAY, [`1: ${NOT_SENT(VOORNEMEN)}`]],
    ['no decision', [free(text('a'))], [], TODAY, []],
  ])('about the reaction to an intended refusal is right (Awb 4:7): %s', (_, blocks, eerder, today, expected) => {
    expect(faultsOf(blocks, eerder, today)).toEqual(expected);
  });

  it.each<[string, (typeof ASKED)[], string | null]>([
    ['datum_verzoek', [ASKED], null],
    ['datum_verzoek', [ANNOUNCED], AANVULLING],
    ['datum_voornemen', [ANNOUNCED], null],
    ['datum_voornemen', [ASKED], VOORNEMEN],
    ['reactie_voornemen', [], VOORNEMEN],
    ['datum_brief', [], null],
    ['unknown', [], null],
  ])('in the placeholder %s of an earlier letter needs that letter, also during its term', (key, eerder, missing) => {
    const expected = missing === null ? [] : [`0/content/paragraphs/0/nodes/1: ${NOT_SENT(missing)}`];
    expect(faultsOf([free(text('a'), blank(key, 'x'))], eerder, '2026-06-03')).toEqual(expected);
  });

  const NO_DATE = 'Dit is geen datum. Schrijf de datum zo: 1 juni 2026.';
  const [PAST, COMING, PERIOD] = [
    'Kies een datum van 5 mei 2026 tot en met 15 juni 2026.',
    'Kies een datum van 16 juni 2026 tot en met 15 december 2026.',
    'De beoordeelde periode ligt in de vijf jaar vóór de aanvraag, zoals 5 mei 2021 tot en met 4 mei 2026.',
  ];
  const NO_NUMBER = 'Dit is geen aantal. Schrijf alleen cijfers: 1.200.';
  const ENOUGH = 'Met zoveel uren is de norm van 2.080 uur gehaald, en de brief zegt van niet.';
  it.each<[string, string | null, string | null]>([
    ['datum_gesprek', '4 mei 2026', PAST],
    ['datum_gesprek', '5 mei 2026', null],
    ['datum_gesprek', '2026-06-15', null],
    ['datum_gesprek', '15-6-2026', null],
    ['datum_gesprek', '16/06/2026', PAST],
    ['datum_gesprek', '31-6-2026', NO_DATE],
    ['datum_gesprek', ' ', null],
    ['datum_gesprek', null, null],
    ['reactiedatum', '15 juni 2026', COMING],
    ['reactiedatum', '16 juni 2026', null],
    ['reactiedatum', '15 december 2026', null],
    ['reactiedatum', '16 december 2026', COMING],
    ['reactiedatum', 'binnenkort', NO_DATE],
    ['periode_beoordeeld', '5 mei 2021 tot en met 4 mei 2026', null],
    ['periode_beoordeeld', '2021 tot en met 2026', null],
    ['periode_beoordeeld', '2020 tot en met 2025', PERIOD],
    ['periode_beoordeeld', '2022 tot en met 2027', PERIOD],
    ['uren_meegeteld', '2.079', null],
    ['uren_meegeteld', '2.080', ENOUGH],
    ['uren_meegeteld', ' 2500 ', ENOUGH],
    ['uren_meegeteld', '0', null],
    ['uren_meegeteld', 'veel', NO_NUMBER],
    ['uren_meegeteld', '1.20', NO_NUMBER],
    ['uren_meegeteld', '1.200 uur', NO_NUMBER],
    ['reden_afwijzing', 'u werkte in 1999', null],
    ['einddatum_', 'binnenkort', null],
    ['datum_oud', 'binnenkort', null],
    ['datum_brief', 'binnenkort', null],
  ])('in the placeholder %s is possible on 15 June 2026 about a request of 5 May: %j', (key, text, expected) => {
    expect(faultsOf([GRANT, free(blank(key, text))], [])).toEqual(
      expected === null ? [] : [`1/content/paragraphs/0/nodes/0: ${expected}`],
    );
  });

  it.each<[string, number | null, 'genoeg' | 'te-weinig' | null, string | null]>([
    ['enough', 2_080, 'genoeg', null],
    ['enough', 2_079, 'genoeg', '2.079'],
    ['too few', 2_079, 'te-weinig', null],
    ['too few', 2_080, 'te-weinig', '2.080'],
    ['nothing', 2_079, null, null],
    ['enough', null, 'genoeg', null],
  ])('in a passage that says "%s" is right with %s declared hours', (_, declared, uren, expected) => {
    expect(faultsOf([passage({ uren })], [], TODAY, declared)).toEqual(
      expected === null
        ? []
        : [
            `0: “p” klopt niet: de aanvrager heeft ${expected} uur opgegeven, en de norm is 2.080 uur. Kies een andere tekst.`,
          ],
    );
  });

  it.each<[string, string | null, string[] | null, boolean]>([
    ['is true', 'geschorst', ['geschorst', 'x'], true],
    ['is not true', 'geschorst', ['x'], false],
    ['the register does not say', 'geschorst', null, true],
    ['is not needed', null, [], true],
  ])('in a passage with a fact that %s is right: %s of %j', (_, feit, feiten, isRight) => {
    const wrong = '0: “p” klopt niet voor deze aanvrager. Vervang of verwijder die tekst.';
    expect(faultsOf([passage({ feit })], [], TODAY, null, feiten)).toEqual(isRight ? [] : [wrong]);
  });

  it.each([
    ['1.500', []],
    ['1.501', ['De aanvrager heeft 1.500 uur opgegeven. Meer uren kunnen niet meetellen.']],
  ])('counts at most the declared hours: %s of 1.500', (counted, expected) => {
    const found = faultsOf([free(blank('uren_meegeteld', counted))], [], TODAY, 1_500);
    expect(found.map((one) => one.replace(/^\S+ /, ''))).toEqual(expected);
  });

  it('is shown in the journal with the earlier letters, and without its text', () => {
    const expected = { eerder: [ASKED], feiten: [], today: TODAY, used: ['p'] };
    expect(checkGrounds.shown.facts?.(grounds([REFUSE, free(text('a'))], [ASKED]))).toEqual(expected);
  });
});

it.each<[string, string, Record<string, string | null>, [string | null, string] | null]>([
  ['announces a refusal with its reason', VOORNEMEN, { reden_afwijzing: ' te weinig uren ' }, [null, 'te weinig uren']],
  ['announces a refusal without one', VOORNEMEN, { reactiedatum: '1 juli 2026' }, [null, '']],
  [
    'asks for evidence until a date',
    AANVULLING,
    { reactiedatum: '1 juli 2026', ontbrekende_bewijsstukken: 'uw diploma' },
    ['2026-07-01', 'uw diploma'],
  ],
  ['asks for evidence that it does not name', AANVULLING, { reactiedatum: '2026-07-01' }, ['2026-07-01', '']],
  ['asks nothing without a date', AANVULLING, { reactiedatum: null }, null],
  ['asks nothing with another template', 'herregistratie-besluit', { reactiedatum: '1 juli 2026' }, null],
])('a letter without a decision %s', (_, templateId, typed, expected) => {
  const nodes = Object.entries(typed).map(([key, value]) => blank(key, value));
  const verzoek = verzoekOf({ templateId, sections: [section([]), section([free(...nodes)])] });
  expect(verzoek).toEqual(expected && { templateId, reactieTot: expected[0], waarover: expected[1] });
});
