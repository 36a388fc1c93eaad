import { api, inWorld } from '../app/api.ts';
import type { PageStore } from '../app/store.ts';
import type { Demo, Step, World } from '../types.d.ts';
import { leaveWorld } from '../world/leave.ts';
import { playStep, resetWorld, type ShownStep } from './play.ts';
import type { DemoProgress } from './progress.ts';
import { saveProgress, worldOf } from './progress.ts';

/**
 * Creates the player of demonstrations. It plays the steps of one demonstration in a separate world, and stores the
 * progress.
 * @param go shows another world
 */
export function createPlayer(store: PageStore, go: (world: string) => Promise<void>, view: PlayerView) {
  /** The demonstration that is being played; null when there is none. */
  let current: DemoProgress | null = null;
  /** The step that is being played; null when there is none. */
  let playing: Promise<void> | null = null;

  /** Makes `now` the current progress and shows it; null ends the demonstration. */
  function change(now: DemoProgress | null) {
    current = now;
    return view.show(now);
  }

  /** Shows the world `to`, and deletes the world in which the demonstration was played. */
  async function leave(to: string) {
    const own = store.world;
    saveProgress(own, null);
    change(null);
    await leaveWorld(own, to, go);
  }

  /**
   * Shows the world in which this tab plays `demo`. Deletes the world of the demonstration that was played before, if
   * there was one. Resolves with the name of the world to show after `demo` is stopped.
   */
  async function enter(demo: Demo) {
    const own = current?.demo.name === demo.name ? store.world : await worldOf(demo);
    const from = current?.from ?? (store.world === own ? 'default' : store.world);
    if (store.world === own) return from;
    if (current === null) await go(own);
    else await leave(own);
    return from;
  }

  /**
   * Plays the demonstration up to and including `step`. Plays only that step when it is the next one, all earlier steps
   * ended, and the world was not reset since. In other cases, and always with `chosen`, it resets the world and plays all
   * steps from the first. Does nothing while a step is being played.
   * @param step index of the step
   * @param chosen another demonstration than the current one
   */
  async function goTo(step: number, chosen?: Demo) {
    const demo = chosen ?? current?.demo;
    if (demo === undefined || playing !== null || step < 0 || step >= demo.steps.length) return;
    playing = play(demo, step, chosen);
    view.showBusy(true);
    await playing;
    playing = null;
    view.showBusy(false);
    view.check(current?.played.step);
  }

  async function play(demo: Demo, step: number, chosen: Demo | undefined) {
    let here = store.world;
    await view.run(async () => {
      // All steps, so that it does not stop halfway at one that is wrong.
      if (chosen !== undefined) await api('demos/check', { method: 'POST', body: chosen });
      const back = chosen === undefined ? (current?.from ?? 'default') : await enter(demo);
      here = store.world;
      const isNext = chosen === undefined && step === (current?.at ?? -1) + 1;
      await playSteps(demo, here, back, isNext && !(await hasChanged()) ? step : 0, step);
    });
    if (current !== null && store.world === here) saveProgress(here, current);
  }

  /**
   * Plays the steps `first` to `last` (indexes) of a demonstration in the world `here`, and stores the progress after each
   * step. Resets the world before the first step of the demonstration.
   * @param back the world to show after the demonstration is stopped
   */
  async function playSteps(demo: Demo, here: string, back: string, first: number, last: number) {
    if (current !== null) saveProgress(here, { ...current, stepUnfinished: true });
    if (first === 0 && demo.steps[0]?.reset === undefined) await resetWorld(here);
    let kept = first === 0 ? {} : (current?.played.kept ?? {});
    for (let at = first; at <= last; at += 1) {
      const next = demo.steps[at] as Demo['steps'][number];
      const progressOf = (played: ShownStep, stepUnfinished: boolean) => {
        const { firstDay } = played.stepDone.world.clock;
        return { demo, at, played, firstDay, from: back, screen: null, stepUnfinished };
      };
      const played = await playStep(here, next, kept, {
        prepare: view.prepare,
        onSet() {
          if (current !== null && store.world === here) current.stepUnfinished = true;
        },
        async act(begun) {
          store.learn('world', begun.stepDone.world);
          // The text first: the audience hears what it sees next.
          await change(progressOf(begun, true));
          await view.act(begun.step, at < last);
        },
      });
      kept = played.kept;
      const now = { ...progressOf(played, false), screen: next.acts === undefined ? null : view.screen() };
      saveProgress(here, now);
      if (store.world !== here) continue;
      if (next.acts !== undefined) {
        current = now;
        continue;
      }
      // Before the step is shown: Mijn register would be loaded for the step, and again for its clock and faults.
      store.learn('world', played.stepDone.world);
      current = now;
      // A step that is followed at once is shown only when the next one goes on with its screen.
      if (at === last || goesOn(demo.steps[at + 1])) await change(now);
    }
  }

  /**
   * Resolves with true when the next step cannot be played alone: no demonstration is being played, a step did not
   * finish, or the world was reset.
   */
  async function hasChanged() {
    if (current === null || current.stepUnfinished) return true;
    const now = await api<World>(inWorld(store.world));
    return now.clock.firstDay !== current.firstDay;
  }

  return {
    /** The progress of the demonstration that is being played; null when none is. */
    get current() {
      return current;
    },
    goTo,
    /** Plays the step that is `by` steps after the current one: 1 for the next step, -1 for the one before. */
    moveBy: (by: number) => goTo((current?.at ?? -1) + by),
    /** Continues from stored progress; null ends the demonstration. */
    resume: (stored: DemoProgress | null) => change(stored),
    /** Stops the demonstration, after the step that is being played. Resolves with false when there is none. */
    async stop() {
      view.cancel();
      await playing;
      if (current === null) return false;
      const { from } = current;
      await view.run(() => leave(from));
      return true;
    },
  };
}

/** Returns true for a step that begins on the screen where the step before it ended. */
const goesOn = (step: Step | undefined) => step?.acts !== undefined && step.screen === undefined;

/** The functions with which a player shows what it does. */
interface PlayerView {
  /** runs an action, and shows its error when it fails */
  run: (action: () => Promise<void>) => Promise<unknown>;
  /** called when a step begins (true) and when it has ended (false) */
  showBusy: (isBusy: boolean) => void;
  /** called with a step before its settings are applied */
  prepare: (step: Step) => void;
  /**
   * called with the progress when a step is shown, and with null when the demonstration has ended; resolves when its text
   * is shown
   */
  show: (now: DemoProgress | null) => Promise<void>;
  /** does the acts of a step in Mijn register; at once when `isFast` */
  act: (step: Step, isFast: boolean) => Promise<void>;
  /** returns the screen of Mijn register */
  screen: () => string;
  /** called when a step was played: tells the user when the screen does not show its texts */
  check: (step: Step | undefined) => void;
  /** ends the acts that are being done */
  cancel: () => void;
}
