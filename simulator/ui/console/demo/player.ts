import { filledIn, type Kept, keptOf } from '../../../control/kept.ts';
import { api, callAs, fileAt, inWorld, parsed, UNDO_PREFIX } from '../app/api.ts';
import { loadFromSession, saveInSession } from '../app/session.ts';
import type { PageStore } from '../app/store.ts';
import { freeWorld, leaveWorld } from '../app/worlds.ts';
import type { Demo, Snapshot, Step, StepDone, World } from '../types.d.ts';

/**
 * Creates the player of demonstrations. It plays the steps of one demonstration in a separate world, and stores the
 * progress.
 */
export function createPlayer(store: PageStore, go: (world: string) => Promise<void>, view: PlayerView) {
  let current: DemoProgress | null = null;
  let playing: Promise<void> | null = null;
  /** Name of the demonstration of which a step is being played, or was played last. */
  let playingName = '';
  /** The number of steps that the user went back while a step was being played. */
  let stepsBack = 0;

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
    await removeOldSnapshots();
  }

  /**
   * Shows the world in which this tab plays `demo`. Deletes the world of the demonstration that was played before, if
   * there was one. Resolves with the name of the world to show after `demo` is stopped.
   */
  async function enter(demo: Demo) {
    const own = current?.demo.name === demo.name ? store.world : await worldOf(demo);
    const from = current?.from ?? (store.world === own ? 'default' : store.world);
    if (store.world === own) return from;
    if (current !== null) await leave(own);
    else {
      await go(own);
      await removeOldSnapshots();
    }
    return from;
  }

  /**
   * Plays the demonstration up to and including `step`. Plays only that step when it is the next one, all earlier steps
   * ended, and the world was not reset since. For an earlier step, restores the world of before it. In other cases, and
   * always with `chosen`, it resets the world and plays all steps from the first. The screen before stays until `step` is
   * ready, unless only that step is played. While a step is being played, does nothing, or ends it for another demonstration.
   * @param step index of the step
   * @param chosen another demonstration than the current one
   */
  async function goTo(step: number, chosen?: Demo) {
    const demo = chosen ?? current?.demo;
    while (playing !== null && demo?.name !== playingName) {
      view.cancel();
      await playing;
    }
    if (demo === undefined || playing !== null || step < 0 || step >= demo.steps.length) return;
    playingName = demo.name;
    playing = play(demo, step, chosen);
    view.showBusy(chosen === undefined && step < (current?.at ?? 0) ? 'Even terug…' : 'Bezig…');
    await playing;
    playing = null;
    view.showBusy('');
    const at = current?.at ?? 0;
    const next = Math.max(at - stepsBack, 0);
    stepsBack = 0;
    if (next < at) await goTo(next);
    else view.check(current?.played.step);
  }

  async function moveBy(by: number) {
    if (playing !== null) stepsBack = Math.max(stepsBack - by, 0);
    else await goTo((current?.at ?? -1) + by);
  }

  async function play(demo: Demo, step: number, chosen: Demo | undefined) {
    let here = store.world;
    await view.run(async () => {
      // All steps, so that it does not stop halfway at one that is wrong.
      if (chosen !== undefined) await api('demos/check', { method: 'POST', body: chosen });
      const back = chosen === undefined ? (current?.from ?? 'default') : await enter(demo);
      here = store.world;
      const first = chosen === undefined ? await firstFor(demo, here, step) : 0;
      const isOnWay = chosen === undefined && (first < step || step <= (current?.at ?? -1));
      if (isOnWay) view.hold();
      await playSteps(demo, here, back, first, step, isOnWay).finally(view.release);
    });
    if (current !== null && store.world === here) saveProgress(here, current);
  }

  /**
   * Plays the steps `first` to `last` (indexes) of a demonstration in the world `here`, and stores the progress after each
   * step. Resets the world before the first step of the demonstration, and saves it before each other step.
   * @param back the world to show after the demonstration is stopped
   * @param isFast does all acts at once; else those of the last step are slow enough to follow
   */
  async function playSteps(demo: Demo, here: string, back: string, first: number, last: number, isFast: boolean) {
    if (current !== null) saveProgress(here, { ...current, stepUnfinished: true });
    if (first === 0 && demo.steps[0]?.reset === undefined) await resetWorld(here);
    let kept = first === 0 ? {} : (current?.played.kept ?? {});
    for (let at = first; at <= last; at += 1) {
      const step = filledIn(demo.steps[at] as Step, kept, (_, all) => all);
      view.prepare();
      if (at > 0) await api(`${inWorld(here)}/snapshots/${snapshotOf(here, at)}`, { method: 'PUT' });
      const stepDone = await api<StepDone>(`${inWorld(here)}/step`, { method: 'POST', body: step });
      if (current !== null && store.world === here) current.stepUnfinished = true;
      const begun = { step, stepDone, answer: null, kept };
      const progressOf = (played: ShownStep, stepUnfinished: boolean) => {
        const { firstDay } = stepDone.world.clock;
        return { demo, at, played, firstDay, from: back, stepUnfinished };
      };
      if (step.acts !== undefined) {
        store.learn('world', stepDone.world);
        // The text first: the audience hears what it sees next.
        await change(progressOf(begun, true));
        await view.act(step, isFast || at < last);
      }
      const played = step.acts === undefined ? await requestOf(begun) : begun;
      kept = played.kept;
      const now = progressOf(played, false);
      saveProgress(here, now);
      if (store.world !== here) continue;
      if (step.acts !== undefined) {
        current = now;
        continue;
      }
      // Before the step is shown: Mijn register would be loaded for the step, and again for its clock and faults.
      store.learn('world', played.stepDone.world);
      current = now;
      // A step that is followed at once is shown only when the next one goes on with its screen.
      if (at === last || goesOn(demo, at + 1)) await change(now);
    }
  }

  /** Resolves with the index of the first step to play, of which the world has the state now, or 0 to begin again. */
  async function firstFor(demo: Demo, here: string, step: number) {
    const at = current?.at ?? -1;
    if (step > at) return step === at + 1 && !(await hasChanged()) ? step : 0;
    let first = step;
    // A step that goes on where the one before ended needs the screen of that one.
    while (goesOn(demo, first)) first -= 1;
    if (first === 0) return 0;
    return api(`${inWorld(here)}/snapshots/${snapshotOf(here, first)}/restore`, { method: 'POST', body: {} }).then(
      () => first,
      () => 0,
    );
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
    get current() {
      return current;
    },
    goTo,
    moveBy,
    /**
     * Continues from stored progress; null ends the demonstration. Plays the step again when it had not finished, or had
     * acts: an address does not say all that they left on the screen.
     */
    resume(stored: DemoProgress | null) {
      if (stored === null || (!stored.stepUnfinished && stored.played.step.acts === undefined)) return change(stored);
      current = stored;
      return goTo(stored.at);
    },
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

/** Returns true for a step that begins on the screen on which its person ended the step before. */
function goesOn({ steps }: Demo, at: number) {
  const step = steps[at];
  return step?.acts !== undefined && step.screen === undefined && steps[at - 1]?.persona === step.persona;
}

/** Returns the name of the snapshot of a world from before a step: one of those that the console lists as automatic. */
const snapshotOf = (world: string, at: number) => `${UNDO_PREFIX}${world}-stap-${at + 1}`;

/** Deletes the snapshots of steps of which the world is no longer there, also those of a tab that was closed. */
async function removeOldSnapshots() {
  const [snapshots, worlds] = await Promise.all([api<Snapshot[]>('snapshots'), api<World[]>('worlds')]);
  const isOld = ({ name, world }: Snapshot) =>
    name.startsWith(`${UNDO_PREFIX}${world}-stap-`) && !worlds.some((one) => one.world === world);
  await Promise.all(
    snapshots.filter(isOld).map(({ name }) => api(`snapshots/${name}`, { method: 'DELETE' }).catch(() => {})),
  );
}

interface PlayerView {
  run: (action: () => Promise<void>) => Promise<unknown>;
  /** called with a text for the user when a step begins, and with an empty one when it has ended */
  showBusy: (text: string) => void;
  /** called before the settings of a step are applied */
  prepare: () => void;
  /**
   * called with the progress when a step is shown, and with null when the demonstration has ended; resolves when its text
   * is shown
   */
  show: (now: DemoProgress | null) => Promise<void>;
  /** does the acts of a step in Mijn register; at once when `isFast` */
  act: (step: Step, isFast: boolean) => Promise<void>;
  /** keeps the picture and the text of the present step, while other steps are played behind it */
  hold: () => void;
  /** shows the step that was played last; does nothing without `hold` */
  release: () => Promise<void>;
  /** called when a step was played: tells the user when the screen does not show its texts */
  check: (step: Step | undefined) => void;
  cancel: () => void;
}

export interface ShownStep {
  /** The step as it was played, with kept parts of earlier answers in place of their names. */
  step: Step;
  /**
   * The answer of the control API after the settings of the step were applied: the state of the world, the headers and
   * curl command for the persona of the step, and the moment. The calls of the step are made after it.
   */
  stepDone: StepDone;
  /** The answer of the service to the request of the step; null when the step makes no request. */
  answer: { status: number; ms: number; text: string } | null;
  kept: Kept;
}

const resetWorld = (world: string) => api(`${inWorld(world)}/reset`, { method: 'POST', body: {} });

/**
 * Makes the request of a step, if it has one, as its persona, and returns the step with the answer. An error status is no
 * failure. Rejects with a `PageError` (an error for the user) when there is no answer.
 */
async function requestOf(begun: ShownStep): Promise<ShownStep> {
  const { path, method = 'GET', body, form, keep } = begun.step;
  const sent = form === undefined ? body : await formOf(form);
  const answer = path === undefined ? null : await callAs(path, begun.stepDone.headers, { method, body: sent });
  return { ...begun, answer, kept: { ...begun.kept, ...keptOf(keep ?? {}, parsed(answer?.text ?? '')) } };
}

async function formOf({ fields, file: { name, sample, size } }: NonNullable<Step['form']>) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', await fileAt(`samples/${encodeURIComponent(sample)}?size=${size ?? 0}`), name);
  return form;
}

/** The progress of a demonstration, with all that the page needs to continue it after a reload. */
export interface DemoProgress {
  /** the whole demonstration, because one that was opened from a file is stored nowhere else */
  demo: Demo;
  at: number;
  played: ShownStep;
  /** first day of the world after that step; when it differs now, the world was reset */
  firstDay: string | null;
  /** the world that was shown before the demonstration, and is shown again after it */
  from: string;
  /** true when the next step was started and has not finished */
  stepUnfinished: boolean;
}

const keyOf = (world: string) => `demonstratie@${world}`;

export const loadProgress = (world: string): DemoProgress | null => loadFromSession(keyOf(world));

const saveProgress = (world: string, progress: DemoProgress | null) => saveInSession(keyOf(world), progress);

/**
 * Resolves with the name of the world in which this browser tab plays a demonstration: `demo-` and the name of the
 * demonstration in lower-case letters, digits and hyphens. When that world exists already and this tab plays nothing in
 * it, another presenter may use it: the name then has a number.
 */
function worldOf({ name }: Demo) {
  const slug = name
    .toLowerCase()
    .replace(/^.*:|\.json$/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return freeWorld(`demo-${slug}`, (world) => loadProgress(world) !== null);
}
