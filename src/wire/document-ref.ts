import { dto, s } from './primitives.ts';

/** A reference in a request to a document, which is uploaded or sent by post. */
export const DocumentRefDto = dto('DocumentRefDto', { categoryId: s, channel: s, documentId: s });
