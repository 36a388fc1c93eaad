import type { PlaceholderUse } from '../ports/brieven.ts';
import {
  hasAllowedCharacters,
  MAX_KEY_LENGTH,
  type Paragraph,
  type RichText,
  type RichTextNode,
} from '../wire/rich-text.ts';
import { isOneOf, LISTS, MARKS, type Mark, NODE_TYPES } from '../wire/values.ts';
import type { ParagraphDto, RichTextBlockDto, RichTextNodeDto } from './schema.ts';

/** A function that reports one fault: its place (JSON Pointer into the request body), a code, and a Dutch sentence. */
export type ReportFault = (pointer: string, code: string, detail: string) => void;

function checkText(text: string, pointer: string, report: ReportFault): void {
  if (hasAllowedCharacters(text)) return;
  report(pointer, 'ongeldig-teken', 'Hier staat een stuurteken of een half teken. Een nieuwe regel is een lineBreak.');
}

/** What the check of a rich text needs. */
export interface RichTextContext {
  /** Returns how this letter may use the placeholder with this key. */
  readonly use: (key: string) => PlaceholderUse;
  readonly report: ReportFault;
}

/**
 * Returns the rich text that a client sent, and passes its faults to `report` (domain.md 4.8). Do not use the result
 * when there are faults. The text of a placeholder that the server fills in is ignored. Returns an empty text for null.
 */
export function readRichText(sent: RichTextBlockDto | null, pointer: string, context: RichTextContext): RichText {
  const paragraphs = sent?.paragraphs ?? [];
  return { paragraphs: paragraphs.map((one, index) => readParagraph(one, `${pointer}/paragraphs/${index}`, context)) };
}

function readParagraph({ nodes, list }: ParagraphDto, pointer: string, context: RichTextContext): Paragraph {
  const { report } = context;
  if (list !== null && !isOneOf(LISTS, list)) {
    report(`${pointer}/list`, 'ongeldige-waarde', `Kies uit ${LISTS.join(', ')}, of laat leeg.`);
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
    if (node[member] !== null) report(`${pointer}/${member}`, 'hoort-niet-hier', `Een ${type} heeft geen ${member}.`);
  };
  if (text !== null) checkText(text, `${pointer}/text`, report);
  switch (type) {
    case 'text':
      without('key');
      if (text === null) report(`${pointer}/text`, 'ontbreekt', 'Een text heeft tekst.');
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
      report(`${pointer}/type`, 'ongeldige-waarde', `Kies uit ${NODE_TYPES.join(', ')}.`);
      return { type: 'lineBreak' };
  }
}

function withoutMarks({ type, marks }: RichTextNodeDto, pointer: string, report: ReportFault): void {
  if (marks !== null && marks.length > 0) {
    report(`${pointer}/marks`, 'hoort-niet-hier', `Een ${type} heeft geen opmaak.`);
  }
}

function checkKey(key: string | null, pointer: string, report: ReportFault): void {
  if (key === null || key === '') report(pointer, 'ontbreekt', 'Een placeholder heeft een sleutel.');
  else if (key.length > MAX_KEY_LENGTH)
    report(pointer, 'buiten-bereik', `Een sleutel heeft ten hoogste ${MAX_KEY_LENGTH} tekens.`);
  else checkText(key, pointer, report);
}

const UNKNOWN_MARK = `Kies uit ${MARKS.join(', ')}.`;

function readMarks(sent: readonly string[] | null, pointer: string, report: ReportFault): Mark[] {
  const marks: Mark[] = [];
  for (const [index, mark] of (sent ?? []).entries()) {
    if (!isOneOf(MARKS, mark)) report(`${pointer}/${index}`, 'ongeldige-waarde', UNKNOWN_MARK);
    else if (marks.includes(mark)) report(`${pointer}/${index}`, 'dubbel', 'Deze opmaak staat er al.');
    else marks.push(mark);
  }
  return marks;
}
