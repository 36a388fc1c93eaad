import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useRoving } from './roving.ts';

/** A tab: its title and the content of its panel. */
export interface Tab {
  id: string;
  title: string;
  content: ComponentChildren;
  look?: string;
}

/**
 * Shows tabs, and the panel of the tab `shown`. The row of tabs is one stop of the Tab key; the arrow keys choose a tab.
 * @param props `show` is called with the id of the tab that the user chooses
 */
export function Tabs({ label, all, shown, show }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  useRoving(list, '[role="tab"]');
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {all.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            class="tab"
            role="tab"
            id={`tab-${id}-knop`}
            aria-controls={`tab-${id}`}
            aria-selected={id === shown}
            onClick={() => show(id)}
            onFocus={() => show(id)}
          >
            {title}
          </button>
        ))}
      </div>
      {all.map(({ id, content, look = '' }) => (
        <div
          key={id}
          class={`${look} tabpanel`}
          role="tabpanel"
          id={`tab-${id}`}
          aria-labelledby={`tab-${id}-knop`}
          hidden={id !== shown}
        >
          {content}
        </div>
      ))}
    </>
  );
}

interface TabsProps {
  label: string;
  all: readonly Tab[];
  shown: string;
  show: (id: string) => void;
}
