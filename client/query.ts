/** Makes options for TanStack Query v5, without an import of that library. */
import { NetworkError, ProblemError, unwrap } from './errors.ts';
import { isRetryable } from './retry.ts';
import type { Arguments, Client, DataOf, OperationOf, OptionsOf, PathsOf, Result } from './types.ts';

type CallError = ProblemError | NetworkError;

type GetOptions<P extends PathsOf<'GET'>> = Arguments<OperationOf<'GET', P>>;

/**
 * Returns the query key of a GET: `['zorgregister', caller, path, { params, query, headers }]`. Without these the last
 * element is left out. That shorter key can be used to invalidate all queries of the path.
 */
export function queryKey<P extends PathsOf<'GET'>>(
  client: Client,
  path: P,
  options: { readonly params?: unknown; readonly query?: unknown; readonly headers?: unknown } = {},
): readonly unknown[] {
  // A header can change the answer: with `X-Step-Up` it has the whole register number.
  const parts = (['params', 'query', 'headers'] as const).filter((name) => options[name] !== undefined);
  const about = Object.fromEntries(parts.map((name) => [name, options[name]]));
  return ['zorgregister', client.caller, path, ...(parts.length > 0 ? [about] : [])];
}

/**
 * Returns the options of `useQuery` and `fetchQuery` for a GET. TanStack Query then sends a failed GET again at most
 * three times: after status 429, 502, 503 or 504, unless `Retry-After` asks for more than 10 seconds, and after an error
 * that is not a problem (except `NetworkError` `unsupported`).
 */
export function queryOptions<P extends PathsOf<'GET'>>(client: Client, path: P, ...[options]: GetOptions<P>) {
  const result = {
    queryKey: queryKey(client, path, options as object | undefined),
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<DataOf<OperationOf<'GET', P>>> => {
      const call = client.GET as (path: P, options: object) => Promise<Result<DataOf<OperationOf<'GET', P>>>>;
      return unwrap(call(path, { ...options, signal }));
    },
    retry: mayRetry,
    retryDelay,
  };
  return result as typeof result & FailsWithCallError;
}

/** Only a type: TanStack Query derives the type of `error` from it. The property is never set. */
interface FailsWithCallError {
  readonly throwOnError?: (error: CallError) => boolean;
}

/**
 * Returns the options of `useMutation` for an operation that changes data. The variables of the mutation are the
 * options of the request, such as `{ params, body }`.
 */
export function mutationOptions<M extends 'POST' | 'PUT' | 'DELETE', P extends PathsOf<M>>(
  client: Client,
  method: M,
  path: P,
) {
  // The types of the three methods are one generic type each: their union cannot be called with a path of all three.
  const call = client[method] as unknown as (path: P, options: unknown) => Promise<Result<DataOf<OperationOf<M, P>>>>;
  const options = {
    mutationKey: ['zorgregister', client.caller, method, path] as readonly unknown[],
    mutationFn: (variables: OptionsOf<OperationOf<M, P>>): Promise<DataOf<OperationOf<M, P>>> =>
      unwrap(call(path, variables)),
  };
  return options as typeof options & FailsWithCallError;
}

/** `failures` is the number of earlier failures. */
function mayRetry(failures: number, error: CallError): boolean {
  if (failures >= 3) return false;
  if (error instanceof ProblemError) return isRetryable(error.problem.status, error.retryAfter);
  return !(error instanceof NetworkError && error.kind === 'unsupported');
}

/** As `Retry-After` says, or else one second, which doubles after each failure up to 30 seconds. */
const retryDelay = (failures: number, error: CallError): number =>
  1_000 * ((error instanceof ProblemError && error.retryAfter) || Math.min(2 ** failures, 30));
