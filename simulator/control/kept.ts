/** Parts of the answers of earlier steps of a demonstration, keyed by the name under which a step keeps them. */
export type Kept = Readonly<Record<string, string>>;

/**
 * Returns the step with kept parts in place of their names in braces, such as `{id-1}`.
 * @param missing returns what takes the place of a name in braces (`all`) without a kept part
 */
export const filledIn = <Step>(step: Step, kept: Kept, missing: (name: string, all: string) => string): Step =>
  JSON.parse(
    JSON.stringify(step).replace(/\{([a-zA-Z]+-\d+)\}/g, (all, name: string) =>
      kept[name] === undefined ? missing(name, all) : JSON.stringify(kept[name]).slice(1, -1),
    ),
  );

/**
 * Returns the parts of an answer that a step keeps for later steps. A part that is not a string in the answer is left out.
 * @param keep the JSON Pointer of each part
 */
export const keptOf = (keep: Kept, answer: unknown): Kept =>
  Object.fromEntries(
    Object.entries(keep).flatMap(([name, pointer]) => {
      const value = pointer
        .split('/')
        .slice(1)
        .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((part, member) => (part as Record<string, unknown> | undefined)?.[member], answer);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
