/** @import { Demo } from './types.d.ts' */
/** @import { Played } from './demo-play.js' */

/**
 * Where a presenter is in a demonstration.
 * @typedef {object} Place
 * @property {Demo} demo whole, since one from a file is nowhere else
 * @property {number} at the last step that was played
 * @property {Played} played
 * @property {string | null} firstDay of the world at that step: another one tells that the world has begun anew since
 * @property {boolean} halfway whether a next step was begun and not ended
 */

const keyOf = (/** @type {string} */ world) => `demonstratie@${world}`;

/**
 * A place for each world, in this window: it outlives a reload, and is nobody else's.
 * @param {string} world
 * @returns {Place | null}
 */
export function placeIn(world) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(world)) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @param {string} world
 * @param {Place | null} place
 */
export function keepPlace(world, place) {
  try {
    if (place === null) sessionStorage.removeItem(keyOf(world));
    else sessionStorage.setItem(keyOf(world), JSON.stringify(place));
  } catch {
    // A window without storage, or a full one: the demonstration goes on, and a reload loses the place.
  }
}
