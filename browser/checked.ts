import type * as z from 'zod';
import { validated } from '../src/http/request/validation.ts';
import { Problem } from '../src/problem.ts';

/**
 * Returns `value` as parsed by a schema of the control API. Throws an error that names every wrong member: without the
 * types, as in JavaScript, nothing else would.
 */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  try {
    return validated(schema, value);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const faults = (error.extras.errors ?? []).map(({ pointer, detail }) => `${pointer}: ${detail}`);
    throw new Error(`handlers: ${faults.join(' ')}`);
  }
}
