/** @import { Demo } from '../types.d.ts' */
/** @import { PlayedStep } from './play.js' */

/**
 * The progress of a demonstration: the step that was played last, and the worlds involved.
 * @typedef {object} DemoProgress
 * @property {Demo} demo the whole demonstration: one from a file is stored nowhere else
 * @property {number} at index of the last step that was played
 * @property {PlayedStep} played
 * @property {string | null} firstDay of the world at that step; another value now means that the world has been reset
 * @property {string} from world that the demonstration was started from, and goes back to
 * @property {boolean} halfway true when a next step was started and did not finish
 */

const keyOf = (/** @type {string} */ world) => `demonstratie@${world}`;

/**
 * Returns the progress of the demonstration in a world; null when there is none, or when the browser does not allow
 * storage. It is in session storage, so each browser tab has its own, and it survives a reload.
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
 * Stores the progress of the demonstration in a world; null removes it.
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

/** Maximum number of characters of the name of a world. */
const MAX_WORLD = 32;

/**
 * Returns the name of the world in which a demonstration runs: `demo-` and the name of the demonstration without its
 * file extension, in at most 32 characters.
 * @param {Demo} demo
 */
export function worldOf({ name }) {
  const slug = name
    .toLowerCase()
    .replace(/^.*:|\.json$/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return `demo-${slug}`.slice(0, MAX_WORLD);
}
