import { useState } from 'preact/hooks';
import { placeOf } from '../session.js';

/**
 * Returns what the user typed in a form without a draft, a function to change it, and a function that forgets it. It is
 * in session storage, so a reload keeps it: after a session expires, logging in loads the page again.
 * @template Value
 * @param {string} name identifies the form in the storage of the browser
 * @param {Value} empty the value before anything is typed
 * @returns {[value: Value, set: (next: Value) => void, forget: () => void]}
 */
export function useTyped(name, empty) {
  const place = placeOf(`getypt:${name}`);
  const [value, setValue] = useState(() => JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? empty);
  return [
    value,
    (next) => {
      sessionStorage.setItem(place, JSON.stringify(next));
      setValue(next);
    },
    () => {
      sessionStorage.removeItem(place);
      setValue(empty);
    },
  ];
}
