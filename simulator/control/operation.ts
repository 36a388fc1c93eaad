import type * as z from 'zod';
import type { ControlDeps } from './deps.ts';
import type { Printed } from './print.ts';

/** One action of the control API. Its route, its part of the documents, its command and its tool are made from this. */
export interface ControlOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/_simulator`, with parameters as `{name}`. */
  readonly path: string;
  readonly tag: string;
  /** What it does, in one English sentence without a full stop. */
  readonly description: string;
  /** The rows in docs/reference/simulator.md: the part of the page, its control, and the command. */
  readonly guide: readonly (readonly [what: string, page: string, terminal: string])[];
  /** When absent, the body is not read. When it accepts undefined, a request may have no body. */
  readonly body?: z.ZodType;
  /** Maximum size of the body in bytes; 1 MiB when absent. */
  readonly maxBody?: number;
  /** Texts, and lists of texts for parameters that may be repeated. Other parameters are ignored. */
  readonly query?: z.ZodObject;
  /** True when an audience may call this operation; otherwise only this machine may. */
  readonly forAudience?: true;
  /** Media type of a successful answer that is not JSON, for the OpenAPI document. */
  readonly media?: 'text/plain' | 'text/csv' | 'text/event-stream' | 'application/pdf' | 'application/octet-stream';
  /** The status of a success, and the schema of its JSON; null without a body. With `media` too: one of the two. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /**
   * The command of the command line that makes one request to this operation. Its arguments are the path parameters,
   * without the world, and the members of the body; its options are the query parameters. Absent when a command makes several requests, or a stream.
   */
  readonly command?: ControlCommand;
  /**
   * The tool of the MCP server that makes one request to this operation. Its arguments are the path parameters, the
   * query parameters and the members of the body; the world has a default. Absent when a tool makes several requests, or when there is no tool.
   */
  readonly tool?: ControlTool;
  /**
   * Returns the JSON body of the answer, or a `ControlAnswer` when there is more to say. Throws a `ControlError` to refuse
   * the request with a problem (RFC 9457).
   */
  handle(request: ControlRequest<unknown, unknown>, deps: ControlDeps): unknown;
}

interface ControlCommand {
  readonly name: string;
  /** What it does, when `description` says it for HTTP only. */
  readonly description?: string;
  /** `read`: the body is the JSON of a file in the last argument; `write`: the answer is written to that file. */
  readonly file?: 'read' | 'write';
  /** Returns what is printed for an answer; `given` are the arguments. The answer itself is not used with `write`. */
  print?(answer: unknown, given: readonly string[]): Printed;
}

/** A tool of the MCP server that makes one request. A language model chooses it by these texts. */
interface ControlTool {
  /** A verb and a noun, such as `move_clock`. */
  readonly name: string;
  /** English sentences after `description`: when to use it, an example, and which tool comes next. */
  readonly advice: string;
  /** Schemas of path parameters that can have only some values, keyed by name. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
}

/** `body` and `query` have been checked against the schemas; `params` are the path parameters. */
interface ControlRequest<Body, Query> {
  readonly params: Readonly<Record<string, string>>;
  /** The path parameter `world`. Reading it throws a 404 `ControlError` for a name that no world can have. */
  readonly world: string;
  readonly query: Query;
  readonly body: Body;
  /** URL of this service on loopback, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Request headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** At most one of `body`, `text`, `bytes` and `events` is used; without them, the answer has no body. */
export interface AnswerParts {
  readonly body?: unknown;
  /** The body as text. It is sent as JSON unless `headers` has another `Content-Type`. */
  readonly text?: string;
  /** The body as bytes; its `Content-Type` must be in `headers`. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** For server-sent events: called once, with a `send` for each event. Returns a function that stops them. */
  readonly events?: (send: (event: ServerSentEvent) => void) => () => void;
}

/** An answer of a control operation that is not only a JSON value. */
export class ControlAnswer {
  readonly parts: AnswerParts;

  constructor(parts: AnswerParts) {
    this.parts = parts;
  }
}

/** An event in a stream of server-sent events (HTML standard, section 9.2). `event` is the type of the event. */
export interface ServerSentEvent {
  readonly id: number;
  readonly event: string;
  /** Data of the event: JSON on one line. */
  readonly text: string;
}

type OperationDeclaration<Schema extends z.ZodType, Query extends z.ZodObject> = Omit<
  ControlOperation,
  'tag' | 'method' | 'path' | 'handle' | 'body' | 'query'
> & {
  readonly body?: Schema;
  readonly query?: Query;
  handle(request: ControlRequest<z.output<Schema>, z.output<Query>>, deps: ControlDeps): unknown;
};

/** Gives `request.body` and `request.query` in `handle` the types of their schemas. */
export function operation<Schema extends z.ZodType, Query extends z.ZodObject>(
  tag: string,
  route: `${ControlOperation['method']} /${string}`,
  declared: OperationDeclaration<Schema, Query>,
): ControlOperation {
  const [method, path] = route.split(' ') as [ControlOperation['method'], string];
  return { ...declared, tag, method, path };
}

export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  world:
    'Name of the world, a separate copy of all people and data; `default` when in doubt. It is made when it is used',
  persona: 'Slug of a persona, or of a generated person such as `burger-7`',
  slug: 'Slug of the persona to copy',
  scenario: 'Name of the scenario',
  fault: 'Id of the fault, such as `fault-1`',
  referentie: 'Reference of the case; to decide it, also the persona whose undecided case it is',
  letter: 'Id of the letter in the list of letters',
  documentId: 'Id of the document, which the list of uploads has',
  sample: 'Name of the sample file, or `pdf`, `png` or `jpg` for a generated one',
  name: 'Name of the snapshot',
  until: 'A day, such as 2026-10-01, or a duration from today, such as +4months',
};

export const parametersIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Returns `path` with the values of its parameters. A parameter without a value stays as it is. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (all, name: string) =>
    params[name] === undefined ? all : encodeURIComponent(String(params[name])),
  );

export const withQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query}`;
