/** Exact schemas of request bodies: they require the members without which the service always refuses a request. */
import * as z from 'zod';
import { DIPLOMA_HERKOMSTEN, LISTS, MARKS } from '../../wire/values.ts';
import { named, text } from './names.ts';

/** Returns a schema of a member that may also be absent or null, which mean the same (domain.md 4.1, "Null"). */
const free = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();
const absent = z.null().optional();

const DocumentRef = named(
  'DocumentRefDto',
  z.discriminatedUnion('channel', [
    z.object({ categoryId: text, channel: z.literal('digital'), documentId: text }),
    z.object({ categoryId: text, channel: z.literal('post'), documentId: absent }),
  ]),
);
const documents = free(z.array(DocumentRef).readonly());
const scholing = { scholing: free(z.enum(['ja', 'nee'])), punten: free(z.int()) };
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
    documentIds: free(z.array(text).readonly()),
  }),
);
/**
 * A schema of the body of a submission. Its members are optional, because the type of application decides which are
 * needed.
 */
export const SubmitApplicationRequest = named(
  'SubmitApplicationRequest',
  z.object({ diplomaHerkomst: free(diplomaHerkomst), uren: free(z.int()), documents, ...scholing }),
);

const marks = free(z.array(z.enum(MARKS)).readonly());
const RichTextNode = named(
  'RichTextNodeInput',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text, marks, key: absent }),
    z.object({ type: z.literal('placeholder'), text: free(text), marks, key: text }),
    z.object({ type: z.literal('lineBreak'), text: absent, marks, key: absent }),
  ]),
);
const Paragraph = named(
  'ParagraphInput',
  z.object({ nodes: free(z.array(RichTextNode).readonly()), list: free(z.enum(LISTS)) }),
);
const content = free(named('RichTextBlockInput', z.object({ paragraphs: free(z.array(Paragraph).readonly()) })));

const LetterBlock = named(
  'LetterBlockInput',
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('freeText'),
      blockId: free(text),
      content,
      sourcePassageId: absent,
      sourceVersion: absent,
      edited: free(z.boolean()),
    }),
    z.object({
      type: z.literal('passage'),
      blockId: free(text),
      content,
      sourcePassageId: text,
      sourceVersion: z.int(),
      edited: free(z.boolean()),
    }),
  ]),
);
const LetterSection = named(
  'LetterSectionInput',
  z.object({
    sectionKey: text,
    title: free(text),
    required: z.boolean().optional(),
    blocks: free(z.array(LetterBlock).readonly()),
    locked: z.boolean().optional(),
  }),
);
export const SaveBrief = named('SaveBriefRequest', z.object({ sections: z.array(LetterSection).readonly() }));
export const RejectBrief = named('RejectBriefRequest', z.object({ comments: text }));
