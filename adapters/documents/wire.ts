/**
 * Schemas of what the Documenten API sends. Only members that are used: real stores deviate from their OpenAPI document
 * in others (`link: ""`, `_expand: {}`). The host in its URLs is whichever host it was called by, so only the last
 * segment is read.
 */
import * as z from 'zod';
import { listOf } from '../http/list.ts';

const UUID = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Parses a URL of the store to the UUID in its last segment, which is the id of the document or part. */
const uuidOf = z.string().transform((url, issue) => {
  const [path = ''] = url.split('?', 1);
  const [, uuid] = UUID.exec(path) ?? [];
  if (uuid !== undefined) return uuid;
  issue.addIssue('no id at the end');
  return z.NEVER;
});

export const BestandsdeelWire = z.object({
  url: uuidOf,
  volgnummer: z.int().positive(),
  omvang: z.int().nonnegative(),
  lock: z.string().nullish(),
});
export type BestandsdeelWire = z.output<typeof BestandsdeelWire>;

export const DocumentWire = z.object({
  url: uuidOf,
  identificatie: z.string(),
  bestandsomvang: z.int().nonnegative().nullish(),
  integriteit: z.object({ algoritme: z.string().nullish(), waarde: z.string().nullish() }).nullish(),
  locked: z.boolean().nullish(),
  lock: z.string().nullish(),
  bestandsdelen: listOf(BestandsdeelWire, 10_000).nullish(),
});
export type DocumentWire = z.output<typeof DocumentWire>;

export const LijstWire = z.object({ results: listOf(DocumentWire, 100) });

/** Error body: a code, and with a 400 also one code per invalid parameter. */
const FoutWire = z.object({
  code: z.string().nullish(),
  invalidParams: z.array(z.object({ name: z.string().nullish(), code: z.string() })).nullish(),
});

/**
 * Returns all codes in an error body. A value that does not look like a code is left out, because these values are
 * logged.
 */
export function codesOf(json: unknown): readonly string[] {
  const fout = FoutWire.safeParse(json).data;
  const codes = [fout?.code, ...(fout?.invalidParams ?? []).map(({ code }) => code)];
  return codes.filter((code) => code != null && /^[a-z][a-z0-9_-]{0,59}$/.test(code)).map(String);
}
