/** Types and a client for the operations of the control API (`/_simulator`) that tests use. */

/** The name of a scenario: a set of faults that are switched on and off together. */
export type Scenario =
  | 'all-slow'
  | 'answers-lost'
  | 'brp-down'
  | 'brp-slow'
  | 'documents-down'
  | 'documents-slow'
  | 'duo-down'
  | 'duo-slow'
  | 'flaky-brp'
  | 'no-diplomas'
  | 'rate-limited'
  | 'rate-limited-caller'
  | 'register-changed'
  | 'register-down'
  | 'register-garbage'
  | 'register-slow'
  | 'scanner-down'
  | 'session-expired'
  | 'slow-service'
  | 'step-up-refused';

/** A fault to simulate: in calls to an upstream, or in the operations of the service itself (`dienst`). */
export interface Fault {
  readonly upstream: 'register' | 'brp' | 'duo' | 'documenten' | 'scanner' | 'dienst';
  /** Operation that fails; absent when all operations fail. */
  readonly operation?: string | undefined;
  readonly kind:
    | 'refused'
    | 'reset'
    | 'lost'
    | 'cut'
    | 'drip'
    | 'hang'
    | 'latency'
    | 'status'
    | 'garbage'
    | 'wrong-schema'
    | 'empty'
    /**
     * `problem`: answers with the problem whose code is in the member `code`. Possible for the service itself, not for
     * an upstream.
     */
    | 'problem';
  /**
   * Milliseconds of a `latency` fault, or between two bytes of a `drip` fault: a fixed number, a range with equal
   * chances, or a lognormal distribution with a median. A `drip` takes only a fixed number.
   */
  readonly ms?:
    | number
    | { readonly min: number; readonly max: number }
    | { readonly median: number; readonly sigma: number }
    | undefined;
  readonly status?: number | undefined;
  /** Only for `problem`: the problem code (`ProblemCode` of the client). */
  readonly code?: string | undefined;
  readonly retryAfter?: number | undefined;
  /**
   * Only for the service itself: slug of the one person whose requests fail; absent when the requests of all persons
   * fail.
   */
  readonly persona?: string | undefined;
  /** Number of calls that succeed before the fault begins. */
  readonly after?: number | undefined;
  /** Fraction of the calls that fail, above 0 and up to 1; absent when all calls fail. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
}

/** An active fault. `scenario` is the scenario that it belongs to; null when it was added separately. */
export interface FaultOn extends Fault {
  readonly id: string;
  readonly scenario: string | null;
}

/**
 * A change of a world's clock: to the real time (`real`), to a date or moment (`set`), by a period such as `+4months`
 * (`move`), or to a day around a deadline (`deadline`). `frozen` stops the clock there or lets it run; when it is
 * absent, that stays as it was.
 */
export type ClockChange =
  | { readonly real: true }
  | { readonly set: string; readonly frozen?: boolean }
  | { readonly move: string; readonly frozen?: boolean }
  | { readonly frozen: boolean }
  /**
   * Sets the clock to the last day for the herregistratie of this persona plus `days`. A negative number is a day
   * before it.
   */
  | { readonly deadline: string; readonly days?: number; readonly frozen?: boolean };

/** The clock, scenarios and faults of a world (a tenant of the simulator), and the number of calls in its journal. */
export interface WorldState {
  readonly world: string;
  readonly clock: {
    readonly mode: 'real' | 'running' | 'frozen';
    readonly now: string;
    readonly today: string;
    /**
     * First day of the personas' data (`YYYY-MM-DD`). Null while the clock of the world is not changed, or is `real`
     * again; the data then begin on the current day.
     */
    readonly firstDay: string | null;
  };
  readonly scenarios: readonly string[];
  readonly faults: readonly FaultOn[];
  /** Number of requests in the journal. The journal keeps at most the 300 most recent ones of a world. */
  readonly entries: number;
}

/**
 * A case: a request that the simulated register has received, such as an application or a change of address.
 * `handmatig` is true when a case handler must decide on it; other cases are granted automatically. `besluit` is null
 * until there is a decision.
 */
export interface Zaak {
  readonly referentie: string;
  readonly soort: string;
  readonly slug: string;
  readonly status: 'ontvangen' | 'in-behandeling' | 'besloten';
  readonly handmatig: boolean;
  readonly ontvangenOp: string;
  readonly besluit: { readonly uitkomst: string; readonly reden: string | null; readonly datum: string } | null;
}

/** The letter that drafters and approvers work on in a world. */
export interface Letter {
  readonly briefId: string;
  readonly tag: 'draft' | 'submitted' | 'approved' | 'rejected' | 'sent';
  readonly version: number;
  readonly referentie: string | null;
  readonly drafterId: string | null;
  readonly submittedBy: string | null;
  readonly approvedBy: string | null;
}

/**
 * The case, template and initial outcome of a new letter. Without `referentie` the letter keeps its case, without
 * `templateId` it is a decision on that case, and without `uitkomst` it follows the decision of the register or else
 * grants the request.
 */
export interface LetterAbout {
  readonly referentie?: string;
  readonly templateId?: 'herregistratie-besluit' | 'registratie-besluit' | 'aanvulling-gevraagd';
  /** The outcome for which the new letter contains standard passages. */
  readonly uitkomst?: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling';
}

/** An uploaded document of a persona. */
export interface Upload {
  readonly documentId: string;
  readonly slug: string;
  readonly wizardId: string;
  readonly categoryId: string;
  readonly localId: string;
  readonly bestandsnaam: string | null;
  readonly state: string;
}

/** A letter that the simulated register sent, in the list of a mailbox. */
export interface SentLetterSummary {
  /** Id of the letter, unique in the mailbox. It is the same in every run with the same dates. */
  readonly id: string;
  /** Date of sending, `YYYY-MM-DD`. */
  readonly date: string;
  readonly kind:
    | 'ontvangstbevestiging'
    | 'brief'
    | 'besluit'
    | 'oproep'
    | 'herinnering'
    | 'voornemen-doorhaling'
    | 'besluit-doorhaling'
    | 'bericht-vervallen';
  readonly channel: 'berichtenbox' | 'post';
  readonly subject: string;
  /** Reference of the request that the letter is about; null for a letter about the term of a registration. */
  readonly referentie: string | null;
}

/** A letter that the simulated register sent, both as plain text and as separate parts. */
export interface SentLetter extends SentLetterSummary {
  readonly text: string;
  readonly letter: {
    readonly sender: readonly string[];
    readonly addressee: readonly string[];
    readonly date: string | null;
    readonly kenmerk: string;
    readonly registratienummer: string | null;
    readonly onderwerp: string;
    readonly paragraphs: readonly {
      readonly list: 'bullet' | 'number' | null;
      /** True for a heading. */
      readonly heading?: boolean | undefined;
      readonly spans: readonly {
        readonly text: string;
        readonly bold?: boolean | undefined;
        readonly italic?: boolean | undefined;
        readonly underline?: boolean | undefined;
      }[];
    }[];
    readonly signature: readonly string[];
  };
}

/** A journal entry: one request, the upstream calls that it caused, and the decisions behind its response. */
export interface Entry {
  readonly id: number;
  /** Moment at which the request arrived, by the system clock (ISO 8601). */
  readonly at: string;
  /** Moment at which the answer was sent, by the clock of the world (ISO 8601). */
  readonly worldAt: string;
  readonly world: string;
  readonly caller: { readonly kind: string; readonly subject: string } | null;
  readonly request: Message & { readonly method: string; readonly path: string };
  readonly response: Message & { readonly status: number };
  readonly ms: number;
  readonly operation: string | null;
  readonly problem: string | null;
  /** The differences between the response and the OpenAPI document; absent when there are none. */
  readonly breach?: readonly string[] | undefined;
  readonly upstream: readonly {
    readonly bron: string;
    readonly operation?: string | undefined;
    /** HTTP status of the upstream, or `unavailable`, `late`, `unreadable` or `aborted`. */
    readonly outcome: number | string;
    /** Milliseconds from the arrival of the request to the start of this call. */
    readonly start: number;
    readonly ms: number;
    readonly attempts: number;
    readonly fault?: string | undefined;
  }[];
  readonly why: readonly {
    readonly rule: string;
    readonly source?: string | undefined;
    /** A Dutch sentence that explains the decision; null when a real upstream was called. */
    readonly sentence: string | null;
    readonly outcome: unknown;
    readonly facts: unknown;
  }[];
  readonly traceId: string;
  readonly curl: string;
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly truncated: boolean;
}

/** A client of the control API (`/_simulator`), with which a test reads and changes the simulator. */
export interface Control {
  /**
   * Sends one request and returns the JSON of the response; undefined when the response has no body. `path` is below
   * `/_simulator`. Rejects with the status and the text of the problem when the request is refused, and with the error
   * of `fetch` when there is no answer.
   */
  send<Answer = void>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
  /** Returns the bytes of a file, such as a PDF, from the control API. Rejects in the same cases as `send`. */
  bytes(path: string): Promise<Uint8Array>;
}

/** Creates a client of the control API of the instance at `url`. */
export function createControl(url: string): Control {
  async function answerTo(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${url}/_simulator${path}`, {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const text = await response.text();
    const problem = text === '' ? undefined : JSON.parse(text);
    const faults = (problem?.errors ?? []).map((fault: { detail: string }) => fault.detail);
    throw new Error(
      [`${method} /_simulator${path}: ${response.status}`, problem?.detail, ...faults].filter(Boolean).join(' '),
    );
  }
  return {
    async send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const text = await (await answerTo(method, path, body)).text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    bytes: async (path) => new Uint8Array(await (await answerTo('GET', path)).arrayBuffer()),
  };
}
