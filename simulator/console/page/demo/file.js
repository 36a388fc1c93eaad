import { api, Refusal } from '../app/api.js';
import { texts } from '../texts/texts.js';

/** @import { Demo } from '../types.d.ts' */

const words = texts.demo;

/** Prefix of the name of a demonstration that the user opened from a file. */
export const FROM_FILE = 'bestand:';

/**
 * Returns the demonstration in a file, after the control API has checked all of it. Rejects with a `Refusal` (an error
 * for the user) when it has no steps, or when a step is wrong.
 * @param {any} value parsed JSON of the file
 * @param {string} fileName
 * @returns {Promise<Demo>}
 */
export async function toDemo(value, fileName) {
  const steps = value?.steps;
  if (!Array.isArray(steps) || steps.length === 0)
    throw new Refusal(texts.problems.file, [{ pointer: '/steps', detail: words.invalid }], null);
  await api('demos/check', { method: 'POST', body: value });
  return { name: FROM_FILE + fileName, title: `${value.title ?? fileName} (${fileName})`, steps };
}
