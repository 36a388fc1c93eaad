/** The typed client of the service, on `fetch`, for a browser and for Node. */
import { AT_ROOT, type KnownHeaders, type Paths } from './api.ts';
import { type Persona, personaHeaders } from './persona.ts';
import { type Problem, problemOf } from './problem.ts';

export type * from './api.ts';
export { type OwnPersonas, type Persona, personaHeaders } from './persona.ts';
export type { Fault, Problem, ProblemOf } from './problem.ts';

/** The options of `createClient`. */
export interface ClientOptions {
  /** Origin of the service, such as `http://127.0.0.1:3000`. An empty text means the origin of the page. */
  readonly baseUrl: string;
  /** Bearer token, or a function that is called before each request and returns one. Not needed with `persona`. */
  readonly token?: string | (() => string | Promise<string>);
  /** Persona that makes the requests, for a service with the stand-in for identity (development). */
  readonly persona?: Persona;
  /**
   * World (tenant of the simulator) of the persona. Not used for a persona with a world, such as `sanne-de-wit@demo`.
   */
  readonly world?: string;
  /** Extra headers for each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Function that is used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type PathsOf<M extends Method> = { [P in keyof Paths]: M extends keyof Paths[P] ? P : never }[keyof Paths];
type OperationOf<M extends Method, P extends keyof Paths> = M extends keyof Paths[P] ? Paths[P][M] : never;
type DataOf<Operation> = Operation extends { data: infer Data } ? Data : never;

interface CallOptions {
  readonly headers?: KnownHeaders & Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
type OptionsOf<Operation> = Omit<Operation, 'data'> & CallOptions;
/** The arguments after the path: options, which may be left out when an operation needs no parameters and no body. */
type Arguments<Operation> =
  Record<never, never> extends OptionsOf<Operation>
    ? [options?: OptionsOf<Operation>]
    : [options: OptionsOf<Operation>];

/** The result of a request: `data` when it succeeded, else `problem`; and the response with its headers. */
export type Result<Data> =
  | { readonly data: Data; readonly problem?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly problem: Problem; readonly response: Response };

type Call<M extends Method> = <P extends PathsOf<M>>(
  path: P,
  ...options: Arguments<OperationOf<M, P>>
) => Promise<Result<DataOf<OperationOf<M, P>>>>;

/** A client of the service: one function per HTTP method, called with a path of the interface. */
export interface Client {
  readonly GET: Call<'GET'>;
  readonly POST: Call<'POST'>;
  readonly PUT: Call<'PUT'>;
  readonly DELETE: Call<'DELETE'>;
  /** Returns a new client with the same options and another persona. */
  as(persona: Persona): Client;
}

/**
 * Returns a client of the service at `baseUrl`. A request resolves with `data` or with `problem`. It rejects only when
 * it is aborted or when the service does not answer at that URL.
 */
export function createClient(options: ClientOptions): Client {
  const origin = options.baseUrl.replace(/\/$/, '').replace(/\/api\/v1$/, '');

  async function call(method: Method, path: string, given: CallInput = {}): Promise<Result<never>> {
    const url = `${origin}${AT_ROOT.includes(path) ? '' : '/api/v1'}${pathWithParams(path, given)}`;
    const { fetch = globalThis.fetch } = options;
    const response = await fetch(url, {
      method,
      headers: { ...(await identityOf(options)), ...options.headers, ...typeOf(given.body), ...given.headers },
      ...(given.body !== undefined && {
        body: given.body instanceof FormData ? given.body : JSON.stringify(given.body),
      }),
      ...(given.signal && { signal: given.signal }),
    }).catch((error: unknown) => {
      throw given.signal?.aborted ? error : new Error(unreachable(origin), { cause: error });
    });
    return resultOf(response, url);
  }

  const methodOf = <M extends Method>(method: M) => ((path, given) => call(method, path, given)) as Call<M>;
  return {
    GET: methodOf('GET'),
    POST: methodOf('POST'),
    PUT: methodOf('PUT'),
    DELETE: methodOf('DELETE'),
    as: (persona) => createClient({ ...options, persona }),
  };
}

/** The input of a request to any operation. */
interface CallInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** Returns the path with the values of its parameters and the query string. */
function pathWithParams(path: string, { params = {}, query = {} }: CallInput): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

async function identityOf({ token, persona, world }: ClientOptions): Promise<Record<string, string>> {
  const bearer = typeof token === 'function' ? await token() : (token ?? (persona === undefined ? undefined : 'dev'));
  return {
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(persona !== undefined && personaHeaders(persona, world)),
  };
}

/** Returns a Content-Type header for a JSON body; no header for a form, because `fetch` sets it with the boundary. */
const typeOf = (body: unknown): Record<string, string> =>
  body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' };

async function resultOf(response: Response, url: string): Promise<Result<never>> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('text/html')) throw new Error(otherServerAt(url, response.status));
  if (!response.ok) return { problem: await problemOf(response), response };
  const read =
    response.status === 204 || type === '' ? undefined : /\bjson\b/.test(type) ? response.json() : response.blob();
  return { data: (await read) as never, response };
}

/**
 * Returns the error message for a service that does not answer. The message is different for an origin without a
 * scheme: `fetch` would read `localhost:` as the scheme.
 */
const unreachable = (origin: string): string =>
  origin === '' || /^(https?:\/)?\//i.test(origin)
    ? noServerAt(origin)
    : `"${origin}" is not a valid address: the baseUrl of createClient must begin with http://, as in http://127.0.0.1:3000.`;

const noServerAt = (origin: string): string =>
  `Nothing answers at ${origin === '' ? 'this origin' : origin}, or the server there does not allow calls from this page. Start the service (npm start, or npx zorgregister-bff) and use the address that it prints as the baseUrl of createClient.`;

const otherServerAt = (url: string, status: number): string =>
  `${url} answered ${status} with a page: that is another server, such as the one of your frontend. Use the address that the service prints at its start as the baseUrl of createClient.`;
