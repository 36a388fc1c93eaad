/**
 * Shows an empty page in each frame of the console. Call it before a world is deleted: a request of a page in a frame
 * would create that world again. Resolves within about a second.
 */
export async function emptyFrames() {
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

/** Returns true when a frame shows another page than `about:blank`. @param {HTMLIFrameElement} frame */
const isFilled = ({ contentWindow }) => contentWindow !== null && contentWindow.location.href !== 'about:blank';
