export const BASE = '/_simulator';
const TIMEOUT = 15_000;
const REMEDIES: Readonly<Record<number, string>> = {
  403: 'Open deze pagina op 127.0.0.1 of localhost, op de computer waar de simulator draait.',
  404: 'Kijk of de naam klopt. Misschien is het intussen verwijderd: vernieuw dan de pagina.',
  413: 'Kies een kleiner bestand.',
};

/** An error to show to the user. `errors` has each mistake in the request; `remedy` says what the user can do. */
export class PageError extends Error {
  readonly errors: { pointer?: string; detail: string }[];
  readonly remedy: string | null;
  readonly status: number | null;
  readonly unreachable: boolean;

  /** `status` is 0 when there was no answer, and null when there was no request. */
  constructor(message: string, remedy: string | null, errors: PageError['errors'] = [], status: number | null = null) {
    super(message);
    this.errors = errors;
    this.remedy = remedy;
    this.status = status;
    this.unreachable = status === 0;
  }
}

/**
 * A request of this page that may have changed data: to the control API (`path` is what comes after `/_simulator/`), or
 * to the service as a person (`as`, the value of `X-Subject` or `X-Medewerker`). `at` is in milliseconds since 1970.
 */
export type Change = { at: number; method: string; path: string; body?: unknown; as?: string };

const listeners: ((change: Change) => void)[] = [];

export const onChange = (listener: (change: Change) => void) => listeners.push(listener);

function notifyListeners(change: Change) {
  for (const listener of listeners) listener(change);
}

/** Resolves with the JSON of the control API below `/_simulator`, null when empty. Rejects with a `PageError`. */
export function api<Answer = unknown>(path: string, options: ApiOptions = {}) {
  const answer = send(path, options) as Promise<Answer>;
  underway.add(answer);
  const forget = () => underway.delete(answer);
  answer.then(forget, forget);
  return answer;
}

/** Resolves with a part of a list, and with the number of items of all parts (`total`). Rejects like `api`. */
export async function pageOf<Item>(path: string): Promise<{ items: Item[]; total: number }> {
  const { answer, content } = await control(path);
  return { items: JSON.parse(await content.text()), total: Number(answer.headers.get('X-Total-Count')) };
}

export const fileAt = async (path: string) => (await control(path)).content;

const underway: Set<Promise<unknown>> = new Set();

/** Resolves when all calls in progress have ended: one that arrives after a deletion would create the world again. */
export const pendingCalls = () => Promise.allSettled([...underway]);

type ApiOptions = { method?: string; body?: unknown };

async function send(path: string, { method = 'GET', body }: ApiOptions) {
  const at = Date.now();
  const text = await (await control(path, { method, body })).content.text();
  if (method !== 'GET') notifyListeners({ at, method, path, body });
  return text === '' ? null : JSON.parse(text);
}

async function control(path: string, { method = 'GET', body }: ApiOptions = {}) {
  const { answer, content } = await exchange(`${BASE}/${path}`, {
    method,
    ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (!answer.ok) throw toRefusal(answer, await content.text());
  return { answer, content };
}

async function exchange(url: string, options: RequestInit) {
  try {
    const answer = await fetch(url, options);
    return { answer, content: await answer.blob() };
  } catch {
    const remedy = 'Start hem met npm start (of npx --no-install zorgregister-bff) en probeer het opnieuw.';
    throw new PageError('De simulator is niet bereikbaar.', remedy, [], 0);
  }
}

function toRefusal(answer: Response, text: string) {
  const problem = parsed(text);
  const remedy = REMEDIES[answer.status] ?? null;
  const message = problem?.detail ?? problem?.title ?? `De simulator antwoordde met ${answer.status}.`;
  return new PageError(message, remedy, Array.isArray(problem?.errors) ? problem.errors : [], answer.status);
}

export function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Calls the service, without a timeout. An error status is an answer; rejects with a `PageError` without one. */
export async function callAs(
  path: string,
  headers: Record<string, string>,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
) {
  const [at, before] = [Date.now(), performance.now()];
  const isJson = body !== undefined && !(body instanceof FormData);
  const options: RequestInit = {
    method,
    headers: { ...headers, ...(isJson && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    credentials: 'omit',
  };
  const { answer, content } = await exchange(path, options);
  const text = await content.text();
  const as = headers['X-Subject'] ?? headers['X-Medewerker'];
  if (as !== undefined) notifyListeners({ at, method, path, body, as });
  return { status: answer.status, ms: Math.round(performance.now() - before), text };
}

export const inWorld = (world: string) => `worlds/${encodeURIComponent(world)}`;

export const UNDO_PREFIX = 'ongedaan-';
export const isUndoSnapshot = (name: string) => name.startsWith(UNDO_PREFIX);
