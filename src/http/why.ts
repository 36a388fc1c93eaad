import type { Caller } from '../auth/identity.ts';
import { isAdmitted, type OperationId } from '../auth/policy.ts';
import type { Because } from '../domain/rule.ts';
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** Name, source and facts of a rule, for the journal. */
export interface RuleApplication<Result = unknown> {
  readonly rule: string;
  readonly source: string;
  /** Returns the input of the rule as data. A function, so that nothing is computed without a journal. */
  readonly facts: () => unknown;
  /** Returns what the journal shows of the result; default the result itself. */
  readonly outcome?: (result: Awaited<Result>) => unknown;
}

/**
 * Runs a rule and returns its result, and reports the decision to `because`. A rule that throws a `Problem` is reported
 * as a refusal; any other error is not reported.
 */
export function judged<Result>(
  because: Because | undefined,
  { rule, source, facts, outcome }: RuleApplication<Result>,
  decide: () => Result,
): Result {
  if (because === undefined) return decide();
  const allowed = (result: Awaited<Result>): Awaited<Result> => {
    const told = outcome === undefined ? result : outcome(result);
    because({ rule, source, facts: facts(), outcome: told === undefined ? 'toegestaan' : told });
    return result;
  };
  const refused = (error: unknown): never => {
    if (error instanceof Problem) because({ rule, source, facts: facts(), outcome: refusalOf(error) });
    throw error;
  };
  try {
    const result = decide();
    if (result instanceof Promise) return result.then(allowed, refused) as Result;
    return allowed(result as Awaited<Result>);
  } catch (error) {
    return refused(error);
  }
}

const refusalOf = ({ code, status, detail, extras: { errors } }: Problem) => ({
  geweigerd: code,
  status,
  detail,
  ...(errors && { errors }),
});

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
