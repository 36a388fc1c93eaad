import type { Params } from './paths.ts';

/**
 * A request to a simulated operation. It is plain data, so that the same operation works over a socket, in a test and
 * in a browser.
 */
export interface SimulatedRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  /** Parsed JSON; undefined when there was none or it was not JSON. */
  readonly body: unknown;
  /** The file in the body, which was written to disk while the body was read. */
  readonly file?: SimulatedFile | undefined;
}

/** Headers of a request, by name in lower case. A browser's `Headers` fits this type. */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** The response of a simulated operation. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Media type of the body; absent: `application/json`. */
  readonly type?: string;
  /** The file to send instead of a body. */
  readonly content?: FileContent;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A fault in sending: `reset` closes the connection instead, `half` sends half of `content`, a number is a delay in
   * milliseconds.
   */
  readonly quirk?: 'reset' | 'half' | number;
}

/** A file from a request body, on disk. */
export interface SimulatedFile {
  readonly path: string;
  readonly size: number;
  /** Error code of the document store when the file could not be decoded; null when it is valid. */
  readonly fault: string | null;
  /** Other fields of a multipart body. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A file on disk that is sent as a response. */
export interface FileContent {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * One operation of a simulated upstream: a function of a target (such as a world) and a request. It uses neither Node
 * nor MSW, so that a socket, a test and a browser can call it.
 */
export interface SimulatedOperation<Target> {
  /** Name of the operation in settings of faults. */
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'any';
  /** Path pattern of MSW: `*` matches any text, `:name` is a parameter. */
  readonly path: string;
  /** Body of the response without results, for the fault `empty`; absent: that fault does not apply. */
  readonly emptyBody?: unknown;
  run(target: Target, request: SimulatedRequest, params: Params): SimulatedAnswer | Promise<SimulatedAnswer>;
}

/** Returns an answer with status 200 and a JSON body. */
export const json = (body: unknown): SimulatedAnswer => ({ status: 200, body });

/** Returns an error response (RFC 9457) with the members that the contracts of register and DUO have. */
export const refusal = (status: number, title: string, detail: string): SimulatedAnswer => ({
  status,
  body: { type: 'about:blank', title, status, detail },
  type: 'application/problem+json',
});

/** Returns parsed JSON; undefined when the text is not JSON. */
export function parseSimulatedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
