import { signal } from '@preact/signals';

/** The parts of the address after `#/`, such as `['aanvraag', '<id>']`. */
export const route = signal(partsOfHash());

addEventListener('hashchange', () => {
  route.value = partsOfHash();
});

function partsOfHash() {
  return location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
}

/** Returns the address of a screen, for a link. @param {...string} parts */
export const linkTo = (...parts) => `#/${parts.map(encodeURIComponent).join('/')}`;

/** Goes to a screen. @param {...string} parts */
export function go(...parts) {
  location.hash = linkTo(...parts);
}

/** Replaces this screen by another: the Back button of the browser skips it. @param {...string} parts */
export function replaceBy(...parts) {
  history.replaceState(null, '', linkTo(...parts));
  route.value = partsOfHash();
}
