import type { Params } from '../simulator/transport/paths.ts';
import type { Answer } from '../src/http/answer.ts';
import type { Exchange, Transport } from '../src/http/exchange.ts';
import { bodyTooLarge, MAX_BODY, notUtf8 } from '../src/http/request/body.ts';
import type { RequestState } from '../src/http/state.ts';
import { readTrace } from '../src/http/trace.ts';

/** A request and its response within a page, without a server or a socket. */
export interface PageExchange extends Exchange {
  readonly request: Request;
  readonly headers: Headers;
  readonly state: RequestState;
  /** The streamed body; absent when the operation did not stream. */
  streamed?: StreamedBody;
}

interface StreamedBody {
  readonly answer: Answer;
  readonly pieces: readonly Uint8Array[];
  /** The error that interrupted the body; undefined when the body is complete. */
  readonly error: unknown;
}

/**
 * Returns a new exchange for a request of a page. `sent` are the request headers for the service, which also identify
 * the caller. `params` are the parameters in the path.
 */
export function exchangeOf(request: Request, sent: Headers, params: Params): PageExchange {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers();
  return {
    request,
    headers,
    method: request.method,
    path: pathname,
    params,
    querystring: search.slice(1),
    req: { headersDistinct: Object.fromEntries([...sent].map(([name, value]) => [name.toLowerCase(), [value]])) },
    state: { trace: readTrace(sent.get('traceparent') ?? undefined), upstream: [], decisions: [] },
    get: (name) => sent.get(name) ?? '',
    set: (name, value) => headers.set(name, value),
  };
}

/** The functions with which the service reads a request and writes its answer within a page. */
export const PAGE: Transport<PageExchange> = {
  async readJsonBody({ request }) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > MAX_BODY) throw bodyTooLarge();
    return { text: textOf(bytes) };
  },

  async stream(http, bytes, answer) {
    const pieces: Uint8Array[] = [];
    let sent = 0;
    let error: unknown;
    try {
      for await (const piece of bytes) {
        pieces.push(piece.slice());
        sent += piece.length;
      }
      if (sent !== answer.length) throw new Error('body is not as long as its Content-Length');
    } catch (thrown) {
      error = thrown;
      http.state.error = thrown;
    }
    http.streamed = { answer, pieces, error };
    return error === undefined ? 'complete' : 'failed';
  },

  onDisconnect({ request: { signal } }, listener) {
    if (signal.aborted) listener();
    signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  },
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

/** Returns the `Response` for the page, with the streamed body if there is one, or else the body of `answer`. */
export function responseOf({ method, headers, streamed }: PageExchange, answer: Answer): Response {
  const { status, body, length, headers: own = {} } = streamed?.answer ?? answer;
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  if (streamed !== undefined) headers.set('Content-Length', String(length));
  if (body === undefined) {
    if (streamed === undefined && status !== 204) headers.set('Content-Length', String(length ?? 0));
    return new Response(streamed && method !== 'HEAD' ? toStream(streamed) : null, { status, headers });
  }
  const isReady = typeof body === 'string' || body instanceof Uint8Array;
  if (!isReady) headers.set('Content-Type', 'application/json; charset=utf-8');
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  headers.set('Content-Length', String(bytes.length));
  return new Response(method === 'HEAD' ? null : Uint8Array.from(bytes), { status, headers });
}

/**
 * Returns a stream of a collected body. An incomplete body ends with an error, so that it cannot be taken for a
 * complete document.
 */
function toStream({ pieces, error }: StreamedBody): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (error === undefined) controller.close();
    },
    pull(controller) {
      if (error !== undefined) controller.error(error);
    },
  });
}
