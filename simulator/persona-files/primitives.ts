/** Schemas of values that occur in several parts of a persona file. */
import * as z from 'zod';

/** Returns the schema of a text of 1 to `max` characters that does not begin or end with white space. */
export const text = (max: number) =>
  z
    .string()
    .regex(/^\S(.*\S)?$/, 'must not be empty, or begin or end with a space')
    .max(max);
/** Schema of a relative date: years, months and days to add to the first day of a world, which is mostly today. */
export const Offset = z
  .strictObject({
    years: z.int().min(-100).max(100).optional(),
    months: z.int().min(-1_200).max(1_200).optional(),
    days: z.int().min(-36_500).max(36_500).optional(),
  })
  .describe(
    'A date relative to today: { "months": 4 } is four months from now, { "years": -12, "days": 9 } is twelve years ago plus nine days, {} is today.',
  );
