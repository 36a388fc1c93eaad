import { type FaultCode, PROBLEMS, type ProblemCode } from './problem-codes.ts';

/** `detail` is in Dutch, for the user; `english` says the same to a developer who asks for English. */
export interface Sentence {
  readonly detail: string;
  readonly english: string;
}

/** Returns the fault of a value that is none of these. */
export const chooseFrom = (values: readonly unknown[]): Sentence => ({
  detail: `Kies uit ${values.join(', ')}.`,
  english: `Choose from ${values.join(', ')}.`,
});

/** `pointer` is a JSON Pointer into the body, or the name of a parameter or header. */
export interface FieldFault extends Sentence {
  readonly pointer: string;
  readonly code: ProblemCode | FaultCode;
}

/** Returns what the first fault says, and how many more there are. */
export function firstOf([{ detail, english }, ...more]: readonly [FieldFault, ...FieldFault[]]): Sentence {
  if (more.length === 0) return { detail, english };
  const rest = more.length === 1 ? '1 punt' : `${more.length} punten`;
  return { detail: `${detail} En nog ${rest}.`, english: `${english} And ${more.length} more.` };
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
  readonly english: string;
  readonly extras: ProblemExtras;

  /** With only a Dutch `detail`, it is in English what the list of codes says to do. */
  constructor(code: ProblemCode, detail: string | Sentence, extras: ProblemExtras = {}) {
    super(code, { cause: extras.cause });
    const said = typeof detail === 'string' ? { detail, english: PROBLEMS[code].remedy } : detail;
    this.code = code;
    this.detail = said.detail;
    this.english = said.english;
    this.extras = extras;
  }

  get status(): number {
    return this.extras.status ?? PROBLEMS[this.code].status;
  }
}

/** The members of RFC 9457, `code`, `traceId`, and those of the problem. */
export function problemBody(problem: Problem, requestId: string, traceId: string, inEnglish = false) {
  const { title, english } = PROBLEMS[problem.code];
  return {
    type: `urn:problem-type:zorgregister:${problem.code}`,
    title: inEnglish ? english : title,
    status: problem.status,
    detail: inEnglish ? problem.english : problem.detail,
    instance: `urn:uuid:${requestId}`,
    code: problem.code,
    traceId,
    ...problem.extras.members,
    ...(problem.extras.errors && {
      errors: problem.extras.errors.map(({ pointer, code, ...said }) => ({
        pointer,
        code,
        detail: inEnglish ? said.english : said.detail,
      })),
    }),
  };
}

/** The text for a change with a precondition that no version can meet. */
export const NO_VERSION_FITS = {
  detail: 'Stuur `If-Match` met de `ETag` van het laatste antwoord, met aanhalingstekens, en geen `If-None-Match`.',
  english: 'Send `If-Match` with the `ETag` of the latest answer, with its quotes, and no `If-None-Match`.',
};

/** Returns the 400 of a body that has `count` faults, of which `errors` are the first. */
export function wrongBody(errors: readonly FieldFault[], count: number): Problem {
  const named = errors.length;
  let said = { detail: `Er zijn ${count} fouten in de inhoud.`, english: `The body has ${count} faults.` };
  if (count === 1) said = { detail: 'Er is één fout in de inhoud.', english: 'The body has one fault.' };
  // The check of a list ends there, so the number of faults is not known.
  if (count > named)
    said = {
      detail: `Er zijn meer dan ${named} fouten in de inhoud; hier staan de eerste ${named}.`,
      english: `The body has more than ${named} faults; these are the first ${named}.`,
    };
  return new Problem('ongeldig-verzoek', said, { errors });
}
