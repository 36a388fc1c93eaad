import { isPublic } from '../../src/auth/policy.ts';
import type { Operation } from '../../src/http/operation.ts';
import { problemsOf } from '../../src/openapi/problems.ts';
import type { ProblemCode } from '../../src/problem.ts';

/** The refusals that the OpenAPI document has for one operation. */
export interface Refusals {
  /** Status of each problem code. */
  readonly codes: ReadonlyMap<string, number>;
  /** Statuses of the refusals without a body, such as the 404 of a resource that does not exist. */
  readonly empty: ReadonlySet<number>;
}

/** The refusals of each operation that a fault of the service can hit, by operation id. */
export type ServiceCatalogue = ReadonlyMap<string, Refusals>;

/** True when a fault can hit the operation. Health probes and the OpenAPI document never fail on request. */
export const canFail = ({ id }: Operation): boolean => !isPublic(id);

/** Returns the refusals of one operation, as the OpenAPI document has them. */
export function refusalsOf(operation: Operation): Refusals {
  const codes = new Map<string, number>();
  const empty = new Set<number>();
  for (const [status, schema] of Object.entries(operation.answers))
    if (Number(status) >= 400 && schema === null) empty.add(Number(status));
  for (const [status, declared] of problemsOf(operation))
    if (!empty.has(status)) for (const code of declared) codes.set(code, status);
  return { codes, empty };
}

/** The code that is meant by a status with several codes. For another status it is the first one of the operation. */
const USUAL: Readonly<Partial<Record<number, ProblemCode>>> = {
  400: 'ongeldig-verzoek',
  401: 'niet-ingelogd',
  403: 'rol-ontbreekt',
  429: 'te-veel-verzoeken',
  503: 'overbelast',
};

/** Returns the code with which an operation refuses with this status; null when it never does, or without a body. */
export function codeFor({ codes }: Refusals, status: number): ProblemCode | null {
  const usual = USUAL[status];
  if (usual !== undefined && codes.get(usual) === status) return usual;
  for (const [code, own] of codes) if (own === status) return code as ProblemCode;
  return null;
}
