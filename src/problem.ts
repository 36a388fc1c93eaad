/**
 * Every problem that the service can say: status, title, and what the caller can do about it.
 * `type` is `urn:problem-type:zorgregister:<code>` (domain.md 4.9, RFC 9457). Titles are Dutch: portals show them to citizens.
 */
interface Entry {
  readonly status: number;
  readonly title: string;
  readonly remedy: string;
}

const says = (status: number, title: string, remedy: string): Entry => ({ status, title, remedy });

export const PROBLEMS = {
  'ongeldig-verzoek': says(400, 'Het verzoek is ongeldig', 'Correct every member that `errors` points at.'),

  'niet-ingelogd': says(401, 'U bent niet ingelogd', 'Send `Authorization: Bearer <token>`.'),
  'identiteit-onbekend': says(401, 'Uw identiteit is niet vast te stellen', 'Send the headers that `detail` names.'),

  'rol-ontbreekt': says(403, 'U mag dit niet doen', 'Call as the kind of caller, or in the role, that `detail` names.'),

  'pad-onbekend': says(
    404,
    'Dit adres bestaat niet',
    'Check the path; `detail` names the nearest one. No slash at the end.',
  ),
  'methode-niet-toegestaan': says(405, 'Deze methode kan hier niet', 'Use a method from the `Allow` header.'),
  'niet-aanvaardbaar': says(406, 'Dit antwoord kunnen wij niet geven', 'Accept `application/json`.'),

  'verkeerde-host': says(
    421,
    'Deze naam hoort niet bij deze dienst',
    'Call it as localhost, or put the name in `ALLOWED_HOSTS`.',
  ),
  'te-veel-verzoeken': says(429, 'U doet te veel verzoeken', 'Try again after `Retry-After` seconds.'),
  'verzoek-te-traag': says(408, 'Het verzoek kwam te langzaam binnen', 'Send the whole request within 15 seconds.'),
  'kop-te-groot': says(431, 'De kopregels van het verzoek zijn te groot', 'Send less than 16 KiB of headers and URL.'),

  onverwacht: says(500, 'Er ging iets mis', 'Report `instance`; the log line with that id tells what happened.'),

  'bron-antwoord-ongeldig': says(502, 'Een bron gaf een onleesbaar antwoord', 'Try later; `bron` names the source.'),
  'bron-niet-beschikbaar': says(
    503,
    'Een bron is niet beschikbaar',
    'Try again after `Retry-After` seconds; `bron` names it.',
  ),
  'niet-gereed': says(503, 'De dienst is nog niet of niet meer gereed', 'Try again after `Retry-After` seconds.'),
  'bron-te-laat': says(504, 'Een bron antwoordde niet op tijd', 'Try later; `bron` names the source.'),
} as const satisfies Record<string, Entry>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault in a request. `pointer` is a JSON Pointer into the body, or the name of a parameter or header. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface ProblemExtras {
  /** Every fault of the request at once. */
  readonly errors?: readonly Fault[];
  /** Members that belong to this problem, such as `bron`. */
  readonly members?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown anywhere in the service, rendered in one place (`http/errors.ts`). `detail` goes to the caller; `cause` to nobody but the log. */
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
    return PROBLEMS[this.code].status;
  }
}

/** The body as it goes out: RFC 9457's five members, then ours. */
export function problemBody(problem: Problem, requestId: string, traceId: string) {
  return {
    type: `urn:problem-type:zorgregister:${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    instance: `urn:uuid:${requestId}`,
    code: problem.code,
    traceId,
    ...problem.extras.members,
    ...(problem.extras.errors && { errors: problem.extras.errors }),
  };
}
