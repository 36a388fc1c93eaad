import type { ApplicationType, KnownHeaders, Paths, UploadStatusItemDto } from './api.ts';
import type { Persona } from './persona.ts';
import type { Problem } from './problem.ts';

/** Settings of a client: the address of the service, and who calls it. */
export interface ClientOptions {
  /**
   * Origin of the service, such as `http://127.0.0.1:3000`, with or without `/api/v1`. An empty text means the origin
   * of the page.
   */
  readonly baseUrl: string;
  /**
   * Bearer token, or a function that returns one and is called before each attempt to send a request. Not needed with
   * `persona`: the client then sends the token `dev`.
   */
  readonly token?: string | (() => string | Promise<string>);
  /** Persona that makes the requests, for a service with the simulated login (development). */
  readonly persona?: Persona;
  /**
   * World (tenant of the simulator) of the persona; by default the world `default`. Not used for a persona with a world
   * of its own, such as `sanne-de-wit@demo`.
   */
  readonly world?: string;
  /** Extra headers for each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Function that is used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Maximum number of times that a GET is sent again after 429, 502, 503, 504 or a lost connection; default 0. Each
   * retry waits as long as `Retry-After` says, or else a quarter of a second, which doubles each time. When the wait
   * would be more than 10 seconds, the GET is not sent again.
   */
  readonly retry?: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type PathsOf<M extends Method> = { [P in keyof Paths]: M extends keyof Paths[P] ? P : never }[keyof Paths];
export type OperationOf<M extends Method, P extends keyof Paths> = M extends keyof Paths[P] ? Paths[P][M] : never;
export type DataOf<Operation> = Operation extends { data: infer Data } ? Data : never;

export interface CallOptions {
  readonly headers?: KnownHeaders & Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
export type OptionsOf<Operation> = Omit<Operation, 'data'> & CallOptions;
/**
 * The arguments of a request after its path: the options. They may be left out when the operation has no required
 * parameters and no body.
 */
export type Arguments<Operation> =
  Record<never, never> extends OptionsOf<Operation>
    ? [options?: OptionsOf<Operation>]
    : [options: OptionsOf<Operation>];

/**
 * The result of a request: `data` when it succeeded, or `problem` when the service refused it; and `response`, with the
 * status and headers. `retryAfter` is the number of seconds after which a new attempt makes sense; null when the
 * service did not say so.
 */
export type Result<Data> =
  | { readonly data: Data; readonly problem?: undefined; readonly retryAfter?: undefined; readonly response: Response }
  | {
      readonly data?: undefined;
      readonly problem: Problem;
      readonly retryAfter: number | null;
      readonly response: Response;
    };

export type Call<M extends Method> = <P extends PathsOf<M>>(
  path: P,
  ...options: Arguments<OperationOf<M, P>>
) => Promise<Result<DataOf<OperationOf<M, P>>>>;

/** A file to upload, and the type of application (`wizardId`) and the category of documents that it is for. */
export interface Upload {
  readonly wizardId: ApplicationType;
  readonly categoryId: string;
  readonly localId?: string;
  readonly file: Blob;
  /** Name of the file; by default the name in `file`, or `bestand` when that has none. */
  readonly name?: string;
  /** Called with the sent fraction of the file, from 0 to 1. Outside a browser it is called only with 1, at the end. */
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * A client of the service: one function per HTTP method, called with a path of the interface, such as
 * `client.GET('/applications')`.
 */
export interface Client {
  readonly GET: Call<'GET'>;
  readonly POST: Call<'POST'>;
  readonly PUT: Call<'PUT'>;
  readonly DELETE: Call<'DELETE'>;
  /**
   * Uploads one file. To send the same file again, pass the same `localId`: the service then stores it once. Without a
   * `localId` the client generates a new one for each call.
   */
  upload(upload: Upload): Promise<Result<UploadStatusItemDto>>;
  /**
   * The persona of this client, followed by `@` and its world (tenant of the simulator) when it has one, such as
   * `sanne-de-wit@demo`. Null for a client without a persona.
   */
  readonly caller: string | null;
  /** Returns a new client with the same options and another persona. */
  as(persona: Persona): Client;
}
