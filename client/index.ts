/** The client of the service, for a browser and for Node: what can be called, what to send and what comes back, and `fetch`. */
import { AT_ROOT, type KnownHeaders, type Paths } from './api.ts';
import { type Persona, personaHeaders } from './persona.ts';
import { type Problem, problemOf } from './problem.ts';

export type * from './api.ts';
export { type Persona, personaHeaders } from './persona.ts';
export type { Fault, Problem } from './problem.ts';
export type { Sent } from './sent.ts';

export interface ClientOptions {
  /** Where the service is: `http://127.0.0.1:3000`. Empty for the page's own origin. */
  readonly baseUrl: string;
  /** The bearer token, or what gets one for each call. A persona needs none. */
  readonly token?: string | (() => string | Promise<string>);
  /** Who calls, where a stand-in tells who that is. */
  readonly persona?: Persona;
  /** In which world, unless the persona says so itself. */
  readonly world?: string;
  /** More headers, for every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Another `fetch` than the global one. */
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
/** Nothing to pass where nothing is needed. */
type Arguments<Operation> =
  Record<never, never> extends OptionsOf<Operation>
    ? [options?: OptionsOf<Operation>]
    : [options: OptionsOf<Operation>];

/** One of `data` and `problem`, whichever it was; and the answer itself, for its headers. */
export type Result<Data> =
  | { readonly data: Data; readonly problem?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly problem: Problem; readonly response: Response };

type Call<M extends Method> = <P extends PathsOf<M>>(
  path: P,
  ...options: Arguments<OperationOf<M, P>>
) => Promise<Result<DataOf<OperationOf<M, P>>>>;

export interface Client {
  readonly GET: Call<'GET'>;
  readonly POST: Call<'POST'>;
  readonly PUT: Call<'PUT'>;
  readonly DELETE: Call<'DELETE'>;
  /** The same client for somebody else. */
  as(persona: Persona): Client;
}

/**
 * A client of the service at `baseUrl`. A call resolves with `data` or with `problem`, and rejects only when nothing that
 * could be the service answers.
 */
export function createClient(options: ClientOptions): Client {
  const origin = options.baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '');

  async function call(method: Method, path: string, given: CallInput = {}): Promise<Result<never>> {
    const url = `${origin}${AT_ROOT.includes(path) ? '' : '/api/v1'}${filledIn(path, given)}`;
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

/** What any operation may be called with. */
interface CallInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

function filledIn(path: string, { params = {}, query = {} }: CallInput): string {
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

/** `fetch` writes the type of a form itself. */
const typeOf = (body: unknown): Record<string, string> =>
  body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' };

async function resultOf(response: Response, url: string): Promise<Result<never>> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('text/html')) throw new Error(notOurs(url, response.status));
  if (!response.ok) return { problem: await problemOf(response), response };
  const read =
    response.status === 204 || type === '' ? undefined : /\bjson\b/.test(type) ? response.json() : response.blob();
  return { data: (await read) as never, response };
}

/** Written without a scheme it is a path below the page, or a scheme that nobody knows (`localhost:`). */
const unreachable = (origin: string): string =>
  origin === '' || /^(https?:\/)?\//i.test(origin)
    ? nobodyAt(origin)
    : `"${origin}" is no address to call: make the baseUrl of createClient begin with http://, as in http://127.0.0.1:3000.`;

const nobodyAt = (origin: string): string =>
  `Nothing answers at ${origin === '' ? 'this origin' : origin}, or it does not let this page call. Start the service (npm start, or npx zorgregister-bff, tells its address) and make that the baseUrl of createClient.`;

const notOurs = (url: string, status: number): string =>
  `${url} answered ${status} with a page: that is another server, such as the one of your frontend. Make the address that the service tells when it starts the baseUrl of createClient.`;
