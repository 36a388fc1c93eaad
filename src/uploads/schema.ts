import * as z from 'zod';
import { b, dto, i32, none, type Open, text, textOrNull, variants } from '../wire/primitives.ts';
import { APPLICATION_TYPES, FILE_TYPES } from '../wire/values.ts';

const DocumentCategoryDto = dto(
  'DocumentCategoryDto',
  {
    categoryId: text,
    label: text,
    description: textOrNull,
    required: b,
    acceptedTypes: z.array(z.enum(FILE_TYPES)),
    maxSizeMb: i32,
    multiple: b,
    allowPostDelivery: b,
  },
  {
    label: 'Name of the category, in Dutch.',
    maxSizeMb: 'Maximum size of a file in MB of 1,048,576 bytes.',
    multiple: 'True when more than one file is allowed.',
    allowPostDelivery: 'True when the document may come by post.',
  },
);
export type DocumentCategoryDto = Open<typeof DocumentCategoryDto>;

export const UploadCategoriesDto = dto('UploadCategoriesDto', { categories: z.array(DocumentCategoryDto) });
export type UploadCategoriesDto = Open<typeof UploadCategoriesDto>;

export const UploadStatusItemDto = variants(
  'UploadStatusItemDto',
  'status',
  [
    { localId: text, status: z.literal('uploaded'), documentId: text },
    { localId: text, status: z.enum(['pending', 'rejected', 'unknown']), documentId: none },
  ],
  {
    localId: 'The id that the page gave the file when it sent it.',
    status:
      '`pending` is being checked, `uploaded` accepted, `rejected` refused. `unknown`: the service has no such upload; send it again.',
    documentId: 'The id of the document, for `documents` of a request; null unless `status` is `uploaded`.',
  },
);
export type UploadStatusItemDto = Open<typeof UploadStatusItemDto>;

export const UploadStatusDto = dto('UploadStatusDto', { results: z.array(UploadStatusItemDto) });
export type UploadStatusDto = Open<typeof UploadStatusDto>;

/** The form of an upload, for the OpenAPI document. It is not in the specification, so it says what is required. */
const FORM = {
  categoryId: z
    .string()
    .describe('Een categorie van GET /uploads/categories voor deze wizard.')
    .meta({ example: 'werkervaring' }),
  localId: z
    .string()
    .describe('Uw eigen kenmerk, 1 tot 64 letters, cijfers, _ en -. Maakt herhalen veilig.')
    .meta({ example: 'scan-1' }),
  // A change of address has no documents.
  wizardId: z.enum(APPLICATION_TYPES).exclude(['adreswijziging']).meta({ example: 'herregistratie' }),
  file: z.string().meta({ format: 'binary' }).describe('Het bestand, met zijn naam, als laatste.'),
};
export const UploadForm = z.object(FORM).meta({ override: { required: Object.keys(FORM) } });
