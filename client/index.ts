/** The typed client of the service, for a browser and for Node. */
import { AT_ROOT } from './api.ts';
import { NetworkError, retryAfterOf } from './errors.ts';
import { isForm, type SentBody, sentForm, sentUpload } from './form.ts';
import { personaHeaders } from './persona.ts';
import { problemOf } from './problem.ts';
import { fetchWithProgress } from './progress.ts';
import { withRetry } from './retry.ts';
import type { Call, CallOptions, Client, ClientOptions, Method, Result, Upload } from './types.ts';
import { randomUuid } from './uuid.ts';

export type * from './api.ts';
export { downloadName, NetworkError, ProblemError, retryAfterOf, unwrap } from './errors.ts';
export type { Fault } from './fault.ts';
export { type OwnPersonas, type Persona, personaHeaders } from './persona.ts';
export { PERSONAS } from './personas.ts';
export type { Problem, ProblemOf } from './problem.ts';
export { mutationOptions, queryKey, queryOptions } from './query.ts';
export type { Client, ClientOptions, Result, Upload } from './types.ts';
export { randomUuid } from './uuid.ts';

/**
 * Returns a client of the service at `baseUrl`. A request resolves with `data` when it succeeded, and with `problem`
 * when it was refused. It rejects with `NetworkError` when there is no answer of the service, with the reason of
 * `signal` when it is aborted, with a `TypeError` when a parameter of the path or the file of an upload is missing or a
 * header has a character that no header can have, and with the error of the `token` function, of reading the answer, or
 * with which the `fetch` of a framework redirects. Throws a `TypeError` when `baseUrl` is not text.
 *
 * @see http://127.0.0.1:3000/docs/guides/frontend.md of a running service, or docs/guides/frontend.md of its package
 */
export function createClient(options: ClientOptions): Client {
  // A variable of the environment that is not set is undefined, and in Vite its type is any.
  if (typeof options.baseUrl !== 'string') throw new TypeError(noBaseUrl(options.baseUrl));
  const origin = options.baseUrl.replace(/\/$/, '').replace(/\/api\/v1$/, '');

  async function call(method: Method, path: string, given: CallInput = {}): Promise<Result<never>> {
    const url = `${origin}${AT_ROOT.includes(path) ? '' : '/api/v1'}${pathWithParams(path, given)}`;
    const operation = `${method} ${path}`;
    const { body, signal, onProgress } = given;
    const sent = given.sent ?? (body === undefined ? null : await sentBody(body));
    const { fetch = globalThis.fetch } = options;
    if (fetch === undefined) throw new NetworkError('unsupported', NO_FETCH);
    const send = onProgress === undefined ? fetch : fetchWithProgress(onProgress, fetch);
    const attempt = async (): Promise<Response> => {
      const identity = await identityOf(options);
      const headers = defined({ ...identity, ...options.headers, ...sent?.headers, ...given.headers });
      // Without the value, which can be a token. `fetch` throws the same error for it as for no connection.
      const wrong = Object.keys(headers).find((name) => NOT_IN_HEADER.test(headers[name]?.trim() ?? ''));
      if (wrong !== undefined) throw new TypeError(`The header ${wrong} has a character that no header can have.`);
      // `fetch` of Node 24 leaves a rejected promise behind when it gets a form with a signal that is aborted already.
      signal?.throwIfAborted();
      // `no-store`: Next.js would otherwise keep the answer, and show one person's data to everyone who opens the page.
      const init = {
        method,
        headers,
        cache: 'no-store',
        ...(sent && { body: sent.body }),
        ...(signal && { signal }),
      } as const;
      return send(url, init).catch((error: unknown) => {
        throw signal?.aborted || isOfFramework(error) ? error : noAnswer(origin, options, error, operation);
      });
    };
    return resultOf(await withRetry(method === 'GET' ? (options.retry ?? 0) : 0, signal, attempt), url, operation);
  }

  async function upload({ file, name, onProgress, signal, ...of }: Upload): Promise<Result<never>> {
    // The first of a list of files has the type File, also when the list is empty. A File of jsdom is no Blob of Node.
    if (typeof file?.size !== 'number')
      throw new TypeError(`upload needs file, a File or a Blob; it is ${Object.prototype.toString.call(file)}.`);
    const fields = { wizardId: of.wizardId, categoryId: of.categoryId, localId: of.localId ?? randomUuid() };
    const sent = await sentUpload(fields, file, name ?? ('name' in file ? String(file.name) : 'bestand'));
    return call('POST', '/uploads', { sent, onProgress, signal });
  }

  const methodOf = <M extends Method>(method: M) => ((path, given) => call(method, path, given)) as Call<M>;
  return {
    GET: methodOf('GET'),
    POST: methodOf('POST'),
    PUT: methodOf('PUT'),
    DELETE: methodOf('DELETE'),
    upload,
    caller: callerOf(options),
    as: (persona) => createClient({ ...options, persona }),
  };
}

