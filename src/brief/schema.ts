import * as z from 'zod';
import { b, bOrNull, dateTime, dto, i32, i32OrNull, list, ref, s } from '../wire/primitives.ts';

const bOptional = z.boolean().optional();

export const RichTextNodeDto = dto('RichTextNodeDto', { type: s, text: s, marks: list(z.string()), key: s });
export type RichTextNodeDto = z.output<typeof RichTextNodeDto>;

export const ParagraphDto = dto('ParagraphDto', { nodes: list(RichTextNodeDto), list: s });
export type ParagraphDto = z.output<typeof ParagraphDto>;

export const RichTextBlockDto = dto('RichTextBlockDto', { paragraphs: list(ParagraphDto) });
export type RichTextBlockDto = z.output<typeof RichTextBlockDto>;

export const LetterBlockDto = dto('LetterBlockDto', {
  type: s,
  blockId: s,
  content: ref(RichTextBlockDto),
  sourcePassageId: s,
  sourceVersion: i32OrNull,
  edited: bOrNull,
});
export type LetterBlockDto = z.output<typeof LetterBlockDto>;

export const LetterSectionDto = dto('LetterSectionDto', {
  sectionKey: s,
  title: s,
  required: bOptional,
  blocks: list(LetterBlockDto),
  locked: bOptional,
});
export type LetterSectionDto = z.output<typeof LetterSectionDto>;

const PlaceholderDefDto = dto('PlaceholderDefDto', {
  key: s,
  label: s,
  autoResolvable: b,
  fillable: bOrNull,
  deprecated: bOrNull,
});

const BriefStatusDto = dto('BriefStatusDto', {
  tag: s,
  submittedBy: s,
  submittedAt: dateTime,
  approvedBy: s,
  approvedAt: dateTime,
  rejectedBy: s,
  rejectedAt: dateTime,
  comments: s,
  sentAt: dateTime,
});

export const BriefDto = dto('BriefDto', {
  briefId: s,
  beroep: s,
  templateId: s,
  placeholders: list(PlaceholderDefDto),
  sections: list(LetterSectionDto),
  status: ref(BriefStatusDto),
  drafterId: s,
});
export type BriefDto = z.output<typeof BriefDto>;

export const LibraryPassageDto = dto('LibraryPassageDto', {
  passageId: s,
  scope: s,
  sectionKey: s,
  label: s,
  content: ref(RichTextBlockDto),
  version: i32,
  beroep: s,
});
export type LibraryPassageDto = z.output<typeof LibraryPassageDto>;

export const BriefViewDto = dto('BriefViewDto', { brief: ref(BriefDto), availablePassages: list(LibraryPassageDto) });
export type BriefViewDto = z.output<typeof BriefViewDto>;

export const SaveBriefRequest = dto('SaveBriefRequest', { sections: list(LetterSectionDto) });

export const RejectBriefRequest = dto('RejectBriefRequest', { comments: s });

/**
 * The sections of a letter as a client sent them; null when the member `sections` was absent or null. Their types are
 * checked, but not their content.
 */
export type SentSections = z.output<typeof SaveBriefRequest>['sections'];
