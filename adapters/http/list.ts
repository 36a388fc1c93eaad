import * as z from 'zod';

/** A list of at most `most` items, counted before any is looked at: a long list of wrong items would cost seconds. */
export const listOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.array(z.unknown()).max(most).pipe(z.array(item));
