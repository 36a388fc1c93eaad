import { api, callAs, fileAt, inWorld, parsed } from '../app/api.js';

/** @import { Step, StepDone } from '../types.d.ts' */

/**
 * The result of a step of a demonstration that was played.
 * @typedef {object} PlayedStep
 * @property {Step} step the step as it was played, with kept parts of earlier answers in place of their names
 * @property {StepDone} stepDone answer of the control API after the settings of the step were applied: the state of the
 *   world, and the headers and curl command for the persona of the step
 * @property {{ status: number, ms: number, text: string } | null} answer of the service to the request of the step;
 *   null when the step makes no request
 * @property {Record<string, string>} kept parts of answers that this step and earlier steps kept, keyed by name
 */

/** Resets a world: all its data are again as at the beginning. @param {string} world */
export const resetWorld = (world) => api(`${inWorld(world)}/reset`, { method: 'POST', body: {} });

/**
 * Plays a step of a demonstration: applies the settings of the step to the world, and then makes the request of the
 * step, if it has one, as its persona. An error status in the answer to that request is no failure. Rejects with a
 * `Refusal` (an error for the user) when the settings are refused or there is no answer.
 * @param {string} world
 * @param {Step} step
 * @param {Record<string, string>} before the parts of answers that the steps before this one kept, keyed by name
 * @param {() => void} onSet called when the settings are applied
 * @returns {Promise<PlayedStep>}
 */
export async function playStep(world, step, before, onSet) {
  const now = filledIn(step, before);
  const stepDone = await api(`${inWorld(world)}/step`, { method: 'POST', body: now });
  onSet();
  const { path, method = 'GET', body, form, keep } = now;
  const sent = form === undefined ? body : await formOf(form);
  const answer = path === undefined ? null : await callAs(path, stepDone.headers, { method, body: sent });
  return { step: now, stepDone, answer, kept: { ...before, ...keptOf(keep ?? {}, parsed(answer?.text ?? '')) } };
}

/**
 * Returns the step with kept parts of earlier answers in place of their names in braces, such as `{id-1}`. A name
 * without a kept part stays as it is.
 * @param {Step} step
 * @param {Record<string, string>} kept
 * @returns {Step}
 */
const filledIn = (step, kept) =>
  JSON.parse(
    JSON.stringify(step).replace(/\{([a-zA-Z]+-\d+)\}/g, (all, name) =>
      kept[name] === undefined ? all : JSON.stringify(kept[name]).slice(1, -1),
    ),
  );

/**
 * Returns the parts of an answer that a step keeps for later steps, keyed by name. A part that is not a string in the
 * answer is left out.
 * @param {Record<string, string>} keep the JSON Pointer of each part
 * @param {any} answer
 * @returns {Record<string, string>}
 */
const keptOf = (keep, answer) =>
  Object.fromEntries(
    Object.entries(keep).flatMap(([name, pointer]) => {
      const value = pointer
        .split('/')
        .slice(1)
        .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce((part, member) => part?.[member], answer);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/**
 * Resolves with the form of an upload, with a sample file that is loaded from the control API.
 * @param {NonNullable<Step['form']>} form
 */
async function formOf({ fields, file: { name, sample, size } }) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', await fileAt(`samples/${encodeURIComponent(sample)}?size=${size ?? 0}`), name);
  return form;
}
