/**
 * What the Documenten API sends, and only what is used of it: real ones bend their own document (`link: ""`, `_expand: {}`).
 * Its URLs are built from whatever host it was called by, so nothing is taken from them but the last segment.
 */
import * as z from 'zod';
import { listOf } from '../http/list.ts';

const UUID = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The last segment of a URL of theirs, without its query: all that they and we share. */
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

/** Problem bodies: a code, and for a 400 one for each thing that is wrong. */
const FoutWire = z.object({
  code: z.string().nullish(),
  invalidParams: z.array(z.object({ name: z.string().nullish(), code: z.string() })).nullish(),
});

/** Every code in a refusal; what does not look like one is left out, so that they can go into a log. */
export function codesOf(json: unknown): readonly string[] {
  const fout = FoutWire.safeParse(json).data;
  const codes = [fout?.code, ...(fout?.invalidParams ?? []).map(({ code }) => code)];
  return codes.filter((code) => code != null && /^[a-z][a-z0-9_-]{0,59}$/.test(code)).map(String);
}
