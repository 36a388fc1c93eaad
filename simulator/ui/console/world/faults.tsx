import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type Option, Select, TextField } from '../../components/fields.tsx';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { api, inWorld } from '../app/api.ts';
import { app, More, Panel, type Part, usePart } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { bind, Form, Lines, useChoice, useRoving } from '../elements/controls.tsx';
import { OPERATIONS, PROBLEM_CODES } from '../operations.js';
import { FAULT_KINDS, FAULT_TARGETS, label, SCENARIOS, SERVICE_FAULT_KINDS } from '../texts.ts';
import type { Fault, FaultOn, Scenario } from '../types.d.ts';

export function FaultsPanel() {
  const part = usePart();
  const switches = useRef<HTMLUListElement>(null);
  useRoving(switches);
  const world = store.shown.world.value;
  const faults = world?.faults ?? [];
  /** Returns true for a scenario of which a fault can still occur. */
  const isOn = ({ name }: Scenario) =>
    world?.scenarios.includes(name) === true && faults.some(({ scenario }) => scenario === name);
  const callFaults = (method: string, { path = '', body, done }: { path?: string; body?: unknown; done?: string }) =>
    app.run(part, () => api(`${inWorld(store.world)}/faults${path}`, { method, body }).then(() => done));

  return (
    <Panel id="storingen" title="Scenario’s en storingen" of={part} isInside>
      <h3 class="utrecht-heading-3">Storingen die nu aan staan</h3>
      <Lines
        items={faults.map((one) => {
          const text = faultText(one, app.nameOf);
          return (
            <li key={one.id} class="line">
              <span>
                {text}{' '}
                {one.scenario !== null && (
                  <Badge tone="info">{`van scenario ‘${label(SCENARIOS, one.scenario)}’`}</Badge>
                )}
              </span>
              {one.scenario === null && (
                <Button
                  onClick={() => callFaults('DELETE', { path: `/${encodeURIComponent(one.id)}` })}
                  look="subtle"
                  about={text}
                >
                  Zet uit
                </Button>
              )}
            </li>
          );
        })}
        empty={
          <Empty action="Kies een scenario" onAction={() => switches.current?.querySelector('input')?.focus()}>
            Er staan geen storingen aan.
          </Empty>
        }
      />
      {faults.length > 0 && (
        <Button onClick={() => callFaults('DELETE', { done: 'Alle storingen zijn uit.' })}>Zet alles uit</Button>
      )}
      <h3 class="utrecht-heading-3" id="scenarios-kop">
        Scenario’s
      </h3>
      <ul class="switches" aria-labelledby="scenarios-kop" ref={switches}>
        {world &&
          store.shown.scenarios.value?.map((one) => (
            <ScenarioLine key={one.name} of={one} isOn={isOn(one)} part={part} />
          ))}
      </ul>
      <More title="Eigen storing">
        <FaultForm of={part} add={(fault) => callFaults('POST', { body: fault, done: 'De storing staat aan.' })} />
      </More>
    </Panel>
  );
}

function ScenarioLine({ of, isOn, part }: { of: Scenario; isOn: boolean; part: Part }) {
  const { name, toont } = of;
  const [isShownOn, choose] = useChoice(isOn, (now) =>
    app.run(part, async () => {
      await api(`${inWorld(store.world)}/scenarios/${encodeURIComponent(name)}`, { method: now ? 'PUT' : 'DELETE' });
      return `Scenario ${label(SCENARIOS, name)} staat ${now ? 'aan' : 'uit'}.`;
    }),
  );

  return (
    <li>
      <label class="utrecht-form-label utrecht-form-label--checkbox check">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own
          role="switch"
          class="utrecht-checkbox utrecht-checkbox--html-input"
          aria-describedby={`scenario-${name}`}
          checked={isShownOn}
          onChange={() => choose(!isShownOn)}
        />
        {label(SCENARIOS, name)}
      </label>{' '}
      <code class="utrecht-code">{name}</code>
      <p class="hint" id={`scenario-${name}`}>
        {toont}
      </p>
    </li>
  );
}

function faultText(fault: FaultOn, nameOf: (slug: string) => string) {
  const { upstream, operation, kind, code, persona, after, times, ms, status, retryAfter, probability, seed } = fault;
  const how = [
    ms === undefined ? null : durationText(ms),
    code ?? status ?? null,
    persona === undefined ? null : `alleen ${nameOf(persona)}`,
    after === undefined ? null : `na ${after} ${after === 1 ? 'aanroep' : 'aanroepen'}`,
    times === undefined ? null : `${times} keer`,
    retryAfter === undefined ? null : `Retry-After ${retryAfter}`,
    probability === undefined ? 'altijd' : `kans ${Math.round(probability * 100)} %`,
    seed === undefined ? null : `seed ${seed}`,
  ].filter((part) => part !== null);
  const where = operation === undefined ? 'alle operaties' : operation;
  return `${label(FAULT_TARGETS, upstream)} (${where}): ${label(FAULT_KINDS, kind)} · ${how.join(' · ')}`;
}

function durationText(ms: NonNullable<FaultOn['ms']>) {
  if (typeof ms === 'number') return `${ms} ms`;
  return 'min' in ms
    ? `${ms.min} tot ${ms.max} ms`
    : `mediaan ${ms.median} ms, sigma ${String(ms.sigma).replace('.', ',')}`;
}

const SERVICE = 'dienst';
const { problem: _, ...upstreamKinds } = FAULT_KINDS;

const TIMINGS: Option[] = [
  ['fixed', 'vast'],
  ['range', 'tussen twee waarden'],
  ['lognormal', 'lognormaal'],
];

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
const LIMITS: readonly NumberName[] = ['after', 'times', 'probability', 'seed'];

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

const oneOf = (list: readonly string[], value: string) => (list.includes(value) ? value : (list[0] ?? ''));

function FaultForm({ of, add }: { of: Part; add: (fault: Fault) => unknown }) {
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
    <Form of={of} onSubmit={() => add(read())}>
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
      {isService && (
        <TextField {...bind(persona)} id="storing-persona" label="Alleen voor persona" placeholder="sanne-de-wit" />
      )}
      {kind === 'latency' && <Select {...bind(timing)} label="Vertraging" options={TIMINGS} />}
      {shown.map((name) => (
        <TextField
          key={name}
          id={`storing-${name}`}
          type="number"
          size="short"
          min={0}
          {...NUMBERS[name]}
          value={values.value[name] ?? ''}
          onInput={(value) => (values.value = { ...values.value, [name]: value })}
        />
      ))}
      <Button type="submit">Zet storing aan</Button>
    </Form>
  );
}
