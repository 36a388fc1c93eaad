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
 * Returns the progress of the demonstration in a world, from session storage; null when there is none or the browser
 * does not allow storage.
 * @param {string} world
 * @returns {DemoProgress | null}
 */
export function loadProgress(world) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(world)) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Stores the progress of the demonstration in a world; null removes it. Does nothing when storage is absent or full.
 * @param {string} world
 * @param {DemoProgress | null} progress
 */
export function saveProgress(world, progress) {
  try {
    if (progress === null) sessionStorage.removeItem(keyOf(world));
    else sessionStorage.setItem(keyOf(world), JSON.stringify(progress));
  } catch {
    // Storage is absent or full: the demonstration continues, and its progress is lost on a reload.
  }
}

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
