import * as z from 'zod';

/** The names of the exact schemas of requests and answers. The client has a type with the same name for each. */
export const NAMES = z.registry<{ id: string }>();

/** Registers `schema` in `NAMES` under the name `id`, which its type in the client gets too, and returns `schema`. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMES.add(schema, { id });
  return schema;
}

export const text = z.string();
/** A schema of a string or null. */
export const textOrNull = z.string().nullable();
/** A schema of a calendar date, `YYYY-MM-DD`. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** A schema of a timestamp in whole seconds, such as `2026-04-03T10:15:00Z`. */
export const moment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
