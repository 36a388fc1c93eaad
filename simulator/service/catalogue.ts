import { type Operation, problemsOf } from '../../src/http/operation/operation.ts';
import type { ProblemCode } from '../../src/problem-codes.ts';

/** The error answers that the OpenAPI document lists for one operation of the service. */
export interface Refusals {
  /** Statuses, keyed by problem code. */
  readonly codes: ReadonlyMap<string, number>;
  /** The statuses of refusals without a body, such as 404 for a resource that does not exist. */
  readonly empty: ReadonlySet<number>;
}

export type ServiceCatalogue = ReadonlyMap<string, Refusals>;

/** Operations without a login, such as health probes, have none. */
export const canHaveFault = ({ admits }: Operation): boolean => admits !== 'anyone';

export function refusalsOf(operation: Operation): Refusals {
  const codes = new Map<string, number>();
  const empty = new Set<number>();
  for (const [status, schema] of Object.entries(operation.answers))
    if (Number(status) >= 400 && schema === null) empty.add(Number(status));
  for (const [status, declared] of problemsOf(operation))
    if (!empty.has(status)) for (const code of declared) codes.set(code, status);
  return { codes, empty };
}

/** Problem codes that `codeFor` chooses first, keyed by status. */
const PREFERRED_CODES: Readonly<Partial<Record<number, ProblemCode>>> = {
  400: 'ongeldig-verzoek',
  401: 'niet-ingelogd',
  403: 'rol-ontbreekt',
  429: 'te-veel-verzoeken',
  503: 'overbelast',
};

/**
 * Returns the problem code for an error answer with this status: the usual code (`PREFERRED_CODES`) when the operation
 * documents it, otherwise the first one that it documents. Null when it documents no problem with this status.
 */
export function codeFor({ codes }: Refusals, status: number): ProblemCode | null {
  const usual = PREFERRED_CODES[status];
  if (usual !== undefined && codes.get(usual) === status) return usual;
  for (const [code, own] of codes) if (own === status) return code as ProblemCode;
  return null;
}
