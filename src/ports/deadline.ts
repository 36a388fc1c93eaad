/**
 * Time limits on what others do: clients, upstreams and the store.
 *
 * The process can pause for seconds: the machine is suspended or starved, or one callback takes long. Node then calls the
 * timers whose time has passed before it reads what has arrived, so a limit by the clock alone would blame others for the
 * pause. The limits in this file do not count the time of a pause, and a call that fails after one says nothing about its
 * upstream (`pauseSince`).
 *
 * Two things keep a limit from lasting for ever. A `Deadline` is extended once, to at most twice its length. And a pause
 * that follows another one within `MIN_RUN` counts only when it is longer: a process that is slow all the time does not
 * pause.
 *
 * Claims in the store, lifetimes of tokens and the ten seconds of a stop do count pauses, because others count them too.
 */

// Milliseconds between two checks.
const CHECK_INTERVAL = 100;
// Milliseconds. The shortest deadline is twice as long.
const MIN_PAUSE = 250;
// Milliseconds after a pause before another pause, that is not longer, counts.
const MIN_RUN = 2_000;
// Milliseconds after a pause in which what began later can still fail because of it.
const AFTERMATH = 1_000;

// The clock of the system, also while a test replaces the global one.
const clock = performance;
let isWatching = false;
let checkedAt = 0;
let total = 0;
let last = { length: 0, end: Number.NEGATIVE_INFINITY };

/** Milliseconds of a monotonic clock that also runs during a pause. Notes a pause that has just ended. */
export function realTime(): number {
  const now = clock.now();
  if (!isWatching) return now;
  const length = now - checkedAt - CHECK_INTERVAL;
  checkedAt = now;
  if (length >= MIN_PAUSE && (now - length - last.end >= MIN_RUN || length > last.length)) {
    total += length;
    last = { length, end: now };
  }
  return now;
}

/**
 * Watches for pauses until the process ends. Without it there are none: in a process that is not only the service, such
 * as that of a test, other work also keeps the event loop.
 */
export function watchPauses(): void {
  isWatching = true;
  checkedAt = clock.now();
  setInterval(realTime, CHECK_INTERVAL).unref();
}

/** Returns the total length of the pauses so far, in milliseconds. */
export function pausedTime(): number {
  realTime();
  return total;
}

/** Returns `performance.now()` without the time of pauses, in milliseconds. */
export const runningTime = (): number => performance.now() - pausedTime();

/**
 * Returns the end of the last pause when that was after `moment` or in the second before it (`realTime`); otherwise
 * null.
 */
export function pauseSince(moment: number): number | null {
  realTime();
  return last.end > moment - AFTERMATH ? last.end : null;
}

/** Returns true in the first second after a pause. */
export const hasJustPaused = (): boolean => pauseSince(realTime()) !== null;

/**
 * The limit to use now with a clock that also runs during a pause, as those of Node: `ms` milliseconds, and the last
 * pause when that ended less than `ms` ago.
 */
export const withLastPause = (ms: number): number => (realTime() - last.end < ms ? ms + last.length : ms);

/**
 * Calls `passed` after `ms` milliseconds, without the time of pauses, unless it is cancelled. Use it instead of
 * `setTimeout` for every limit on a client, an upstream or the store. It does not keep the process running.
 */
export class Deadline {
  readonly #ms: number;
  readonly #passed: () => void;
  readonly #pausedBefore = pausedTime();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, passed: () => void) {
    this.#ms = ms;
    this.#passed = passed;
    this.#start(() => this.#end(), ms);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    const lost = Math.min(pausedTime() - this.#pausedBefore, this.#ms);
    if (lost > 0) this.#start(this.#passed, lost);
    else this.#passed();
  }

  #start(then: () => void, ms: number): void {
    this.#timer = setTimeout(then, ms);
    // A page has numbers as timers.
    this.#timer.unref?.();
  }
}
