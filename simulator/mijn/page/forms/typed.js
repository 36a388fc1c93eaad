import { useState } from 'preact/hooks';
import { placeOf } from '../session.js';

/**
 * Returns the value that the user typed in a form, a function to change this value, and a function to make it empty
 * again. The value is stored in session storage, so it survives a reload.
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
