import { signal } from '@preact/signals';
import { createContext } from 'preact';

/** The segments after `#/` in the address, such as `['aanvragen', '<id>']`. */
export const route = signal(partsOfHash());

/**
 * The address of a screen, as in `route`, for the parts of that screen. `isLeaving` is true while another screen is
 * about to replace it: it keeps its address, and reads nothing any more.
 */
export const ScreenContext = createContext({ address: route.value, isLeaving: false });

addEventListener('hashchange', () => {
  route.value = partsOfHash();
});

function partsOfHash() {
  return location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decoded);
}

/** Returns a segment of the address with its escapes (`%20`) decoded; unchanged when an escape is wrong (`%zz`). */
function decoded(segment: string) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the `href` of a screen: `#/aanvragen/12` for `aanvragen` and `12`. */
export const linkTo = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join('/')}`;

export function go(...parts: string[]) {
  location.hash = linkTo(...parts);
}

/** Opens another screen in place of the current one, which Back then skips. */
export function replaceScreen(...parts: string[]) {
  history.replaceState(history.state, '', linkTo(...parts));
  route.value = partsOfHash();
}

// The history of a page in a frame is also that of the page around it, which has steps of its own.
const isFramed = parent !== window;

/** Returns the number of steps of the current form that the history has before the current one. */
const stepsBefore = (): number => history.state?.steps ?? 0;

/** Opens a step of a form, from which Back returns to the step before. */
export function goToStep(...parts: string[]) {
  if (isFramed) return go(...parts);
  history.pushState({ steps: stepsBefore() + 1 }, '', linkTo(...parts));
  route.value = partsOfHash();
}

/** Opens another screen in place of the steps of a form, which Back then skips; in a frame, of the current step. */
export function replaceSteps(...parts: string[]) {
  replaceScreen(...parts);
  if (stepsBefore() === 0) return;
  addEventListener('popstate', () => replaceScreen(...parts), { once: true });
  history.go(-stepsBefore());
}
