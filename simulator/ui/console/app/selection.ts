import { signal } from '@preact/signals';

/**
 * Creates the selection: the slug (short name) of the person that the main panel shows, with functions to choose
 * another person (`choose`) and to add a listener (`on`).
 * @param first slug of the person who is selected first
 */
export function createSelection(first: string) {
  const slug = signal(first);
  const listeners: ((slug: string) => void)[] = [];
  return {
    get slug() {
      return slug.value;
    },
    /** Selects a person and calls the listeners; does nothing when this person is already selected. */
    choose(chosen: string) {
      if (chosen === slug.peek()) return;
      slug.value = chosen;
      for (const listener of listeners) listener(chosen);
    },
    /** Adds a function that is called when another person is selected. */
    on(listener: (slug: string) => void) {
      listeners.push(listener);
    },
  };
}
