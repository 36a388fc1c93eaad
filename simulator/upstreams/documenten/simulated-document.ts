import { readFileSync } from 'node:fs';
import * as z from 'zod';

const uuid = z.string().regex(/^[\w-]{36}$/);
const count = z.int().nonnegative();

/** A schema of a document in the simulated document store, without its content. */
export const SimulatedDocumentSchema = z.strictObject({
  uuid,
  /** Metadata in the request that created the document. */
  metadata: z.record(z.string(), z.unknown()),
  /** Size in bytes; null for a document without content. */
  omvang: count.nullable(),
  versie: count,
  beginRegistratie: z.string(),
  /** Lock id that a change must have; empty when the document is not locked. */
  lock: z.string(),
  /** File parts of an unfinished upload. `voltooid` is true when the part was received. */
  delen: z.array(z.strictObject({ uuid, omvang: count, voltooid: z.boolean() })),
});
export type SimulatedDocument = z.output<typeof SimulatedDocumentSchema>;

/** Returns the document in a JSON file; null when the file is missing, incomplete or not a document. */
export function readStoredDocument(path: string): SimulatedDocument | null {
  try {
    return SimulatedDocumentSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
