import { readFileSync } from 'node:fs';
import * as z from 'zod';

const uuid = z.string().regex(/^[\w-]{36}$/);
const count = z.int().nonnegative();

/** A document in the simulated document store, without its content. */
export const SimulatedDocumentSchema = z.strictObject({
  uuid,
  /** The metadata of the request that created it. */
  metadata: z.record(z.string(), z.unknown()),
  /** Size in bytes; null for a document without content. */
  omvang: count.nullable(),
  versie: count,
  beginRegistratie: z.string(),
  /** Lock id that a change must name; empty: the document is not locked. */
  lock: z.string(),
  /** File parts of an upload that is not finished. `voltooid`: the part was received. */
  delen: z.array(z.strictObject({ uuid, omvang: count, voltooid: z.boolean() })),
});
export type SimulatedDocument = z.output<typeof SimulatedDocumentSchema>;

/** Returns the document in a JSON file; null when the file is missing, incomplete or of another kind. */
export function readStoredDocument(path: string): SimulatedDocument | null {
  try {
    return SimulatedDocumentSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
