import { randomUuid } from 'zorgregister-bff/client';
import { placeOf } from '../session.ts';

/** A value that is not saved yet, and the `ETag` of the version to which its changes were made. */
type Unsaved<Value> = { etag: string; value: Value };

const TAB = 'mijn-register:tab';

/** The id of this tab, which stays the same after a reload. */
const tab = sessionStorage.getItem(TAB) ?? randomUuid();

// Stored only while the page is reloaded: a copy of this tab, which begins with the same session storage, gets another id.
addEventListener('pageshow', () => sessionStorage.removeItem(TAB));
addEventListener('pagehide', () => sessionStorage.setItem(TAB, tab));

/**
 * Returns functions to keep the unsaved changes of a value in `localStorage`, one version for each tab, so that no tab
 * overwrites or removes the version of another.
 * @param name identifies the value in the storage of the browser
 */
export function unsavedOf<Value>(name: string) {
  const place = placeOf(`onbewaard:${name}`);
  const read = () => JSON.parse(localStorage.getItem(place) ?? '{}') as Record<string, Unsaved<Value>>;

  /** Stores the versions of all tabs. */
  function write(versions: Record<string, Unsaved<Value>>) {
    if (Object.keys(versions).length === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(versions));
  }

  return {
    /**
     * Returns the version of this tab; without one, takes over the version of another tab, which may be closed. Returns
     * null when there is none.
     */
    take(): Unsaved<Value> | null {
      const versions = read();
      const from = tab in versions ? tab : Object.keys(versions)[0];
      if (from === undefined) return null;
      const { [from]: taken, ...others } = versions;
      write({ ...others, [tab]: taken as Unsaved<Value> });
      return taken ?? null;
    },
    /** Stores the version of this tab. */
    keep: (version: Unsaved<Value>) => write({ ...read(), [tab]: version }),
    /** Removes the version of this tab. */
    remove() {
      const { [tab]: _, ...others } = read();
      write(others);
    },
    /** Removes the versions of all tabs. */
    clear: () => localStorage.removeItem(place),
  };
}
