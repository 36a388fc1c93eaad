import type * as z from 'zod';

/**
 * One operation of the control API. Its route, the validation of its requests and its part of the OpenAPI document are
 * all made from it.
 */
export interface ControlOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/_simulator`, with parameters as `{name}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Schema of the JSON body. Without it the body is not read. */
  readonly body?: z.ZodType;
  /** Maximum bytes of the body; 1 MiB when absent. */
  readonly maxBody?: number;
  /** Descriptions of the query parameters, keyed by name; absent when there are none. */
  readonly query?: Readonly<Record<string, string>>;
  /** True for an operation that Mijn register reads, which devices of an audience on the network may call too. */
  readonly forAudience?: true;
  /** Media type of an answer that is not JSON, absent for JSON; such an answer has null as its schema in `answers`. */
  readonly media?: 'text/plain' | 'application/pdf' | 'application/octet-stream';
  /** For each status that is not a problem, the schema of the body, or null for an answer without a JSON body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  handle(request: ControlRequest<unknown>): ControlAnswer | Promise<ControlAnswer>;
}

export interface ControlRequest<Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** URL at which the simulator can call the service of this process, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Request headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

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
   * Starts to send server-sent events, and returns the function that stops them. That function is called when the
   * stream ends. Absent for an answer with an ordinary body.
   */
  readonly events?: (send: (event: ServerSentEvent) => void) => () => void;
}

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
 * Returns the declared operation unchanged. Its only purpose is the type: the type of `body` in the handler follows
 * from the schema.
 */
export const operation = <Schema extends z.ZodType>(declared: OperationDeclaration<Schema>): ControlOperation =>
  declared;

export const ok = (body: unknown): ControlAnswer => ({ status: 200, body });
export const done: ControlAnswer = { status: 204 };

/** The error that the control API answers as a problem. `detail` is a Dutch sentence that says what to do instead. */
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
