import * as z from 'zod';

/**
 * Schema of a list of at most `max` items. The length is checked before the items: a long list of wrong items would
 * cost seconds.
 */
export const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(item));
