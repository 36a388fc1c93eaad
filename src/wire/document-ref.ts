import { dto, s } from './primitives.ts';

/** A reference to a document of a request: uploaded, or to be sent by post. */
export const DocumentRefDto = dto('DocumentRefDto', { categoryId: s, channel: s, documentId: s });
