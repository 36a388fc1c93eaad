import { journal } from '../journal/journal.tsx';
import { address, go } from './address.ts';
import { api, inWorld, PageError, pendingCalls } from './api.ts';
import { store } from './store.ts';

const MAX_WORLD = 32;

/** Shows a world, as a step of the history unless a presentation begins in it. Leaves out what is of the world before. */
export async function visit(world: string) {
  await showWorld(world);
  go({ world, call: '', before: '', letter: '', case: '' }, address.view.value === '');
}

/** Loads and shows a world. When that fails, shows the previous world again and rejects. */
export async function showWorld(world: string) {
  const before = store.world;
  try {
    await store.showWorld(world);
  } catch (error) {
    if (before !== world) await store.showWorld(before).catch(() => {});
    throw error;
  }
  document.title = `${world} · Simulator · Zorgregister BFF`;
  journal.showCurrentWorld();
}

/** Makes a world that has no other user: `name`, or else `name-2` and so on. One that exists may be used when `isOwn`. */
export async function freeWorld(name: string, isOwn: (world: string) => boolean = () => false) {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const world = name.slice(0, MAX_WORLD - end.length) + end;
    if (isOwn(world) || (await isMade(world))) return world;
  }
}

/** Resolves with false when the world exists already. */
const isMade = (world: string) =>
  api(inWorld(world), { method: 'PUT' }).then(
    () => true,
    (error) => {
      if (error instanceof PageError && error.status === 409) return false;
      throw error;
    },
  );

/** Empties the frames and waits for calls in progress: a request after the deletion would create the world again. */
export async function leaveWorld(from: string, to: string) {
  await emptyFrames();
  await visit(to);
  await pendingCalls();
  await api(inWorld(from), { method: 'DELETE' });
}

async function emptyFrames() {
  const emptied = [...document.querySelectorAll('iframe')].filter(isFilled).map(
    (frame) =>
      new Promise((resolve) => {
        frame.addEventListener('load', resolve, { once: true });
        setTimeout(resolve, 1_000);
        frame.contentWindow?.location.replace('about:blank');
      }),
  );
  await Promise.all(emptied);
}

/** The error page of the browser is of another origin, and has no document here. */
const isFilled = ({ contentDocument }: HTMLIFrameElement) => contentDocument?.URL !== 'about:blank';
