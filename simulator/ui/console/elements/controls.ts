import { texts } from '../texts/texts.ts';
import { h } from './dom.ts';

/** The look of a button, and texts for assistive technology. */
interface ButtonOptions {
  /** `secondary-action` when absent */
  look?: 'primary-action' | 'secondary-action' | 'subtle';
  /** value of `data-key`, by which `redraw` gives the focus back; the label and `about` when absent */
  key?: string;
  /** text after the label that only screen readers read, such as the name of a list item */
  about?: string;
  /** value of `aria-keyshortcuts`; the button itself does not listen to these keys */
  keys?: string;
}

/**
 * Returns a button that calls `press` on a click. While a promise from `press` is not settled, a click does nothing.
 */
export function button(
  label: string,
  press: (event: Event) => unknown,
  { look = 'secondary-action', key, about, keys }: ButtonOptions = {},
) {
  const element = h(
    'button',
    {
      type: 'button',
      class: `utrecht-button utrecht-button--${look}`,
      'data-key': key ?? (about === undefined ? label : `${label} ${about}`),
      'aria-keyshortcuts': keys,
      async onclick(event: Event) {
        if (element.getAttribute('aria-busy') === 'true') return;
        element.setAttribute('aria-busy', 'true');
        try {
          await press(event);
        } finally {
          element.removeAttribute('aria-busy');
        }
      },
    },
    label,
    about !== undefined && h('span', { class: 'visually-hidden' }, ` ${about}`),
  );
  return element;
}

let fields = 0;

/** Returns an element with a label, its input, select or textarea, and an optional hint below the label. */
export function field<C extends HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
  label: string,
  control: C,
  hint?: string,
) {
  fields += 1;
  control.id ||= `veld-${fields}`;
  if (hint !== undefined) control.setAttribute('aria-describedby', `${control.id}-uitleg`);
  return h(
    'div',
    { class: 'utrecht-form-field field' },
    h('label', { class: 'utrecht-form-label', for: control.id }, label),
    hint !== undefined && h('div', { class: 'utrecht-form-field-description hint', id: `${control.id}-uitleg` }, hint),
    control,
  );
}

/**
 * Returns a paragraph with the hint of a field, for a place outside the field. A screen reader reads it with the field.
 * @param control the input of a field that already exists
 */
export function explain(control: HTMLInputElement, text: string) {
  const id = `${control.id}-uitleg`;
  control.setAttribute('aria-describedby', id);
  return h('p', { class: 'utrecht-form-field-description hint', id }, text);
}

/**
 * Returns a field to choose a JSON file, and calls `onFile` with the chosen file. What looks like a button is a label
 * with a Dutch text, because the browser shows a file input in the language of the browser.
 */
export function fileField(label: string, onFile: (file: File) => unknown) {
  const input = h('input', {
    type: 'file',
    accept: '.json,application/json',
    class: 'visually-hidden file__input',
    async onchange() {
      const chosen = input.files?.[0];
      if (chosen !== undefined) await onFile(chosen);
      // The same file can be chosen again.
      input.value = '';
    },
  });
  const element = field(label, input);
  element.classList.add('file');
  element.append(
    h('label', { class: 'utrecht-button utrecht-button--secondary-action', for: input.id }, texts.chooseFile),
  );
  return element;
}

/** Returns a text field. `props` add or replace attributes. */
export const textbox = (props: Record<string, unknown> = {}) =>
  h('input', { type: 'text', class: 'utrecht-textbox', autocomplete: 'off', spellcheck: 'false', ...props });

/** Returns a drop-down list (`select`) with these options. `props` are further attributes. */
export const select = (
  options: readonly (readonly [value: string, label: string])[],
  props: Record<string, unknown> = {},
) =>
  h(
    'select',
    { class: 'utrecht-select utrecht-select--html-select', ...props },
    ...options.map(([value, label]) => h('option', { value }, label)),
  );

/**
 * Replaces the options of a select, unless they are the same. The selected value stays selected when a new option has
 * it.
 */
export function setOptions(element: HTMLSelectElement, options: readonly (readonly [value: string, label: string])[]) {
  const chosen = element.value;
  if (
    [...element.options].map(({ value, label }) => `${value}=${label}`).join() ===
    options.map((o) => o.join('=')).join()
  )
    return;
  element.replaceChildren(...options.map(([value, label]) => h('option', { value }, label)));
  if (options.some(([value]) => value === chosen)) element.value = chosen;
}

/** Returns a checkbox as `input`, and as `element` the label that contains it. */
export function checkbox(label: string, props: Record<string, unknown> = {}) {
  const input = h('input', { type: 'checkbox', class: 'utrecht-checkbox utrecht-checkbox--html-input', ...props });
  return {
    input,
    element: h('label', { class: 'utrecht-form-label utrecht-form-label--checkbox check' }, input, label),
  };
}

/** Returns a form that calls `submit` when the user submits it. The browser itself sends nothing. */
export const form = (submit: (event: Event) => unknown, ...children: (Node | string | null | false)[]) =>
  h(
    'form',
    {
      class: 'row',
      onsubmit(event: Event) {
        event.preventDefault();
        submit(event);
      },
    },
    ...children,
  );

/** Returns a button that submits the form in which it is placed. */
export const submitButton = (label: string, look: 'primary-action' | 'secondary-action' = 'secondary-action') =>
  h('button', { type: 'submit', class: `utrecht-button utrecht-button--${look}` }, label);

/** Returns a short status text on a coloured background. */
export const badge = (text: string, tone: 'neutral' | 'success' | 'warning' | 'danger' = 'neutral') =>
  h('span', { class: `utrecht-status-badge utrecht-status-badge--${tone} badge` }, text);
