import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentProps, JSX, RefObject, RenderableProps } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { FieldErrors } from '../../components/fields.tsx';
import { About, Button, useUniqueId } from '../../components/parts.tsx';
import { type AddressMember, address, go, hrefWith } from '../app/address.ts';
import { BASE, type PageError } from '../app/api.ts';
import type { Part } from '../app/app.tsx';

export const bind = <Value,>(to: Signal<Value>) => ({ value: to.value, onInput: (value: Value) => (to.value = value) });

/** Returns a signal with a value that the user can change; it has the `value` of the service again when that changes. */
export function useCopy<Value>(value: Value) {
  const copy = useSignal(value);
  useEffect(() => {
    copy.value = value;
  }, [value]);
  return copy;
}

/** The chosen value, until that of the service is loaded again or `change` fails, and the function that chooses one. */
export function useChoice<Value>(value: Value, change: (wanted: Value) => Promise<boolean>) {
  const chosen = useSignal<Value | null>(null);
  useEffect(() => {
    chosen.value = null;
  }, [value]);
  async function choose(wanted: Value) {
    chosen.value = wanted;
    if (!(await change(wanted))) chosen.value = null;
  }
  return [chosen.value ?? value, choose] as const;
}

type FormProps = { of: Part; onSubmit: (event: SubmitEvent) => unknown; children: ComponentChildren };

/** What is refused is said at a field: the one of which the id ends in a member of the JSON Pointer, or the first. */
export function Form({ of, onSubmit, children }: FormProps) {
  const errors = useSignal<Readonly<Record<string, string>>>({});

  function show(form: HTMLFormElement, { status, message, errors: faults }: PageError) {
    const fields = [...form.querySelectorAll<HTMLInputElement>('input, select')];
    const found = faults.map(({ pointer = '', detail }) => {
      const path = pointer.split('/');
      return [fields.find(({ id }) => path.includes(id.slice(id.lastIndexOf('-') + 1))), detail] as const;
    });
    if (found.length === 0) found.push([fields.find(({ type }) => type === 'text' || type === 'date'), message]);
    if ((status !== 400 && status !== 409) || found.some(([field]) => field === undefined)) return false;
    errors.value = Object.fromEntries(found.map(([field, text]) => [field?.id, text]));
    pointTo(found[0]?.[0]);
    return true;
  }

  return (
    <FieldErrors.Provider value={errors.value}>
      <form
        class="row"
        onInvalidCapture={(event) => {
          event.preventDefault();
          const field = event.target as HTMLInputElement;
          errors.value = { ...errors.value, [field.id]: faultOf(field) };
          if (event.currentTarget.querySelector(':invalid') === field) pointTo(field);
        }}
        onInput={({ target }) => {
          const { [(target as HTMLInputElement).id]: _, ...others } = errors.value;
          errors.value = others;
        }}
        onSubmit={(event) => {
          event.preventDefault();
          errors.value = {};
          const form = event.currentTarget;
          of.atField = (error) => show(form, error);
          onSubmit(event);
        }}
      >
        {children}
      </form>
    </FieldErrors.Provider>
  );
}

function pointTo(field: HTMLElement | undefined) {
  field?.focus();
  requestAnimationFrame(() => field?.scrollIntoView({ block: 'nearest' }));
}

function faultOf({ validity, type, title, min, max, step }: HTMLInputElement) {
  if (validity.valueMissing || type === 'date') return 'Vul dit in.';
  if (type !== 'number') return title;
  return `Vul een ${step ? '' : 'heel '}getal in${min && ` vanaf ${min}`}${max && ` tot en met ${max}`}.`;
}

