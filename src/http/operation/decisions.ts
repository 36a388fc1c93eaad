import type { Caller } from '../../auth/identity.ts';
import { isAdmitted, type OperationId } from '../../auth/policy.ts';
import type { Because } from '../../domain/rule.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Returns a function that adds one decision to the journal entry of this request (the journal is the simulator's list
 * of requests) and, when the request is traced, the name of its rule to the trace. Returns undefined when there is no
 * journal and the request is not traced.
 */
export function listenerOf({ state: { why, steps } }: Pick<Exchange, 'state'>): Because | undefined {
  if (steps === undefined) return why === undefined ? undefined : (reason) => why.push({ ...reason });
  return (reason) => {
    why?.push({ ...reason });
    // The trace does not get the facts and the outcome, because they are about a person.
    steps.push({ kind: 'rule', name: reason.rule, source: reason.source, end: Date.now() });
  };
}

/**
 * Adds the decision of the policy (admitted, or refused with 403) to the simulator's journal entry of this request. The
 * 403 of some operations has no body, so only the journal can explain it. Does nothing without a journal and a trace.
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
