import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { hostIn } from '../domain/host-name.ts';

/** Schemas of variables that are used in more than one file. */

/** The variables of `shape`, each with the prefix before its name. */
export const prefixed = <Prefix extends string, Shape extends object>(prefix: Prefix, shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [`${prefix}_${name}`, schema])) as {
    [Name in keyof Shape & string as `${Prefix}_${Name}`]: Shape[Name];
  };

/** A list of one or more texts, separated by commas. Empty items are left out. */
export const commaList = z.string().transform((text, issue) => {
  const list = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  if (list.length > 0) return list;
  issue.addIssue('must be one or more values, separated by commas');
  return z.NEVER;
});

/** `name=value`, separated by commas, in percent-encoding. The parsed values are decoded. */
export const headerPairs = commaList.transform((list, issue): Readonly<Record<string, string>> => {
  try {
    const pairs = list.map((pair) => pair.split(/=(.*)/s).map((part) => decodeURIComponent(part.trim())));
    if (pairs.every(([name = '', text = '']) => /^[\w-]+$/.test(name) && /^[\x20-\x7e]+$/.test(text)))
      return Object.fromEntries(pairs);
  } catch {
    // The fault is reported below.
  }
  issue.addIssue('must be name=value, separated by commas, with each value in percent-encoding');
  return z.NEVER;
});

/** The parsed value has the names as `hostIn` returns them. */
export const hostNames = commaList
  .refine(
    (list) => list.every((name) => /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])$/i.test(name) && hostIn(name) !== null),
    'must be host names such as bff.example, separated by commas: no http://, no port, no *',
  )
  .transform((list) => list.flatMap((name) => hostIn(name) ?? []));

/** Origins as a browser sends them, such as `https://example.nl`. */
export const origins = commaList.refine(
  (list) => list.every((item) => URL.canParse(item) && new URL(item).origin === item && !item.includes('*')),
  'must be origins as a browser sends them, such as http://localhost:5173: no path, no slash at the end, no *',
);

/** Safe as the value of an HTTP header. */
export const value = z.string().regex(/^[\x20-\x7e]*$/, 'may hold printable ASCII only');

/** The parsed value is the content of the file. */
export const pemFile = z
  .string()
  .transform((path, issue) => {
    const pem = contentOf(path);
    if (pem !== null && /-----BEGIN [A-Z0-9 ]+-----/.test(pem)) return pem;
    issue.addIssue(pem === null ? NO_FILE : `${path} holds no PEM (-----BEGIN …-----)`);
    return z.NEVER;
  })
  .optional();

/**
 * The message for a path without a file. It does not quote the value of the variable, which can be the secret itself
 * instead of a path.
 */
export const NO_FILE = 'names no file that can be read';

/** Null when the file cannot be read, or is a pipe or a device, whose content may never come or end. */
export function contentOf(path: string): string | null {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}

/** Credentials are refused: they have variables of their own, which no log shows. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).refine((text) => {
  if (!URL.canParse(text)) return true;
  const { username, password, hash } = new URL(text);
  return `${username}${password}${hash}` === '';
}, 'may not hold a user name, a password or a fragment');
