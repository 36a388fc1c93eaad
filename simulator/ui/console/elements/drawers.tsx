import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../components/parts.tsx';
import { address, go } from '../app/address.ts';

/** Id of the open drawer; empty when none is open. */
const open = address.drawer;

/** Closes the open drawer, and moves the focus to the button that opened it. */
function close() {
  const opener = document.querySelector<HTMLElement>(`[data-key="lade-${open.value}"]`);
  go({ drawer: '' });
  opener?.focus();
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && open.value !== '') close();
});

/** Shows a drawer: a panel at the side of the page, of which at most one is open. Escape closes it. */
export function Drawer({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  const drawer = useRef<HTMLElement>(null);
  const isOpen = open.value === id;
  useLayoutEffect(() => {
    if (isOpen) drawer.current?.focus();
  }, [isOpen]);
  return (
    <section class="drawer" id={`lade-${id}`} aria-label={title} tabindex={-1} hidden={!isOpen} ref={drawer}>
      <div class="drawer__head">
        <Button onClick={close} look="subtle" about={title}>
          Sluiten
        </Button>
      </div>
      {children}
    </section>
  );
}

/**
 * The button that opens and closes a drawer. `onOpen` is called before it opens. `controls` is the id of an element that
 * is a drawer on a narrow screen only.
 */
export const DrawerButton = ({ id, look = '', controls = `lade-${id}`, onOpen, children }: DrawerButtonProps) => (
  <button
    type="button"
    class={`bar__button ${look}`}
    aria-expanded={open.value === id}
    aria-controls={controls}
    data-key={`lade-${id}`}
    onClick={() => {
      onOpen?.();
      go({ drawer: open.value === id ? '' : id });
    }}
  >
    {children}
  </button>
);

interface DrawerButtonProps {
  id: string;
  look?: string;
  controls?: string;
  onOpen?: () => void;
  children: ComponentChildren;
}
