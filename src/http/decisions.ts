import type { Caller } from '../auth/identity.ts';
import { isAdmitted, type OperationId } from '../auth/policy.ts';
import type { Because } from '../domain/rule.ts';
import type { Exchange } from './exchange.ts';

/** Returns the function that adds a reason to the journal entry of this request; undefined without a journal. */
export function listenerOf({ state: { why } }: Pick<Exchange, 'state'>): Because | undefined {
  return why === undefined ? undefined : (reason) => why.push(reason);
}

/** Reports the policy decision of a request to the journal, because a 403 can have no body that explains it. */
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
