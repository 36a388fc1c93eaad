import type { ComponentChildren } from 'preact';

/** Shows a label, a hint and an error message around the form control in `children`. */
function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  children?: ComponentChildren;
}) {
  return (
    <div class={`utrecht-form-field field ${error ? 'utrecht-form-field--invalid field--invalid' : ''}`}>
      <label class="utrecht-form-label" for={id}>
        {label}
      </label>
      {hint && (
        <div class="utrecht-form-field-description hint" id={`${id}-uitleg`}>
          {hint}
        </div>
      )}
      {error && (
        <div class="utrecht-form-field-error-message" id={`${id}-fout`}>
          {error}
        </div>
      )}
      {children}
    </div>
  );
}

/**
 * Returns the ids of the hint and the error message of a field, for `aria-describedby`; undefined when it has neither.
 */
const describedBy = (id: string, hint: ComponentChildren, error: ComponentChildren) =>
  [hint && `${id}-uitleg`, error && `${id}-fout`].filter(Boolean).join(' ') || undefined;

/** Shows a text field of one line. */
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
}: {
  id: string;
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  type?: 'text' | 'date';
  inputmode?: 'numeric' | undefined;
  autocomplete?: 'off' | 'street-address' | 'postal-code' | 'address-level2';
  size?: 'short' | 'normal';
}) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        name={id}
        type={type as 'text'}
        inputmode={inputmode}
        autocomplete={autocomplete}
        value={value}
        class={`utrecht-textbox utrecht-textbox--html-input input--${size} ${error ? 'utrecht-textbox--invalid' : ''}`}
        aria-describedby={describedBy(id, hint, error)}
        aria-invalid={error ? 'true' : undefined}
        onInput={(event: Event) => onInput((event.target as HTMLInputElement).value)}
      />
    </Field>
  );
}

/** Shows a text field of several lines. */
export function TextArea({
  id,
  label,
  value,
  onInput,
  hint,
  error,
  rows = 4,
}: {
  id: string;
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  rows?: number;
}) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        rows={rows}
        value={value}
        class="utrecht-textarea utrecht-textarea--html-textarea"
        aria-describedby={describedBy(id, hint, error)}
        aria-invalid={error ? 'true' : undefined}
        onInput={(event: Event) => onInput((event.target as HTMLTextAreaElement).value)}
      />
    </Field>
  );
}

/**
 * Shows a drop-down list from which the user chooses one option. An option is a key and a text; `onInput` gets the key.
 */
export function Select({
  id,
  label,
  value,
  onInput,
  options,
  hint,
}: {
  id: string;
  label: ComponentChildren;
  value: string;
  onInput: (value: string) => void;
  options: readonly (readonly [string, string])[];
  hint?: ComponentChildren;
}) {
  return (
    <Field id={id} label={label} hint={hint}>
      <select
        id={id}
        class="utrecht-select utrecht-select--html-select"
        value={value}
        aria-describedby={describedBy(id, hint, null)}
        onChange={(event: Event) => onInput((event.target as HTMLSelectElement).value)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/**
 * Shows a question (`legend`) with a few answers as radio buttons. An option is a value, a text and an optional hint;
 * `onInput` gets the value.
 */
export function Choice<Value extends string>({
  id,
  legend,
  value,
  onInput,
  options,
  hint,
  error,
}: {
  id: string;
  legend: string;
  value: NoInfer<Value> | '';
  onInput: (value: Value) => void;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  options: readonly (readonly [value: Value, label: string, hint?: string])[];
}) {
  return (
    <fieldset class={`choice field ${error ? 'field--invalid' : ''}`} aria-describedby={describedBy(id, hint, error)}>
      <legend class="utrecht-form-label">{legend}</legend>
      {hint && (
        <div class="utrecht-form-field-description hint" id={`${id}-uitleg`}>
          {hint}
        </div>
      )}
      {error && (
        <div class="utrecht-form-field-error-message" id={`${id}-fout`}>
          {error}
        </div>
      )}
      {options.map(([key, label, extra], index) => (
        <div class="choice__option" key={key}>
          <input
            type="radio"
            class="utrecht-radio-button utrecht-radio-button--html-input"
            name={id}
            value={key}
            id={index === 0 ? id : `${id}-${key}`}
            checked={value === key}
            onChange={() => onInput(key)}
          />
          <label for={index === 0 ? id : `${id}-${key}`}>
            {label}
            {extra && <span class="hint">{extra}</span>}
          </label>
        </div>
      ))}
    </fieldset>
  );
}

/**
 * Shows a checkbox. `onInput` gets true when the user checks it, and otherwise false. `about` is text after the label that
 * only screen readers read.
 */
export function Checkbox({
  id,
  label,
  about,
  checked,
  onInput,
}: {
  id: string;
  label: string;
  about: string;
  checked: boolean;
  onInput: (checked: boolean) => void;
}) {
  return (
    <div class="choice__option">
      <input
        type="checkbox"
        class="utrecht-checkbox utrecht-checkbox--html-input"
        id={id}
        checked={checked}
        onChange={(event: Event) => onInput((event.target as HTMLInputElement).checked)}
      />
      <label for={id}>
        {label}
        <span class="visually-hidden">: {about}</span>
      </label>
    </div>
  );
}
