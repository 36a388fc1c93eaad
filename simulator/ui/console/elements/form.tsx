import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useUniqueId } from '../../components/parts.tsx';

/** Returns the value of a field and the function that stores what the user typed in a signal. */
export const bind = <Value,>(to: Signal<Value>) => ({
  value: to.value,
  onInput(value: Value) {
    to.value = value;
  },
});

interface FormProps {
  onSubmit: (event: SubmitEvent) => unknown;
  children: ComponentChildren;
}

/** Shows a form that calls `onSubmit` when the user submits it. The browser itself sends nothing. */
export const Form = ({ onSubmit, children }: FormProps) => (
  <form
    class="row"
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(event);
    }}
  >
    {children}
  </form>
);

type SubmitProps = { look?: 'primary-action' | 'secondary-action'; value?: string; children: string };

/** Shows a button that submits the form around it. */
export const SubmitButton = ({ look = 'secondary-action', value, children }: SubmitProps) => (
  <button type="submit" class={`utrecht-button utrecht-button--${look}`} value={value}>
    {children}
  </button>
);

/**
 * Shows a field to choose a JSON file, and calls `onFile` with the chosen file. What looks like a button is a label with a
 * Dutch text, because the browser shows a file input in the language of the browser.
 */
export function FileField({ label, onFile }: { label: string; onFile: (file: File) => unknown }) {
  const id = useUniqueId();
  return (
    <div class="utrecht-form-field field file">
      <span class="utrecht-form-label" id={`${id}-naam`}>
        {label}
      </span>
      <input
        id={id}
        aria-labelledby={`${id}-naam`}
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
      <label class="utrecht-button utrecht-button--secondary-action" for={id}>
        Kies een bestand
      </label>
    </div>
  );
}
