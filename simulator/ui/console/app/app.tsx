import { signal } from '@preact/signals';
import { PageError } from './api.ts';
import { type Part, Problem } from './part.tsx';
import { createSelection } from './selection.ts';
import type { PageStore } from './store.ts';

/** Milliseconds for which a status message is shown. */
const MESSAGE_TIME = 4_000;

/**
 * Returns the object that all panels of the console use. It contains the store (the data of the world that is shown),
 * the selected person, and functions that show messages and run actions.
 */
export function createApp(store: PageStore) {
  const status = document.getElementById('said') as HTMLElement;
  let timer = 0;
  /** The parts of the page that say that the simulator does not answer. */
  const unreachable: Set<Part> = new Set();
  /** The error of the last look at the simulator, when it did not answer. */
  const offline = signal<PageError | null>(null);

  /** Shows a status message for 4 seconds. Screen readers read it. */
  function say(text: string) {
    status.textContent = text;
    status.classList.add('toast');
    clearTimeout(timer);
    timer = setTimeout(() => {
      status.textContent = '';
      status.classList.remove('toast');
    }, MESSAGE_TIME);
  }

  /** Removes the error messages that say that the simulator does not answer. */
  function clearUnreachable() {
    offline.value = null;
    for (const { message } of unreachable) message.value = null;
    unreachable.clear();
  }

  return {
    store,
    selection: createSelection(),
    say,
    /** Returns the Dutch name of a persona; the slug itself when no persona has this slug. */
    nameOf: (slug: string) => store.shown.personas.value?.find((one) => one.slug === slug)?.naam ?? slug,
    /**
     * Makes a snapshot of each world in the list `worlds`, so that the user can undo the action that comes next. `did`
     * is a Dutch text for that action. Does nothing until `main.ts` replaces this function.
     */
    snapshotForUndo: async (_did: string, _worlds: readonly string[]): Promise<void> => {},
    /** Loads data of the shown world again, to see changes that were made outside this page. Does not reject. */
    poll: () =>
      store.poll().then(clearUnreachable, (error) => {
        if (error instanceof PageError && error.unreachable) offline.value = error;
      }),
    offline,
    /**
     * Runs an action. When it succeeds, shows `done` as a status message and loads the data of the store again. When it
     * fails, shows the error in the part. Never rejects.
     * @param done the message, or a function that makes it from the result of the
     *   action; no message is shown when it is absent
     * @returns true when the action succeeded
     */
    async run<T>(part: Part, action: () => Promise<T>, done?: string | ((done: T) => string)): Promise<boolean> {
      const showError = (error: unknown) => {
        // The browser reports a mistake in this page.
        if (!(error instanceof PageError)) reportError(error);
        part.message.value = <Problem of={error} onRetry={() => this.run(part, action, done)} />;
        if (error instanceof PageError && error.unreachable) unreachable.add(part);
        else unreachable.delete(part);
      };
      part.message.value = null;
      try {
        const result = await action();
        store.refreshAfterAction().catch(showError);
        if (done !== undefined) say(typeof done === 'string' ? done : done(result));
        return true;
      } catch (error) {
        showError(error);
        return false;
      }
    },
  };
}

/** The object that all panels of the console use. */
export type App = ReturnType<typeof createApp>;
