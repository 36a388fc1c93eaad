import { loadFromSession, saveInSession } from '../app/session.js';
import { freeWorld } from '../world/free.js';

/** @import { Demo } from '../types.d.ts' */
/** @import { PlayedStep } from './play.js' */

/**
 * The progress of a demonstration, with all that the page needs to continue it after a reload.
 * @typedef {object} DemoProgress
 * @property {Demo} demo the whole demonstration, because one that was opened from a file is stored nowhere else
 * @property {number} at index of the last step that was played
 * @property {PlayedStep} played
 * @property {string | null} firstDay first day of the world after that step; when it differs now, the world was reset
 * @property {string} from the world that was shown before the demonstration, and is shown again after it
 * @property {boolean} stepUnfinished true when the next step was started and has not finished
 */

const keyOf = (/** @type {string} */ world) => `demonstratie@${world}`;

/**
 * Returns the stored progress of the demonstration in a world; null when there is none.
 * @param {string} world
 * @returns {DemoProgress | null}
 */
export const loadProgress = (world) => loadFromSession(keyOf(world));

/**
 * Stores the progress of the demonstration in a world, as far as the browser allows that; null removes it.
 * @param {string} world
 * @param {DemoProgress | null} progress
 */
export const saveProgress = (world, progress) => saveInSession(keyOf(world), progress);

/**
 * Resolves with the name of the world in which this browser tab plays a demonstration: `demo-` and the name of the
 * demonstration in lower-case letters, digits and hyphens. When that world exists already and this tab plays nothing in
 * it, another presenter may use it: the name then has a number.
 * @param {Demo} demo
 */
export function worldOf({ name }) {
  const slug = name
    .toLowerCase()
    .replace(/^.*:|\.json$/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return freeWorld(`demo-${slug}`, (world) => loadProgress(world) !== null);
}
