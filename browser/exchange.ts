import type { Params } from '../simulator/transport/paths.ts';
import {
  type Answer,
  type Exchange,
  JSON_TYPE,
  type RequestState,
  readTrace,
  type Transport,
} from '../src/http/exchange.ts';
import { bodyTooLarge, MAX_BODY } from '../src/http/request/body.ts';

/** A request and its response within a page, without a server or a socket. */
export interface PageExchange extends Exchange {
  readonly request: Request;
  /** The request headers, with those that identify the caller. */
  readonly sent: Headers;
  readonly state: RequestState;
  /** Sends a response whose body arrives in pieces. Called at most once, and only when the operation streams. */
  begin: (answer: Answer, body: ReadableStream<Uint8Array>) => void;
}

/** Without what a proxy would take off, such as `/portal` in `/portal/api/v1/notes`. */
export function pathOf(request: Request): string {
  const { pathname } = new URL(request.url);
  return pathname.slice(Math.max(0, pathname.search(/\/api\/v1\/|\/health(?:\/ready)?$/)));
}

/**
 * Returns a new exchange for a request of a page. `sent` are the request headers for the service, which also identify
 * the caller. `params` are the parameters in the path.
 */
export function exchangeOf(request: Request, sent: Headers, params: Params): PageExchange {
  const { search } = new URL(request.url);
  const trace = readTrace(sent.get('traceparent') ?? undefined);
  return {
    request,
    sent,
    begin: () => undefined,
    method: request.method,
    path: pathOf(request),
    params,
    querystring: search.slice(1),
    req: { headersDistinct: Object.fromEntries([...sent].map(([name, value]) => [name.toLowerCase(), [value]])) },
    state: { trace, headers: {}, upstream: [], decisions: [] },
    get: (name) => sent.get(name) ?? '',
  };
}

/** The functions with which the service reads a request and writes its answer within a page. */
export const PAGE: Transport<PageExchange> = {
  async readJsonBody({ request }) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > MAX_BODY) throw bodyTooLarge();
    return bytes;
  },

  async stream(http, bytes, answer) {
    const body = createBody();
    http.begin(answer, body.readable);
    let sent = 0;
    try {
      for await (const piece of bytes) {
        if (body.isCancelled() || http.request.signal.aborted) return 'client-left';
        body.push(piece.slice());
        sent += piece.length;
      }
      if (sent !== answer.length) throw new Error('body is not as long as its Content-Length');
      body.end();
      return 'complete';
    } catch (error) {
      http.state.error = error;
      body.end(error);
      return 'failed';
    }
  },

  onDisconnect({ request: { signal } }, listener) {
    if (signal.aborted) listener();
    signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  },
};

/** Returns the `Response` for the page, with `stream` as its body if there is one, or else the body of `answer`. */
export function responseOf(
  { method, state }: PageExchange,
  { status, body, length, headers: own = {} }: Answer,
  stream?: ReadableStream<Uint8Array>,
): Response {
  const headers = new Headers({ ...state.headers, ...own });
  if (stream !== undefined) {
    headers.set('Content-Length', String(length));
    return new Response(stream, { status, headers });
  }
  if (body === undefined) {
    if (status !== 204) headers.set('Content-Length', String(length ?? 0));
    return new Response(null, { status, headers });
  }
  const isReady = typeof body === 'string' || body instanceof Uint8Array;
  if (!isReady) headers.set('Content-Type', JSON_TYPE);
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  headers.set('Content-Length', String(bytes.length));
  return new Response(method === 'HEAD' ? null : Uint8Array.from(bytes), { status, headers });
}

// It keeps all pieces until the page reads them. An incomplete body ends with an error, so that it cannot be taken for
// a complete document.
function createBody() {
  const pieces: Uint8Array[] = [];
  let end: { readonly error?: unknown } | undefined;
  let isCancelled = false;
  let wake = (): void => undefined;
  const readable = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (pieces.length === 0 && end === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (end?.error === undefined) controller.close();
      else controller.error(end.error);
    },
    cancel() {
      isCancelled = true;
    },
  });
  return {
    readable,
    isCancelled: () => isCancelled,
    push(piece: Uint8Array): void {
      pieces.push(piece);
      wake();
    },
    end(error?: unknown): void {
      end = { error };
      wake();
    },
  };
}
