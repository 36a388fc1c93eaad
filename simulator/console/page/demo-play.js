import { api, callAs, inWorld } from './api.js';

/** @import { Step, Stepped } from './types.d.ts' */

/**
 * @typedef {object} Played
 * @property {Step} step
 * @property {Stepped} set what the step made of the world
 * @property {{ status: number, ms: number, text: string } | null} answer of its path, where it has one
 */

/** @param {string} world */
export const resetWorld = (world) => api(`${inWorld(world)}/reset`, { method: 'POST', body: {} });

/**
 * One step: the world is made as it says, and then its path is called as its persona.
 * @param {string} world
 * @param {Step} step
 * @param {() => void} onSet hears that the world is as the step says
 * @returns {Promise<Played>}
 */
export async function playStep(world, step, onSet) {
  const set = await api(`${inWorld(world)}/step`, { method: 'POST', body: step });
  onSet();
  const { path, method = 'GET', body } = step;
  const answer = path === undefined ? null : await callAs(path, set.headers, { method, body });
  return { step, set, answer };
}
