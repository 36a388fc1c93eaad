/**
 * Creates an element with attributes, listeners (a function under a name such as `onclick`) and children. Values that
 * are undefined, null or false are left out. Strings become text nodes, never HTML.
 */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  props: Record<string, unknown> = {},
  ...children: (Node | string | null | undefined | false)[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'value' && 'value' in element) element.value = String(value) as never;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Replaces the children of `container`. When the focus was inside `container`, it moves to the new element with the
 * same `data-key`, or else to `container`. A `<details>` with a `data-key` that was open is open again.
 */
export function redraw(container: HTMLElement, ...children: (Node | string | null | false)[]) {
  const active = document.activeElement;
  const inside = active instanceof HTMLElement && container !== active && container.contains(active);
  const key = inside ? active.closest('[data-key]')?.getAttribute('data-key') : undefined;
  const open = new Set([...container.querySelectorAll('details[open][data-key]')].map((one) => keyOf(one)));
  container.replaceChildren(...children.filter((child) => child !== null && child !== false));
  for (const one of container.querySelectorAll('details[data-key]')) {
    if (one instanceof HTMLDetailsElement && open.has(keyOf(one))) one.open = true;
  }
  if (!inside) return;
  if (active.isConnected) {
    active.focus({ preventScroll: true });
    return;
  }
  const again = [...container.querySelectorAll('[data-key]')].find((one) => keyOf(one) === key);
  if (again instanceof HTMLDetailsElement) again.querySelector('summary')?.focus({ preventScroll: true });
  else if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  else {
    container.tabIndex = -1;
    container.focus({ preventScroll: true });
  }
}

const keyOf = (element: Element) => element.getAttribute('data-key');

/**
 * Shows one of two controls and hides the other. When the hidden one had the focus, the focus moves to the shown one.
 */
export function showOneOf(shown: HTMLElement, hidden: HTMLElement) {
  const was = document.activeElement === hidden;
  hidden.hidden = true;
  shown.hidden = false;
  if (was) shown.focus({ preventScroll: true });
}
