import { Refusal } from '../app/api.js';
import { texts } from '../texts/texts.js';

/** @import { Demo } from '../types.d.ts' */

const words = texts.demo;

/** Prefix of the name of a demonstration that the user opened from a file. */
export const FROM_FILE = 'bestand:';

/**
 * Returns the demonstration in a file. Throws a `Refusal` (an error for the user) when it has no steps, or when a step
 * has no title or no persona.
 * @param {any} value parsed JSON of the file
 * @param {string} fileName
 * @returns {Demo}
 */
export function toDemo(value, fileName) {
  const steps = value?.steps;
  if (!Array.isArray(steps) || steps.length === 0)
    throw new Refusal(texts.problems.file, [{ pointer: '/steps', detail: words.invalid }], null);
  const missing = steps.flatMap((one, at) =>
    ['title', 'persona']
      .filter((name) => typeof one?.[name] !== 'string')
      .map((name) => ({ pointer: `/steps/${at}/${name}`, detail: words.missing(at + 1, name) })),
  );
  if (missing.length > 0) throw new Refusal(texts.problems.file, missing, null);
  return { name: FROM_FILE + fileName, title: `${value.title ?? fileName} (${fileName})`, steps };
}
