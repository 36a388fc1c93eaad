import * as z from 'zod';

/** A list of at most `max` items, counted before any is looked at: a long list of wrong items would cost seconds. */
export const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(item));
