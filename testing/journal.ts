import type { Persona } from '../client/index.ts';

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

/** Which requests of the journal are meant: those that fit all members that are given. */
export interface CallFilter {
  readonly persona?: Persona | undefined;
  /** Id of the operation in the OpenAPI document, such as `createHerregistratie`. */
  readonly operation?: string | undefined;
  readonly status?: number | '2xx' | '4xx' | '5xx' | undefined;
  /** The `traceId` of a problem. */
  readonly trace?: string | undefined;
}

/** A request that the service received: what a test compares. */
export interface MadeCall {
  /** Id of the operation in the OpenAPI document; null for a path that does not exist. */
  readonly operation: string | null;
  /** Slug of the caller, without the world; null when the request did not identify a caller. */
  readonly persona: string | null;
  /**
   * The JSON body; of an upload its fields, and the name and size of the file. Null without a body, and a text for a body
   * that is not JSON or is longer than the journal keeps.
   */
  readonly body: unknown;
  readonly status: number;
  readonly problem: string | null;
}

/** Returns an entry of the journal as the request that a test compares. */
export const toCall = ({ operation, caller, request, response: { status }, problem }: Entry): MadeCall => ({
  operation,
  persona: caller?.subject.split('@')[0] ?? null,
  body: parsed(request.body),
  status,
  problem,
});

function parsed(body: string | null): unknown {
  try {
    return body === null ? null : JSON.parse(body);
  } catch {
    return body;
  }
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly truncated: boolean;
}
