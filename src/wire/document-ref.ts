import { dto, s } from './primitives.ts';

/** A reference to a document that was handed over, or that comes by post. */
export const DocumentRefDto = dto('DocumentRefDto', { categoryId: s, channel: s, documentId: s });
