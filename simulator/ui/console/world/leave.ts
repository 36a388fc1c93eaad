import { api, inWorld, pendingCalls } from '../app/api.ts';

/**
 * Shows the world `to`, and then deletes the world `from`, which the page shows now. First empties the frames and waits
 * for calls in progress: a request that arrives after the deletion would create the world again.
 * @param go shows another world
 */
export async function leaveWorld(from: string, to: string, go: (world: string) => Promise<void>) {
  await emptyFrames();
  await go(to);
  await pendingCalls();
  await api(inWorld(from), { method: 'DELETE' });
}

/** Shows an empty page in each frame of the console. Resolves within about a second. */
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

/**
 * Returns true when a frame shows another page than `about:blank`. The error page of the browser is of another origin,
 * and has no document here.
 */
const isFilled = ({ contentDocument }: HTMLIFrameElement) => contentDocument?.URL !== 'about:blank';
