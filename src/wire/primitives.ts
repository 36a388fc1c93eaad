/**
 * Schemas with the names that the interface specification uses for types, so that a schema can be compared with its
 * table.
 *
 * Every property of the specification is optional and nullable unless it says otherwise. Parsed, a missing member
 * becomes `null` (domain.md 4.1, "Null"); a response therefore always carries every member.
 */
import * as z from 'zod';

/** s: a string. */
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
 * A value of any type, because a rule checks it and reports its own fault. The OpenAPI document shows the type that it
 * should have.
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

/** [X]: a list, nullable. A check of every request body limits it to 1,000 items (reliability.md, "Bounded"). */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullable().default(null);

/** X: another record, nullable. */
export const ref = <Record extends z.ZodType>(record: Record) => record.nullable().default(null);

/** A record of the specification: its name, its members, and no others. */
export const dto = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.strictObject(shape).meta({ id });
