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
  const notAllowed = isMissing(issue) ? 'This member is missing.' : 'This is not one of the allowed values.';
  switch (issue.code) {
    case 'unrecognized_keys': {
      const allowed = membersAt(schema, path, issue.input);
      return issue.keys.map((key) => {
        const near = similarTo(key, allowed);
        const meant = near === undefined ? '' : ` Did you mean ${near}?`;
        return { pointer: pointer + pointerOf([key]), detail: `There is no such member.${meant}`, allowed };
      });
    }
    case 'invalid_value':
      return [{ pointer, detail: notAllowed, allowed: issue.values.map(String) }];
    case 'invalid_type':
      return [
        {
          pointer,
          detail:
            issue.input === undefined
              ? 'This member is missing.'
              : `This must be ${NOUNS[issue.expected] ?? issue.expected}.`,
          ...allowedAt(schema, path),
        },
      ];
    case 'invalid_union':
      // Reports the option that fits best: the one with faults only below this value, or about unknown members.
      for (const nested of issue.errors)
        if (nested.length > 0 && nested.every((one) => one.path.length > 0 || one.code === 'unrecognized_keys'))
          return findingsOf(schema, nested, path);
      return [{ pointer, detail: notAllowed, ...allowedAt(schema, path) }];
    case 'too_big':
      return [{ pointer, detail: `This is too large: at most ${issue.maximum}.` }];
    case 'too_small':
      return [{ pointer, detail: `This is too small: at least ${issue.minimum}.` }];
    default:
      return [{ pointer, detail: `This ${issue.message}.` }];
  }
}

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

const membersAt = (schema: z.ZodType, path: Path, value: unknown): string[] =>
  Object.keys(schemasAt(schema, path).find((one) => isOfKind(one, value))?.shape ?? {});

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
