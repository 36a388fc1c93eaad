/** Exact schemas of request bodies: they require the members without which the service always refuses a request. */
import * as z from 'zod';
import { DIPLOMA_HERKOMSTEN, LISTS, MARKS } from '../../wire/values.ts';
import { named, text } from './names.ts';

/** Returns a schema of a member that may also be absent or null, which mean the same (domain.md 4.1, "Null"). */
const optionalOrNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();
const absent = z.null().optional();

const DocumentRef = named(
  'DocumentRefDto',
  z.discriminatedUnion('channel', [
    z.object({ categoryId: text, channel: z.literal('digital'), documentId: text }),
    z.object({ categoryId: text, channel: z.literal('post'), documentId: absent }),
  ]),
);
const documents = optionalOrNull(z.array(DocumentRef).readonly());
const scholing = { scholing: optionalOrNull(z.enum(['ja', 'nee'])), punten: optionalOrNull(z.int()) };
const diplomaHerkomst = z.enum(DIPLOMA_HERKOMSTEN);

export const RegistratieRequest = named('RegistratieRequest', z.object({ diplomaHerkomst, documents }));
export const HerregistratieRequest = named('HerregistratieRequest', z.object({ uren: z.int(), documents }));
export const IntakeRequest = named('IntakeRequest', z.object({ uren: z.int(), ...scholing }));
export const ChangeRequest = named(
  'ChangeRequestRequest',
  z.object({ straat: text, postcode: text, woonplaats: text }),
);
export const CreateApplication = named(
  'CreateApplicationRequest',
  z.object({ type: z.enum(['registratie', 'herregistratie', 'intake']) }),
);
export const DraftSync = named(
  'DraftSyncRequest',
  z.object({
    draft: z.unknown().optional(),
    stepIndex: z.int().optional(),
    stepCount: z.int().optional(),
    documentIds: optionalOrNull(z.array(text).readonly()),
  }),
);
/**
 * A schema of the body of a submission. Its members are optional, because the type of application decides which are
 * needed.
 */
export const SubmitApplicationRequest = named(
  'SubmitApplicationRequest',
  z.object({ diplomaHerkomst: optionalOrNull(diplomaHerkomst), uren: optionalOrNull(z.int()), documents, ...scholing }),
);

const marks = optionalOrNull(z.array(z.enum(MARKS)).readonly());
const RichTextNode = named(
  'RichTextNodeInput',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text, marks, key: absent }),
    z.object({ type: z.literal('placeholder'), text: optionalOrNull(text), marks, key: text }),
    z.object({ type: z.literal('lineBreak'), text: absent, marks, key: absent }),
  ]),
);
const Paragraph = named(
  'ParagraphInput',
  z.object({ nodes: optionalOrNull(z.array(RichTextNode).readonly()), list: optionalOrNull(z.enum(LISTS)) }),
);
const content = optionalOrNull(
  named('RichTextBlockInput', z.object({ paragraphs: optionalOrNull(z.array(Paragraph).readonly()) })),
);

const LetterBlock = named(
  'LetterBlockInput',
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('freeText'),
      blockId: optionalOrNull(text),
      content,
      sourcePassageId: absent,
      sourceVersion: absent,
      edited: optionalOrNull(z.boolean()),
    }),
    z.object({
      type: z.literal('passage'),
      blockId: optionalOrNull(text),
      content,
      sourcePassageId: text,
      sourceVersion: z.int(),
      edited: optionalOrNull(z.boolean()),
    }),
  ]),
);
const LetterSection = named(
  'LetterSectionInput',
  z.object({
    sectionKey: text,
    title: optionalOrNull(text),
    required: z.boolean().optional(),
    blocks: optionalOrNull(z.array(LetterBlock).readonly()),
    locked: z.boolean().optional(),
  }),
);
export const SaveBrief = named('SaveBriefRequest', z.object({ sections: z.array(LetterSection).readonly() }));
export const RejectBrief = named('RejectBriefRequest', z.object({ comments: text }));
