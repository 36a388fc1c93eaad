import { rule } from '../domain/rule.ts';
import type { Passage, PlaceholderUse } from '../ports/brieven.ts';
import type { Brief, BriefBlock, BriefSection } from '../ports/store/brief-store.ts';
import { chooseFrom, type FieldFault, type Sentence, wrongBody } from '../problem.ts';
import { MAX_FAULTS } from '../wire/primitives.ts';
import {
  hasAllowedCharacters,
  MAX_KEY_LENGTH,
  type Paragraph,
  type RichText,
  type RichTextNode,
  wording,
} from '../wire/rich-text.ts';
import { BLOCK_TYPES, isOneOf, LISTS, MARKS, type Mark, NODE_TYPES } from '../wire/values.ts';
import { usesOf } from './placeholders.ts';
import { outlineOf } from './rules.ts';
import type {
  LetterBlockDto,
  ParagraphDto,
  RichTextBlockDto,
  RichTextNodeDto,
  SentSection,
  SentSections,
} from './schema.ts';

interface SaveContext {
  readonly brief: Brief;
  /** All versions of the standard texts (passages) that this letter may use. */
  readonly passages: readonly Passage[];
  readonly newId: () => string;
}

const MAX_BLOCKS = 200;
const MAX_PARAGRAPHS_AND_NODES = 2_000;

/**
 * Returns the sections of a PUT /brief in the form in which they are stored. Throws 400 `ongeldig-verzoek` when the
 * letter is too large or its content has faults (domain.md 4.8). Titles and flags come from the stored letter, not from
 * the client.
 */
export function readSections(sent: SentSections, context: SaveContext): BriefSection[] {
  const faults: FieldFault[] = [];
  let count = 0;
  const report: ReportFault = (pointer, code, said) => {
    count += 1;
    if (count <= MAX_FAULTS) faults.push({ pointer, code, ...said });
  };
  const sections = sent ?? [];
  if (sent === null)
    report('/sections', 'ontbreekt', {
      detail: 'Stuur alle delen van de brief.',
      english: 'Send all sections of the letter.',
    });
  const tooMuch = checkSize(sections);
  if (tooMuch !== null) {
    report('/sections', 'buiten-bereik', tooMuch);
    throw wrongBody(faults, count);
  }
  const readBlock = createBlockReader(context, report);
  const checked = sections.map((section, index): BriefSection => {
    const { sectionKey, title, required, locked } = storedSectionOf(context.brief, section);
    const blocks = (section.blocks ?? []).map((block, n) =>
      readBlock(block, sectionKey, `/sections/${index}/blocks/${n}`),
    );
    return { sectionKey, title, required, locked, blocks };
  });
  if (count > 0) throw wrongBody(faults, count);
  return checked;
}

function checkSize(sections: readonly SentSection[]): Sentence | null {
  const blocks = sections.flatMap((section) => section.blocks ?? []);
  if (blocks.length > MAX_BLOCKS) {
    return {
      detail: `Een brief heeft ten hoogste ${MAX_BLOCKS} blokken; dit zijn er ${blocks.length}.`,
      english: `A letter has at most ${MAX_BLOCKS} blocks; these are ${blocks.length}.`,
    };
  }
  const paragraphs = blocks.flatMap(({ content }) => content?.paragraphs ?? []);
  const count = paragraphs.reduce((sum, { nodes }) => sum + (nodes ?? []).length, paragraphs.length);
  return count > MAX_PARAGRAPHS_AND_NODES
    ? {
        detail: 'Een brief heeft ten hoogste 2.000 alinea’s en stukken tekst.',
        english: 'A letter has at most 2000 paragraphs and nodes.',
      }
    : null;
}

const storedSectionOf = ({ sections }: Brief, { sectionKey }: SentSection): Omit<BriefSection, 'blocks'> =>
  sections.find((one) => one.sectionKey === sectionKey) ?? {
    sectionKey: sectionKey ?? '',
    title: '',
    required: false,
    locked: false,
  };

