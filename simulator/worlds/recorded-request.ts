import type { CallRecord } from '../../src/ports/call.ts';

/**
 * One entry of the journal (the list of recorded requests): a request to the service, with the upstream calls that it
 * caused and the rules that decided the response.
 */
export interface RecordedRequest {
  /** Sequence number of the entry, counted over all worlds. */
  readonly id: number;
  /** Time at which the request arrived, by the system clock (ISO 8601). */
  readonly at: string;
  /** Time by the clock of the world at which the response was sent (ISO 8601). */
  readonly worldAt: string;
  readonly world: string;
  readonly caller: { readonly kind: string; readonly subject: string } | null;
  readonly request: JournalMessage & { readonly method: string; readonly path: string };
  readonly response: JournalMessage & { readonly status: number };
  /** Duration of the request in milliseconds. */
  readonly ms: number;
  readonly operation: string | null;
  readonly problem: string | null;
  /**
   * Differences between the response and the OpenAPI document, which are defects of the service. Absent when there are
   * none.
   */
  readonly breach?: readonly string[] | undefined;
  readonly upstream: readonly JournalUpstreamCall[];
  readonly why: readonly ExplainedReason[];
  readonly traceId: string;
  /** Shell command that repeats the request. */
  readonly curl: string;
}

interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; null when there is none or when it may not be shown. */
  readonly body: string | null;
  readonly truncated: boolean;
}

/**
 * A call from the service to an upstream. `operation` and `fault` are of the simulated upstream: the name of its
 * operation, and the fault that affected the call (absent for none).
 */
export interface JournalUpstreamCall extends Omit<CallRecord, 'upstream' | 'start'> {
  /** Milliseconds from the arrival of the request to the start of this call. */
  readonly start: number;
  readonly bron: CallRecord['upstream'];
  readonly operation?: string;
  readonly fault?: string;
}

/** One decision of a rule: its outcome, its input (facts), and where the rule is written. */
export interface JournalReason {
  readonly rule: string;
  readonly source?: string;
  readonly outcome: unknown;
  readonly facts: unknown;
}

/** A decision of a rule, with the Dutch sentence that explains it. */
export interface ExplainedReason extends JournalReason {
  /** The explanation in Dutch; null when the input of the rule is not in the journal. */
  readonly sentence: string | null;
}

/**
 * Returns a copy of a journal entry in which each body is cut off after `maxLength` characters. The input or outcome of
 * a rule whose JSON is longer than `maxLength` is replaced by `{ truncated: <length> }`.
 */
export function bounded(entry: Omit<RecordedRequest, 'id'>, maxLength: number): Omit<RecordedRequest, 'id'> {
  return {
    ...entry,
    request: cut(entry.request, maxLength),
    response: cut(entry.response, maxLength),
    why: entry.why.map((reason) => ({
      ...reason,
      facts: shortened(reason.facts, maxLength),
      outcome: shortened(reason.outcome, maxLength),
    })),
  };
}

const cut = <Part extends JournalMessage>(message: Part, maxLength: number): Part =>
  message.body === null || message.body.length <= maxLength
    ? message
    : { ...message, body: message.body.slice(0, maxLength).toWellFormed(), truncated: true };

/**
 * Returns the input or outcome of a rule unchanged, or `{ truncated: <length> }` when its JSON is longer than
 * `maxLength` characters, because a part of it could mislead.
 */
function shortened(facts: unknown, maxLength: number): unknown {
  const length = JSON.stringify(facts)?.length ?? 0;
  return length > maxLength ? { truncated: length } : facts;
}
