import { filledIn, type Kept, keptOf } from '../../../control/kept.ts';
import { api, callAs, fileAt, inWorld, parsed, UNDO_PREFIX } from '../app/api.ts';
import { loadFromSession, saveInSession } from '../app/session.ts';
import { store } from '../app/store.ts';
import { freeWorld, leaveWorld, visit } from '../app/worlds.ts';
import type { Demo, Snapshot, Step, StepDone, World } from '../types.d.ts';

/** A step to show. `isNew` begins the demonstration again, in a world that is reset. */
type Target = { demo: Demo; at: number; isNew: boolean };

/** Plays a demonstration in a world of its own, until the step that is shown is the wanted one. Stores the progress. */
export function createPlayer(view: PlayerView) {
  let current: DemoProgress | null = null;
  /** The step to show, and the one that is being played for it; null when the player rests. */
  let wanted: Target | null = null;
  let playing: Target | null = null;
  let running: Promise<void> | null = null;

  function change(now: DemoProgress | null) {
    current = now;
    return view.show(now);
  }

  /** Shows the world `to`, and deletes the world in which the demonstration was played. */
  async function leave(to: string) {
    const own = store.world;
    saveProgress(own, null);
    change(null);
    await leaveWorld(own, to);
    await removeOldSnapshots();
  }

  /** Deletes the world of the demonstration before it, if any. Resolves with the world to show after `demo`. */
  async function enter(demo: Demo) {
    // All steps, so that it does not stop halfway at one that is wrong.
    await api('demos/check', { method: 'POST', body: demo });
    const own = current?.demo.name === demo.name ? store.world : await worldOf(demo);
    const from = current?.from ?? (store.world === own ? 'default' : store.world);
    if (store.world === own) return from;
    saveProgress(own, null);
    if (current !== null) await leave(own);
    else {
      await visit(own);
      await removeOldSnapshots();
    }
    return from;
  }

  /** With `chosen`, begins that demonstration, and ends another. Resolves when the player rests. */
  async function goTo(at: number, chosen?: Demo) {
    const demo = chosen ?? current?.demo;
    if (demo === undefined || !(at in demo.steps)) return;
    const isNew = chosen !== undefined;
    const now = playing?.demo.name === demo.name ? playing : null;
    if (now === null) view.cancel();
    wanted = now !== null && (isNew || now.at === at) ? now : { demo, at, isNew };
    running ??= run();
    await running;
  }

  /** Goes to the step `by` steps further; while a step is being played, not further than that one. */
  function moveBy(by: number) {
    const at = ((wanted ?? current)?.at ?? -1) + by;
    return goTo(playing === null ? at : Math.min(Math.max(at, 0), playing.at));
  }

  async function run() {
    while (wanted !== null && wanted !== playing) {
      const target = wanted;
      playing = target;
      view.begin(!target.isNew && target.at < (current?.at ?? 0) ? 'Even terug…' : 'Bezig…');
      await view.run(() => play(target));
      if (wanted === target) await view.release();
    }
    wanted = null;
    playing = null;
    running = null;
    view.end(current?.played.step);
  }

  /** Plays a step alone when it is the next one of an unchanged world; else behind the picture of the step before. */
  async function play(target: Target) {
    const { demo, at, isNew } = target;
    const from = isNew ? await enter(demo) : (current?.from ?? 'default');
    const here = store.world;
    const isNext = at === (current?.at ?? -1) + 1 && !view.isHeld();
    const isBehind = !isNew && !(isNext && !(await hasChanged()));
    if (isBehind) view.hold();
    const first = isNew ? 0 : isBehind ? await goBack(demo, here, at) : at;
    if (current !== null) {
      current = { ...current, stepUnfinished: true };
      saveProgress(here, current);
    }
    if (first === 0 && demo.steps[0]?.reset === undefined) await resetWorld(here);
    for (let one = first; one <= at && store.world === here; one += 1) await playStep(target, one, from, isBehind);
  }

  /** Saves the world before each step but the first. `from` is the world to show after the demonstration is stopped. */
  async function playStep(target: Target, at: number, from: string, isBehind: boolean) {
    const { demo } = target;
    const here = store.world;
    const kept = at === 0 ? {} : (current?.played.kept ?? {});
    const step = filledIn(demo.steps[at] as Step, kept, (_, all) => all);
    view.prepare();
    if (at > 0) await api(`${inWorld(here)}/snapshots/${snapshotOf(here, at)}`, { method: 'PUT' });
    const stepDone = await api<StepDone>(`${inWorld(here)}/step`, { method: 'POST', body: step });
    const played = await requestOf({ step, stepDone, answer: null, kept });
    if (store.world !== here) return;
    // Before the step is shown: Mijn register would be loaded for the step, and again for its clock and faults.
    store.learn('world', stepDone.world);
    const { firstDay } = stepDone.world.clock;
    current = { demo, at, played, firstDay, from, stepUnfinished: step.acts !== undefined };
    // A step that is followed at once is shown only when it has acts, or the next one goes on with its screen.
    if (current.stepUnfinished || at === target.at || goesOn(demo, at + 1)) await view.show(current);
    // The text first: the audience hears what it sees next.
    if (current?.stepUnfinished) await view.act(step, isBehind || at < target.at || wanted !== target);
    if (store.world !== here || current === null) return;
    current = { ...current, stepUnfinished: false };
    saveProgress(here, current);
  }

  /** Restores the world of before a step. Resolves with the index of the first step to play in it, 0 to begin again. */
  async function goBack(demo: Demo, here: string, at: number) {
    let first = at;
    // A step that goes on where the one before ended needs the screen of that one.
    while (goesOn(demo, first)) first -= 1;
    if (first === 0) return 0;
    return api(`${inWorld(here)}/snapshots/${snapshotOf(here, first)}/restore`, { method: 'POST', body: {} }).then(
      () => first,
      () => 0,
    );
  }

  /** Resolves with true when a step did not finish, or the world was reset. */
  async function hasChanged() {
    const now = await api<World>(inWorld(store.world));
    return current?.stepUnfinished !== false || now.clock.firstDay !== current.firstDay;
  }

  return {
    get current() {
      return current;
    },
    /** Index of the step that is wanted, or else of the one that is shown; -1 for none. */
    get at() {
      return (wanted ?? current)?.at ?? -1;
    },
    goTo,
    moveBy,
    /** Null ends the demonstration. Acts are played again: an address does not say all that they left on the screen. */
    async resume(stored: DemoProgress | null) {
      view.cancel();
      if (stored?.stepUnfinished || stored?.played.step.acts) {
        current = stored;
        return goTo(stored.at);
      }
      await change(stored);
      if (running === null && stored === current) view.end(stored?.played.step);
    },
    /** Stops the demonstration, after the step that is being played. Resolves with false when there is none. */
    async stop() {
      wanted = null;
      view.cancel();
      await running;
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
  /** called with a text for the user when the player begins, and again when it goes on to another step */
  begin: (text: string) => void;
  /** called before the settings of a step are applied */
  prepare: () => void;
  /** called with the progress when a step is shown, and with null at the end; resolves when its text is shown */
  show: (now: DemoProgress | null) => Promise<void>;
  /** does the acts of a step in Mijn register; at once when `isFast` */
  act: (step: Step, isFast: boolean) => Promise<void>;
  /** keeps the picture and the text of the present step, while other steps are played behind it */
  hold: () => void;
  isHeld: () => boolean;
  /** shows the step that was played last; does nothing without `hold` */
  release: () => Promise<void>;
  /** called when the player rests, with the step that is shown */
  end: (step: Step | undefined) => void;
  /** ends the acts that are being done */
  cancel: () => void;
}

export interface ShownStep {
  /** The step as it was played, with kept parts of earlier answers in place of their names. */
  step: Step;
  /** The answer after the settings of the step were applied. The calls of the step come after its moment. */
  stepDone: StepDone;
  /** The answer of the service to the request of the step; null when the step makes no request. */
  answer: { status: number; ms: number; text: string } | null;
  kept: Kept;
}

const resetWorld = (world: string) => api(`${inWorld(world)}/reset`, { method: 'POST', body: {} });

/** Makes the request of a step, unless its persona does that on the screen. An error status is no failure. */
async function requestOf(begun: ShownStep): Promise<ShownStep> {
  const { acts, path, method = 'GET', body, form, keep } = begun.step;
  if (acts !== undefined || path === undefined) return begun;
  const sent = form === undefined ? body : await formOf(form);
  const answer = await callAs(path, begun.stepDone.headers, { method, body: sent });
  return { ...begun, answer, kept: { ...begun.kept, ...keptOf(keep ?? {}, parsed(answer.text)) } };
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

const PROGRESS = 'demonstratie@';
const IS_RELOADED = 'herladen';

// A copy of a tab, which begins with the same session storage, plays in a world of its own.
if (loadFromSession(IS_RELOADED) === null)
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PROGRESS)) saveInSession(key, null);
addEventListener('pageshow', () => saveInSession(IS_RELOADED, null));
addEventListener('pagehide', () => saveInSession(IS_RELOADED, true));

const keyOf = (world: string) => PROGRESS + world;

export const loadProgress = (world: string): DemoProgress | null => loadFromSession(keyOf(world));

const saveProgress = (world: string, progress: DemoProgress | null) => saveInSession(keyOf(world), progress);

/** The name has a number when another presenter may use the world: it exists, and this tab plays nothing in it. */
function worldOf({ name }: Demo) {
  const slug = name
    .toLowerCase()
    .replace(/^.*:|\.json$/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return freeWorld(`demo-${slug}`, (world) => loadProgress(world) !== null);
}
