import type { CreateApplicationRequest, KnownHeaders, Paths, UploadStatusItemDto } from './api.ts';
import type { Persona } from './persona.ts';
import type { Problem } from './problem.ts';

/** Options of `createClient`. */
export interface ClientOptions {
  /**
   * Address of the service, such as `http://127.0.0.1:3000` or the path of a proxy, `/portal`; with or without `/api/v1`.
   * Empty for the origin of the page: on a server, which has no page, it needs the option `fetch`.
   */
  readonly baseUrl: string;
  /**
   * Bearer token, or a function that returns one and is called for each attempt. With `persona`, it is `dev` by
   * default.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Persona that makes the requests, for a service with the simulated login. */
  readonly persona?: Persona | undefined;
  /**
   * World (a separate copy of all simulated people and data) of the persona; not used for a persona with a world of its
   * own, such as `sanne-de-wit@demo`.
   */
  readonly world?: string | undefined;
  /** Extra headers for each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Function that is used instead of the global `fetch`. An upload with `onProgress` does not use it where there is
   * XMLHttpRequest.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Maximum number of times that a GET is sent again after 429, 502, 503, 504 or a `NetworkError`; default 0. It waits
   * as `Retry-After` says, or else a quarter of a second, which doubles each time. It is not sent again when
   * `Retry-After` asks for more than 10 seconds.
   */
  readonly retry?: number | undefined;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type PathsOf<M extends Method> = { [P in keyof Paths]: M extends keyof Paths[P] ? P : never }[keyof Paths];
export type OperationOf<M extends Method, P extends keyof Paths> = M extends keyof Paths[P] ? Paths[P][M] : never;
export type DataOf<Operation> = Operation extends { data: infer Data } ? Data : never;

export interface CallOptions {
  /** Headers of this request. One that is undefined is not sent. */
  readonly headers?: (KnownHeaders & Readonly<Record<string, string | undefined>>) | undefined;
  readonly signal?: AbortSignal | undefined;
}
export type OptionsOf<Operation> = Omit<Operation, 'data'> & CallOptions;
/**
 * The arguments of a request after its path. The options may be left out when the operation has no required parameters
 * and no body.
 */
export type Arguments<Operation> =
  Record<never, never> extends OptionsOf<Operation>
    ? [options?: OptionsOf<Operation>]
    : [options: OptionsOf<Operation>];

/**
 * The result of a request: `data` when it succeeded or `problem` when it was refused, with the `response`. `retryAfter`
 * is the number of seconds after which a new attempt makes sense; null when the service did not say so.
 */
export type Result<Data> =
  | {
      readonly data: Data;
      readonly problem?: undefined;
      readonly operation?: undefined;
      readonly retryAfter?: undefined;
      readonly response: Response;
    }
  | {
      readonly data?: undefined;
      readonly problem: Problem;
      /** Method and path of the operation that was refused, such as `POST /herregistraties`. */
      readonly operation: string;
      readonly retryAfter: number | null;
      readonly response: Response;
    };

export type Call<M extends Method> = <P extends PathsOf<M>>(
  path: P,
  ...options: Arguments<OperationOf<M, P>>
) => Promise<Result<DataOf<OperationOf<M, P>>>>;

/** A file to upload, for a type of application (`wizardId`) and a category of documents. */
export interface Upload {
  /** A change of address has no documents. */
  readonly wizardId: CreateApplicationRequest['type'];
  readonly categoryId: string;
  /** Id of the upload, to choose by the caller; by default a new UUID. */
  readonly localId?: string | undefined;
  readonly file: Blob;
  /** Name of the file; by default that of `file`, or `bestand` when it has none. */
  readonly name?: string | undefined;
  /** Called with the sent fraction of the file, up to 1; without XMLHttpRequest, and in a page with MSW, only with 1. */
  readonly onProgress?: ((part: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A client of the service, such as `client.GET('/applications')`. A running service shows every operation at
 * http://127.0.0.1:3000/docs.
 *
 * @see http://127.0.0.1:3000/docs/guides/frontend.md of a running service, or docs/guides/frontend.md of its package
 */
export interface Client {
  readonly GET: Call<'GET'>;
  readonly POST: Call<'POST'>;
  readonly PUT: Call<'PUT'>;
  readonly DELETE: Call<'DELETE'>;
  /** Uploads one file. To send the same file again, pass the same `localId`; without one, each call has a new one. */
  upload(upload: Upload): Promise<Result<UploadStatusItemDto>>;
  /**
   * The persona of this client, with `@` and its world when it has one, such as `sanne-de-wit@demo`. Null for no
   * persona.
   */
  readonly caller: string | null;
  /** Returns a client with the same options, whose requests are made by another persona. */
  as(persona: Persona): Client;
}
