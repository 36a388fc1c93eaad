/** The parts of a persona file with the applications and uploaded documents of a person. */
import * as z from 'zod';
import { CATEGORY_IDS } from '../../src/uploads/categories.ts';
import { APPLICATION_TYPES } from '../../src/wire/values.ts';
import { Offset, text } from './primitives.ts';

/**
 * Returns the schema of a text in a PDF, of at most `max` characters. Only Latin-1 characters are allowed, because the
 * font of the PDF has no others.
 */
const latin1 = (max: number) =>
  z
    .string()
    .regex(/^[ -~\u00a0-\u00ff]*$/, 'must have Latin-1 characters only')
    .max(max);
const localIds = z
  .array(z.string().max(64))
  .max(20)
  .optional()
  .describe('The localId of each upload that belongs to it.');
const request = { type: z.enum(APPLICATION_TYPES), documenten: localIds };
export const Aanvraag = z.discriminatedUnion('tag', [
  z.strictObject({
    ...request,
    tag: z.literal('Concept'),
    begonnen: Offset,
    stepIndex: z.int().min(0).max(50),
    stepCount: z.int().min(0).max(50),
    draft: z.record(z.string().max(100), z.json()).describe('What the wizard has saved.'),
  }),
  z.strictObject({ ...request, tag: z.literal('InBehandeling'), ingediend: Offset, manual: z.boolean() }),
  z.strictObject({
    ...request,
    tag: z.literal('Afgewezen'),
    ingediend: Offset,
    besloten: Offset,
    manual: z.boolean(),
    reden: text(500),
  }),
]);

export const Upload = z.strictObject({
  localId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores'),
  wizardId: z.enum(['registratie', 'herregistratie', 'intake']),
  categoryId: z.enum(CATEGORY_IDS),
  bestandsnaam: text(120).regex(/^[^/\\]+$/, 'must not contain a slash'),
  state: z.enum(['uploaded', 'pending', 'rejected']),
  inhoud: z
    .discriminatedUnion('soort', [
      z.strictObject({
        soort: z.literal('pdf'),
        titel: latin1(100),
        regels: z.array(latin1(200)).max(40),
      }),
      z.strictObject({ soort: z.literal('jpg'), bestand: z.literal('identiteitskaart') }),
      z.strictObject({ soort: z.literal('png'), bestand: z.literal('diploma') }),
    ])
    .describe('A page of text, or one of the two pictures of the simulator.'),
});