/** What looks like a button is a label, because the browser shows a file input in the language of the browser. */
export function FileField({ label, onFile }: { label: string; onFile: (file: File) => unknown }) {
  const id = useUniqueId();
  return (
    <div class="utrecht-form-field field file">
      <span class="utrecht-form-label" id={`${id}-naam`}>
        {label}
      </span>
      <input
        id={id}
        aria-labelledby={`${id}-naam ${id}-kies`}
        type="file"
        accept=".json,application/json"
        class="visually-hidden file-input"
        onChange={async ({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          if (chosen !== undefined) await onFile(chosen);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <label class="utrecht-button utrecht-button--secondary-action" for={id} id={`${id}-kies`}>
        Kies een bestand
      </label>
    </div>
  );
}

export function download(name: string, json: unknown) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(json, null, 2)}\n`], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/** Shows a list, or `empty`. When the item with the focus is removed, the list gets the focus. */
export function Lines({ items, empty, look = 'lines', label }: LinesProps) {
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
    <ul ref={list} class={look} aria-label={label} tabindex={-1} onFocusIn={({ target }) => (focused.current = target)}>
      {items}
    </ul>
  );
}

type LinesProps = { items: readonly ComponentChildren[]; empty?: JSX.Element; look?: string; label?: string };

/** Shows a link that opens in another tab of the browser. `name` is its name for screen readers, when not its text. */
export const NewTab = ({ href, name, children }: { href: string; name?: string; children: string }) => (
  <a class="utrecht-link utrecht-link--html-a" href={href} target="_blank" rel="noopener" aria-label={name}>
    {children}
  </a>
);

type FileLinkProps = Record<'to' | 'name' | 'children', string> & { about?: string | undefined };

/** Shows a link that downloads a file of the control API. `about` is text after its text for screen readers. */
export const FileLink = ({ to, name, about, children }: FileLinkProps) => (
  <a class="utrecht-link utrecht-link--html-a" href={`${BASE}/${to}`} download={name}>
    {children}
    <About>{about}</About>
  </a>
);

/** A link to another state of this page, which also opens in another tab. `onFollow` is called in place of `go`. */
export const StateLink = ({ to, isCurrent = false, onFollow = () => go(to), children }: StateLinkProps) => (
  <a
    class="utrecht-link utrecht-link--html-a"
    href={hrefWith(to)}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onFollow();
    }}
  >
    {children}
  </a>
);

type StateLinkProps = RenderableProps<{
  to: Partial<Record<AddressMember, string>>;
  isCurrent?: boolean;
  onFollow?: () => unknown;
}>;

const open = address.drawer;

export function closeDrawer() {
  const opener = document.querySelector<HTMLElement>(`[data-key="lade-${open.value}"]`);
  go({ drawer: '' });
  opener?.focus();
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && open.value !== '') closeDrawer();
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
        <Button onClick={closeDrawer} look="subtle" about={title}>
          Sluiten
        </Button>
      </div>
      {children}
    </section>
  );
}

export const BarButton = ({ look = '', ...others }: ComponentProps<'button'> & { look?: string }) => (
  <button type="button" {...others} class={`bar__button ${look}`} />
);

/** `onOpen` is called before it opens. `controls` is the id of an element that is a drawer on a narrow screen only. */
export const DrawerButton = ({ id, look = '', controls = `lade-${id}`, onOpen, children }: DrawerButtonProps) => (
  <BarButton
    look={look}
    aria-expanded={open.value === id}
    aria-controls={controls}
    data-key={`lade-${id}`}
    onClick={() => {
      onOpen?.();
      go({ drawer: open.value === id ? '' : id });
    }}
  >
    {children}
  </BarButton>
);

type DrawerButtonProps = RenderableProps<{ id: string; look?: string; controls?: string; onOpen?: () => void }>;

type Tab = { id: string; title: string; content: ComponentChildren; look?: string };

/** The row of tabs is one stop of the Tab key; the arrow keys choose a tab. */
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

type TabsProps = { label: string; all: readonly Tab[]; shown: string; show: (id: string) => void };

/** Makes a group of controls one stop of the Tab key. The arrow keys, Home and End move the focus between them. */
export const useRoving = (
  group: RefObject<HTMLElement | null>,
  selector: string = 'button, a[href], input[role="switch"]',
) =>
  useLayoutEffect(() => {
    if (group.current !== null) makeOneStop(group.current, selector);
  }, []);

function makeOneStop(group: HTMLElement, selector: string) {
  const items = () =>
    ([...group.querySelectorAll(selector)] as HTMLElement[]).filter((one) => one.checkVisibility() && isOwn(one));
  const isOwn = (one: HTMLElement) => one.closest('[data-roving]') === group;

  /** Makes one control the stop of the Tab key: `wanted`, or else the selected one, the stop before, or the first. */
  function setTabStop(wanted?: HTMLElement) {
    const all = items();
    const stop =
      wanted ??
      all.find((one) => one.getAttribute('aria-selected') === 'true') ??
      all.find((one) => one.tabIndex === 0 && one.dataset.stop === 'true') ??
      all[0];
    for (const one of all) {
      one.dataset.stop = String(one === stop);
      one.tabIndex = one === stop ? 0 : -1;
    }
  }

  group.dataset.roving = '';
  group.addEventListener('focusin', ({ target }) => {
    const found = items().find((one) => one === target);
    if (found !== undefined) setTabStop(found);
  });
  group.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    if (at === -1 || event.altKey || event.ctrlKey || event.metaKey) return;
    const [next, previous] = [at + 1, at - 1];
    const ends = { Home: 0, End: all.length - 1 };
    const to = { ArrowRight: next, ArrowDown: next, ArrowLeft: previous, ArrowUp: previous, ...ends }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  });
  const update = () => setTabStop(items().find((one) => one === document.activeElement));
  new MutationObserver(update).observe(group, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['hidden', 'aria-selected'],
  });
  // Presentation mode and a narrow window hide controls; a group that becomes visible has its first size.
  new ResizeObserver(update).observe(group);
}
