/**
 * Empties the frames of the page, so that Mijn register sends no more calls to a world that is deleted: a call would
 * make the world again. Resolves when the frames are empty, or after a second.
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

/** @param {HTMLIFrameElement} frame */
const isFilled = ({ contentWindow }) => contentWindow !== null && contentWindow.location.href !== 'about:blank';
