import { readFileSync } from 'node:fs';
import * as z from 'zod';

const uuid = z.string().regex(/^[\w-]{36}$/);
const count = z.int().nonnegative();

/** What the simulated store keeps of a document, beside its content. */
export const KeptSchema = z.strictObject({
  uuid,
  /** The members that were sent with it. */
  metadata: z.record(z.string(), z.unknown()),
  /** Bytes; null for a document without content. */
  omvang: count.nullable(),
  versie: count,
  beginRegistratie: z.string(),
  /** Who may change it; empty when nobody. */
  lock: z.string(),
  /** Parts that are awaited, or have come. */
  delen: z.array(z.strictObject({ uuid, omvang: count, voltooid: z.boolean() })),
});
export type Kept = z.output<typeof KeptSchema>;

/** A document from its file, or null: the file is not whole, or it is about something else. */
export function keptIn(path: string): Kept | null {
  try {
    return KeptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
