import type { Caller } from '../auth/identity.ts';
import { isAdmitted, type OperationId } from '../auth/policy.ts';
import type { Because } from '../domain/rule.ts';
import type { Exchange } from './exchange.ts';

/** Returns the function that stores the decisions of this request; undefined when there is no journal. */
export function listenerOf({ state: { why } }: Pick<Exchange, 'state'>): Because | undefined {
  return why === undefined ? undefined : (reason) => why.push(reason);
}

/**
 * Reports to the journal whether the caller may do this operation: the first decision of each request. A 403 may have
 * no body.
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
