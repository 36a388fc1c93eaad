import { html } from 'htm/preact';

/**
 * Shows a label, a hint and an error message around the form control in `children`.
 * @param {{ id: string, label: string, hint?: unknown, error?: string | null | undefined, children?: unknown }} props
 */
function Field({ id, label, hint, error, children }) {
  return html`<div class=${`utrecht-form-field field ${error ? 'utrecht-form-field--invalid field--invalid' : ''}`}>
    <label class="utrecht-form-label" for=${id}>${label}</label>
    ${hint && html`<div class="utrecht-form-field-description hint" id=${`${id}-uitleg`}>${hint}</div>`}
    ${error && html`<div class="utrecht-form-field-error-message" id=${`${id}-fout`}>${error}</div>`}
    ${children}
  </div>`;
}

/**
 * Returns the ids of the hint and the error message of a field, for `aria-describedby`; undefined when it has neither.
 * @param {string} id
 * @param {unknown} hint
 * @param {unknown} error
 */
const describedBy = (id, hint, error) =>
  [hint && `${id}-uitleg`, error && `${id}-fout`].filter(Boolean).join(' ') || undefined;

/**
 * Shows a text field of one line.
 * @param {{ id: string, label: string, value: string, onInput: (value: string) => void, hint?: unknown, error?: string | null | undefined,
 *   type?: string, inputmode?: string, autocomplete?: string, size?: 'short' | 'normal' }} props
 */
export function TextField({
  id,
  label,
  value,
  onInput,
  hint,
  error,
  type = 'text',
  inputmode,
  autocomplete = 'off',
  size = 'normal',
}) {
  return html`<${Field} id=${id} label=${label} hint=${hint} error=${error}>
    <input id=${id} name=${id} type=${type} inputmode=${inputmode} autocomplete=${autocomplete} value=${value}
      class=${`utrecht-textbox utrecht-textbox--html-input input--${size} ${error ? 'utrecht-textbox--invalid' : ''}`}
      aria-describedby=${describedBy(id, hint, error)} aria-invalid=${error ? 'true' : undefined}
      onInput=${(/** @type {Event} */ event) => onInput(/** @type {HTMLInputElement} */ (event.target).value)} />
  <//>`;
}

/**
 * Shows a text field of several lines.
 * @param {{ id: string, label: string, value: string, onInput: (value: string) => void, hint?: unknown, error?: string | null | undefined, rows?: number }} props
 */
export function TextArea({ id, label, value, onInput, hint, error, rows = 4 }) {
  return html`<${Field} id=${id} label=${label} hint=${hint} error=${error}>
    <textarea id=${id} rows=${rows} value=${value} class="utrecht-textarea utrecht-textarea--html-textarea"
      aria-describedby=${describedBy(id, hint, error)} aria-invalid=${error ? 'true' : undefined}
      onInput=${(/** @type {Event} */ event) => onInput(/** @type {HTMLTextAreaElement} */ (event.target).value)}></textarea>
  <//>`;
}

/**
 * Shows a drop-down list from which the user chooses one option. An option is a key and a text; `onInput` gets the key.
 * @param {{ id: string, label: string, value: string, onInput: (value: string) => void, options: readonly (readonly [string, string])[], hint?: unknown }} props
 */
export function Select({ id, label, value, onInput, options, hint }) {
  return html`<${Field} id=${id} label=${label} hint=${hint}>
    <select id=${id} class="utrecht-select utrecht-select--html-select" value=${value} aria-describedby=${describedBy(id, hint, null)}
      onChange=${(/** @type {Event} */ event) => onInput(/** @type {HTMLSelectElement} */ (event.target).value)}>
      ${options.map(([key, text]) => html`<option key=${key} value=${key}>${text}</option>`)}
    </select>
  <//>`;
}

/**
 * Shows a question (`legend`) with a few answers as radio buttons. An option is a value, a text and an optional hint;
 * `onInput` gets the value.
 * @param {{ id: string, legend: string, value: string, onInput: (value: string) => void, hint?: unknown, error?: string | null | undefined,
 *   options: readonly (readonly [value: string, label: string, hint?: string])[] }} props
 */
export function Choice({ id, legend, value, onInput, options, hint, error }) {
  return html`<fieldset class=${`choice field ${error ? 'field--invalid' : ''}`} aria-describedby=${describedBy(id, hint, error)}>
    <legend class="utrecht-form-label">${legend}</legend>
    ${hint && html`<div class="utrecht-form-field-description hint" id=${`${id}-uitleg`}>${hint}</div>`}
    ${error && html`<div class="utrecht-form-field-error-message" id=${`${id}-fout`}>${error}</div>`}
    ${options.map(
      ([key, label, extra], index) => html`<div class="choice__option" key=${key}>
        <input type="radio" class="utrecht-radio-button utrecht-radio-button--html-input" name=${id} value=${key}
          id=${index === 0 ? id : `${id}-${key}`} checked=${value === key} onChange=${() => onInput(key)} />
        <label for=${index === 0 ? id : `${id}-${key}`}>${label}${extra && html`<span class="hint">${extra}</span>`}</label>
      </div>`,
    )}
  </fieldset>`;
}

/**
 * Shows a checkbox. `onInput` gets true when the user checks it, and otherwise false. `about` is text after the label that
 * only screen readers read.
 * @param {{ id: string, label: string, about: string, checked: boolean, onInput: (checked: boolean) => void }} props
 */
export function Checkbox({ id, label, about, checked, onInput }) {
  return html`<div class="choice__option">
    <input type="checkbox" class="utrecht-checkbox utrecht-checkbox--html-input" id=${id} checked=${checked}
      onChange=${(/** @type {Event} */ event) => onInput(/** @type {HTMLInputElement} */ (event.target).checked)} />
    <label for=${id}>${label}<span class="visually-hidden">: ${about}</span></label>
  </div>`;
}
