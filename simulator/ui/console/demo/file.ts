import { api, PageError } from '../app/api.ts';

import type { Demo } from '../types.d.ts';

/** Prefix of the name of a demonstration that the user opened from a file. */
export const FROM_FILE = 'bestand:';

/**
 * Returns the demonstration in a file, after the control API has checked all of it. Rejects with a `PageError` (an error
 * for the user) when it has no steps, or when a step is wrong.
 * @param value parsed JSON of the file
 */
// biome-ignore lint/suspicious/noExplicitAny: the control API checks the file
export async function toDemo(value: any, fileName: string): Promise<Demo> {
  const steps = value?.steps;
  if (!Array.isArray(steps) || steps.length === 0)
    throw new PageError(
      'Dit bestand bevat geen JSON van de simulator.',
      [{ pointer: '/steps', detail: 'Een demonstratie heeft een title en steps; elke stap een title en een persona.' }],
      null,
    );
  await api('demos/check', { method: 'POST', body: value });
  return { name: FROM_FILE + fileName, title: `${value.title ?? fileName} (${fileName})`, steps };
}
