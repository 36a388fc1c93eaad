import { codeFor } from '../service/catalogue.ts';
import { askIfMeant } from '../text.ts';
import type { FaultOperations } from '../upstreams/operations.ts';
import { SERVICE, SERVICE_FAULT_KINDS, type SimulatedFault } from '../worlds/faults.ts';
import { type ControlDeps, slugOf } from './deps.ts';
import { ControlError } from './refusals.ts';

/**
 * Returns the fault; a fault of kind `status` without a status gets 503. Throws a 400, with a Dutch text for the user,
 * when the fault is impossible.
 */
export function checkFault(
  { service, directory }: Pick<ControlDeps, 'service' | 'directory'>,
  upstreams: FaultOperations,
  fault: SimulatedFault,
): SimulatedFault {
  const { upstream, operation: name, kind, status, retryAfter, ms, code, persona } = fault;
  if (typeof ms === 'object' && 'min' in ms && ms.min > ms.max)
    throw faultImpossible('min mag niet groter zijn dan max.');
  if (upstream === SERVICE) return checkServiceFault({ service, directory }, fault);
  const operations = upstreams[upstream];
  const names = [...new Set(operations.map((one) => one.name))];
  if (name !== undefined && !names.includes(name))
    throw faultImpossible(`${upstream} heeft geen bewerking ${name.slice(0, 40)}. Er zijn: ${names.join(', ')}.`);
  if (kind === 'problem' || code !== undefined || persona !== undefined)
    throw faultImpossible(`kind problem, code en persona horen bij ${SERVICE}: bij een bron is er geen probleemcode.`);
  const limits = [name, fault.probability, fault.after, fault.times];
  if (kind === 'refused' && limits.some((limit) => limit !== undefined))
    throw faultImpossible(
      'Met kind refused weigert de bron elke verbinding. Laat operation, probability, after en times weg, of kies kind reset.',
    );
  if (kind !== 'status' && (status !== undefined || retryAfter !== undefined))
    throw faultImpossible('status en retryAfter horen bij kind status.');
  if (ms !== undefined && kind !== 'latency' && kind !== 'drip')
    throw faultImpossible('ms hoort bij kind latency of drip.');
  if (kind === 'drip' && typeof ms === 'object')
    throw faultImpossible('Een druppel komt om de zoveel milliseconden: geef ms als getal.');
  const hasEmptyAnswer = operations.some(
    (one) => one.emptyBody !== undefined && (name === undefined || one.name === name),
  );
  if (kind === 'empty' && !hasEmptyAnswer) throw faultImpossible(`Een leeg antwoord heeft ${name ?? upstream} niet.`);
  if (upstream === 'scanner' && (kind === 'status' || kind === 'wrong-schema'))
    throw faultImpossible(
      'De scanner spreekt geen HTTP. Kies refused, reset, lost, cut, drip, hang, latency of garbage.',
    );
  return kind === 'status' ? { ...fault, status: status ?? 503 } : fault;
}

/** Returns the 400 for a fault that is impossible. `detail` says why, in Dutch. */
const faultImpossible = (detail: string) => new ControlError('storing-onmogelijk', detail);

/**
 * Returns `name` when it is one of `names`. Otherwise throws the error that `refuse` makes, with a suggestion. `what`
 * begins the Dutch text of that error, such as `De bewerking`.
 */
export function requireKnown(
  what: string,
  name: string,
  names: readonly string[],
  refuse: (detail: string) => ControlError = faultImpossible,
): string {
  if (names.includes(name)) return name;
  throw refuse(`${what} ${name.slice(0, 40)} is er niet. ${askIfMeant(name, names)}Er zijn: ${names.join(', ')}.`);
}

/**
 * Returns the fault, a simulated fault of the service itself, with the slug of its persona in place of a login. Throws a
 * 400 when the fault is impossible, for example because no operation can answer with its problem code.
 */
function checkServiceFault(
  { service, directory }: Pick<ControlDeps, 'service' | 'directory'>,
  fault: SimulatedFault,
): SimulatedFault {
  const { operation, kind, code, status, retryAfter, ms, persona } = fault;
  requireKnown(`Bij ${SERVICE} kan niet elke storing: kind`, kind, Object.keys(SERVICE_FAULT_KINDS));
  if (operation !== undefined) requireKnown('De bewerking', operation, [...service.keys()]);
  if (persona !== undefined && directory.byLogin(persona) === null && directory.staff(persona) === null)
    throw faultImpossible(`Die persona is er niet. ${directory.suggest(persona.slice(0, 64), 'professional').detail}`);
  if ((kind === 'problem') !== (code !== undefined)) throw faultImpossible('code hoort bij kind problem.');
  if ((kind === 'status') !== (status !== undefined)) throw faultImpossible('status hoort bij kind status.');
  if (kind !== 'problem' && kind !== 'status' && retryAfter !== undefined)
    throw faultImpossible('retryAfter hoort bij kind problem of status.');
  if (kind !== 'latency' && ms !== undefined) throw faultImpossible('ms hoort bij kind latency.');

  const refusals = [...service].flatMap(([id, one]) => (operation === undefined || operation === id ? [one] : []));
  if (code !== undefined) {
    const codes = codesOf(refusals);
    if (operation !== undefined && !codes.includes(code) && codesOf([...service.values()]).includes(code))
      throw faultImpossible(`${operation} antwoordt nooit met ${code}. Wel met: ${codes.join(', ')}.`);
    requireKnown('De probleemcode', code, codes);
  }
  if (status !== undefined && !refusals.some((one) => one.empty.has(status) || codeFor(one, status) !== null)) {
    const statuses = new Set(refusals.flatMap(({ codes, empty }) => [...codes.values(), ...empty]));
    const never = operation === undefined ? 'Geen bewerking antwoordt' : `${operation} antwoordt nooit`;
    throw faultImpossible(`${never} met ${status}. Wel met: ${[...statuses].sort().join(', ')}.`);
  }
  return { ...fault, ...(persona !== undefined && { persona: slugOf(persona) }) };
}

const codesOf = (refusals: readonly { readonly codes: ReadonlyMap<string, unknown> }[]): string[] => [
  ...new Set(refusals.flatMap(({ codes }) => [...codes.keys()])),
];
