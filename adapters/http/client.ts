import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { type Call, newSpanId, type StopSignal } from '../../src/ports/call.ts';
import type { TlsOptions } from '../../src/ports/connection.ts';
import { Deadline } from '../../src/ports/deadline.ts';
import type { UpstreamStats } from '../../src/ports/meters.ts';
import { TIMING, type Timing } from '../../src/ports/timing.ts';
import type { NotUnderstood } from '../../src/wire/json.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { decode, isPlain, MAX_REFUSAL, readRefusal, StreamedAnswer, toStreamedAnswer } from './body.ts';
import type { BreakerOptions } from './breaker.ts';
import { BULKHEAD_LIMITS, createBulkhead, type RunOptions } from './bulkhead.ts';
import { createConnector } from './connector.ts';
import {
  isAnswer,
  type JsonClient,
  type JsonRequest,
  LARGE_CONTENT,
  limitsOf,
  parseAnswer,
  parseJsonOrUndefined,
  type ResponseHeaders,
  type UpstreamRequest,
  unexpectedStatus,
} from './request.ts';
import {
  bodyFailure,
  connectionFailure,
  hasReason,
  reasonOf,
  UpstreamFailure,
  unsentFailure,
} from './upstream-failure.ts';

/**
 * An HTTP client of one upstream, with a pool, timeouts, a retry where the request allows it, and answers of limited
 * size. A method throws `UpstreamError` when there is no usable answer, and `ClientDisconnected`.
 */
export interface HttpClient extends JsonClient {
  /**
   * Sends a request whose answer is not JSON. Resolves with a 200, 201 or 202 when its body starts to arrive, and with
   * the result of `request.otherwise` for another status.
   */
  open<Other = never>(request: UpstreamRequest<Other>, call: Call): Promise<StreamedAnswer | Other>;
  stats(): UpstreamStats;
  close(): Promise<void>;
}

export interface HttpClientOptions {
  readonly upstream: UpstreamName;
  readonly url: URL;
  /** Headers that are sent with every call, such as credentials and headers for a gateway; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Client certificate and trusted CA. The upstream's certificate is always verified, with TLS 1.2 or later. */
  readonly tls?: TlsOptions;
  /** Source of the `Authorization` header, for an upstream whose credential changes over time. */
  readonly credential?: Credential;
  /** Maximum number of calls in progress, including those that wait for a connection; default 128. */
  readonly calls?: number;
  /**
   * Maximum number of downloads, which do not count in `calls`; default 0. A download keeps its connection to its end.
   */
  readonly downloads?: number;
  /** Default a pool of undici. */
  readonly createPool?: CreatePool;
  readonly timing?: Timing;
  readonly breaker?: Partial<BreakerOptions>;
}

export type CreatePool = (
  origin: string,
  options: Pool.Options,
) => Pick<Pool, 'dispatch' | 'request' | 'stats'> & { destroy(): Promise<void> };

export interface Credential {
  /** Returns the header. Rejects with the signal's reason, and with `UpstreamError` when there is no credential. */
  authorization(signal: AbortSignal): Promise<string>;
  /** Returns true when a refusal means only that the credential has expired. The call is then sent once more. */
  isStale(status: number, json: unknown): boolean;
}

