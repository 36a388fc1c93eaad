import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { uuidOf } from '../../people/uuid.ts';
import { untrustedList } from '../../worlds/untrusted-list.ts';

const uuid = z.string().regex(/^[\w-]{36}$/);
const count = z.int().nonnegative();

export const DocumentPartSchema = z.strictObject({ uuid, omvang: count, voltooid: z.boolean() });

export const SimulatedDocumentSchema = z.strictObject({
  uuid,
  /** Metadata from the requests that created and changed the document. */
  metadata: z.record(z.string(), z.unknown()),
  /** Size in bytes; null for a document without content. */
  omvang: count.nullable(),
  versie: count,
  beginRegistratie: z.string(),
  /** The lock id that a request to change the document must have; empty when the document is not locked. */
  lock: z.string(),
  /** The file parts of a document whose content has not been completed, in order; otherwise empty. */
  delen: untrustedList(DocumentPartSchema),
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
