import { useState } from 'preact/hooks';
import { placeOf } from '../session.ts';

/**
 * Returns the value that the user typed in a form, a function to change this value, and a function to make it empty
 * again. The value is stored in session storage, so it survives a reload.
 * @param name identifies the form in the storage of the browser
 * @param empty the value before anything is typed
 */
export function useTyped<Value>(
  name: string,
  empty: Value,
): [value: Value, set: (next: Value) => void, forget: () => void] {
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