interface CallInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The body of an upload. */
  readonly sent?: SentBody;
  readonly onProgress?: Upload['onProgress'];
}

const callerOf = ({ persona, world }: ClientOptions): string | null =>
  persona === undefined ? null : persona.includes('@') || world === undefined ? persona : `${persona}@${world}`;

function pathWithParams(path: string, { params = {}, query = {} }: CallInput): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!params[name]) throw new TypeError(`${path} needs params.${name}, as in { params: { ${name}: '…' } }.`);
    return encodeURIComponent(params[name]);
  });
  const asked = search.toString();
  return asked === '' ? filled : `${filled}?${asked}`;
}

async function identityOf({ token, persona, world }: ClientOptions): Promise<Record<string, string>> {
  const bearer = typeof token === 'function' ? await token() : (token ?? (persona === undefined ? undefined : 'dev'));
  return {
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(persona !== undefined && personaHeaders(persona, world)),
  };
}

const NOT_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Returns the headers that have a value, and of names that differ only in case the last. `fetch` would send the text
 * `undefined`, and both values.
 */
function defined(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const last = new Map(Object.entries(headers).map((entry) => [entry[0].toLowerCase(), entry]));
  return Object.fromEntries([...last.values()].filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const sentBody = async (body: unknown): Promise<SentBody> =>
  isForm(body) ? sentForm(body) : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };

async function resultOf(response: Response, url: string, operation: string): Promise<Result<never>> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('text/html'))
    throw new NetworkError('other-server', `${otherServerAt(url, response.status)} (${operation})`);
  if (!response.ok)
    return { problem: await problemOf(response), operation, retryAfter: retryAfterOf(response), response };
  const read =
    response.status === 204 || type === '' ? undefined : /\bjson\b/.test(type) ? response.json() : response.blob();
  // The caller knows the type of the data by its path and method, which this function does not get.
  return { data: (await read) as never, response };
}

const noBaseUrl = (given: unknown): string =>
  `createClient needs baseUrl, the address that the service prints at its start, such as http://127.0.0.1:3000; it is ${given}. A variable of the environment that is not set is undefined.`;

/**
 * Returns true for what the `fetch` of a framework throws to redirect, or to render the page later: in Next.js an error
 * with `digest`, in SvelteKit and React Router an object with `status`.
 */
const isOfFramework = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && ('digest' in error || 'status' in error);

const noAnswer = (origin: string, { fetch }: ClientOptions, cause: unknown, operation: string): NetworkError =>
  /^(\/|$)/.test(origin) && fetch === undefined && (globalThis as { location?: unknown }).location === undefined
    ? new NetworkError('unsupported', NO_PAGE, { cause })
    : new NetworkError('unreachable', `${unreachable(origin)} (${operation})`, { cause });

const unreachable = (origin: string): string =>
  origin === '' || /^(https?:\/)?\//i.test(origin)
    ? noServerAt(origin)
    : `"${origin}" is not a valid address: the baseUrl of createClient must begin with http://, as in http://127.0.0.1:3000.`;

const NO_FETCH =
  'This environment has no fetch: run the test in Node (in Jest: testEnvironment "node", or "jest-fixed-jsdom"), or pass the option fetch of createClient.';

const NO_PAGE =
  'There is no page here whose origin the client could use (a server, or a test in Node): use the address that the service prints at its start as the baseUrl of createClient, or pass the option fetch.';

const noServerAt = (origin: string): string =>
  `Nothing answers at ${origin === '' ? 'this origin' : origin}, or the server there does not allow calls from this page. Start the service (npm start, or npx --no-install zorgregister-bff) and use the address that it prints as the baseUrl of createClient.`;

const otherServerAt = (url: string, status: number): string =>
  `${url} answered ${status} with a page: that is another server, such as the one of your frontend. Use the address that the service prints at its start as the baseUrl of createClient.`;
