/**
 * The kinds of texts in a snapshot file. The schema of the file gives each text a kind, which says what happens to the
 * text when the snapshot is restored in another world. A text without a kind does not compile (`demandKinds`).
 */
import * as z from 'zod';
import { parseSimulatedJson } from '../../transport/operation.ts';

type Kind = 'world' | 'reference' | 'typed' | 'fixed';
type Marked<Value> = Value & z.core.$brand<Kind>;

/** Returns a schema of the same values, as texts of one kind. A value that is a list or an object has texts of that kind. */
type Mark = <Schema extends z.ZodType>(schema: Schema) => z.ZodType<Marked<z.output<Schema>>, z.input<Schema>>;

export interface TextKinds {
  /** The name of the world of the snapshot. */
  readonly world: Mark;
  /** A text that the service or a simulator made. Logins and ids in it belong to the world. */
  readonly reference: Mark;
  /** A text that people typed or a client chose. Only ids of the world in it change: other words only look like logins. */
  readonly typed: Mark;
  /** A text that is the same in every world, such as a date. */
  readonly fixed: Mark;
  /** Returns the schema of a text with the JSON of a value that `schema` accepts. */
  json<Schema extends z.ZodType>(schema: Schema): z.ZodType<Marked<string>, string>;
}

export type Rewrite = Readonly<Record<Exclude<Kind, 'fixed'>, (text: string) => string>>;

/** Maximum nesting depth of a value whose structure is free: deeper values cannot be copied. */
const MAX_DEPTH = 64;

/** Returns true for a value that is nested at most `levels` deep. */
export const isShallow = (value: unknown, levels = MAX_DEPTH): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1)));

/** Returns the value in a string with JSON; undefined when it is not JSON, or is nested too deep to copy. */
export function parse(value: string): unknown {
  const parsed = parseSimulatedJson(value);
  return isShallow(parsed) ? parsed : undefined;
}

const asItIs: Mark = (schema) => schema as never;

export const UNCHANGED: TextKinds = {
  world: asItIs,
  reference: asItIs,
  typed: asItIs,
  fixed: asItIs,
  json: (schema) =>
    asItIs(
      z.string().refine((value) => {
        const parsed = parse(value);
        return parsed !== undefined && schema.safeParse(parsed).success;
      }),
    ),
};

/** Returns the kinds in a schema that changes the texts of a snapshot file, which must be valid. */
export function rewriting(rewrite: Rewrite): TextKinds {
  const changed =
    (kind: keyof Rewrite): Mark =>
    (schema) =>
      schema.transform((value) => mapTexts(value, rewrite[kind])) as never;
  return {
    world: changed('world'),
    reference: changed('reference'),
    typed: changed('typed'),
    fixed: asItIs,
    json: (schema) => asItIs(z.string().transform((value) => JSON.stringify(schema.parse(parse(value))))),
  };
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, change)]));
}

/** The paths to the texts and values of unknown type in a value of type `Value` that have no kind; never when all have one. */
type WithoutKind<Value, Path extends string = ''> =
  Value extends z.core.$brand<Kind>
    ? never
    : unknown extends Value
      ? Path
      : Value extends string
        ? string extends Value
          ? Path
          : never
        : Value extends readonly (infer Item)[]
          ? WithoutKind<Item, `${Path}[]`>
          : Value extends object
            ? { [Name in keyof Value & string]-?: WithoutKind<Value[Name], `${Path}.${Name}`> }[keyof Value & string]
            : never;

/**
 * Returns a schema. It does not compile when a text in the parsed value has no kind; the error names the path to that
 * text. An enumeration needs no kind.
 */
export const demandKinds = <Schema extends z.ZodType>(
  schema: [WithoutKind<z.output<Schema>>] extends [never] ? Schema : WithoutKind<z.output<Schema>>,
): Schema => schema as Schema;
