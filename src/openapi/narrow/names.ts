import * as z from 'zod';

/**
 * The registered names of the narrow schemas (exact schemas of requests and answers). For each name, the client has a
 * type with the same name.
 */
export const NAMES = z.registry<{ id: string }>();

/**
 * Registers `schema` in `NAMES` with the name `id`, and returns it. The caller must make the object schema of an answer
 * strict, so that an answer with an unknown member is a fault; this function does not check that.
 */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMES.add(schema, { id });
  return schema;
}

export const text = z.string();
/** A schema of a string or null. */
export const textOrNull = z.string().nullable();
/** A schema of a calendar date, `YYYY-MM-DD`. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** A schema of a timestamp in whole seconds, `2026-04-03T10:15:00Z`. */
export const moment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
