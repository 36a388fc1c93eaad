import * as z from 'zod';

/**
 * Returns a schema for a list of at most `max` items. It checks the length before the items, because checking a long
 * list of wrong items takes seconds.
 */
export const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(item));
