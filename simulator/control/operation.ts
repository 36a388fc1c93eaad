import type * as z from 'zod';

/**
 * One operation of the control API, with which a user or a test controls the simulator. Its route, the validation of
 * its requests and its part of the OpenAPI document are all made from it.
 */
export interface ControlOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/_simulator`, with parameters as `{name}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Schema of the JSON body; the body is optional when the schema accepts undefined. Without it no body is read. */
  readonly body?: z.ZodType;
  /** Maximum bytes of the body; 1 MiB when absent. */
  readonly maxBody?: number;
  /** Descriptions of the query parameters, keyed by name; absent when there are none. */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * True for an operation whose data Mijn register (the page for citizens and staff) shows. When the service has an
   * audience, other devices on the network may call it too.
   */
  readonly forAudience?: true;
  /** Media type of an answer that is not JSON; absent for JSON. For such an answer, the schema in `answers` is null. */
  readonly media?: 'text/plain' | 'application/pdf' | 'application/octet-stream';
  /** For each status that is not a problem, the schema of the body, or null for an answer without a JSON body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Handles a request. Throws a `ControlError` for a refusal, which is answered as a problem. */
  handle(request: ControlRequest<unknown>): ControlAnswer | Promise<ControlAnswer>;
}

/** A request to an operation of the control API. `body` is valid by the schema of the operation. */
export interface ControlRequest<Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** URL at which the simulator can call the service of this process, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Request headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The answer of an operation of the control API. */
export interface ControlAnswer {
  readonly status: number;
  /** The body as a value, which is sent as JSON. An answer without `body`, `text`, `bytes` and `events` has no body. */
  readonly body?: unknown;
  /** The body as text: JSON, or another type that `headers` names. Use only one of `body`, `text` and `bytes`. */
  readonly text?: string;
  /** The body as bytes, with its `Content-Type` in `headers`. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * For an answer that is a stream of server-sent events: a function that calls `send` for each event from then on. It
   * returns a function that stops that, which is called when the stream ends. Absent for any other answer.
   */
  readonly events?: (send: (event: ServerSentEvent) => void) => () => void;
}

/** An event in a stream of server-sent events (HTML standard, section 9.2). `event` is its type. */
export interface ServerSentEvent {
  readonly id: number;
  readonly event: string;
  /** The data of the event: JSON on one line. */
  readonly text: string;
}

type OperationDeclaration<Schema extends z.ZodType> = Omit<ControlOperation, 'handle' | 'body'> & {
  readonly body?: Schema;
  handle(request: ControlRequest<z.output<Schema>>): ControlAnswer | Promise<ControlAnswer>;
};

/**
 * Returns the declared operation unchanged. Its only purpose is the type: `body` in the handler gets the type that the
 * schema of the body gives.
 */
export const operation = <Schema extends z.ZodType>(declared: OperationDeclaration<Schema>): ControlOperation =>
  declared;

/** Returns an answer with status 200 and this value as its JSON body. */
export const ok = (body: unknown): ControlAnswer => ({ status: 200, body });
/** The answer with status 204 and no body. */
export const done: ControlAnswer = { status: 204 };

/**
 * The error that the control API answers as a problem (RFC 9457) with this status and code. `detail` is a Dutch text
 * that says what is wrong and, where possible, what to do instead.
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** The errors in the request body, each with a JSON Pointer. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];

  constructor(status: number, code: string, detail: string, errors: ControlError['errors'] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}
