import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** Kinds of variable that are in use in more than one place. */

export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** As a browser sends them: with a scheme, without a path, and each by name. */
export const origins = commaList.refine(
  (list) => list.every((item) => URL.canParse(item) && new URL(item).origin === item),
  'must be origins as a browser sends them, such as http://localhost:5173: no path, no slash at the end, no *',
);

/** What a header can hold. */
export const value = z.string().regex(/^[\x20-\x7e]*$/, 'may hold printable ASCII only');

/** The name of a file; what counts is the PEM in it, read once at start. */
export const pemFile = z
  .string()
  .transform((path, issue) => {
    const pem = contentOf(path);
    if (pem !== null && /-----BEGIN [A-Z0-9 ]+-----/.test(pem)) return pem;
    issue.addIssue(pem === null ? `${path} cannot be read` : `${path} holds no PEM (-----BEGIN …-----)`);
    return z.NEVER;
  })
  .optional();

export function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
