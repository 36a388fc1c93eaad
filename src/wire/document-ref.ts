import { dto, s } from './primitives.ts';

/** A reference in a request to a document that was uploaded or is sent by post. */
export const DocumentRefDto = dto('DocumentRefDto', { categoryId: s, channel: s, documentId: s });
