import type { Problem } from './problem.ts';
import type { Result } from './types.ts';

/**
 * The error that `unwrap` throws for a refused request. `message` is the Dutch text of the problem, for the user; the
 * error as text (`String(error)`) also has the operation, the status and the code, for the developer.
 *
 * @see http://127.0.0.1:3000/docs/reference/problems.md of a running service: what to do for each code
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly response: Response;
  /** Method and path of the operation, such as `POST /herregistraties`. */
  readonly operation: string;
  /** Seconds after which a new attempt makes sense; null when the service did not say so. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, response: Response, operation: string) {
    super(problem.detail);
    this.problem = problem;
    this.response = response;
    this.operation = operation;
    this.retryAfter = retryAfterOf(response);
  }

  override toString(): string {
    const { status, code, detail } = this.problem;
    return `${this.name}: ${this.operation}: ${status} ${code ?? 'without a code'}: ${detail}`;
  }
}

/**
 * The error for a request that the service did not answer. `unreachable`: no server answers, the address is not valid,
 * or the browser does not allow the request. `other-server`: another server answered with a page. `unsupported`: this
 * environment cannot send the request.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly kind: 'unreachable' | 'other-server' | 'unsupported';

  constructor(kind: NetworkError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Returns the value of `Retry-After` in whole seconds, at least 1; null when it is absent or not valid. A date is
 * compared with the header `Date` or, without that, with the clock of this computer.
 */
export function retryAfterOf(response: Response): number | null {
  const text = response.headers.get('Retry-After');
  if (text === null || text === '') return null;
  const now = Date.parse(response.headers.get('Date') ?? '') || Date.now();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1_000);
  return Number.isNaN(seconds) ? null : Math.max(1, seconds);
}

/**
 * Waits for a request and returns its data. Rejects with a `ProblemError` when the request was refused, and with the
 * error of the request when there was no answer.
 *
 * @see http://127.0.0.1:3000/docs/guides/frontend.md of a running service
 */
export async function unwrap<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, problem, response, operation } = await call;
  if (problem !== undefined) throw new ProblemError(problem, response, operation);
  return data as Data;
}

/**
 * Returns the file name in `Content-Disposition` (RFC 6266); null when the response has none, or when CORS hides it.
 */
export function downloadName(response: Response): string | null {
  const header = response.headers.get('Content-Disposition') ?? '';
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  const name = encoded === undefined ? null : decoded(encoded);
  if (name !== null) return name;
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
