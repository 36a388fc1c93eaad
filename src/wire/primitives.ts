/**
 * Schemas with the type names of the interface specification, so that a schema can be compared with its table in the
 * specification.
 *
 * A property is optional and nullable unless the specification says otherwise. When a request is parsed, a missing
 * member becomes `null` (domain.md 4.1, "Null"). A response always has every member.
 */
import * as z from 'zod';

/** s: a string, nullable. */
export const s = z.string().nullable().default(null);

/** s: a calendar date, `YYYY-MM-DD` (domain.md 4.1). Any string is accepted here; rules check the date. */
export const date = s.meta({ override: { type: ['string', 'null'], format: 'date' } });

/** s: a timestamp, RFC 3339 in UTC (domain.md 4.1). */
export const dateTime = s.meta({ override: { type: ['string', 'null'], format: 'date-time' } });

/** b, non-nullable: a boolean. */
export const b = z.boolean();

/** b, nullable. */
export const bOrNull = z.boolean().nullable().default(null);

/** i32, non-nullable: a 32-bit integer. */
export const i32 = z.int32();

/** i32, non-nullable, in a request: may be absent, may not be null. */
export const i32Optional = z.int32().optional();

/** i32, nullable. */
export const i32OrNull = z.int32().nullable().default(null);

/** Any JSON value, passed on without validation. */
export const json = z.unknown().optional().meta({ override: {} });

/**
 * Returns a schema that accepts a value of any type, because a rule checks the value and reports a more precise fault.
 * The OpenAPI document shows the type that the value should have.
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
 * Returns the schema of [X]: a list, nullable. Lists in request bodies have at most 1,000 items (reliability.md,
 * "Bounded").
 */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullable().default(null);

/** Returns the schema of X: another record, nullable. */
export const ref = <Record extends z.ZodType>(record: Record) => record.nullable().default(null);

/**
 * Returns the schema of a record of the specification. `id` is its name; members that are not in `shape` are refused.
 */
export const dto = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.strictObject(shape).meta({ id });
