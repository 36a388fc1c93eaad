import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** Schemas of variables that are used in more than one file. */

/** A comma-separated list, without empty items. */
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** A comma-separated list of origins as a browser sends them: with a scheme, without a path, and without a wildcard. */
export const origins = commaList.refine(
  (list) => list.every((item) => URL.canParse(item) && new URL(item).origin === item),
  'must be origins as a browser sends them, such as http://localhost:5173: no path, no slash at the end, no *',
);

/** A text that is valid in an HTTP header. */
export const value = z.string().regex(/^[\x20-\x7e]*$/, 'may hold printable ASCII only');

/** The path of a PEM file; the parsed value is the content of the file, which is read once at start. */
export const pemFile = z
  .string()
  .transform((path, issue) => {
    const pem = contentOf(path);
    if (pem !== null && /-----BEGIN [A-Z0-9 ]+-----/.test(pem)) return pem;
    issue.addIssue(pem === null ? `${path} cannot be read` : `${path} holds no PEM (-----BEGIN …-----)`);
    return z.NEVER;
  })
  .optional();

/** Returns the content of a text file; null when it cannot be read. */
export function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
