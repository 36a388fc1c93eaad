import * as z from 'zod';

/** The names of the exact schemas of requests and answers. The client has a type with the same name for each. */
export const NAMES = z.registry<{ id: string }>();

/** Gives `schema` the name `id`, under which the client gets its type, and returns `schema`. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMES.add(schema, { id });
  return schema;
}

export const text = z.string();
export const maybe = z.string().nullable();
/** A schema of a calendar date, `YYYY-MM-DD`. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** A schema of a timestamp in whole seconds, such as `2026-04-03T10:15:00Z`. */
export const moment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
