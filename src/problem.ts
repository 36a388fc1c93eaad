import { PROBLEMS, type ProblemCode } from './problem-codes.ts';

/**
 * `pointer` is a JSON Pointer into the body, or the name of a parameter or header; `code` is a word for the kind of
 * fault, which need not be a problem code; `detail` is a Dutch sentence. `english` is for a developer who asks for it,
 * where the fault is in the program and not in what a user filled in.
 */
export interface FieldFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly english?: string;
}

export type ProblemFault = FieldFault & { readonly code: ProblemCode };

export interface ProblemExtras {
  /** The faults that were found in the request. */
  readonly errors?: readonly FieldFault[];
  /** Additional members of the problem body, such as `bron`. */
  readonly members?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error behind the problem, for the log only. */
  readonly cause?: unknown;
  /** Why the request was refused, as a text for the log only. It is never sent. */
  readonly reason?: string;
  /** What a refused token has, as names and kinds without values, for the log only. It is never sent. */
  readonly found?: string;
  /**
   * When it differs from that of the problem code. Some rules give 409 for a draft, and 422 for a request without one.
   */
  readonly status?: number;
}

/**
 * Answered as a problem (RFC 9457). The client sees `detail`, `errors` and `members`; `cause`, `reason` and `found` are
 * only for the log.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly detail: string;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(code, { cause: extras.cause });
    this.code = code;
    this.detail = detail;
    this.extras = extras;
  }

  get status(): number {
    return this.extras.status ?? PROBLEMS[this.code].status;
  }
}

/**
 * The members of RFC 9457, `code`, `traceId`, and those of the problem. With `inEnglish`, `detail` begins with what a
 * developer can do, in English.
 */
export function problemBody(problem: Problem, requestId: string, traceId: string, inEnglish = false) {
  const { detail } = problem;
  return {
    type: `urn:problem-type:zorgregister:${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: inEnglish ? `${PROBLEMS[problem.code].remedy} (${detail})` : detail,
    instance: `urn:uuid:${requestId}`,
    code: problem.code,
    traceId,
    ...problem.extras.members,
    ...(problem.extras.errors && {
      errors: problem.extras.errors.map(({ english, ...fault }) =>
        inEnglish && english !== undefined ? { ...fault, detail: english } : fault,
      ),
    }),
  };
}
