import * as z from 'zod';
import { b, dto, i32, list, s } from '../wire/primitives.ts';

export const DocumentCategoryDto = dto('DocumentCategoryDto', {
  categoryId: s,
  label: s,
  description: s,
  required: b,
  acceptedTypes: list(z.string()),
  maxSizeMb: i32,
  multiple: b,
  allowPostDelivery: b,
});
export type DocumentCategoryDto = z.output<typeof DocumentCategoryDto>;

export const UploadCategoriesDto = dto('UploadCategoriesDto', { categories: list(DocumentCategoryDto) });
export type UploadCategoriesDto = z.output<typeof UploadCategoriesDto>;

export const UploadStatusItemDto = dto('UploadStatusItemDto', { localId: s, status: s, documentId: s });
export type UploadStatusItemDto = z.output<typeof UploadStatusItemDto>;

export const UploadStatusDto = dto('UploadStatusDto', { results: list(UploadStatusItemDto) });
export type UploadStatusDto = z.output<typeof UploadStatusDto>;

/** The form fields and the file of an upload, for the OpenAPI document. Not in the specification. */
export const UploadForm = z.object({
  categoryId: z.string().describe('Een categorie van GET /uploads/categories voor deze wizard.'),
  localId: z.string().describe('Uw eigen kenmerk, 1 tot 64 letters, cijfers, _ en -. Maakt herhalen veilig.'),
  wizardId: z.string().describe('registratie, herregistratie of intake.'),
  file: z.string().meta({ format: 'binary' }).describe('Het bestand, met zijn naam, als laatste.'),
});
