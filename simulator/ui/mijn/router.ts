import { signal } from '@preact/signals';

/** The segments after `#/` in the address, such as `['aanvragen', '<id>']`. */
export const route = signal(partsOfHash());

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
  history.replaceState(null, '', linkTo(...parts));
  route.value = partsOfHash();
}
