import * as z from 'zod';
import { unknownName } from '../text.ts';
import { FAULT_OPERATIONS } from '../upstreams/operations.ts';
import {
  FAULT_KINDS,
  Fault,
  FaultOn,
  type FaultTarget,
  SERVICE,
  SERVICE_FAULT_KINDS,
  type SimulatedFault,
} from '../worlds/faults.ts';
import { isScenario, SCENARIO_NAMES, SCENARIOS, type ScenarioName } from '../worlds/scenarios.ts';
import type { WorldSettings } from '../worlds/settings.ts';
import { checkFault } from './check-fault.ts';
import { type ControlDeps, present } from './deps.ts';
import { operation } from './operation.ts';
import { ControlError } from './refusals.ts';
import { Scenario, ScenarioName as ScenarioNameSchema, World } from './schema.ts';

const TAG = 'Faults';

const kindsOf = (kinds: Readonly<Record<string, string>>): string =>
  Object.entries(kinds)
    .map(([kind, what]) => `${kind} ${what}`)
    .join('; ');

export const faultOperations = [
  operation(TAG, 'GET /scenarios', {
    id: 'scenarios',
    description: 'List the scenarios',
    guide: [['Which scenarios there are', 'Scenario’s en storingen', 'scenarios']],
    command: {
      name: 'scenarios',
      print: (answer) => ({
        json: answer,
        text: (answer as z.output<typeof Scenario>[])
          .map(({ name, toont }) => `${name.padEnd(18)} ${toont}`)
          .join('\n'),
      }),
    },
    answers: { 200: z.array(Scenario) },
    handle: () => SCENARIO_NAMES.map((name) => ({ name, ...SCENARIOS[name] })),
  }),

  operation(TAG, 'PUT /worlds/{world}/scenarios/{scenario}', {
    id: 'scenarioOn',
    description: 'Turn a scenario on',
    guide: [['A scenario on', 'Scenario’s en storingen: DUO is traag', 'scenario duo-slow']],
    tool: {
      name: 'turn_on_scenario',
      advice:
        'A scenario is a set of faults with a name: `register-down`, `session-expired` (each call is 401) or `step-up-refused` (a call with `X-Step-Up` is 401). It is for all people of the world. For one person, one operation or one call, use set_fault. To end it, use clear_faults.',
      params: { scenario: ScenarioNameSchema },
    },
    answers: { 200: World },
    handle(request, deps) {
      const name = scenarioNamed(request.params.scenario ?? '');
      return changeFaults(deps, request.world, (now) => withScenarios(deps, now, [...now.scenarios, name]));
    },
  }),

  operation(TAG, 'DELETE /worlds/{world}/scenarios/{scenario}', {
    id: 'scenarioOff',
    description: 'Turn a scenario off',
    guide: [['A scenario off', 'Scenario’s en storingen: DUO is traag', 'scenario duo-slow off']],
    answers: { 200: World },
    handle(request, deps) {
      const name = scenarioNamed(request.params.scenario ?? '');
      const without = ({ scenarios }: WorldSettings) => scenarios.filter((one) => one !== name);
      return changeFaults(deps, request.world, (now) => withScenarios(deps, now, without(now)));
    },
  }),

  operation(TAG, 'POST /worlds/{world}/faults', {
    id: 'faultOn',
    description: 'Turn a fault of an upstream, or of the service itself, on',
    guide: [
      ["A fault of one's own on", 'Eigen storing: Zet storing aan', 'fault brp slow'],
      ['A fault of the service itself', 'Eigen storing: Zet storing aan', 'fault dienst 401'],
    ],
    body: Fault,
    tool: {
      name: 'set_fault',
      advice: [
        'An upstream that fails shows what the service makes of it; the upstream `dienst` is the service itself, which can answer with any problem that an operation documents.',
        'The register fails for one call of a page: `{"upstream": "register", "kind": "status", "status": 503, "times": 2}`. Two times, because the service sends a read again after a failure; a request that changes something is sent once.',
        'One person gets one problem: `{"upstream": "dienst", "kind": "problem", "code": "step-up-nodig", "persona": "sanne-de-wit"}`; describe_operation lists the codes of an operation.',
        `Kinds for an upstream: ${kindsOf(FAULT_KINDS)}. Kinds for dienst: ${kindsOf(SERVICE_FAULT_KINDS)}.`,
        `Operations of the upstreams: ${Object.entries(FAULT_OPERATIONS)
          .map(([name, operations]) => `${name}: ${[...new Set(operations.map((one) => one.name))].join(', ')}`)
          .join('; ')}.`,
        'The answer has the id of the fault, for clear_faults.',
      ].join(' '),
    },
    answers: { 201: FaultOn },
    handle({ world, body }, deps) {
      changeFaults(deps, world, (now) => withFault(deps, now, body));
      return { ...deps.worlds.settings(world).faults.at(-1), scenario: null };
    },
  }),

  operation(TAG, 'DELETE /worlds/{world}/faults/{fault}', {
    id: 'faultOff',
    description: 'Turn one fault off',
    guide: [["A fault of one's own off", 'Storingen die nu aan staan: Zet uit', 'fault off fault-1']],
    answers: { 204: null },
    handle({ world, params }, deps) {
      const { faults } = deps.worlds.settings(world);
      if (!faults.some(({ id }) => id === params.fault))
        throw new ControlError('storing-onbekend', {
          detail: 'Die storing staat hier niet aan. Een scenario zet u als scenario uit.',
          english: 'There is no such fault in this world. Turn a scenario off as a scenario.',
        });
      changeFaults(deps, world, (now) => ({ ...now, faults: now.faults.filter(({ id }) => id !== params.fault) }));
    },
  }),

  operation(TAG, 'DELETE /worlds/{world}/faults', {
    id: 'faultsOff',
    description: 'Turn all faults and scenarios off',
    guide: [['Nothing goes wrong', 'Storingen die nu aan staan: Zet alles uit', 'fault off']],
    answers: { 200: World },
    handle: ({ world }, deps) => changeFaults(deps, world, (now) => ({ ...now, faults: [], scenarios: [] })),
  }),
];

