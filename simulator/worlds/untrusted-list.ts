import * as z from 'zod';

/**
 * Returns the schema of a list in a file of another person. It stops at the first item that is wrong: a small file can
 * have a million of them, and reporting them all would take minutes.
 */
export const untrustedList = <Item extends z.ZodType>(item: Item) =>
  // Not a check of a list of unknown values, because the OpenAPI document would then not describe the items.
  z.preprocess((values, context) => {
    if (!Array.isArray(values)) return values;
    for (const [index, value] of values.entries()) {
      const { issues } = item.safeParse(value).error ?? { issues: [] };
      // `continue: false`, so that checks of the whole file do not see a list that is wrong.
      for (const issue of issues) context.addIssue({ ...issue, path: [index, ...issue.path], continue: false });
      if (issues.length > 0) return values;
    }
    return values;
  }, z.array(item));
