/**
 * What happens to each value of an answer before it is written to a file: it is kept, it is replaced, or it prevents
 * that the answer is written.
 */
import type { Replacement } from './replacement.ts';

/**
 * A function that returns what is written to the file for a value of an answer: that value or a replacement. Throws
 * `NotRecognised` for a value that it does not know. `pointer` is the JSON Pointer of the value.
 */
export type Treatment = (value: unknown, by: Replacement, pointer: string) => unknown;

/** The error for an answer with an unknown member or value, which is not written. It never contains that value. */
export class NotRecognised extends Error {
  /** JSON Pointer of the member in the answer. */
  readonly pointer: string;

  constructor(pointer: string) {
    super(`${pointer} is not known to the recorder`);
    this.pointer = pointer;
  }
}

/** Returns a recording rule (`Treatment`) that keeps null, and does the same as `treatment` with any other value. */
export const orNull =
  (treatment: Treatment): Treatment =>
  (value, by, pointer) =>
    value === null ? null : treatment(value, by, pointer);

/**
 * Returns a recording rule (`Treatment`) for null or an object, of which each member gets its treatment in `known` or
 * may be absent. It throws `NotRecognised` for a member that is not in `known`.
 */
export const members = (known: Readonly<Record<string, Treatment>>): Treatment =>
  orNull((value, by, pointer) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw new NotRecognised(pointer);
    return Object.fromEntries(
      Object.entries(value as object).map(([name, member]) => {
        const below = `${pointer}/${name}`;
        const treatment = Object.hasOwn(known, name) ? known[name] : undefined;
        if (treatment === undefined) throw new NotRecognised(below);
        return [name, treatment(member, by, below)];
      }),
    );
  });

/** Returns a recording rule (`Treatment`) for null or a list, in which each item gets the treatment `item`. */
export const listOf = (item: Treatment): Treatment =>
  orNull((value, by, pointer) => {
    if (!Array.isArray(value)) throw new NotRecognised(pointer);
    return value.map((one, index) => item(one, by, `${pointer}/${index}`));
  });

/** In a recording, keeps true, false and null; throws `NotRecognised` for any other value. */
export const flag: Treatment = orNull((value, _, pointer) => {
  if (typeof value !== 'boolean') throw new NotRecognised(pointer);
  return value;
});

/**
 * Returns a recording rule (`Treatment`) that keeps null and a text that matches `form`, and throws `NotRecognised` for
 * any other value. No text that can identify a person may match.
 */
export const matching = (form: RegExp): Treatment =>
  orNull((value, _, pointer) => {
    if (typeof value !== 'string' || !form.test(value)) throw new NotRecognised(pointer);
    return value;
  });

/**
 * Returns a recording rule (`Treatment`) that keeps null and a text in this list, and throws `NotRecognised` for any
 * other value.
 */
export const oneOf = (...values: readonly string[]): Treatment =>
  orNull((value, _, pointer) => {
    if (!values.includes(value as string)) throw new NotRecognised(pointer);
    return value;
  });

/** Returns true for a blank text and for `.`, which registers send for an unknown value. */
const isBlank = (text: string): boolean => text.trim() === '' || text.trim() === '.';

/**
 * Returns a recording rule (`Treatment`) that replaces a text by the result of `make`, and records the original
 * (`Replacement.forget`). It keeps null, a blank text and `.`, and throws `NotRecognised` when `make` returns null.
 */
export const replaced = (make: (by: Replacement, original: string) => string | null): Treatment =>
  orNull((value, by, pointer) => {
    if (typeof value !== 'string') throw new NotRecognised(pointer);
    if (isBlank(value)) return value;
    const written = make(by, value);
    if (written === null) throw new NotRecognised(pointer);
    by.forget(value);
    return written;
  });

/**
 * Returns a recording rule (`Treatment`) that keeps a text in the public list `known`, and replaces any other text by
 * `instead`.
 */
export function knownText(known: Iterable<string>, instead: string): Treatment {
  const texts = new Set([...known, instead]);
  const unknown = replaced(() => instead);
  return (value, by, pointer) => {
    if (!texts.has(value as string)) return unknown(value, by, pointer);
    by.keep(value as string);
    return value;
  };
}

/** In a recording, replaces free text by a standard sentence, because it can say anything about a person. */
export const freeText = knownText([], 'Deze tekst is vervangen.');

/**
 * In a recording, moves a date `YYYY-MM-DD` by as many days as the day of the recording is moved (`Replacement.day`).
 */
export const date: Treatment = replaced((by, original) => by.day(original));

/**
 * In a recording, moves a date of birth like any other date, and then by 1 to 180 days more (`Replacement.birthday`).
 */
export const birthDate: Treatment = replaced((by, original) => by.birthday(original));
