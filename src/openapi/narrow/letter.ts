import * as z from 'zod';
import { LISTS, MARKS, PASSAGE_SCOPES } from '../../wire/values.ts';
import { beroep } from './answers.ts';
import { moment, named, text, textOrNull } from './names.ts';

const RichTextNode = named(
  'RichTextNodeDto',
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text, marks: z.array(z.enum(MARKS)), key: z.null() }),
    z.strictObject({ type: z.literal('placeholder'), text: textOrNull, marks: z.null(), key: text }),
    z.strictObject({ type: z.literal('lineBreak'), text: z.null(), marks: z.null(), key: z.null() }),
  ]),
);

const Paragraph = named(
  'ParagraphDto',
  z.strictObject({ nodes: z.array(RichTextNode), list: z.enum(LISTS).nullable() }),
);

const RichTextBlock = named('RichTextBlockDto', z.strictObject({ paragraphs: z.array(Paragraph) }));

const LetterBlock = named(
  'LetterBlockDto',
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('freeText'),
      blockId: text,
      content: RichTextBlock,
      sourcePassageId: z.null(),
      sourceVersion: z.null(),
      edited: z.null(),
    }),
    z.strictObject({
      type: z.literal('passage'),
      blockId: text,
      content: RichTextBlock,
      sourcePassageId: text,
      sourceVersion: z.int(),
      edited: z.boolean(),
    }),
  ]),
);

const LetterSection = named(
  'LetterSectionDto',
  z.strictObject({
    sectionKey: text,
    title: text,
    required: z.boolean(),
    blocks: z.array(LetterBlock),
    locked: z.boolean(),
  }),
);

const PlaceholderDef = named(
  'PlaceholderDefDto',
  z.strictObject({
    key: text,
    label: text,
    autoResolvable: z.boolean(),
    fillable: z.boolean(),
    deprecated: z.boolean(),
  }),
);

const unsetStatus = {
  submittedBy: textOrNull,
  submittedAt: moment.nullable(),
  approvedBy: z.null(),
  approvedAt: z.null(),
  rejectedBy: textOrNull,
  rejectedAt: moment.nullable(),
  comments: textOrNull,
  sentAt: z.null(),
};
const submission = { submittedBy: text, submittedAt: moment };
const approved = { approvedBy: text, approvedAt: moment };

/**
 * A schema of the status of a letter. After a rejection, `rejectedBy` and `rejectedAt` can also be present in later
 * states.
 */
const BriefStatus = named(
  'BriefStatusDto',
  z.discriminatedUnion('tag', [
    z.strictObject({ tag: z.literal('draft'), ...unsetStatus }),
    z.strictObject({ tag: z.literal('submitted'), ...unsetStatus, ...submission }),
    z.strictObject({ tag: z.literal('approved'), ...unsetStatus, ...submission, ...approved }),
    z.strictObject({
      tag: z.literal('rejected'),
      ...unsetStatus,
      ...submission,
      rejectedBy: text,
      rejectedAt: moment,
      comments: text,
    }),
    z.strictObject({ tag: z.literal('sent'), ...unsetStatus, ...submission, ...approved, sentAt: moment }),
  ]),
);

export const Brief = named(
  'BriefDto',
  z.strictObject({
    briefId: text,
    beroep,
    templateId: text,
    placeholders: z.array(PlaceholderDef),
    sections: z.array(LetterSection),
    status: BriefStatus,
    drafterId: textOrNull,
  }),
);

const LibraryPassage = named(
  'LibraryPassageDto',
  z.strictObject({
    passageId: text,
    scope: z.enum(PASSAGE_SCOPES),
    sectionKey: text,
    label: text,
    content: RichTextBlock,
    version: z.int(),
    beroep: beroep.nullable(),
  }),
);

export const BriefView = named(
  'BriefViewDto',
  z.strictObject({ brief: Brief.nullable(), availablePassages: z.array(LibraryPassage) }),
);
