import { type ComponentChildren, type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useUniqueId } from './parts.tsx';

/** What every field has. `onInput` gets the new value. */
interface FieldProps<Value> {
  id?: string | undefined;
  label: ComponentChildren;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  value: Value;
  onInput: (value: Value) => void;
}

/** An option of a list: its value and its text. */
export type Option = readonly [value: string, text: string];

const Notes = ({ id, hint, error }: { id: string; hint: ComponentChildren; error: ComponentChildren }) => (
  <>
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
  </>
);

/**
 * Returns the ids of the hint and the error message of a field, for `aria-describedby`; undefined when it has neither.
 */
const describedBy = (id: string, hint: ComponentChildren, error: ComponentChildren) =>
  [hint && `${id}-uitleg`, error && `${id}-fout`].filter(Boolean).join(' ') || undefined;

/** The error messages of the fields in a form that has them itself, by the id of the field. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

type ControlAttributes = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': 'true' | undefined };

type LabelledProps = Omit<FieldProps<string>, 'value' | 'onInput'> & {
  control: (attributes: ControlAttributes) => ComponentChildren;
};

/**
 * Shows a label, a hint and an error message around the form control that `control` makes. That gets the attributes that
 * connect it with them.
 */
function Field({ id: given, label, hint, error: own, control }: LabelledProps) {
  const made = useUniqueId();
  const id = given ?? made;
  const inForm = useContext(FieldErrors)[id];
  const error = own ?? inForm;
  return (
    <div class={`utrecht-form-field field ${error ? 'utrecht-form-field--invalid field--invalid' : ''}`}>
      <label class="utrecht-form-label" for={id}>
        {label}
      </label>
      <Notes id={id} hint={hint} error={error} />
      {control({ id, 'aria-describedby': describedBy(id, hint, error), 'aria-invalid': error ? 'true' : undefined })}
    </div>
  );
}

const textOf = (event: Event) => (event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;

interface InputAttributes {
  type?: 'text' | 'date' | 'number' | 'search';
  autocomplete?: 'off' | 'address-line1' | 'postal-code' | 'address-level2';
  inputmode?: 'numeric' | undefined;
  placeholder?: string;
  title?: string;
  required?: boolean;
  pattern?: string;
  maxlength?: number;
  min?: number;
  max?: number;
  step?: number;
  onBlur?: () => void;
}

/** Shows a text field of one line. While the user types, the browser offers the `suggestions` that contain the text. */
export function TextField(
  props: FieldProps<string> &
    InputAttributes & { size?: 'short' | 'normal'; suggestions?: readonly string[] | undefined },
) {
  const { value, onInput, size = 'normal', type = 'text', id, label, hint, error, suggestions, ...attributes } = props;
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      control={(own) => (
        <>
          <input
            name={own.id}
            type={type as 'text'}
            autocomplete="off"
            {...attributes}
            {...own}
            value={value}
            class={`utrecht-textbox utrecht-textbox--html-input input--${size} ${own['aria-invalid'] ? 'utrecht-textbox--invalid' : ''}`}
            list={suggestions && `${own.id}-lijst`}
            onInput={(event: Event) => onInput(textOf(event))}
          />
          {suggestions && (
            <datalist id={`${own.id}-lijst`}>
              {suggestions.map((one) => (
                <option value={one} key={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    />
  );
}

type TextAreaProps = FieldProps<string> & Pick<InputAttributes, 'onBlur'> & { isParagraph?: boolean };

/** Shows a text field of several lines. With `isParagraph` its text has no line breaks: a pasted one becomes a space. */
export const TextArea = ({ value, onInput, onBlur, isParagraph = false, ...field }: TextAreaProps) => (
  <Field
    {...field}
    control={(own) => (
      <textarea
        {...own}
        rows={4}
        value={value}
        class="utrecht-textarea utrecht-textarea--html-textarea"
        onBlur={onBlur}
        onBeforeInput={(event: InputEvent) => {
          if (isParagraph && event.inputType === 'insertLineBreak') event.preventDefault();
        }}
        onInput={(event: Event) => {
          if (isParagraph) joinLines(event.target as HTMLTextAreaElement);
          onInput(textOf(event));
        }}
      />
    )}
  />
);

function joinLines(field: HTMLTextAreaElement) {
  if (!field.value.includes('\n')) return;
  const caret = field.selectionEnd;
  field.value = field.value.replaceAll('\n', ' ');
  field.setSelectionRange(caret, caret);
}

/** Shows a drop-down list from which the user chooses one option; `onInput` gets its value. */
export const Select = ({ value, onInput, options, ...field }: FieldProps<string> & { options: readonly Option[] }) => (
  <Field {...field} control={(own) => <Options {...own} value={value} onInput={onInput} options={options} />} />
);

type OptionsProps = Pick<ComponentProps<'select'>, 'id' | 'aria-describedby' | 'aria-invalid' | 'aria-label'> &
  Pick<FieldProps<string>, 'value' | 'onInput'> & { options: readonly Option[] };

/** Shows a drop-down list without a visible label. */
export const Options = ({ value, onInput, options, ...attributes }: OptionsProps) => (
  <select
    {...attributes}
    class="utrecht-select utrecht-select--html-select"
    value={value}
    onChange={(event: Event) => onInput(textOf(event))}
  >
    {options.map(([key, text]) => (
      <option key={key} value={key}>
        {text}
      </option>
    ))}
  </select>
);

type ChoiceProps<Value> = Pick<FieldProps<Value>, 'onInput' | 'error'> & {
  id: string;
  legend: string;
  value: NoInfer<Value> | '';
  options: readonly (readonly [value: Value, label: string, hint?: string])[];
};

/**
 * Shows a question (`legend`) with a few answers as radio buttons. An option is a value, a text and an optional hint;
 * `onInput` gets the value.
 */
export function Choice<Value extends string>({ id, legend, value, onInput, options, error }: ChoiceProps<Value>) {
  return (
    <fieldset class={`choice field ${error ? 'field--invalid' : ''}`} aria-describedby={describedBy(id, null, error)}>
      <legend class="utrecht-form-label">{legend}</legend>
      <Notes id={id} hint={null} error={error} />
      {options.map(([key, label, extra], index) => (
        <div class="choice__option" key={key}>
          <input
            type="radio"
            name={id}
            value={key}
            id={index === 0 ? id : `${id}-${key}`}
            checked={value === key}
            aria-describedby={extra && `${id}-${key}-uitleg`}
            onChange={() => onInput(key)}
          />
          <div>
            <label for={index === 0 ? id : `${id}-${key}`}>{label}</label>
            {extra && (
              <div class="hint" id={`${id}-${key}-uitleg`}>
                {extra}
              </div>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

type CheckboxProps = Omit<FieldProps<boolean>, 'hint' | 'error'> & { about?: string; hintId?: string };

/**
 * Shows a checkbox. `about` is text after the label that only screen readers read, and `hintId` the id of a hint that is
 * elsewhere.
 */
export const Checkbox = ({ id: given, label, about, hintId, value, onInput }: CheckboxProps) => {
  const made = useUniqueId();
  const id = given ?? made;
  return (
    <div class="choice__option">
      <input
        type="checkbox"
        class="utrecht-checkbox utrecht-checkbox--html-input"
        id={id}
        checked={value}
        aria-describedby={hintId}
        onChange={(event: Event) => onInput((event.target as HTMLInputElement).checked)}
      />
      <label for={id}>
        {label}
        {about && <span class="visually-hidden">: {about}</span>}
      </label>
    </div>
  );
};
