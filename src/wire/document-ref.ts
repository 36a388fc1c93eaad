import { dto, s } from './primitives.ts';

/** A reference in a request to a document that is uploaded (`channel` is `digital`) or sent by post (`post`). */
export const DocumentRefDto = dto('DocumentRefDto', { categoryId: s, channel: s, documentId: s });