/** Creates the client of one upstream, with its own connection pool. Close it when the process stops. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const {
    upstream,
    url,
    headers: defaultHeaders,
    tls,
    credential,
    timing = TIMING,
    createPool = (origin, limits) => new Pool(origin, limits),
    calls = BULKHEAD_LIMITS.calls,
    downloads = BULKHEAD_LIMITS.downloads,
  } = options;
  const pool = createPool(url.origin, {
    connections: downloads > 0 ? calls + downloads : Math.min(JSON_CONNECTIONS, calls),
    connect: createConnector(timing.connect, tls),
    headersTimeout: timing.headers,
    bodyTimeout: timing.body,
  });
  const optionsOf = requestOptions(url, defaultHeaders, timing);
  const bulkhead = createBulkhead(upstream, { calls, downloads }, options.breaker);

  async function attempt<Body, Other>(
    request: JsonRequest<Body, Other>,
    context: CallContext,
    isRetry = false,
  ): Promise<Body | Other> {
    const { call } = context;
    const authorization = credential && (await credential.authorization(call.signal).catch(throwUnsent));
    const options = optionsOf(request, context, timing.body, authorization);
    const needsBody = request.otherwise !== undefined || credential !== undefined;
    const { status, headers, text } = await exchange(pool, options, {
      upstream,
      stop: call.stop,
      needsBody,
      maxBytes: limitsOf(request).bytes,
      refusalTimeout: timing.body,
    });
    if (isAnswer(status)) return parseAnswer(upstream, text ?? '', request, context);
    const json = parseJsonOrUndefined(text);
    if (!isRetry && credential?.isStale(status, json)) return attempt(request, context, true);
    return outcomeOf(request, context, { status, headers, json });
  }

  async function attemptStream<Other>(
    request: UpstreamRequest<Other>,
    context: CallContext,
    isRetry = false,
  ): Promise<StreamedAnswer | Other> {
    const { signal } = context.call;
    const authorization = credential && (await credential.authorization(signal).catch(throwUnsent));
    const headers = { 'accept-encoding': 'identity', ...request.headers };
    const options = optionsOf({ ...request, headers }, context, timing.downloadBody, authorization);
    // undici ignores the signal of a request that waits for a connection. With downloads, no request waits for one.
    const answer = await pool.request({ ...options, signal }).catch(throwFailure);
    const { statusCode: status, body } = answer;
    if (isAnswer(status)) return toStreamedAnswer(upstream, request.method, answer);
    const readsRefusals = hasReason(status) || request.otherwise !== undefined || credential !== undefined;
    // A body that is not read is discarded without waiting, so that the connection can be used again.
    if (!readsRefusals) body.dump({ limit: MAX_REFUSAL }).catch(() => undefined);
    const json = readsRefusals ? await readRefusal(answer, timing.body) : undefined;
    if (!isRetry && credential?.isStale(status, json)) return attemptStream(request, context, true);
    return outcomeOf(request, context, { status, headers: answer.headers, json });
  }

  function outcomeOf<Other>(
    request: UpstreamRequest<Other>,
    context: CallContext,
    { status, headers, json }: { readonly status: number; readonly headers: ResponseHeaders; readonly json: unknown },
  ): Other {
    const outcome = request.otherwise?.(status, json, headers);
    if (outcome === undefined) throw unexpectedStatus(upstream, status, headers, reasonOf(json));
    context.expectedStatus = status;
    return outcome;
  }

  const throwFailure = (error: unknown): never => {
    throw connectionFailure(upstream, error);
  };
  const throwUnsent = (error: unknown): never => {
    throw unsentFailure(upstream, error);
  };

  // The upstream closed the connection while it got a large content: this can be too large for it, and one large
  // document must not open the circuit breaker.
  const orTooLarge =
    ({ content }: UpstreamRequest<unknown>) =>
    (error: unknown): never => {
      const isClosed = error instanceof UpstreamFailure && error.lost && error.fault === 'unavailable';
      if (!isClosed || content === undefined || content.length < LARGE_CONTENT) throw error;
      const facts = { lost: true, requestOnly: true, tooLarge: 'possible' } as const;
      throw new UpstreamFailure(upstream, error.fault, error.why, facts);
    };

  return {
    ask(request, call) {
      const context = contextOf(request, call);
      return bulkhead.run(() => attempt(request, context).catch(orTooLarge(request)), context);
    },
    open(request, call) {
      const context: CallContext & RunOptions<unknown> = {
        ...contextOf(request, call),
        kind: request.method === 'GET' ? 'downloads' : 'calls',
        bodyOf: (answer) => (answer instanceof StreamedAnswer ? answer.bytes : null),
      };
      return bulkhead.run(() => attemptStream(request, context).catch(orTooLarge(request)), context);
    },
    stats() {
      const { connected, running } = pool.stats;
      return { upstream, ...bulkhead.stats(), connected, running };
    },
    close: () => pool.destroy(),
  };
}

// Maximum number of connections for JSON. More calls wait for one.
const JSON_CONNECTIONS = 64;

const contextOf = ({ method, path = '', operation, retry = false }: UpstreamRequest<unknown>, call: Call) => ({
  call,
  spanId: newSpanId(),
  expectedStatus: undefined,
  notUnderstood: undefined,
  retry,
  operation: operation ?? `${method} ${path.split('?', 1)[0]}`,
});

/** What an upstream call and its retry have in common. */
export interface CallContext {
  readonly call: Call;
  readonly spanId: string;
  /** The status to which `UpstreamRequest.otherwise` gave a meaning, for the record of the call. */
  expectedStatus: number | undefined;
  notUnderstood: readonly NotUnderstood[] | undefined;
}

/**
 * Headers of the request replace those in `defaultHeaders`, and these replace what the function makes itself, such as
 * `authorization`.
 */
function requestOptions(url: URL, defaultHeaders: Readonly<Record<string, string>>, timing: Timing) {
  const { origin } = url;
  const base = url.pathname.replace(/\/$/, '');

  return function optionsOf(
    { method, path = '', content, body, headers, headersTimeout = 'headers' }: UpstreamRequest<unknown>,
    { call, spanId }: CallContext,
    bodyTimeout: number,
    authorization: string | undefined,
  ): Dispatcher.RequestOptions {
    const sent: Record<string, string> = {
      accept: 'application/json',
      traceparent: `00-${call.traceId}-${spanId}-${call.traceFlags}`,
    };
    if (call.tracestate !== undefined) sent.tracestate = call.tracestate;
    if (body !== undefined) sent['content-type'] = 'application/json';
    if (content !== undefined) {
      sent['content-type'] = content.type;
      sent['content-length'] = String(content.length);
    }
    if (authorization !== undefined) sent.authorization = authorization;
    return {
      origin,
      method,
      path: path === '' ? url.pathname : base + path,
      headers: Object.assign(sent, defaultHeaders, headers),
      // undici takes any iterable, though its types do not say so.
      body: content === undefined ? toJson(body) : (content.bytes() as AsyncIterable<Uint8Array> & Readable),
      headersTimeout: timing[headersTimeout],
      bodyTimeout,
    };
  };
}

