import { useSignal } from '@preact/signals';
import { type Option, Select, TextField } from '../../components/fields.tsx';
import { bind, Form, SubmitButton } from '../elements/form.tsx';
import { OPERATIONS, PROBLEM_CODES } from '../operations.js';
import { FAULT_KINDS, FAULT_TARGETS, SERVICE_FAULT_KINDS } from '../texts.ts';
import type { Fault } from '../types.d.ts';

/** The target of a fault in the service itself. All other targets are upstreams. */
const SERVICE = 'dienst';
const { problem: _, ...upstreamKinds } = FAULT_KINDS;

const TIMINGS: Option[] = [
  ['fixed', 'vast'],
  ['range', 'tussen twee waarden'],
  ['lognormal', 'lognormaal'],
];

/** The number fields, with their attributes. */
const NUMBERS = {
  ms: { label: 'Milliseconden', max: 60_000 },
  min: { label: 'Minimaal (ms)', max: 60_000 },
  max: { label: 'Maximaal (ms)', max: 60_000 },
  median: { label: 'Mediaan (ms)', max: 60_000 },
  sigma: { label: 'Sigma', max: 3, step: 0.01 },
  status: { label: 'Status', min: 400, max: 599 },
  retryAfter: { label: 'Retry-After (s)', max: 3_600 },
  after: { label: 'Na zoveel aanroepen', placeholder: '0' },
  times: { label: 'Hoeveel keer', min: 1 },
  probability: { label: 'Kans (0 tot 1)', max: 1, step: 0.01, placeholder: '1' },
  seed: { label: 'Seed' },
};
type NumberName = keyof typeof NUMBERS;
const FIRST: Partial<Record<NumberName, string>> = {
  ms: '1000',
  min: '200',
  max: '900',
  median: '600',
  sigma: '0.3',
  status: '503',
};
/** Names of the number fields that limit when a fault occurs. */
const LIMITS: readonly NumberName[] = ['after', 'times', 'probability', 'seed'];

/** Returns the names of the number fields for a kind of fault. */
function numbersOf(kind: string, timing: string): readonly NumberName[] {
  // An upstream that refuses connections does so for every operation, always: there is nothing to fill in.
  if (kind === 'refused') return [];
  if (kind === 'status') return ['status', 'retryAfter', ...LIMITS];
  if (kind === 'problem') return ['retryAfter', ...LIMITS];
  if (kind === 'drip') return ['ms', ...LIMITS];
  if (kind !== 'latency') return LIMITS;
  if (timing === 'range') return ['min', 'max', ...LIMITS];
  return timing === 'lognormal' ? ['median', 'sigma', ...LIMITS] : ['ms', ...LIMITS];
}

/** Returns `value` when it is in the list, else the first of the list. */
const oneOf = (list: readonly string[], value: string) => (list.includes(value) ? value : (list[0] ?? ''));

/**
 * Shows the form that adds a fault (a simulated error or delay). Its fields depend on the chosen target and kind of
 * fault.
 * @param props `add` is called with the fault when the form is submitted
 */
export function FaultForm({ add }: { add: (fault: Fault) => unknown }) {
  const upstream = useSignal(Object.keys(FAULT_TARGETS)[0] ?? '');
  const wantedOperation = useSignal('');
  const wantedKind = useSignal('latency');
  const code = useSignal(PROBLEM_CODES[0] ?? '');
  const persona = useSignal('');
  const timing = useSignal('fixed');
  const values = useSignal<Partial<Record<NumberName, string>>>(FIRST);

  const isService = upstream.value === SERVICE;
  const operations = ['', ...(OPERATIONS[upstream.value] ?? [])];
  const kinds = Object.entries(isService ? SERVICE_FAULT_KINDS : upstreamKinds);
  const operation = oneOf(operations, wantedOperation.value);
  const kind = oneOf(
    kinds.map(([name]) => name),
    wantedKind.value,
  );
  const shown = numbersOf(kind, timing.value);

  /** Returns the fault that the user filled in. */
  function read(): Fault {
    const numbers = Object.fromEntries(
      shown.flatMap((name) => (values.value[name] ? [[name, Number(values.value[name])]] : [])),
    );
    const { min, max, median, sigma, ...others } = numbers;
    return {
      // Both lists offer only targets, kinds of fault and codes that the control API knows.
      upstream: upstream.value as Fault['upstream'],
      kind: kind as Fault['kind'],
      ...(operation !== '' && kind !== 'refused' && { operation }),
      ...(kind === 'problem' && { code: code.value as NonNullable<Fault['code']> }),
      ...(isService && persona.value.trim() !== '' && { persona: persona.value.trim() }),
      ...others,
      ...(min !== undefined && max !== undefined && { ms: { min, max } }),
      ...(median !== undefined && sigma !== undefined && { ms: { median, sigma } }),
    };
  }

  return (
    <Form onSubmit={() => add(read())}>
      <Select {...bind(upstream)} label="Bron of dienst" options={Object.entries(FAULT_TARGETS)} />
      {kind !== 'refused' && (
        <Select
          {...bind(wantedOperation)}
          value={operation}
          label="Operatie"
          options={operations.map((name) => [name, name || 'alle operaties'])}
        />
      )}
      <Select {...bind(wantedKind)} value={kind} label="Wat gaat er mis" options={kinds} />
      {kind === 'problem' && (
        <Select {...bind(code)} label="Probleemcode" options={PROBLEM_CODES.map((one) => [one, one])} />
      )}
      {isService && <TextField {...bind(persona)} label="Alleen voor persona" placeholder="sanne-de-wit" />}
      {kind === 'latency' && <Select {...bind(timing)} label="Vertraging" options={TIMINGS} />}
      {shown.map((name) => (
        <TextField
          key={name}
          type="number"
          size="short"
          min={0}
          {...NUMBERS[name]}
          value={values.value[name] ?? ''}
          onInput={(value) => {
            values.value = { ...values.value, [name]: value };
          }}
        />
      ))}
      <SubmitButton>Zet storing aan</SubmitButton>
    </Form>
  );
}
