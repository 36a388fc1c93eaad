import type { Params } from './paths.ts';

export interface SimulatedRequest extends ReceivedBody {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
}

export interface ReceivedBody {
  /** Parsed JSON. Undefined without a body, or when it is not JSON. */
  readonly body: unknown;
  /** The file in the request body, which is now on disk; absent when the body has no file. */
  readonly file?: SimulatedFile | undefined;
}

/** The headers of a request. `get` returns null for an absent header. A browser's `Headers` fits this type. */
export interface RequestHeaders {
  get(name: string): string | null;
}

export interface SimulatedAnswer {
  readonly status: number;
  /** Value that is sent as JSON; no body when absent. */
  readonly body?: unknown;
  /** Media type of `body`; `application/json` when absent. */
  readonly type?: string;
  /** A file that is sent instead of `body`, when it is present. */
  readonly content?: FileContent;
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `half` closes the connection after half of the body, a number is a delay in milliseconds. */
  readonly quirk?: 'reset' | 'half' | number;
}

export interface SimulatedFile {
  readonly path: string;
  readonly size: number;
  /** Error code of the document store when the file could not be decoded; null when it could. */
  readonly fault: string | null;
}

/** A file on disk that is sent as a response. */
export interface FileContent {
  readonly path: string;
  readonly size: number;
}

export interface SimulatedOperation<Target> {
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'any';
  /** `:name` or `{name}` is one segment; a `*` at the start is any number of segments (see `matcher`). */
  readonly path: string;
  /** Body of the response for a fault of the kind `empty` (no data). When absent, that fault has no effect. */
  readonly emptyBody?: unknown;
  /** Handles a request. `params` are the parameters in the path, keyed by name. */
  run(target: Target, request: SimulatedRequest, params: Params): SimulatedAnswer | Promise<SimulatedAnswer>;
}

export const json = (body: unknown): SimulatedAnswer => ({ status: 200, body });

/** Returns an error response as problem details (RFC 9457). `title` and `detail` are texts for people. */
export const refusal = (status: number, title: string, detail: string): SimulatedAnswer => ({
  status,
  body: { type: 'about:blank', title, status, detail },
  type: 'application/problem+json',
});

export function parseSimulatedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
