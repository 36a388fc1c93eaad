/**
 * The person whose canvas is shown. Listeners are called when another one is chosen.
 * @param {string} first slug
 */
export function createSelection(first) {
  let slug = first;
  /** @type {((slug: string) => void)[]} */
  const listeners = [];
  return {
    get slug() {
      return slug;
    },
    /** @param {string} chosen */
    choose(chosen) {
      if (chosen === slug) return;
      slug = chosen;
      for (const listener of listeners) listener(slug);
    },
    /** @param {(slug: string) => void} listener */
    on(listener) {
      listeners.push(listener);
    },
  };
}

/** @typedef {ReturnType<typeof createSelection>} Selection */