const toJson = (body: unknown): string | null => (body === undefined ? null : JSON.stringify(body));

interface TextAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /**
   * Undefined for a refusal (another status than 200, 201 and 202) whose body cannot be read, is too long, or is not
   * needed.
   */
  readonly text: string | undefined;
}

interface ExchangeOptions {
  readonly upstream: UpstreamName;
  readonly stop: StopSignal;
  /** False when only the status of a refusal is needed. Its body is then read only when it says why (`hasReason`). */
  readonly needsBody: boolean;
  /** Maximum number of bytes of the answer, also after decompression. */
  readonly maxBytes: number;
  /** Milliseconds until the end of the body of a refusal. */
  readonly refusalTimeout: number;
}

/**
 * Sends one request and returns its answer as text. Throws `UpstreamFailure` when no readable answer of at most
 * `maxBytes` arrives in time. Rejects as soon as the signal aborts, also while the request waits for a connection.
 * undici's `dispatch` costs much less than its `request`.
 */
const exchange = (
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<TextAnswer> =>
  new Promise((resolve, reject) => {
    const { upstream, stop } = options;
    if (stop.aborted) reject(unsentFailure(upstream, stop.reason));
    else dispatcher.dispatch(request, new ExchangeHandler(options, resolve, reject));
  });

const utf8 = new TextDecoder('utf-8', { fatal: true });

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: TextAnswer) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: ResponseHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #isSettled = false;
  // Ends the connection when the body of a refusal does not end.
  #refusalDeadline: Deadline | undefined;

  constructor(options: ExchangeOptions, resolve: (answer: TextAnswer) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.stop.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.#fail(this.#options.stop.reason);
    this.#abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request was aborted while it waited for a connection: it is not sent.
    if (this.#isSettled) this.#abort();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // An informational answer (1xx) comes before the real one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (isAnswer(status)) return;
    if (!this.#options.needsBody && !hasReason(status)) this.#settle(undefined);
    // A short body ends soon, and the connection can be used again. Without the body the status is enough.
    this.#refusalDeadline = new Deadline(this.#options.refusalTimeout, () =>
      controller.abort(new Error('a body without an end')),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= (isAnswer(this.#status) ? this.#options.maxBytes : MAX_REFUSAL)) {
      if (!this.#isSettled) this.#chunks.push(chunk);
      return;
    }
    this.#unreadable('body: too long');
    controller.abort(new UpstreamFailure(this.#options.upstream, 'unreadable', 'body: too long', { lost: true }));
  }

  onResponseEnd(): void {
    this.#refusalDeadline?.cancel();
    const [first, ...others] = this.#chunks;
    if (first === undefined) this.#settle('');
    else this.#decode(others.length === 0 ? first : Buffer.concat(this.#chunks));
  }

  #decode(bytes: Buffer): void {
    const coding = this.#headers['content-encoding'];
    if (isPlain(coding)) this.#read(bytes);
    else
      decode(bytes, coding, this.#options.maxBytes).then(
        (decoded) => this.#read(decoded),
        (error) => this.#unreadable(`body: ${error.message}`),
      );
  }

  // Not UTF-8 (RFC 8259, 8.1) is unreadable: replacing the wrong bytes would change a name or an address.
  #read(bytes: Buffer): void {
    try {
      this.#settle(utf8.decode(bytes));
    } catch {
      this.#unreadable('body: not UTF-8');
    }
  }

  // Rejects because the body cannot be read. For a refusal, resolves without the body instead.
  #unreadable(why: string): void {
    if (isAnswer(this.#status))
      this.#fail(new UpstreamFailure(this.#options.upstream, 'unreadable', why, { lost: true }));
    else this.#settle(undefined);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#refusalDeadline?.cancel();
    // The status of a refusal is enough when its body cannot be read.
    if (this.#status !== 0 && !isAnswer(this.#status)) this.#settle(undefined);
    else this.#fail(error);
  }

  #settle(text: string | undefined): void {
    if (this.#isSettled) return;
    this.#end();
    this.#resolve({ status: this.#status, headers: this.#headers, text });
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return;
    this.#end();
    // Without a controller the request was still waiting for a connection.
    const beforeAnswer = this.#controller === undefined ? unsentFailure : connectionFailure;
    const toFailure = this.#status === 0 ? beforeAnswer : bodyFailure;
    this.#reject(toFailure(this.#options.upstream, error));
  }

  #abort(): void {
    this.#controller?.abort(this.#options.stop.reason ?? new Error('aborted'));
  }

  #end(): void {
    this.#isSettled = true;
    this.#options.stop.removeEventListener('abort', this);
  }
}
