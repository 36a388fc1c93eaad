import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { Panel, type Part, usePart } from '../app/part.tsx';
import { Lines } from '../elements/lines.tsx';
import { useRoving } from '../elements/roving.ts';
import { FAULT_KINDS, FAULT_TARGETS, label, SCENARIOS } from '../texts.ts';
import type { FaultOn, Scenario } from '../types.d.ts';
import { FaultForm } from './form.tsx';

/** Shows the active faults (simulated errors and delays), a switch for each scenario, and a form to add a fault. */
export function FaultsPanel({ app }: { app: App }) {
  const { store } = app;
  const part = usePart();
  const switches = useRef<HTMLUListElement>(null);
  useRoving(switches);
  const world = store.shown.world.value;
  const faults = world?.faults ?? [];
  /** Returns true for a scenario of which a fault can still occur. */
  const isOn = ({ name }: Scenario) =>
    world?.scenarios.includes(name) === true && faults.some(({ scenario }) => scenario === name);
  const callFaults = (method: string, options: { path?: string; body?: unknown; done?: string } = {}) =>
    app.run(
      part,
      () => api(`${inWorld(store.world)}/faults${options.path ?? ''}`, { method, body: options.body }),
      options.done,
    );

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
            <ScenarioLine key={one.name} of={one} isOn={isOn(one)} app={app} part={part} />
          ))}
      </ul>
      <details class="more">
        <summary>Eigen storing</summary>
        <FaultForm add={(fault) => callFaults('POST', { body: fault, done: 'De storing staat aan.' })} />
      </details>
    </Panel>
  );
}

/** Shows a scenario, with its switch. */
function ScenarioLine({ of, isOn, app, part }: { of: Scenario; isOn: boolean; app: App; part: Part }) {
  const { name, toont } = of;
  /** The position that the user chose, until the world is loaded again. */
  const wanted = useSignal<boolean | null>(null);
  useEffect(() => {
    wanted.value = null;
  }, [isOn]);

  async function toggle() {
    const now = !(wanted.value ?? isOn);
    wanted.value = now;
    const path = `${inWorld(app.store.world)}/scenarios/${encodeURIComponent(name)}`;
    const done = `Scenario ${label(SCENARIOS, name)} staat ${now ? 'aan' : 'uit'}.`;
    if (!(await app.run(part, () => api(path, { method: now ? 'PUT' : 'DELETE' }), done))) wanted.value = null;
  }

  return (
    <li>
      <label class="utrecht-form-label utrecht-form-label--checkbox check">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own
          role="switch"
          class="utrecht-checkbox utrecht-checkbox--html-input"
          aria-describedby={`scenario-${name}`}
          checked={wanted.value ?? isOn}
          onChange={toggle}
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

/**
 * Returns a fault as Dutch text: where it occurs, what kind of fault it is, and its settings.
 * @param nameOf returns the name of a persona
 */
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

/** Returns the duration of a delay as Dutch text, such as `200 tot 900 ms`. */
function durationText(ms: NonNullable<FaultOn['ms']>) {
  if (typeof ms === 'number') return `${ms} ms`;
  return 'min' in ms
    ? `${ms.min} tot ${ms.max} ms`
    : `mediaan ${ms.median} ms, sigma ${String(ms.sigma).replace('.', ',')}`;
}
