/**
 * Creates the selection: the slug (short name) of the person that the main panel shows, with functions to choose
 * another person (`choose`) and to add a listener (`on`).
 * @param {string} first slug of the person who is selected first
 */
export function createSelection(first) {
  let slug = first;
  /** @type {((slug: string) => void)[]} */
  const listeners = [];
  return {
    get slug() {
      return slug;
    },
    /**
     * Selects a person and calls the listeners; does nothing when this person is already selected.
     * @param {string} chosen
     */
    choose(chosen) {
      if (chosen === slug) return;
      slug = chosen;
      for (const listener of listeners) listener(slug);
    },
    /** Adds a function that is called when another person is selected. @param {(slug: string) => void} listener */
    on(listener) {
      listeners.push(listener);
    },
  };
}

/** The selected person, as `createSelection` returns it. @typedef {ReturnType<typeof createSelection>} Selection */
