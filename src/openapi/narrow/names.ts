import * as z from 'zod';

/** The names of the narrow records, which are the names of their types in the client. */
export const NAMES = z.registry<{ id: string }>();

/** Returns a schema under this name. An object must be strict: a member that is not promised is a fault. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMES.add(schema, { id });
  return schema;
}

export const text = z.string();
/** A string, or null. */
export const maybe = z.string().nullable();
/** A calendar date, `YYYY-MM-DD`. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** A timestamp in whole seconds, `2026-04-03T10:15:00Z`. */
export const moment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
