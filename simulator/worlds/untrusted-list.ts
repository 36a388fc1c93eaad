import * as z from 'zod';

/**
 * Returns the schema of a list in a file of another person. It stops at the first item that is wrong: a small file can
 * have a million of them, and reporting them all would take minutes.
 */
export const untrustedList = <Item extends z.ZodType>(item: Item) =>
  // The schema of the items is used, and not a check of a list of unknown values: the OpenAPI document would then not
  // describe the items.
  z.preprocess((values, context) => {
    if (!Array.isArray(values)) return values;
    // Nothing is checked again: after an unknown member zod goes on, and would report that of every item.
    return parseItems(item, values, context) === z.NEVER ? [] : values;
  }, z.array(item));

/**
 * Returns the schema of the same list inside a text with JSON, which the OpenAPI document does not describe. It checks
 * each item once. An `untrustedList` checks it twice, so in lists in lists the time would double with each level.
 */
export const untrustedListInText = <Item extends z.ZodType>(item: Item) =>
  z.array(z.unknown()).transform((values, context) => parseItems(item, values, context));

/** Returns the parsed items. Reports the faults of the first item that is wrong, and stops there. */
function parseItems<Item extends z.ZodType>(item: Item, values: readonly unknown[], context: z.RefinementCtx) {
  const parsed: z.output<Item>[] = [];
  for (const [index, value] of values.entries()) {
    const { data, error } = item.safeParse(value);
    if (error !== undefined) {
      // `continue: false`, so that checks of the whole file do not see a list that is wrong.
      for (const issue of error.issues) context.addIssue({ ...issue, path: [index, ...issue.path], continue: false });
      return z.NEVER;
    }
    parsed.push(data);
  }
  return parsed;
}
