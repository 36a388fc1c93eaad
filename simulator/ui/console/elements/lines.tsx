import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Shows a list, or `empty` when there are no items. When the item with the focus is removed, the list gets the
 * focus.
 */
export function Lines({ items, empty, look = 'lines', lang, label }: LinesProps) {
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<EventTarget | null>(null);
  useLayoutEffect(() => {
    const last = focused.current;
    if (last instanceof Node && !last.isConnected && document.activeElement === document.body)
      list.current?.focus({ preventScroll: true });
    focused.current = list.current?.contains(document.activeElement) ? document.activeElement : null;
  });
  if (items.length === 0 && empty !== undefined) return empty;
  return (
    <ul
      ref={list}
      class={look}
      lang={lang}
      aria-label={label}
      tabindex={-1}
      onFocusIn={({ target }) => {
        focused.current = target;
      }}
    >
      {items}
    </ul>
  );
}

interface LinesProps {
  items: readonly ComponentChildren[];
  empty?: JSX.Element;
  look?: string;
  lang?: string;
  label?: string;
}
