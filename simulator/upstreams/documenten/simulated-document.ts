import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { uuidOf } from '../../people/uuid.ts';

const uuid = z.string().regex(/^[\w-]{36}$/);
const count = z.int().nonnegative();

// The object is not strict: files of earlier versions also have a lock and the parts of a document.
export const SimulatedDocumentSchema = z.object({
  uuid,
  /** Metadata from the request that created the document. */
  metadata: z.record(z.string(), z.unknown()),
  /** Size in bytes; null for a document without content. */
  omvang: count.nullable(),
  versie: count,
  beginRegistratie: z.string(),
});
export type SimulatedDocument = z.output<typeof SimulatedDocumentSchema>;

/** Returns the `identificatie` that the service gives to the document with this id. */
export const identificatieOf = (documentId: string): string => `ZR-${documentId.replaceAll('-', '')}`;

/** Depends only on these two, so that it is reproducible. */
export const documentUuidOf = (world: string, identificatie: string): string =>
  uuidOf(`${world}/document/${identificatie}`);

/** Returns the document in a JSON file; null when the file cannot be read or is not a valid document. */
export function readStoredDocument(path: string): SimulatedDocument | null {
  try {
    return SimulatedDocumentSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
