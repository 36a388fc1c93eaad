/** Records and values that more than one folder uses. */
import * as z from 'zod';
import { absent, dto, i32, named, type Open, text, textOrNull, variants } from './primitives.ts';
import { ALL_BEROEPEN, APPLICATION_TYPES, FILE_TYPES, UPSTREAM_NAMES } from './values.ts';

/** A profession, also one in which nobody can be registered any more (domain.md 1.1). */
export const Beroep = named('Beroep', z.enum(ALL_BEROEPEN));

export const ApplicationType = named('ApplicationType', z.enum(APPLICATION_TYPES));

/** An address. `straat` contains street, house number and suffix (domain.md 4.3). */
export const AdresDto = dto(
  'AdresDto',
  { straat: text, postcode: textOrNull, woonplaats: textOrNull },
  { straat: 'Street and house number.', woonplaats: 'Town.' },
);
export type AdresDto = Open<typeof AdresDto>;

/** A reference in a request to a document that is uploaded (`channel` is `digital`) or sent by post (`post`). */
export const DocumentRefDto = variants(
  'DocumentRefDto',
  'channel',
  [
    { categoryId: text, channel: z.literal('digital'), documentId: text },
    { categoryId: text, channel: z.literal('post'), documentId: absent },
  ],
  {
    categoryId: 'Category of the document: a `categoryId` from GET /uploads/categories.',
    channel: '`digital` is an upload, `post` a document that comes by post.',
  },
);

const problemText = textOrNull.default(null);

/** The body of an error answer (specification.md, "Problem body"; RFC 9457). Extra members are allowed. */
export const ProblemDetails = z
  .looseObject({
    type: problemText,
    title: problemText,
    status: z.int32().nullable().default(null),
    detail: problemText,
    instance: problemText,
  })
  .meta({
    id: 'ProblemDetails',
    description:
      'Heeft ook `code` (de vaste code) en `traceId` (het nummer van de aanroep), en bij een fout in het verzoek vaak `errors`: ' +
      'elke fout met `pointer`, `code` en `detail`.',
  });

/** The members that only some problems have (`members` in problem-codes.ts), each with its text in English. */
export const PROBLEM_MEMBERS = {
  errors: {
    schema: z.array(z.strictObject({ pointer: text, code: text, detail: text })),
    text: 'What is wrong with the request: one fault for each member, parameter or header.',
  },
  bron: { schema: z.enum(UPSTREAM_NAMES), text: 'The upstream that failed.' },
  regel: {
    schema: z.enum(['antwoord-vereist', 'antwoord-ongeldig', 'punten-zonder-scholing', 'punten-ongeldig']),
    text: 'The rule about training that the request breaks.',
  },
  maxSizeMb: { schema: i32, text: 'Maximum size of a file in MB of 1,048,576 bytes.' },
  acceptedTypes: { schema: z.array(z.enum(FILE_TYPES)), text: 'The media types that are accepted.' },
  referentie: { schema: text, text: 'Reference of the application that was submitted before.' },
} as const;
