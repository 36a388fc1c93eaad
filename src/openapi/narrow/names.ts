import * as z from 'zod';

/** The names of the narrow schemas of records. The client has a type with the same name for each. */
export const NAMES = z.registry<{ id: string }>();

/**
 * Registers a schema under this name, and returns the schema. The object schema of an answer must be strict, so that an
 * answer with an unknown member is a fault.
 */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMES.add(schema, { id });
  return schema;
}

export const text = z.string();
/** A schema of a string or null. */
export const maybe = z.string().nullable();
/** A schema of a calendar date, `YYYY-MM-DD`. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** A schema of a timestamp in whole seconds, `2026-04-03T10:15:00Z`. */
export const moment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
