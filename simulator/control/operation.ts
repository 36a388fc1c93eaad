import type * as z from 'zod';

/**
 * One operation of the control API. Its route, its validation and its part of the OpenAPI document are made from this.
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
  /** Query parameters: name and description. */
  readonly query?: Readonly<Record<string, string>>;
  /** Media type of an answer that is not JSON. Its schema in `answers` is null. */
  readonly media?: 'text/plain' | 'application/pdf';
  /** Schema of the body by status, for every answer that is not a problem; null for an answer without a body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  handle(request: ControlRequest<unknown>): ControlAnswer | Promise<ControlAnswer>;
}

export interface ControlRequest<Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** URL at which this service can call itself, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Request headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface ControlAnswer {
  readonly status: number;
  /** Body to be sent as JSON. */
  readonly body?: unknown;
  /**
   * Body that is text already: JSON, or what the `Content-Type` in `headers` says. Use one of `body`, `text`, `bytes`.
   */
  readonly text?: string;
  /** Body of a binary file, with its `Content-Type` in `headers`. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Server-sent events instead of a body, until the client disconnects. Returns the function that unsubscribes. */
  readonly events?: (send: (event: ServerSentEvent) => void) => () => void;
}

export interface ServerSentEvent {
  readonly id: number;
  readonly event: string;
  /** JSON on one line. */
  readonly text: string;
}

type OperationDeclaration<Schema extends z.ZodType> = Omit<ControlOperation, 'handle' | 'body'> & {
  readonly body?: Schema;
  handle(request: ControlRequest<z.output<Schema>>): ControlAnswer | Promise<ControlAnswer>;
};

/** Returns the declared operation unchanged. The type of its handler's `body` follows from the schema. */
export const operation = <Schema extends z.ZodType>(declared: OperationDeclaration<Schema>): ControlOperation =>
  declared as unknown as ControlOperation;

export const ok = (body: unknown): ControlAnswer => ({ status: 200, body });
export const done: ControlAnswer = { status: 204 };

/** Error that the control API sends as a problem. `detail` is Dutch, and says what to do instead. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** The faults in the body, each with a JSON Pointer. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];

  constructor(status: number, code: string, detail: string, errors: ControlError['errors'] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}
