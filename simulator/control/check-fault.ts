import type { FaultOperations } from '../upstreams/operations.ts';
import { SERVICE, type SimulatedFault } from '../worlds/faults.ts';
import type { ControlDeps } from './deps.ts';
import { checkServiceFault, faultImpossible } from './service-fault.ts';

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
