/** Converts issues of zod (about the shape of a persona file) to faults that the author of the file can understand. */
import * as z from 'zod';
import { similarTo } from '../text.ts';
import type { PersonaFinding } from './rules.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** `path` is the place of the value in the file. */
export const findingsOf = (schema: z.ZodType, issues: readonly Issue[], path: Path = []): PersonaFinding[] =>
  issues.flatMap((issue) => findingsOfIssue(schema, issue, [...path, ...issue.path]));

/** Returns a path as a JSON Pointer (RFC 6901). Long names are cut off. */
export const pointerOf = (path: Path): string =>
  path.map((part) => `/${String(part).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function findingsOfIssue(schema: z.ZodType, issue: Issue, path: Path): PersonaFinding[] {
  const pointer = pointerOf(path);
  const notAllowed = (allowed?: readonly string[]): PersonaFinding[] => {
    const meant = didYouMean(wordOf(issue), allowed ?? []);
    const detail = isMissing(issue) ? 'This member is missing.' : `This is not one of the allowed values.${meant}`;
    return [{ pointer, detail, ...(allowed && { allowed }) }];
  };
  switch (issue.code) {
    case 'unrecognized_keys': {
      const allowed = membersAt(schema, path, issue.input);
      return issue.keys.map((key) => ({
        pointer: pointer + pointerOf([key]),
        detail: `There is no such member.${didYouMean(key, allowed)}`,
        allowed,
      }));
    }
    case 'invalid_value':
      return notAllowed(issue.values.map(String));
    case 'invalid_type':
      return [
        {
          pointer,
          detail:
            issue.input === undefined
              ? 'This member is missing.'
              : `This must be ${isDateAt(schema, path) ? DATE : (NOUNS[issue.expected] ?? issue.expected)}.`,
          ...allowedAt(schema, path),
        },
      ];
    case 'invalid_union':
      return findingsOfUnion(schema, issue, path) ?? notAllowed(allowedAt(schema, path).allowed);
    case 'invalid_format':
      return [{ pointer, detail: `This ${issue.format in FORMATS ? 'must be ' : ''}${formatOf(issue)}.` }];
    case 'invalid_key':
      return [{ pointer, detail: 'A member may not have this name.' }];
    case 'too_big':
      return [{ pointer, detail: tooMuch(issue.origin, issue.maximum) }];
    case 'too_small':
      return [{ pointer, detail: tooLittle(issue) }];
    default:
      return [{ pointer, detail: `This ${issue.message}.` }];
  }
}

/** A sentence after a space; empty when no word is similar. A code of one or two letters is similar to any other. */
export function didYouMean(word: string, allowed: readonly string[]): string {
  const words = allowed.filter((one) => one.length > 2);
  const near = similarTo(word, words);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** Of the option with the fewest faults, all below this value or about unknown members; undefined when there is none. */
function findingsOfUnion(
  schema: z.ZodType,
  { errors, input }: z.core.$ZodIssueInvalidUnion,
  path: Path,
): PersonaFinding[] | undefined {
  const formats = errors.flatMap(([first]) => (first?.code === 'invalid_format' ? [formatOf(first)] : []));
  if (formats.length > 0 && formats.length === errors.length)
    return [{ pointer: pointerOf(path), detail: `This must be ${formats.join(', or ')}.` }];
  const [best] = errors
    .filter(
      (nested) => nested.length > 0 && nested.every(({ path: { length }, code }) => length > 0 || code === UNKNOWN),
    )
    .sort((one, other) => one.length - other.length);
  // Of an object with strange members only, nothing is missing: it can be meant for each of the options.
  const known = membersAt(schema, path, input);
  const isStrange = Object.keys(Object(input)).every((name) => !known.includes(name));
  const told = best?.filter(({ code }) => code === UNKNOWN || !isStrange);
  return told && findingsOf(schema, told.length > 0 ? told : (best ?? []), path);
}

const formatOf = ({ format, message }: { format: string; message: string }): string => FORMATS[format] ?? message;

const UNKNOWN = 'unrecognized_keys';
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a day that exists, such as 2026-06-01',
  datetime: 'a moment, such as 2026-06-01T12:00:00Z',
};

/** Returns the refused word; an issue about the `soort` of an object has the whole object. */
const wordOf = ({ input, path }: Issue): string =>
  String(typeof input === 'object' && input !== null ? Reflect.get(input, path.at(-1) ?? '') : input);

function isMissing({ input, path }: Issue): boolean {
  const name = path.at(-1);
  return (
    input === undefined ||
    (typeof input === 'object' && input !== null && name !== undefined && !Object.hasOwn(input, name))
  );
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };
const tooMuch = (kind: string, most: number | bigint): string =>
  kind in UNITS ? `This is too long: at most ${most} ${UNITS[kind]}.` : `This is too large: at most ${most}.`;
function tooLittle({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin in UNITS) return `This is too short: at least ${minimum} ${UNITS[origin]}.`;
  return `This is too small: ${inclusive ? 'at least' : 'more than'} ${minimum}.`;
}

const DATE = 'a date relative to today, such as { "years": -12, "days": 9 }';

const isDateAt = (schema: z.ZodType, path: Path): boolean =>
  schemasAt(schema, path).some((one) => one instanceof z.ZodObject && Object.hasOwn(one.shape, 'years'));

/** Returns the schemas of a value at this path: several below a union, an empty list when there is no such path. */
function schemasAt(schema: z.ZodType, path: Path): z.ZodType[] {
  const [part, ...rest] = path;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return schemasAt(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => schemasAt(one as z.ZodType, path));
  if (part === undefined) return [schema];
  if (schema instanceof z.ZodArray) return schemasAt(schema.element as z.ZodType, rest);
  if (schema instanceof z.ZodObject && Object.hasOwn(schema.shape, part))
    return schemasAt(schema.shape[part as string], rest);
  return [];
}

const membersAt = (schema: z.ZodType, path: Path, value: unknown): string[] => [
  ...new Set(schemasAt(schema, path).flatMap((one) => (isOfKind(one, value) ? Object.keys(one.shape) : []))),
];

/** Returns false for an option of a union that has objects of another `kind`, `soort` or `tag` than this value. */
const isOfKind = (schema: z.ZodType, value: unknown): schema is z.ZodObject =>
  schema instanceof z.ZodObject &&
  Object.entries(schema.shape).every(
    ([name, member]) => !(member instanceof z.ZodLiteral) || member.values.has(Reflect.get(Object(value), name)),
  );

function allowedAt(schema: z.ZodType, path: Path): Pick<PersonaFinding, 'allowed'> {
  const values = schemasAt(schema, path).flatMap((one) => {
    if (one instanceof z.ZodEnum) return one.options.map(String);
    return one instanceof z.ZodLiteral ? [...one.values].map(String) : [];
  });
  return values.length === 0 ? {} : { allowed: [...new Set(values)] };
}