const BLOCK_ID = /^[\w.-]{1,64}$/;

function createBlockReader(context: SaveContext, report: ReportFault) {
  const { brief, newId } = context;
  const use = usesOf(brief);
  const usedIds = new Set<string>();

  function idOf({ blockId }: LetterBlockDto, pointer: string): string {
    const id = blockId ?? newId();
    if (!BLOCK_ID.test(id)) {
      report(`${pointer}/blockId`, 'ongeldige-waarde', {
        detail: 'Gebruik 1 tot 64 letters, cijfers, punten, streepjes, of laat leeg.',
        english: 'Use 1 to 64 letters, digits, dots and hyphens, or null.',
      });
    } else if (usedIds.has(id))
      report(`${pointer}/blockId`, 'dubbel', {
        detail: 'Een ander blok heet al zo.',
        english: 'Another block has this id.',
      });
    usedIds.add(id);
    return id;
  }

  return (block: LetterBlockDto, sectionKey: string, pointer: string): BriefBlock => {
    const blockId = idOf(block, pointer);
    const content = readRichText(block.content, `${pointer}/content`, { use, report });
    if (block.type === 'passage') {
      return {
        type: 'passage',
        blockId,
        content,
        ...readSource(block, { content, sectionKey, pointer }, context, report),
      };
    }
    if (block.type !== 'freeText') {
      choose(`${pointer}/type`, BLOCK_TYPES, report);
    }
    for (const member of ['sourcePassageId', 'sourceVersion'] as const) {
      if (block.type === 'freeText' && block[member] !== null) {
        report(`${pointer}/${member}`, 'hoort-niet-hier', {
          detail: 'Vrije tekst komt niet uit de bibliotheek.',
          english: 'freeText has no passage: send null.',
        });
      }
    }
    return { type: 'freeText', blockId, content };
  };
}

// From which passage the block was copied, and whether its text was changed since.
function readSource(
  { sourcePassageId, sourceVersion }: LetterBlockDto,
  {
    content,
    sectionKey,
    pointer,
  }: { readonly content: RichText; readonly sectionKey: string; readonly pointer: string },
  { brief, passages }: SaveContext,
  report: ReportFault,
) {
  const versions = passages.filter(({ passageId }) => passageId === sourcePassageId);
  const source = versions.find(({ version }) => version === sourceVersion);
  const section = brief.sections.find((one) => one.sectionKey === sectionKey);
  // A passage that the library has withdrawn stays valid in a letter that already contains it.
  const stored = section?.blocks
    .filter((block) => block.type === 'passage')
    .find((block) => block.sourcePassageId === sourcePassageId && block.sourceVersion === sourceVersion);
  const original = source ?? stored;
  if (original === undefined && versions.length === 0) {
    report(`${pointer}/sourcePassageId`, 'ongeldige-waarde', {
      detail: 'De bibliotheek heeft voor deze brief geen passage met dit id.',
      english: 'The library has no passage with this id for this letter.',
    });
  } else if (original === undefined) {
    report(`${pointer}/sourceVersion`, 'ongeldige-waarde', {
      detail: 'De passage heeft deze versie niet.',
      english: 'The passage has no such version.',
    });
  } else if (source !== undefined && section !== undefined && source.sectionKey !== sectionKey) {
    report(`${pointer}/sourcePassageId`, 'hoort-niet-hier', {
      detail: `Deze passage hoort in het deel ${source.sectionKey}.`,
      english: `This passage belongs in the section ${source.sectionKey}.`,
    });
  }
  const isOriginal =
    original !== undefined &&
    !('edited' in original && original.edited) &&
    wording(content) === wording(original.content);
  return {
    sourcePassageId: sourcePassageId ?? '',
    sourceVersion: sourceVersion ?? 0,
    label: original?.label ?? sourcePassageId ?? '',
    edited: !isOriginal,
    besluit: original?.besluit ?? null,
    uitkomsten: original?.uitkomsten ?? null,
    uren: original?.uren ?? null,
    uhd: original?.uhd ?? null,
    reactie: original?.reactie ?? null,
    feit: original?.feit ?? null,
  };
}

