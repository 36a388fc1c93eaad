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
    /**
     * Reference of the zaak (case at the register) that the letter is about. When absent, the letter stays about the
     * zaak of the current letter, if any.
     */
    referentie: z.string().optional(),
    /** The template of the new letter. When absent, it is the template of a decision on this kind of zaak. */
    templateId: z
      .enum(['herregistratie-besluit', 'registratie-besluit', 'aanvulling-gevraagd', 'voornemen-afwijzing'])
      .optional(),
    /**
     * The outcome that the new letter states. When absent, it is the outcome of the decision on the zaak, or
     * `goedgekeurd` when there is no decision yet.
     */
    uitkomst: z.enum(UITKOMSTEN).optional(),
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
  .meta({ id: 'Letter' });

export const SentLetterSummary = z
  .strictObject({
    id: z.string(),
    date,
    kind: z.enum(LETTER_KINDS),
    channel: z.enum(['berichtenbox', 'post']),
    subject: z.string(),
    referentie: z.string().nullable(),
  })
  .meta({
    id: 'SentLetterSummary',
    description: 'Een brief in de lijst; `referentie` is de aanvraag waarover hij gaat.',
  });

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
        heading: z.boolean().optional(),
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
}).meta({ id: 'SentLetter' });
