import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../components/parts.tsx';
import { layout } from '../texts/layout.ts';

/** Id of the open drawer; empty when none is open. */
const open = signal('');

function show(id: string) {
  open.value = id;
  document.body.classList.toggle('has-drawer', id !== '');
}

/** Closes the open drawer, and moves the focus to the button that opened it. */
function close() {
  const opener = document.querySelector<HTMLElement>(`[aria-controls="lade-${open.value}"]`);
  show('');
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
          {layout.close}
        </Button>
      </div>
      {children}
    </section>
  );
}

/** The button that opens and closes a drawer. `onOpen` is called before it opens. */
export const DrawerButton = ({ id, isAlarm = false, onOpen, children }: DrawerButtonProps) => (
  <button
    type="button"
    class={`bar__button ${isAlarm ? 'bar__button--alarm' : ''}`}
    aria-expanded={open.value === id}
    aria-controls={`lade-${id}`}
    data-key={`lade-${id}`}
    onClick={() => {
      onOpen?.();
      show(open.value === id ? '' : id);
    }}
  >
    {children}
  </button>
);

interface DrawerButtonProps {
  id: string;
  isAlarm?: boolean;
  onOpen?: () => void;
  children: ComponentChildren;
}