// `pointer` is a JSON Pointer into the request body.
type ReportFault = (pointer: string, code: FieldFault['code'], said: Sentence) => void;

const choose = (pointer: string, values: readonly string[], report: ReportFault): void =>
  report(pointer, 'ongeldige-waarde', chooseFrom(values));

function checkText(text: string, pointer: string, report: ReportFault): void {
  if (hasAllowedCharacters(text)) return;
  report(pointer, 'ongeldig-teken', {
    detail: 'Hier staat een stuurteken of een half teken. Een nieuwe regel is een lineBreak.',
    english: 'It has a control character or half a character. A new line is a lineBreak.',
  });
}

interface RichTextContext {
  readonly use: (key: string) => PlaceholderUse;
  readonly report: ReportFault;
}

// Not to be used when there are faults. The text of a placeholder that the server fills in is ignored (domain.md
// 4.8).
function readRichText(sent: RichTextBlockDto | null, pointer: string, context: RichTextContext): RichText {
  const paragraphs = sent?.paragraphs ?? [];
  return { paragraphs: paragraphs.map((one, index) => readParagraph(one, `${pointer}/paragraphs/${index}`, context)) };
}

function readParagraph({ nodes, list }: ParagraphDto, pointer: string, context: RichTextContext): Paragraph {
  const { report } = context;
  if (list !== null && !isOneOf(LISTS, list)) {
    const values = LISTS.join(', ');
    report(`${pointer}/list`, 'ongeldige-waarde', {
      detail: `Kies uit ${values}, of laat leeg.`,
      english: `Choose from ${values}, or null.`,
    });
  }
  return {
    nodes: (nodes ?? []).map((node, index) => readNode(node, `${pointer}/nodes/${index}`, context)),
    list: isOneOf(LISTS, list) ? list : null,
  };
}

function readNode(node: RichTextNodeDto, pointer: string, { use, report }: RichTextContext): RichTextNode {
  const { type, key } = node;
  const text = type === 'placeholder' && use(key ?? '') === 'auto' ? null : node.text;
  const without = (member: 'text' | 'key') => {
    if (node[member] !== null)
      report(`${pointer}/${member}`, 'hoort-niet-hier', {
        detail: `Een ${type} heeft geen ${member}.`,
        english: `A ${type} has no ${member}.`,
      });
  };
  if (text !== null) checkText(text, `${pointer}/text`, report);
  switch (type) {
    case 'text':
      without('key');
      if (text === null)
        report(`${pointer}/text`, 'ontbreekt', { detail: 'Een text heeft tekst.', english: 'A text has text.' });
      return { type, text: text ?? '', marks: readMarks(node.marks, `${pointer}/marks`, report) };
    case 'placeholder':
      withoutMarks(node, pointer, report);
      checkKey(key, `${pointer}/key`, report);
      return { type, key: key ?? '', text };
    case 'lineBreak':
      without('text');
      without('key');
      withoutMarks(node, pointer, report);
      return { type };
    default:
      choose(`${pointer}/type`, NODE_TYPES, report);
      return { type: 'lineBreak' };
  }
}

function withoutMarks({ type, marks }: RichTextNodeDto, pointer: string, report: ReportFault): void {
  if (marks !== null && marks.length > 0) {
    report(`${pointer}/marks`, 'hoort-niet-hier', {
      detail: `Een ${type} heeft geen opmaak.`,
      english: `A ${type} has no marks.`,
    });
  }
}

function checkKey(key: string | null, pointer: string, report: ReportFault): void {
  if (key === null || key === '')
    report(pointer, 'ontbreekt', { detail: 'Een placeholder heeft een sleutel.', english: 'A placeholder has a key.' });
  else if (key.length > MAX_KEY_LENGTH)
    report(pointer, 'buiten-bereik', {
      detail: `Een sleutel heeft ten hoogste ${MAX_KEY_LENGTH} tekens.`,
      english: `A key has at most ${MAX_KEY_LENGTH} characters.`,
    });
  else checkText(key, pointer, report);
}

