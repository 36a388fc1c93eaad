import type { Caller } from '../auth/identity.ts';
import { decide } from '../domain/rule.ts';
import type { Answer } from '../http/exchange.ts';
import type { Request } from '../http/operation/operation.ts';
import type { Passage } from '../ports/brieven.ts';
import { type Brief, type BriefBlock, etagOf } from '../ports/store/brief-store.ts';
import { toWholeSecond } from '../wire/dates.ts';
import type { RichText, RichTextNode } from '../wire/rich-text.ts';
import { offeredPassages, recordProcessing } from './current.ts';
import {
  type BriefDeps,
  type LetterValues,
  type ReadableLetter,
  readLetterValues,
  usesOf,
  valueFor,
  visibleValues,
} from './placeholders.ts';
import type {
  BriefDto,
  BriefViewDto,
  LetterBlockDto,
  LibraryPassageDto,
  RichTextBlockDto,
  RichTextNodeDto,
} from './schema.ts';

/** The value of the server as this caller may see it, or the text that the drafter typed. */
export function placeholderTextFor(
  brief: Brief,
  { values, geheim }: LetterValues,
  { steppedUp, onDecision }: Pick<Request, 'steppedUp' | 'onDecision'>,
): PlaceholderText {
  const visible = decide(onDecision, visibleValues, { geheim, steppedUp, values });
  const use = usesOf(brief);
  return (key, typed) => (use(key) === 'auto' ? valueFor(visible, key) : typed);
}

export const briefAnswer = (
  request: Pick<Request, 'steppedUp' | 'onDecision'>,
  brief: Brief,
  values: LetterValues,
): Answer => ({
  status: 200,
  body: toBriefDto(brief, placeholderTextFor(brief, values, request)) satisfies BriefDto,
  headers: { ETag: etagOf(brief) },
});

interface BriefSources {
  /** The assignment of the letter for which these data were read. */
  readonly opdrachtId: string;
  readonly passages: readonly Passage[];
  readonly values: LetterValues;
}

/** The letter need not be stored yet. */
export async function readBriefSources(
  deps: BriefDeps,
  { call }: Pick<Request, 'call'>,
  letter: ReadableLetter & Pick<Brief, 'beroep'>,
): Promise<BriefSources> {
  const [passages, values] = await Promise.all([
    deps.brieven.passages(letter.beroep, call),
    readLetterValues(deps, letter, call),
  ]);
  return { opdrachtId: letter.opdrachtId, passages, values };
}

/** @param known - data that were read before; they are read again when they are about another assignment */
export async function readBriefView(
  deps: BriefDeps,
  request: Request<Caller>,
  brief: Brief | null,
  known?: BriefSources,
): Promise<Answer> {
  if (brief === null) return { status: 200, body: { brief: null, availablePassages: [] } satisfies BriefViewDto };
  recordProcessing(brief, request.processingDetails);
  const isKnown = known?.opdrachtId === brief.opdrachtId;
  const { passages, values } = isKnown ? known : await readBriefSources(deps, request, brief);
  const body: BriefViewDto = {
    brief: toBriefDto(brief, placeholderTextFor(brief, values, request)),
    availablePassages: offeredPassages(passages, brief).map(toLibraryPassage),
  };
  return { status: 200, body, headers: { ETag: etagOf(brief) } };
}

/** Returns the text to show for a placeholder, whose stored text is `typed`; null when there is none. */
export type PlaceholderText = (key: string, typed: string | null) => string | null;

function toBriefDto(brief: Brief, reading: PlaceholderText): BriefDto {
  const { briefId, beroep, templateId, placeholders, sections, drafterId } = brief;
  return {
    briefId,
    beroep,
    templateId,
    placeholders: placeholders.map((one) => ({ ...one })),
    sections: sections.map(({ sectionKey, title, required, locked, blocks }) => ({
      sectionKey,
      title,
      required,
      blocks: blocks.map((block) => toBlock(block, reading)),
      locked,
    })),
    status: {
      tag: brief.tag,
      submittedBy: brief.submittedBy,
      submittedAt: brief.submittedAt && toWholeSecond(brief.submittedAt),
      approvedBy: brief.approvedBy,
      approvedAt: brief.approvedAt && toWholeSecond(brief.approvedAt),
      rejectedBy: brief.rejectedBy,
      rejectedAt: brief.rejectedAt && toWholeSecond(brief.rejectedAt),
      comments: brief.comments,
      sentAt: brief.sentAt && toWholeSecond(brief.sentAt),
    },
    drafterId,
  };
}

function toBlock(block: BriefBlock, reading: PlaceholderText): LetterBlockDto {
  const { type, blockId } = block;
  const content = toRichText(block.content, reading);
  if (type === 'freeText') {
    return { type, blockId, content, sourcePassageId: null, sourceVersion: null, edited: null };
  }
  const { sourcePassageId, sourceVersion, edited } = block;
  return { type, blockId, content, sourcePassageId, sourceVersion, edited };
}

const toLibraryPassage = ({ content, ...passage }: Passage): LibraryPassageDto => ({
  passageId: passage.passageId,
  scope: passage.scope,
  sectionKey: passage.sectionKey,
  label: passage.label,
  content: toRichText(content, () => null),
  version: passage.version,
  beroep: passage.beroep,
});

const toRichText = ({ paragraphs }: RichText, reading: PlaceholderText): RichTextBlockDto => ({
  paragraphs: paragraphs.map(({ nodes, list }) => ({ nodes: nodes.map((node) => toNode(node, reading)), list })),
});

function toNode(node: RichTextNode, reading: PlaceholderText): RichTextNodeDto {
  switch (node.type) {
    case 'text':
      return { type: node.type, text: node.text, marks: [...node.marks], key: null };
    case 'placeholder':
      return { type: node.type, text: reading(node.key, node.text), marks: null, key: node.key };
    case 'lineBreak':
      return { type: node.type, text: null, marks: null, key: null };
  }
}
