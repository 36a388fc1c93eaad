/**
 * Schemas with the short type names of the specification (`s`, `b`, `i32`). Most are optional and nullable: a missing
 * member of a request becomes `null` (domain.md 4.1, "Null").
 */
import * as z from 'zod';

/** The type `s` of the specification: a string or null. A missing member becomes null. */
export const s = z.string().nullable().default(null);

/** The type `s` for a calendar date (domain.md 4.1). The schema accepts any string; rules check the date later. */
export const date = s.meta({ override: { type: ['string', 'null'], format: 'date' } });

/** The type `s` for a timestamp, RFC 3339 in UTC (domain.md 4.1). The schema accepts any string. */
export const dateTime = s.meta({ override: { type: ['string', 'null'], format: 'date-time' } });

/** The non-nullable type `b` of the specification: a boolean. */
export const b = z.boolean();

/** The type `b` of the specification: a boolean or null. A missing member becomes null. */
export const bOrNull = z.boolean().nullable().default(null);

/** The non-nullable type `i32` of the specification: a 32-bit integer. */
export const i32 = z.int32();

/** The non-nullable type `i32` in a request: a 32-bit integer that may be absent but not null. */
export const i32Optional = z.int32().optional();

/** The type `i32` of the specification: a 32-bit integer or null. A missing member becomes null. */
export const i32OrNull = z.int32().nullable().default(null);

/** A schema that accepts any JSON value. */
export const json = z.unknown().optional().meta({ override: {} });

/**
 * Returns a schema that accepts any value, because a rule checks it later and can report a more precise fault. The
 * OpenAPI document shows the type that the value should have.
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

/** Maximum number of faults that a refusal names. */
export const MAX_FAULTS = 100;

/** With a type of its own, because TypeScript asks that of a function that asserts something. */
const initArray: typeof z.ZodArray.init = z.ZodArray.init;

/** A list whose check ends when it has found more than `MAX_FAULTS` faults. */
const BoundedArray = z.core.$constructor<z.ZodArray>('BoundedArray', (inst, def) => {
  initArray(inst, def);
  const checkAll = inst._zod.parse;
  const max = Math.min(...z.core.util.sizeCaps(def.checks).map(([size]) => size), Number.POSITIVE_INFINITY);
  inst._zod.parse = (payload, context) => {
    const items = payload.value;
    // zod refuses these without a look at the items.
    if (!Array.isArray(items) || items.length > max) return checkAll(payload, context);
    const checked: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const result = def.element._zod.run({ value: item, issues: [] }, context) as z.core.ParsePayload;
      checked.push(result.value);
      if (result.issues.length === 0) continue;
      payload.issues.push(...z.core.util.prefixIssues(index, result.issues));
      if (payload.issues.length > MAX_FAULTS) break;
    }
    payload.value = checked;
    return payload;
  };
});

/**
 * Returns the schema of a list of `item`, for data from outside. Its check ends when it has found more than `MAX_FAULTS`
 * faults: `z.array` finds and keeps all of them, which takes up to ten times as long as the check of right data.
 */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  new BoundedArray({ type: 'array', element: item }) as z.ZodArray<Item>;

/** Returns a schema of null or a list of `item`, written as [X] in the specification. A missing member becomes null. */
export const list = <Item extends z.ZodType>(item: Item) => listOf(item).nullable().default(null);

/** Returns a schema of null or `record`, for a member of another record. A missing member becomes null. */
export const ref = <Record extends z.ZodType>(record: Record) => record.nullable().default(null);

/** Returns the schema of the specification's record with the name `id`. It refuses members that are not in `shape`. */
export const dto = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.strictObject(shape).meta({ id });
