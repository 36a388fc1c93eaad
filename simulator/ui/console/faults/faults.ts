import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { badge, button, checkbox } from '../elements/controls.ts';
import { h, redraw } from '../elements/dom.ts';
import { roving } from '../elements/roving.ts';
import { scenarioNames } from '../texts/layout.ts';
import { label, texts } from '../texts/texts.ts';
import type { FaultOn, Scenario } from '../types.d.ts';
import { faultForm } from './form.ts';

const words = texts.faults;

/**
 * Returns the panel of faults (simulated errors and delays): the active faults, a switch for each scenario (a named set
 * of faults), and a form to add a fault.
 */
export function faultsPanel(app: App) {
  const { store } = app;
  const scenarios = h('ul', { class: 'switches' });
  const on = h('div', {});
  const part = panel(
    'storingen',
    words.title,
    h('h3', { class: 'utrecht-heading-3' }, words.on),
    on,
    h('h3', { class: 'utrecht-heading-3', id: 'scenarios-kop' }, words.scenarios),
    scenarios,
    h(
      'details',
      { class: 'more' },
      h('summary', {}, words.own),
      faultForm((fault) =>
        app.run(part, () => api(`${inWorld(store.world)}/faults`, { method: 'POST', body: fault }), words.added),
      ),
    ),
  );
  scenarios.setAttribute('aria-labelledby', 'scenarios-kop');
  roving(scenarios);

  function draw() {
    const { world } = store.known;
    if (world === undefined) return;
    redraw(scenarios, ...(store.known.scenarios ?? []).map((one) => scenario(one, world.scenarios.includes(one.name))));
    redraw(
      on,
      world.faults.length === 0
        ? h('p', { class: 'utrecht-paragraph hint' }, words.noneOn)
        : h('ul', { class: 'lines' }, ...world.faults.map(fault)),
      world.faults.length > 0 &&
        button(words.allOff, () =>
          app.run(part, () => api(`${inWorld(store.world)}/faults`, { method: 'DELETE' }), words.allOffDone),
        ),
    );
  }

  /** Returns the list item of a scenario (a named set of faults), with its switch. */
  function scenario({ name, toont }: Scenario, checked: boolean) {
    const { input, element } = checkbox(label(scenarioNames, name), {
      role: 'switch',
      'data-key': `scenario-${name}`,
      'aria-describedby': `scenario-${name}`,
      onchange: () => toggle(name, input.checked),
    });
    input.checked = checked;
    return h(
      'li',
      {},
      element,
      ' ',
      h('code', { class: 'utrecht-code' }, name),
      h('p', { class: 'hint', id: `scenario-${name}` }, toont),
    );
  }

  /**
   * Switches a scenario on or off. When that fails, the switch goes back to its old position.
   * @param wanted true to switch it on
   */
  async function toggle(name: string, wanted: boolean) {
    const path = `${inWorld(store.world)}/scenarios/${encodeURIComponent(name)}`;
    const done = await app.run(
      part,
      () => api(path, { method: wanted ? 'PUT' : 'DELETE' }),
      words.switched(label(scenarioNames, name), wanted),
    );
    if (!done) draw();
  }

  /**
   * Returns the list item of an active fault. A fault that does not belong to a scenario has a button to end it.
   */
  function fault(one: FaultOn) {
    const { id, scenario: of } = one;
    const path = `${inWorld(store.world)}/faults/${encodeURIComponent(id)}`;
    return h(
      'li',
      { class: 'line' },
      h('span', {}, faultText(one, app.nameOf), ' ', of !== null && badge(words.part(label(scenarioNames, of)))),
      of === null &&
        button(words.off, () => app.run(part, () => api(path, { method: 'DELETE' })), {
          look: 'subtle',
          about: faultText(one, app.nameOf),
          key: `fault-${id}`,
        }),
    );
  }

  store.on('scenarios', draw);
  store.on('world', draw);
  return part.element;
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
    persona === undefined ? null : words.chosen.persona(nameOf(persona)),
    after === undefined ? null : words.chosen.after(after),
    times === undefined ? null : words.chosen.times(times),
    retryAfter === undefined ? null : `Retry-After ${retryAfter}`,
    probability === undefined ? words.always : words.chance(probability),
    seed === undefined ? null : `seed ${seed}`,
  ].filter((part) => part !== null);
  const where = operation === undefined ? words.everything : operation;
  return `${label(words.upstreams, upstream)} (${where}): ${label(words.kinds, kind)} · ${how.join(' · ')}`;
}

/** Returns the duration of a delay as Dutch text, such as `200 tot 900 ms`. */
function durationText(ms: NonNullable<FaultOn['ms']>) {
  if (typeof ms === 'number') return `${ms} ms`;
  return 'min' in ms
    ? `${ms.min} tot ${ms.max} ms`
    : `mediaan ${ms.median} ms, sigma ${String(ms.sigma).replace('.', ',')}`;
}