/** Turns exactly these scenarios on. Throws a 404 for an unknown one, and a 409 when all its upstreams are real. */
export function withScenarios(deps: ControlDeps, settings: WorldSettings, names: readonly string[]): WorldSettings {
  const scenarios = [...new Set(names.map(scenarioNamed))];
  for (const name of scenarios) requireSimulated(deps, SCENARIOS[name].faults);
  return { ...settings, scenarios };
}

function withFault(deps: ControlDeps, settings: WorldSettings, given: SimulatedFault): WorldSettings {
  const fault = checkFault(deps, FAULT_OPERATIONS, given);
  requireSimulated(deps, [fault]);
  const { faults, next } = settings;
  return { ...settings, faults: [...faults, { ...fault, id: `fault-${next}` }], next: next + 1 };
}

/** Replaces the faults; scenarios stay on. Throws a 400 for an impossible one, a 409 for an upstream that is real. */
export const withFaults = (
  deps: ControlDeps,
  settings: WorldSettings,
  faults: readonly SimulatedFault[],
): WorldSettings =>
  faults.reduce<WorldSettings>((now, fault) => withFault(deps, now, fault), { ...settings, faults: [] });

/** A fault of an upstream that this process does not simulate would have no effect. */
function requireSimulated({ simulated }: ControlDeps, faults: readonly { readonly upstream: FaultTarget }[]): void {
  if (faults.some(({ upstream }) => upstream === SERVICE || simulated.includes(upstream))) return;
  const [{ upstream } = { upstream: 'scanner' }] = faults;
  throw new ControlError(
    'bron-niet-gesimuleerd',
    upstream === 'scanner'
      ? {
          detail: 'Hier is geen gesimuleerde virusscanner. Start de dienst met SCANNER=simulator.',
          english: 'There is no simulated virus scanner here. Start the service with SCANNER=simulator.',
        }
      : {
          detail: `${upstream} is hier een echte bron. Een storing kan alleen bij een gesimuleerde bron.`,
          english: `${upstream} is not simulated here. Only a simulated upstream can have a fault.`,
        },
  );
}

/** Also closes the upstream connections: new ones begin with closed circuit breakers. */
export function changeFaults(deps: ControlDeps, world: string, update: (now: WorldSettings) => WorldSettings) {
  deps.worlds.changeSettings(world, update(deps.worlds.settings(world)));
  deps.renewConnections(world);
  return present(deps, world);
}

function scenarioNamed(name: string): ScenarioName {
  if (isScenario(name)) return name;
  throw new ControlError(
    'scenario-onbekend',
    unknownName({ detail: 'Dat scenario is er niet.', english: 'There is no such scenario.' }, name, SCENARIO_NAMES),
  );
}
