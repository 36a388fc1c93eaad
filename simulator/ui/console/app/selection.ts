/**
 * Creates the selection: the slug (short name) of the person that the main panel shows, with functions to choose
 * another person (`choose`) and to add a listener (`on`).
 * @param first slug of the person who is selected first
 */
export function createSelection(first: string) {
  let slug = first;
  const listeners: ((slug: string) => void)[] = [];
  return {
    get slug() {
      return slug;
    },
    /** Selects a person and calls the listeners; does nothing when this person is already selected. */
    choose(chosen: string) {
      if (chosen === slug) return;
      slug = chosen;
      for (const listener of listeners) listener(slug);
    },
    /** Adds a function that is called when another person is selected. */
    on(listener: (slug: string) => void) {
      listeners.push(listener);
    },
  };
}
