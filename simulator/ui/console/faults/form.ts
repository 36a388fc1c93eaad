import { field, form, select, setOptions, submitButton } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { OPERATIONS, PROBLEM_CODES } from '../operations.js';
import { texts } from '../texts/texts.ts';

import type { Fault } from '../types.d.ts';

const words = texts.faults;

/** The target of a fault in the service itself. All other targets are upstreams. */
const SERVICE = 'dienst';
const { problem: _, ...upstreamKinds } = words.kinds;

/** Returns the kinds of fault that a target can have, each as its name and its Dutch text. */
const kindsOf = (target: string) => Object.entries(target === SERVICE ? words.serviceKinds : upstreamKinds);

/**
 * Returns the form that adds a fault (a simulated error or delay). Its fields depend on the chosen target and kind of
 * fault.
 * @param add called with the fault when the form is submitted
 */
export function faultForm(add: (fault: Fault) => unknown) {
  const upstream = select(Object.entries(words.upstreams), { onchange: draw });
  const operation = select([]);
  const kind = select(kindsOf(''), { onchange: draw });
  const code = select(PROBLEM_CODES.map((one) => [one, one]) as [string, string][]);
  const persona = h('input', { class: 'utrecht-textbox', placeholder: words.personaHint });
  const timing = select(words.timings as [string, string][], { onchange: draw });
  kind.value = 'latency';
  const number = (props: Record<string, unknown>) =>
    h('input', { type: 'number', class: 'utrecht-textbox utrecht-textbox--numeric number', min: '0', ...props });
  const inputs = {
    ms: number({ value: '1000', max: '60000' }),
    min: number({ value: '200', max: '60000' }),
    max: number({ value: '900', max: '60000' }),
    median: number({ value: '600', max: '60000' }),
    sigma: number({ value: '0.3', max: '3', step: '0.01' }),
    status: number({ value: '503', min: '400', max: '599' }),
    retryAfter: number({ max: '3600' }),
    after: number({ placeholder: '0' }),
    times: number({ min: '1' }),
    probability: number({ max: '1', step: '0.01', placeholder: '1' }),
    seed: number({}),
  };
  const fields: Record<keyof typeof inputs, HTMLElement> = {
    ms: field(words.ms, inputs.ms),
    min: field(words.min, inputs.min),
    max: field(words.max, inputs.max),
    median: field(words.median, inputs.median),
    sigma: field(words.sigma, inputs.sigma),
    status: field(words.status, inputs.status),
    retryAfter: field(words.retryAfter, inputs.retryAfter),
    after: field(words.after, inputs.after),
    times: field(words.times, inputs.times),
    probability: field(words.probability, inputs.probability),
    seed: field(words.seed, inputs.seed),
  };
  const operationField = field(words.operation, operation);
  const timingField = field(words.timing, timing);
  const codeField = field(words.code, code);
  const personaField = field(words.persona, persona);
  /** Names of the number fields that limit when a fault occurs. */
  const limitFields: (keyof typeof inputs)[] = ['after', 'times', 'probability', 'seed'];

  /** Returns the names of the number fields for the chosen kind of fault. */
  function fieldsOfKind(): (keyof typeof inputs)[] {
    // An upstream that refuses connections does so for every operation, always: there is nothing to fill in.
    if (kind.value === 'refused') return [];
    if (kind.value === 'status') return ['status', 'retryAfter', ...limitFields];
    if (kind.value === 'problem') return ['retryAfter', ...limitFields];
    if (kind.value === 'drip') return ['ms', ...limitFields];
    if (kind.value !== 'latency') return limitFields;
    if (timing.value === 'range') return ['min', 'max', ...limitFields];
    return timing.value === 'lognormal' ? ['median', 'sigma', ...limitFields] : ['ms', ...limitFields];
  }

  function draw() {
    setOptions(operation, [
      ['', words.everything],
      ...((OPERATIONS[upstream.value] ?? []).map((name) => [name, name]) as [string, string][]),
    ]);
    setOptions(kind, kindsOf(upstream.value));
    codeField.hidden = kind.value !== 'problem';
    personaField.hidden = upstream.value !== SERVICE;
    operationField.hidden = kind.value === 'refused';
    timingField.hidden = kind.value !== 'latency';
    const shown = fieldsOfKind();
    for (const name of Object.keys(inputs) as (keyof typeof inputs)[]) {
      fields[name].hidden = !shown.includes(name);
      inputs[name].disabled = !shown.includes(name);
    }
  }

  /** Returns the fault that the user filled in. */
  function read(): Fault {
    const numbers = Object.fromEntries(
      fieldsOfKind().flatMap((name) => (inputs[name].value === '' ? [] : [[name, Number(inputs[name].value)]])),
    );
    const { min, max, median, sigma, ...others } = numbers;
    return {
      // Both selects offer only targets and kinds of fault that the control API knows.
      upstream: upstream.value as Fault['upstream'],
      kind: kind.value as Fault['kind'],
      ...(operation.value !== '' && kind.value !== 'refused' && { operation: operation.value }),
      ...(kind.value === 'problem' && { code: code.value }),
      ...(upstream.value === SERVICE && persona.value.trim() !== '' && { persona: persona.value.trim() }),
      ...others,
      ...(min !== undefined && max !== undefined && { ms: { min, max } }),
      ...(median !== undefined && sigma !== undefined && { ms: { median, sigma } }),
    };
  }

  draw();
  return form(
    () => add(read()),
    field(words.upstream, upstream),
    operationField,
    field(words.kind, kind),
    codeField,
    personaField,
    timingField,
    ...Object.values(fields),
    submitButton(words.add),
  );
}
