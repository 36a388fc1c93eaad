/**
 * An entry of the journal (list of recorded requests): one request, the upstream calls that it caused, and the decisions
 * behind its response.
 */
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
  /** The differences between the response and what the OpenAPI document says about it; absent when there are none. */
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
    /** A Dutch sentence that explains the decision; null when the sentence could contain data of a real upstream. */
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
