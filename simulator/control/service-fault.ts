import { codeFor } from '../service/catalogue.ts';
import { askIfMeant } from '../text.ts';
import { SERVICE, SERVICE_FAULT_KINDS, type SimulatedFault } from '../worlds/faults.ts';
import { type ControlDeps, slugOf } from './deps.ts';
import { ControlError } from './refusals.ts';

/** Returns the 400 for a fault that is impossible. `detail` says why, in Dutch. */
export const faultImpossible = (detail: string) => new ControlError('storing-onmogelijk', detail);

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
export function checkServiceFault(
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
