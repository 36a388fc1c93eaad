/** Functions that anonymize the answer of a real upstream before it is written to a file. */
import type { Replacement } from './replacement.ts';

/**
 * A function that anonymizes one value of an answer: it returns the value to write to the file, which is the given
 * value or a replacement of it. Throws `UnknownValueError` for a value that it does not know; the answer is then not
 * written. `pointer` is the JSON Pointer of the value.
 */
export type Anonymizer = (value: unknown, replacement: Replacement, pointer: string) => unknown;

/**
 * The error for an answer that is not written, because it has an unknown member or value. The error never contains that
 * value.
 */
export class UnknownValueError extends Error {
  /** JSON Pointer of the member in the answer. */
  readonly pointer: string;

  constructor(pointer: string) {
    super(`${pointer} is not known to the recorder`);
    this.pointer = pointer;
  }
}

/** Returns an anonymizer that keeps null, and calls `anonymize` for any other value. */
const orNull =
  (anonymize: Anonymizer): Anonymizer =>
  (value, replacement, pointer) =>
    value === null ? null : anonymize(value, replacement, pointer);

/**
 * Returns an anonymizer for null or an object. Each member is anonymized by the function in `known` with its name; a
 * member may be absent. Throws `UnknownValueError` for a member that is not in `known`.
 */
export const members = (known: Readonly<Record<string, Anonymizer>>): Anonymizer =>
  orNull((value, replacement, pointer) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw new UnknownValueError(pointer);
    return Object.fromEntries(
      Object.entries(value as object).map(([name, member]) => {
        const below = `${pointer}/${name}`;
        const anonymize = Object.hasOwn(known, name) ? known[name] : undefined;
        if (anonymize === undefined) throw new UnknownValueError(below);
        return [name, anonymize(member, replacement, below)];
      }),
    );
  });

/**
 * Returns an anonymizer for null or a list, of which each item is anonymized by `item`. Throws `UnknownValueError` for
 * any other value.
 */
export const listOf = (item: Anonymizer): Anonymizer =>
  orNull((value, replacement, pointer) => {
    if (!Array.isArray(value)) throw new UnknownValueError(pointer);
    return value.map((one, index) => item(one, replacement, `${pointer}/${index}`));
  });

/** Keeps true, false and null. Throws `UnknownValueError` for any other value. */
export const flag: Anonymizer = orNull((value, _, pointer) => {
  if (typeof value !== 'boolean') throw new UnknownValueError(pointer);
  return value;
});

/**
 * Returns an anonymizer that keeps null and a text that matches `form`, and throws `UnknownValueError` for any other
 * value. `form` must not match a text that can identify a person.
 */
export const matching = (form: RegExp): Anonymizer =>
  orNull((value, _, pointer) => {
    if (typeof value !== 'string' || !form.test(value)) throw new UnknownValueError(pointer);
    return value;
  });

/**
 * Returns an anonymizer that keeps null and the texts in `values`, and throws `UnknownValueError` for any other value.
 */
export const oneOf = (...values: readonly string[]): Anonymizer =>
  orNull((value, _, pointer) => {
    if (!values.includes(value as string)) throw new UnknownValueError(pointer);
    return value;
  });

/** Returns true for a blank text and for `.`, which registers send for an unknown value. */
const isBlank = (text: string): boolean => text.trim() === '' || text.trim() === '.';

/**
 * Returns an anonymizer that replaces a text by the result of `make`. It keeps null, a blank text and `.`. Throws
 * `UnknownValueError` when `make` returns null, and for a value that is not a text. The original is recorded, to check
 * later that it is not in the file.
 */
export const replaced = (make: (replacement: Replacement, original: string) => string | null): Anonymizer =>
  orNull((value, replacement, pointer) => {
    if (typeof value !== 'string') throw new UnknownValueError(pointer);
    if (isBlank(value)) return value;
    const written = make(replacement, value);
    if (written === null) throw new UnknownValueError(pointer);
    replacement.recordOriginal(value);
    return written;
  });

/**
 * Returns an anonymizer that keeps the texts in `known`, which must be public, and replaces any other text by
 * `instead`.
 */
export function knownText(known: Iterable<string>, instead: string): Anonymizer {
  const texts = new Set([...known, instead]);
  const unknown = replaced(() => instead);
  return (value, replacement, pointer) => {
    if (!texts.has(value as string)) return unknown(value, replacement, pointer);
    replacement.allowText(value as string);
    return value;
  };
}

/** Replaces a text that people typed by a standard sentence, because it can say anything about a person. */
export const freeText = knownText([], 'Deze tekst is vervangen.');

/**
 * Moves a date `YYYY-MM-DD` by the number of days between the day of the recording and the date to which recordings are
 * moved (`VANDAAG`).
 */
export const date: Anonymizer = replaced((replacement, original) => replacement.moveDate(original));

/**
 * Moves a date of birth like any other date, and then 1 to 180 days earlier or later, so that it is not the real one.
 */
export const birthDate: Anonymizer = replaced((replacement, original) => replacement.moveBirthDate(original));
