import type { Passage } from '../ports/brieven.ts';
import type { Brief, BriefBlock } from '../ports/store/brief-store.ts';
import { toWholeSecond } from '../wire/dates.ts';
import type { RichText, RichTextNode } from '../wire/rich-text.ts';
import type { BriefDto, LetterBlockDto, LibraryPassageDto, RichTextBlockDto, RichTextNodeDto } from './schema.ts';

/**
 * A function that returns the text to show for a placeholder; null when there is none. `typed` is the stored text of
 * the placeholder.
 */
export type PlaceholderText = (key: string, typed: string | null) => string | null;

/**
 * Returns a letter in the form of the response.
 *
 * @param reading - returns the text of each placeholder
 */
export function toBriefDto(brief: Brief, reading: PlaceholderText): BriefDto {
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

/** Returns a standard text (passage) in the form of the response. The texts of its placeholders are null. */
export const toLibraryPassage = ({ content, ...passage }: Passage): LibraryPassageDto => ({
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
