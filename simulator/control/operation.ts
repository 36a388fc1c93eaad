import type * as z from 'zod';

/** One row of the control API: route, check and paragraph in its document come from the same value. */
export interface ControlOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/_simulator`, parameters as `{name}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** What a JSON body must look like; without it none is read. */
  readonly body?: z.ZodType;
  /** Query parameters by name, with what they do. */
  readonly query?: Readonly<Record<string, string>>;
  /** Schema of each answer that is no problem; null for one without a body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  handle(request: ControlRequest<unknown>): ControlAnswer | Promise<ControlAnswer>;
}

export interface ControlRequest<Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** Where this service was called, `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface ControlAnswer {
  readonly status: number;
  /** Goes out as JSON. */
  readonly body?: unknown;
  /** The same, where it is JSON already. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of a body: server-sent events for as long as somebody listens. Gives the way to stop. */
  readonly events?: (send: (event: SentEvent) => void) => () => void;
}

export interface SentEvent {
  readonly id: number;
  readonly event: string;
  /** JSON on one line. */
  readonly text: string;
}

type Declared<Schema extends z.ZodType> = Omit<ControlOperation, 'handle' | 'body'> & {
  readonly body?: Schema;
  handle(request: ControlRequest<z.output<Schema>>): ControlAnswer | Promise<ControlAnswer>;
};

/** An operation whose handler knows its body by the schema. */
export const operation = <Schema extends z.ZodType>(declared: Declared<Schema>): ControlOperation =>
  declared as unknown as ControlOperation;

export const ok = (body: unknown): ControlAnswer => ({ status: 200, body });
export const done: ControlAnswer = { status: 204 };

/** A request that cannot be done, with what to do instead. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}
