import type { Caller } from '../../auth/identity.ts';
import { type CallerGroup, isAdmitted } from '../../auth/policy.ts';
import { copyOf, type OnDecision } from '../../domain/rule.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Adds a decision to the journal, and the name and source of its rule to the trace. Undefined when the request is
 * neither recorded nor traced.
 */
export function listenerOf({ state: { decisions, steps } }: Pick<Exchange, 'state'>): OnDecision | undefined {
  if (steps === undefined) return decisions === undefined ? undefined : (decision) => decisions.push(copyOf(decision));
  return (decision) => {
    decisions?.push(copyOf(decision));
    // The trace does not get the facts and the outcome, because they are about a person.
    steps.push({ kind: 'rule', name: decision.rule, source: decision.source, end: Date.now() });
  };
}

/** Reports whether the policy admits the caller; it does not refuse the caller. */
export function reportAdmission(
  http: Pick<Exchange, 'state'>,
  { id, admits }: { readonly id: string; readonly admits: CallerGroup },
  caller: Caller,
): void {
  const { kind, roles } = caller;
  listenerOf(http)?.({
    rule: 'admit',
    source: 'domain.md 4.1, "Kind of caller"',
    facts: { operation: id, kind, roles },
    outcome: isAdmitted(admits, caller) ? 'toegestaan' : { geweigerd: 'rol-ontbreekt', status: 403 },
  });
}
