import type { Params } from './paths.ts';

/**
 * A request to an operation of a simulated upstream. It is plain data, so that an operation works in the same way over
 * a socket, in a test and in a browser.
 */
export interface SimulatedRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  /**
   * Parsed JSON, or the fields of a multipart form, keyed by name. Undefined when the request had no body, or a body
   * that is not JSON.
   */
  readonly body: unknown;
  /** The file in the body, which was written to disk while the body was read; absent when the body has no file. */
  readonly file?: SimulatedFile | undefined;
}

/**
 * The headers of a request. `get` returns the value of a header, or null when it is absent. A browser's `Headers` fits
 * this type.
 */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** The response of an operation of a simulated upstream, before the faults of the call are applied. */
export interface SimulatedAnswer {
  readonly status: number;
  /** Value that is sent as JSON; no body when absent. */
  readonly body?: unknown;
  /** Media type of `body`; `application/json` when absent. */
  readonly type?: string;
  /** A file that is sent instead of `body`, when it is present. */
  readonly content?: FileContent;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A fault that the operation itself asks for. `reset`: the connection is closed without a response. `half`: the
   * connection is closed after half of the body. A number: the response is delayed by that many milliseconds.
   */
  readonly quirk?: 'reset' | 'half' | number;
}

/** A file that came in the body of a request, and is now on disk. */
export interface SimulatedFile {
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Error code of the document store when the file could not be decoded; null when it could. */
  readonly fault: string | null;
  /** The fields of the multipart body other than the file, keyed by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A file on disk that is sent as a response. */
export interface FileContent {
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
}

/**
 * One operation of a simulated upstream: a function of a target (such as a world) and a request. It uses neither Node
 * nor MSW, so that it can be called over a socket, in a test and in a browser.
 */
export interface SimulatedOperation<Target> {
  /** Name of the operation, as it is used in settings of faults and in the journal. */
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'any';
  /**
   * Pattern of the path: `:name` or `{name}` is a parameter of one segment; a `*` at the start matches any number of
   * segments (see `matcher`).
   */
  readonly path: string;
  /**
   * Body of the response when the world has the fault `empty` (a response without results) for this operation. When
   * absent, that fault has no effect on the operation.
   */
  readonly emptyBody?: unknown;
  /** Handles a request. `params` are the parameters in the path, keyed by name. */
  run(target: Target, request: SimulatedRequest, params: Params): SimulatedAnswer | Promise<SimulatedAnswer>;
}

/** Returns an answer with status 200 and a JSON body. */
export const json = (body: unknown): SimulatedAnswer => ({ status: 200, body });

/**
 * Returns an error response (problem details, RFC 9457) with the members that the contracts of the register and DUO
 * have. `title` and `detail` are texts for people.
 */
export const refusal = (status: number, title: string, detail: string): SimulatedAnswer => ({
  status,
  body: { type: 'about:blank', title, status, detail },
  type: 'application/problem+json',
});

/** Returns the value of a JSON text; undefined when the text is not JSON. */
export function parseSimulatedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