function readMarks(sent: readonly string[] | null, pointer: string, report: ReportFault): Mark[] {
  const marks: Mark[] = [];
  for (const [index, mark] of (sent ?? []).entries()) {
    if (!isOneOf(MARKS, mark)) choose(`${pointer}/${index}`, MARKS, report);
    else if (marks.includes(mark))
      report(`${pointer}/${index}`, 'dubbel', {
        detail: 'Deze opmaak staat er al.',
        english: 'This mark is in the list already.',
      });
    else marks.push(mark);
  }
  return marks;
}

// `sent` is what the client sent, `sections` the same after parsing, `template` the stored letter.
interface TemplateFacts {
  readonly sent: SentSections;
  readonly sections: readonly BriefSection[];
  readonly template: readonly BriefSection[];
}

/**
 * Returns a fault for each forbidden difference from the stored letter (domain.md 4.8): other sections, another order, or
 * a changed locked section. The same text divided into other nodes (pieces of text) is not a difference.
 */
export const checkTemplate = rule(
  'domain.md 4.8',
  function checkTemplate({ sent: asked, sections, template }: TemplateFacts): FieldFault[] {
    const fault = (pointer: string, said: Sentence): FieldFault => ({ pointer, code: 'sectie-vergrendeld', ...said });
    const keys = template.map(({ sectionKey }) => sectionKey);
    const sent = sections.map(({ sectionKey }) => sectionKey);
    const faults = [
      ...sent.flatMap((key, index) => {
        const at = `/sections/${index}/sectionKey`;
        const isRepeated = sent.indexOf(key) < index;
        if (!keys.includes(key))
          return [
            fault(at, { detail: 'Dit deel heeft het sjabloon niet.', english: 'The template has no such section.' }),
          ];
        return isRepeated
          ? [fault(at, { detail: 'Dit deel staat er twee keer.', english: 'This section is in the list twice.' })]
          : [];
      }),
      ...keys
        .filter((key) => !sent.includes(key))
        .map((key) =>
          fault('/sections', { detail: `Het deel ${key} ontbreekt.`, english: `The section ${key} is missing.` }),
        ),
    ];
    const displaced = faults.length === 0 ? sent.findIndex((key, index) => key !== keys[index]) : -1;
    if (displaced >= 0)
      faults.push(
        fault(`/sections/${displaced}/sectionKey`, {
          detail: 'De delen staan in een andere volgorde.',
          english: 'The sections are in another order.',
        }),
      );
    return [
      ...faults,
      ...sections.flatMap((section, index) => {
        const original = template.find(({ sectionKey }) => sectionKey === section.sectionKey);
        const isSame =
          original !== undefined &&
          lockedText(original) === lockedText(section) &&
          lockedMembers(original) === lockedMembers(asked?.[index]);
        return original?.locked && !isSame
          ? [
              fault(`/sections/${index}`, {
                detail: `Het deel ${section.sectionKey} ligt vast: stuur het terug zoals het was.`,
                english: `The section ${section.sectionKey} is locked: send it back as it was.`,
              }),
            ]
          : [];
      }),
    ];
  },
  { facts: ({ sections, template }) => ({ sent: outlineOf(sections), template: outlineOf(template) }) },
);

const lockedMembers = (section: SentSection | BriefSection | undefined): string =>
  JSON.stringify([
    section?.title ?? null,
    section?.required ?? null,
    section?.locked ?? null,
    section?.blocks?.map((block: LetterBlockDto | BriefBlock) => [
      block.blockId,
      'sourcePassageId' in block ? block.sourcePassageId : null,
      'sourceVersion' in block ? block.sourceVersion : null,
      'edited' in block ? block.edited : null,
    ]) ?? null,
  ]);

const lockedText = ({ blocks }: BriefSection): string =>
  JSON.stringify(blocks.map(({ type, content }) => [type, wording(content)]));
