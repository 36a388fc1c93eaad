/** Null when nothing is stored under this key in this browser tab, or the browser does not allow storage. */
// biome-ignore lint/suspicious/noExplicitAny: JSON that this page stored
export function loadFromSession(key: string): any {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a JSON value for this browser tab, so that it survives a reload of the page; null removes it. */
export function saveInSession(key: string, value: unknown) {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is absent or full.
  }
}
