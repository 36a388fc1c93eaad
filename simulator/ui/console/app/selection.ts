import { address, go } from './address.ts';

/**
 * Creates the selection: the slug of the person that the main panel shows, with functions to choose another person
 * (`choose`) and to add a listener (`on`). The slug is in the address of the page.
 */
export function createSelection() {
  const { person } = address;
  return {
    get slug() {
      return person.value;
    },
    /** Selects a person and calls the listeners; does nothing when this person is already selected. */
    choose: (slug: string) => go({ person: slug }),
    /** Selects the person that the frame shows after Back or Forward, which is no new step. */
    follow: (slug: string) => go({ person: slug }, false),
    /** Adds a function that is called when another person is selected. */
    on(listener: (slug: string) => void) {
      let last = person.peek();
      person.subscribe((slug) => {
        if (slug === last) return;
        last = slug;
        listener(slug);
      });
    },
  };
}
