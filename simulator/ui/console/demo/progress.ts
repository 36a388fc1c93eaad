import { loadFromSession, saveInSession } from '../app/session.ts';
import type { Demo } from '../types.d.ts';
import { freeWorld } from '../world/free.ts';
import type { ShownStep } from './play.ts';

/** The progress of a demonstration, with all that the page needs to continue it after a reload. */
export interface DemoProgress {
  /** the whole demonstration, because one that was opened from a file is stored nowhere else */
  demo: Demo;
  /** index of the last step that was played */
  at: number;
  played: ShownStep;
  /** first day of the world after that step; when it differs now, the world was reset */
  firstDay: string | null;
  /** the world that was shown before the demonstration, and is shown again after it */
  from: string;
  /** the screen of Mijn register at the end of the acts of that step; null for a step without acts */
  screen: string | null;
  /** true when the next step was started and has not finished */
  stepUnfinished: boolean;
}

const keyOf = (world: string) => `demonstratie@${world}`;

/** Returns the stored progress of the demonstration in a world; null when there is none. */
export const loadProgress = (world: string): DemoProgress | null => loadFromSession(keyOf(world));

/** Stores the progress of the demonstration in a world, as far as the browser allows that; null removes it. */
export const saveProgress = (world: string, progress: DemoProgress | null) => saveInSession(keyOf(world), progress);

/**
 * Resolves with the name of the world in which this browser tab plays a demonstration: `demo-` and the name of the
 * demonstration in lower-case letters, digits and hyphens. When that world exists already and this tab plays nothing in
 * it, another presenter may use it: the name then has a number.
 */
export function worldOf({ name }: Demo) {
  const slug = name
    .toLowerCase()
    .replace(/^.*:|\.json$/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return freeWorld(`demo-${slug}`, (world) => loadProgress(world) !== null);
}
