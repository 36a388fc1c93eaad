/** The control API of a running instance (`/_simulator`), as far as tests need it. */

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

/** What is wrong with a source. */
export interface Fault {
  readonly upstream: 'register' | 'brp' | 'duo' | 'documenten' | 'scanner';
  /** One operation of it; all when absent. */
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
  /** Milliseconds: fixed, anywhere in a range, or lognormal. */
  readonly ms?:
    | number
    | { readonly min: number; readonly max: number }
    | { readonly median: number; readonly sigma: number }
    | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  /** In how many of its calls, above 0 and up to 1; in all when absent. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
}

export interface FaultOn extends Fault {
  readonly id: string;
  readonly scenario: string | null;
}

export type ClockChange =
  | { readonly real: true }
  | { readonly set: string; readonly frozen?: boolean }
  | { readonly move: string; readonly frozen?: boolean }
  | { readonly frozen: boolean }
  /** So many days after the last day on which that person can re-register; before it when negative. */
  | { readonly deadline: string; readonly days?: number; readonly frozen?: boolean };

export interface WorldState {
  readonly world: string;
  readonly clock: {
    readonly mode: 'real' | 'running' | 'frozen';
    readonly now: string;
    readonly today: string;
    /** On which the stories began, once the clock was changed; null: they begin anew each day. */
    readonly firstDay: string | null;
  };
  readonly scenarios: readonly string[];
  readonly faults: readonly FaultOn[];
  /** In the journal. */
  readonly entries: number;
}

export interface Zaak {
  readonly referentie: string;
  readonly soort: string;
  readonly slug: string;
  readonly status: 'ontvangen' | 'in-behandeling' | 'besloten';
  readonly handmatig: boolean;
  readonly ontvangenOp: string;
  readonly besluit: { readonly uitkomst: string; readonly reden: string | null; readonly datum: string } | null;
}

export interface Letter {
  readonly briefId: string;
  readonly tag: 'draft' | 'submitted' | 'approved' | 'rejected' | 'sent';
  readonly version: number;
  readonly referentie: string | null;
  readonly drafterId: string | null;
  readonly submittedBy: string | null;
  readonly approvedBy: string | null;
}

export interface Upload {
  readonly documentId: string;
  readonly slug: string;
  readonly wizardId: string;
  readonly categoryId: string;
  readonly localId: string;
  readonly bestandsnaam: string | null;
  readonly state: string;
}

/** One call, the calls to sources that it caused, and why it was answered as it was. */
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
  /** How the answer is not as the document says: there only when something is broken. */
  readonly breach?: readonly string[] | undefined;
  readonly upstream: readonly {
    readonly bron: string;
    readonly operation?: string | undefined;
    /** The status of its answer, or `unavailable`, `late`, `unreadable`, `aborted`. */
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

export interface Control {
  /** One call. What is refused is thrown, with what the refusal says. */
  send<Answer = void>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
}

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
