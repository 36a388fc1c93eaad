/** Schemas of the control API for letters. The `id` in `meta` is the name of the schema in the OpenAPI document. */
import * as z from 'zod';
import { UITKOMSTEN } from '../../../adapters/register/wire.ts';
import { LETTER_KINDS } from '../../correspondence/kinds.ts';

const date = z.iso.date();

export const LetterTag = z.enum(['draft', 'submitted', 'approved', 'rejected', 'sent']);

/** Schema of the state to which the letter of a world must be brought. */
export const LetterState = z
  .strictObject({
    tag: LetterTag,
    referentie: z
      .string()
      .optional()
      .describe('Reference of the case that the new letter is about; the case of the current letter when absent.'),
    templateId: z
      .enum(['herregistratie-besluit', 'registratie-besluit', 'aanvulling-gevraagd', 'voornemen-afwijzing'])
      .optional()
      .describe('The template of the new letter; that of a decision on this kind of case when absent.'),
    uitkomst: z
      .enum(UITKOMSTEN)
      .optional()
      .describe(
        'The outcome that the new letter states; when absent that of the decision on the case, or a grant when there is none.',
      ),
  })
  .meta({ id: 'LetterState' });

export const Letter = z
  .strictObject({
    briefId: z.string(),
    tag: LetterTag,
    version: z.int(),
    referentie: z.string().nullable(),
    drafterId: z.string().nullable(),
    submittedBy: z.string().nullable(),
    approvedBy: z.string().nullable(),
  })
  .meta({ id: 'Letter', description: 'The current letter of a world, on which drafters and approvers work.' });

export const SentLetterSummary = z
  .strictObject({
    id: z.string().describe('Id of the letter, unique among the letters to one person.'),
    date,
    kind: z.enum(LETTER_KINDS),
    channel: z.enum(['berichtenbox', 'post']),
    subject: z.string(),
    referentie: z
      .string()
      .nullable()
      .describe('Reference of the request that the letter is about; null for one about the term of a registration.'),
  })
  .meta({
    id: 'SentLetterSummary',
    description: 'A letter that the simulated register sent, without its text.',
  });

export const InboxLetter = SentLetterSummary.extend({
  persona: z.string().describe('Slug of the person to whom the letter was sent.'),
}).meta({ id: 'InboxLetter', description: 'A letter that the simulated register sent, with its addressee.' });

const lines = z.array(z.string());

export const SentLetter = SentLetterSummary.extend({
  text: z.string(),
  letter: z.strictObject({
    sender: lines,
    addressee: lines,
    date: date.nullable(),
    kenmerk: z.string(),
    registratienummer: z.string().nullable(),
    onderwerp: z.string(),
    paragraphs: z.array(
      z.strictObject({
        list: z.enum(['bullet', 'number']).nullable(),
        heading: z.boolean().optional().describe('True for a heading.'),
        spans: z.array(
          z.strictObject({
            text: z.string(),
            bold: z.boolean().optional(),
            italic: z.boolean().optional(),
            underline: z.boolean().optional(),
          }),
        ),
      }),
    ),
    signature: lines,
  }),
}).meta({
  id: 'SentLetter',
  description: 'A letter that the simulated register sent, as plain text (`text`) and in parts (`letter`).',
});
