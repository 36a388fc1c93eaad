/**
 * Schemas with the short type names of the interface specification (`s`, `b`, `i32`), so that a schema can be compared
 * with its table in the specification.
 *
 * A property is optional and nullable unless the specification says otherwise. When a request is parsed, a missing
 * member becomes `null` (domain.md 4.1, "Null"). A response always has every member.
 */
import * as z from 'zod';

/** The type `s` of the specification: a string or null. */
export const s = z.string().nullable().default(null);

/**
 * The type `s` for a calendar date, `YYYY-MM-DD` (domain.md 4.1). The schema accepts any string; rules check the date.
 */
export const date = s.meta({ override: { type: ['string', 'null'], format: 'date' } });

/** The type `s` for a timestamp, RFC 3339 in UTC (domain.md 4.1). */
export const dateTime = s.meta({ override: { type: ['string', 'null'], format: 'date-time' } });

/** The type `b`, non-nullable, of the specification: a boolean. */
export const b = z.boolean();

/** The type `b` of the specification: a boolean or null. */
export const bOrNull = z.boolean().nullable().default(null);

/** The type `i32`, non-nullable, of the specification: a 32-bit integer. */
export const i32 = z.int32();

/** The type `i32`, non-nullable, in a request: a 32-bit integer. The member may be absent, but may not be null. */
export const i32Optional = z.int32().optional();

/** The type `i32` of the specification: a 32-bit integer or null. */
export const i32OrNull = z.int32().nullable().default(null);

/** The schema of any JSON value, which is passed on without validation. */
export const json = z.unknown().optional().meta({ override: {} });

/**
 * Returns a schema that accepts a value of any type. A rule checks the value later, because a rule can report a more
 * precise fault. The OpenAPI document shows the type that the value should have.
 */
export const checkedByRule = (type: 'string' | 'integer', values?: readonly string[]) =>
  z
    .unknown()
    .optional()
    .meta({
      override: {
        type: [type, 'null'],
        ...(values && { enum: [...values, null] }),
        ...(type === 'integer' && { format: 'int32', minimum: 1 }),
      },
    });

/**
 * Returns the schema of a list of `item`, or null (written as [X] in the specification). Lists in request bodies have
 * at most 1,000 items (reliability.md, "Bounded").
 */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullable().default(null);

/** Returns the schema of a record inside another record, or null (written as X in the specification). */
export const ref = <Record extends z.ZodType>(record: Record) => record.nullable().default(null);

/**
 * Returns the schema of a record of the specification with this name (`id`). It refuses members that are not in
 * `shape`.
 */
export const dto = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.strictObject(shape).meta({ id });
