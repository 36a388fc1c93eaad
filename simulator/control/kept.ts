/** Parts of the answers of earlier steps of a demonstration, keyed by the name under which a step keeps them. */
export type Kept = Readonly<Record<string, string>>;

/** `missing` returns what takes the place of a name in braces (`all`), such as `{id-1}`, without a kept part. */
export const filledIn = <Step>(step: Step, kept: Kept, missing: (name: string, all: string) => string): Step =>
  JSON.parse(
    JSON.stringify(step).replace(/\{([a-zA-Z]+-\d+)\}/g, (all, name: string) =>
      kept[name] === undefined ? missing(name, all) : JSON.stringify(kept[name]).slice(1, -1),
    ),
  );

/** `keep` has the JSON Pointer of each part. One that is not a string in the answer is left out. */
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
