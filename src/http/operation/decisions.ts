import type { Caller } from '../../auth/identity.ts';
import { isAdmitted, type OperationId } from '../../auth/policy.ts';
import type { Because } from '../../domain/rule.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Returns a function that adds one decision to the journal entry of this request and, when the request is traced, its
 * rule to the trace. Returns undefined when the service keeps no journal (which is part of the simulator) and the
 * request is not traced.
 */
export function listenerOf({ state: { why, steps } }: Pick<Exchange, 'state'>): Because | undefined {
  if (steps === undefined) return why === undefined ? undefined : (reason) => why.push(reason);
  return (reason) => {
    why?.push(reason);
    // Not its facts and its outcome: they are about a person.
    steps.push({ kind: 'rule', name: reason.rule, source: reason.source, end: Date.now() });
  };
}

/**
 * Adds the policy decision (admitted or 403) to the journal entry of this request. The 403 of some operations has no
 * body, so only the journal can explain it.
 */
export function tellAdmission(
  http: Pick<Exchange, 'state'>,
  { id }: { readonly id: OperationId },
  caller: Caller,
): void {
  const { kind, roles } = caller;
  listenerOf(http)?.({
    rule: 'admit',
    source: 'domain.md 4.1, "Kind of caller"',
    facts: { operation: id, kind, roles },
    outcome: isAdmitted(id, caller) ? 'toegestaan' : { geweigerd: 'rol-ontbreekt', status: 403 },
  });
}
