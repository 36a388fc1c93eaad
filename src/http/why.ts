import type { Caller } from '../auth/identity.ts';
import { isAdmitted, type OperationId } from '../auth/policy.ts';
import type { Because } from '../domain/rule.ts';
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** A rule as it is told of. */
export interface Ground<Result = unknown> {
  readonly rule: string;
  readonly source: string;
  /** Exactly what the rule is given, as data. A function, so that where nobody listens nothing is made. */
  readonly facts: () => unknown;
  /** What to tell of the result, where that is not the result itself. */
  readonly outcome?: (result: Awaited<Result>) => unknown;
}

/** Decides, and tells whoever listens why. A decision that throws a problem is told as that refusal. */
export function judged<Result>(
  because: Because | undefined,
  { rule, source, facts, outcome }: Ground<Result>,
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

/** Whoever hears the reasons of this request, if anybody does. */
export function listenerOf({ state: { why } }: Pick<Exchange, 'state'>): Because | undefined {
  return why === undefined ? undefined : (reason) => why.push(reason);
}

/** Who may do what, told before anything else is: a 403 may have no body that could say it. */
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
