/** Types and a client of the control API (`/_simulator`) of a running instance, as far as tests need it. */

/** Name of a scenario: a set of faults that is switched on or off as a whole. */
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
  | 'register-changed'
  | 'register-down'
  | 'register-garbage'
  | 'register-slow'
  | 'scanner-down';

/** A fault to simulate in calls to an upstream. */
export interface Fault {
  readonly upstream: 'register' | 'brp' | 'duo' | 'documenten' | 'scanner';
  /** The operation that fails; absent: all operations of the upstream. */
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
    | 'empty';
  /** Delay in milliseconds: fixed, uniform in a range, or lognormal. */
  readonly ms?:
    | number
    | { readonly min: number; readonly max: number }
    | { readonly median: number; readonly sigma: number }
    | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  /** Fraction of the calls that fail, above 0 and up to 1; absent: all calls. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
}

/** A fault that is active. `scenario`: the scenario that set it, or null. */
export interface FaultOn extends Fault {
  readonly id: string;
  readonly scenario: string | null;
}

/** A change of a world's clock. */
export type ClockChange =
  | { readonly real: true }
  | { readonly set: string; readonly frozen?: boolean }
  | { readonly move: string; readonly frozen?: boolean }
  | { readonly frozen: boolean }
  /** The clock is set to `days` after the last day on which this persona can re-register; before it when negative. */
  | { readonly deadline: string; readonly days?: number; readonly frozen?: boolean };

/** The state of a world. */
export interface WorldState {
  readonly world: string;
  readonly clock: {
    readonly mode: 'real' | 'running' | 'frozen';
    readonly now: string;
    readonly today: string;
    /**
     * The first day of the personas' stories once the clock was changed; null: the stories begin today, whichever day
     * it is.
     */
    readonly firstDay: string | null;
  };
  readonly scenarios: readonly string[];
  readonly faults: readonly FaultOn[];
  /** Number of entries in the journal. */
  readonly entries: number;
}

/** An application that the register has received. */
export interface Zaak {
  readonly referentie: string;
  readonly soort: string;
  readonly slug: string;
  readonly status: 'ontvangen' | 'in-behandeling' | 'besloten';
  readonly handmatig: boolean;
  readonly ontvangenOp: string;
  readonly besluit: { readonly uitkomst: string; readonly reden: string | null; readonly datum: string } | null;
}

/** The letter of a world. */
export interface Letter {
  readonly briefId: string;
  readonly tag: 'draft' | 'submitted' | 'approved' | 'rejected' | 'sent';
  readonly version: number;
  readonly referentie: string | null;
  readonly drafterId: string | null;
  readonly submittedBy: string | null;
  readonly approvedBy: string | null;
}

/** What a letter is about, and the template that it starts from; absent members stay as they are. */
export interface LetterAbout {
  readonly referentie?: string;
  readonly templateId?: 'herregistratie-besluit' | 'registratie-besluit' | 'aanvulling-gevraagd';
}

/** An uploaded document. */
export interface Upload {
  readonly documentId: string;
  readonly slug: string;
  readonly wizardId: string;
  readonly categoryId: string;
  readonly localId: string;
  readonly bestandsnaam: string | null;
  readonly state: string;
}

/** A journal entry: one request, the upstream calls that it caused, and the decisions behind its response. */
export interface Entry {
  readonly id: number;
  readonly at: string;
  readonly world: string;
  readonly caller: { readonly kind: string; readonly subject: string } | null;
  readonly request: Message & { readonly method: string; readonly path: string };
  readonly response: Message & { readonly status: number };
  readonly ms: number;
  readonly operation: string | null;
  readonly problem: string | null;
  /** Where the response deviates from the OpenAPI document; present only when it does. */
  readonly breach?: readonly string[] | undefined;
  readonly upstream: readonly {
    readonly bron: string;
    readonly operation?: string | undefined;
    /** The status of the answer, or `unavailable`, `late`, `unreadable` or `aborted`. */
    readonly outcome: number | string;
    readonly ms: number;
    readonly attempts: number;
    readonly fault?: string | undefined;
  }[];
  readonly why: readonly {
    readonly rule: string;
    readonly source?: string | undefined;
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

/** Client of the control API. */
export interface Control {
  /** Sends one request and returns its JSON. Rejects with the text of the problem when it is refused. */
  send<Answer = void>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
}

/** Creates the client for the instance at `url`. */
export const createControl = (url: string): Control => ({
  async send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${url}/_simulator${path}`, {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    if (response.ok) return answer;
    const faults = (answer?.errors ?? []).map((fault: { detail: string }) => fault.detail);
    throw new Error(
      [`${method} /_simulator${path}: ${response.status}`, answer?.detail, ...faults].filter(Boolean).join(' '),
    );
  },
});
