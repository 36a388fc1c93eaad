import { api, callAs, inWorld } from './api.js';

/** @import { Step, Stepped } from './types.d.ts' */

/**
 * The result of a step that was played.
 * @typedef {object} PlayedStep
 * @property {Step} step
 * @property {Stepped} set answer of the control API after the settings of the step were applied: the state of the world, and
 *   the headers and curl command for the persona of the step
 * @property {{ status: number, ms: number, text: string } | null} answer of the service to the request of the step;
 *   null when the step makes no request
 */

/** Resets a world to its seed data. @param {string} world */
export const resetWorld = (world) => api(`${inWorld(world)}/reset`, { method: 'POST', body: {} });

/**
 * Plays a step: applies its settings to the world, and then makes its request as its persona. Rejects with a `Refusal`
 * when the settings are refused or there is no answer; an error status of the request is a result.
 * @param {string} world
 * @param {Step} step
 * @param {() => void} onSet called when the settings are applied
 * @returns {Promise<PlayedStep>}
 */
export async function playStep(world, step, onSet) {
  const set = await api(`${inWorld(world)}/step`, { method: 'POST', body: step });
  onSet();
  const { path, method = 'GET', body } = step;
  const answer = path === undefined ? null : await callAs(path, set.headers, { method, body });
  return { step, set, answer };
}
