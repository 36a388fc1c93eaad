import * as z from 'zod';
import {
  absent,
  b,
  dto,
  i32,
  moment,
  momentOrNull,
  none,
  type Open,
  type OpenBody,
  openAs,
  optionalOrNull,
  text,
  textOrNull,
  variants,
} from '../wire/primitives.ts';
import { Beroep } from '../wire/records.ts';
import { LISTS, MARKS, PASSAGE_SCOPES } from '../wire/values.ts';

const Mark = z.enum(MARKS);
const List = z.enum(LISTS);

const RichTextNodeDto = variants(
  'RichTextNodeDto',
  'type',
  [
    { type: z.literal('text'), text, marks: z.array(Mark), key: none },
    { type: z.literal('placeholder'), text: textOrNull, marks: none, key: text },
    { type: z.literal('lineBreak'), text: none, marks: none, key: none },
  ],
  {
    type: '`text` is text, `placeholder` a value with `key` in `placeholders`, `lineBreak` the end of a line.',
    marks: '`bold`, `italic` and `underline`; null when it is no text.',
  },
);
export type RichTextNodeDto = Open<typeof RichTextNodeDto>;

const ParagraphDto = dto(
  'ParagraphDto',
  { nodes: z.array(RichTextNodeDto), list: List.nullable() },
  { list: '`bullet` or `number`; null outside a list.' },
);
export type ParagraphDto = Open<typeof ParagraphDto>;

const RichTextBlockDto = dto('RichTextBlockDto', { paragraphs: z.array(ParagraphDto) });
export type RichTextBlockDto = Open<typeof RichTextBlockDto>;

const LetterBlockDto = variants(
  'LetterBlockDto',
  'type',
  [
    {
      type: z.literal('freeText'),
      blockId: text,
      content: RichTextBlockDto,
      sourcePassageId: none,
      sourceVersion: none,
      edited: none,
    },
    {
      type: z.literal('passage'),
      blockId: text,
      content: RichTextBlockDto,
      sourcePassageId: text,
      sourceVersion: i32,
      edited: b,
    },
  ],
  {
    sourcePassageId: 'Id of the passage from which the block was made.',
    sourceVersion: 'Version of that passage.',
    edited: 'True when the text of the block differs from that version of the passage.',
  },
);
export type LetterBlockDto = Open<typeof LetterBlockDto>;

const LetterSectionDto = dto(
  'LetterSectionDto',
  { sectionKey: text, title: text, required: b, blocks: z.array(LetterBlockDto), locked: b },
  { locked: 'True when the section may not be changed.' },
);

const PlaceholderDefDto = dto(
  'PlaceholderDefDto',
  {
    key: text,
    label: text,
    autoResolvable: b,
    // Null in the specification only.
    fillable: openAs(z.boolean(), z.boolean().nullable().default(null)),
    deprecated: openAs(z.boolean(), z.boolean().nullable().default(null)),
  },
  {
    autoResolvable: 'True when the service fills in the placeholder.',
    fillable: 'True when the drafter must fill in the placeholder.',
    deprecated: 'True when a new letter may no longer use the placeholder.',
  },
);

const draft = {
  submittedBy: textOrNull,
  submittedAt: momentOrNull,
  approvedBy: none,
  approvedAt: none,
  rejectedBy: textOrNull,
  rejectedAt: momentOrNull,
  comments: textOrNull,
  sentAt: none,
};
const submission = { submittedBy: text, submittedAt: moment };
const approval = { approvedBy: text, approvedAt: moment };
const rejection = { rejectedBy: text, rejectedAt: moment, comments: text };

/** The status of a letter. After a rejection, `rejectedBy` and `rejectedAt` can also be present in later states. */
const BriefStatusDto = variants('BriefStatusDto', 'tag', [
  { tag: z.literal('draft'), ...draft },
  { tag: z.literal('submitted'), ...draft, ...submission },
  { tag: z.literal('approved'), ...draft, ...submission, ...approval },
  { tag: z.literal('rejected'), ...draft, ...submission, ...rejection },
  { tag: z.literal('sent'), ...draft, ...submission, ...approval, sentAt: moment },
]);

export const BriefDto = dto(
  'BriefDto',
  {
    briefId: text,
    beroep: Beroep,
    templateId: text,
    placeholders: z.array(PlaceholderDefDto),
    sections: z.array(LetterSectionDto),
    status: BriefStatusDto,
    drafterId: textOrNull,
  },
  {
    beroep: 'The profession that the letter is about.',
    drafterId: 'Subject (id) of the person who drafts the letter; null when there is none yet.',
  },
);
export type BriefDto = Open<typeof BriefDto>;

const LibraryPassageDto = dto(
  'LibraryPassageDto',
  {
    passageId: text,
    scope: z.enum(PASSAGE_SCOPES),
    sectionKey: text,
    label: text,
    content: RichTextBlockDto,
    version: i32,
    beroep: Beroep.nullable(),
  },
  { beroep: 'The profession whose letters may use this passage; null for every profession (`scope: "global"`).' },
);
export type LibraryPassageDto = Open<typeof LibraryPassageDto>;

export const BriefViewDto = dto(
  'BriefViewDto',
  { brief: BriefDto.nullable(), availablePassages: z.array(LibraryPassageDto) },
  { brief: 'The letter; null when there is none.' },
);
export type BriefViewDto = Open<typeof BriefViewDto>;

// A client may leave out what can be null, and what the service knows. In the specification these are the records above.
const marks = optionalOrNull(z.array(Mark).readonly());
const RichTextNodeInput = variants('RichTextNodeInput', 'type', [
  { type: z.literal('text'), text, marks, key: absent },
  { type: z.literal('placeholder'), text: optionalOrNull(text), marks, key: text },
  { type: z.literal('lineBreak'), text: absent, marks, key: absent },
]);
const ParagraphInput = dto('ParagraphInput', {
  nodes: optionalOrNull(z.array(RichTextNodeInput).readonly()),
  list: optionalOrNull(List),
});
const content = optionalOrNull(
  dto('RichTextBlockInput', { paragraphs: optionalOrNull(z.array(ParagraphInput).readonly()) }),
);
const LetterBlockInput = variants('LetterBlockInput', 'type', [
  {
    type: z.literal('freeText'),
    blockId: optionalOrNull(text),
    content,
    sourcePassageId: absent,
    sourceVersion: absent,
    edited: optionalOrNull(b),
  },
  {
    type: z.literal('passage'),
    blockId: optionalOrNull(text),
    content,
    sourcePassageId: text,
    sourceVersion: i32,
    edited: optionalOrNull(b),
  },
]);
const LetterSectionInput = dto('LetterSectionInput', {
  sectionKey: text,
  title: optionalOrNull(text),
  required: z.boolean().optional(),
  blocks: optionalOrNull(z.array(LetterBlockInput).readonly()),
  locked: z.boolean().optional(),
});

export const SaveBriefRequest = dto('SaveBriefRequest', { sections: z.array(LetterSectionInput).readonly() });

export const RejectBriefRequest = dto('RejectBriefRequest', { comments: text });

/** A section of a letter as a client sent it. Its types are checked, but not its content. */
export type SentSection = OpenBody<typeof LetterSectionInput>;

/** The sections of a letter as a client sent them; null when the member `sections` was absent or null. */
export type SentSections = OpenBody<typeof SaveBriefRequest>['sections'];
