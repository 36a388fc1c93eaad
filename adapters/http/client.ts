import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { Call } from '../../src/ports/call.ts';
import type { OpenDocument } from '../../src/ports/documents.ts';
import type { UpstreamStats } from '../../src/ports/meters.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import type { BreakerOptions } from './breaker.ts';
import { BULKHEAD_LIMITS, createBulkhead } from './bulkhead.ts';
import { exchange } from './exchange.ts';
import type { TlsOptions } from './fetch-json.ts';
import { orAborted } from './or-aborted.ts';
import { firstByte, MAX_REFUSAL, parsedOrUndefined, readRefusal } from './read-body.ts';
import {
  BODY_TIMEOUT,
  HEADERS_TIMEOUT,
  isAnswer,
  type JsonClient,
  type JsonRequest,
  parseAnswer,
  type ResponseHeaders,
  type UpstreamRequest,
  unexpectedStatus,
} from './request.ts';
import { connectionFailure, UpstreamFailure } from './upstream-failure.ts';

/**
 * The HTTP client for every upstream: a bounded connection pool, timeouts, one retry where that is allowed, no headers
 * but those listed, and answers of limited size that are parsed. Every failure is thrown as `UpstreamError`.
 */
export interface HttpClient extends JsonClient {
  /**
   * Resolves with an answer that is not JSON when its body starts to arrive, or with what `otherwise` returns for
   * another status.
   */
  open<Other = never>(request: UpstreamRequest<Other>, call: Call): Promise<StreamedAnswer | Other>;
  /** Current figures, for the metrics. */
  stats(): UpstreamStats;
  close(): Promise<void>;
}

/** An answer whose body the caller reads as a stream. */
export interface StreamedAnswer {
  readonly headers: ResponseHeaders;
  /** Ends with an error when the upstream breaks off, or sends nothing for the body timeout. */
  readonly bytes: Readable;
}

/** A class, so that `instanceof` separates a streamed answer from what `otherwise` returns for another status. */
class StreamedAnswerBody implements StreamedAnswer {
  readonly headers: ResponseHeaders;
  readonly bytes: Readable;

  constructor(headers: ResponseHeaders, bytes: Readable) {
    this.headers = headers;
    this.bytes = bytes;
  }
}

/** Options of `createHttpClient`. */
export interface HttpClientOptions {
  readonly upstream: UpstreamName;
  readonly url: URL;
  /** Sent with every call, such as credentials and headers that a gateway needs; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Client certificate and trusted CA. The upstream's certificate is always verified, with TLS 1.2 or later. */
  readonly tls?: TlsOptions;
  /** Makes the `Authorization` header, for an upstream where it changes over time. */
  readonly credential?: Credential;
  /** Maximum number of calls in flight, including those that wait for one of 64 connections; default 128. */
  readonly calls?: number;
  /**
   * Maximum number of downloads in flight, counted apart from `calls`; default 0. A download keeps its connection for
   * as long as its reader takes, so the pool then has one connection for every call and every download.
   */
  readonly downloads?: number;
  /** Makes the connection pool; absent: one of undici. A simulated upstream can be reached without sockets. */
  readonly createPool?: CreatePool;
  /** Changes to the documented defaults of the circuit breaker, for tests. */
  readonly breaker?: Partial<BreakerOptions>;
}

/** Makes what carries the requests to an origin, with the limits in `options`. */
export type CreatePool = (
  origin: string,
  options: Pool.Options,
) => Pick<Pool, 'dispatch' | 'request' | 'stats'> & { destroy(): Promise<void> };

/** Makes the `Authorization` header of an upstream. */
export interface Credential {
  /** Returns the value of the header. Rejects with the signal's reason when the signal aborts. */
  authorization(signal: AbortSignal): Promise<string>;
  /** True when a refusal means only that the credential has expired; the call is then sent once more with a new one. */
  isStale(status: number, json: unknown): boolean;
}

/** Returns a streamed answer as a document; `omvang` is null when the answer has no valid `Content-Length`. */
export function toOpenDocument({ headers, bytes }: StreamedAnswer): OpenDocument {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return { omvang: Number.isSafeInteger(length) ? length : null, bytes };
}

/** Content types that proxies and error handlers send with a 200. No stored document has such a type. */
const NOT_A_DOCUMENT = /^(text\/html|application\/([\w.-]+\+)?json)\b/i;

/** Creates the client of one upstream, with a connection pool of its own. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const {
    upstream,
    url,
    headers: defaultHeaders,
    tls,
    credential,
    createPool = (origin, limits) => new Pool(origin, limits),
    calls = BULKHEAD_LIMITS.calls,
    downloads = BULKHEAD_LIMITS.downloads,
  } = options;
  const hasDownloads = downloads > 0;
  const connections = hasDownloads ? calls + downloads : Math.min(BULKHEAD_LIMITS.connections, calls);
  const pool = createPool(url.origin, {
    connections,
    connect: { timeout: 500, minVersion: 'TLSv1.2', rejectUnauthorized: true, ...tls },
    headersTimeout: HEADERS_TIMEOUT,
    bodyTimeout: BODY_TIMEOUT.json,
  });
  const base = url.pathname.replace(/\/$/, '');
  const bulkhead = createBulkhead(upstream, { connections, calls, downloads }, options.breaker);

  async function optionsOf(
    { method, path = '', content, body, headers, headersTimeout }: UpstreamRequest<unknown>,
    call: Call,
    bodyTimeout: number,
  ): Promise<Dispatcher.RequestOptions> {
    const sent: Record<string, string> = {
      accept: 'application/json',
      traceparent: `00-${call.traceId}-${spanId()}-${call.traceFlags}`,
    };
    if (body !== undefined) sent['content-type'] = 'application/json';
    if (content !== undefined) {
      sent['content-type'] = content.type;
      sent['content-length'] = String(content.length);
    }
    if (credential !== undefined) sent.authorization = await credential.authorization(call.signal);
    return {
      origin: url.origin,
      method,
      path: base + path + url.search,
      headers: Object.assign(sent, defaultHeaders, headers),
      // undici takes any iterable, though its types do not say so.
      body: content === undefined ? toJson(body) : (content.bytes() as AsyncIterable<Uint8Array> & Readable),
      headersTimeout: headersTimeout ?? HEADERS_TIMEOUT,
      bodyTimeout,
    };
  }

  /**
   * Sends the request once. Returns the parsed body of a 200, 201 or 202, or what `otherwise` returns for another
   * status; else throws an `UpstreamFailure`. Sends it a second time when the credential had expired.
   */
  async function attempt<Body, Other>(
    request: JsonRequest<Body, Other>,
    call: Call,
    isRetry = false,
  ): Promise<Body | Other> {
    const options = await optionsOf(request, call, BODY_TIMEOUT.json).catch(asFailure);
    const readsRefusals = request.otherwise !== undefined || credential !== undefined;
    const answer = await exchange(pool, options, { upstream, signal: call.signal, readsRefusals });
    const { status, headers, text } = answer;
    if (isAnswer(status)) return parseAnswer(upstream, text ?? '', request);
    const json = readsRefusals ? parsedOrUndefined(text) : undefined;
    if (!isRetry && credential?.isStale(status, json)) return attempt(request, call, true);
    const meaning = request.otherwise?.(status, json, headers);
    if (meaning !== undefined) return meaning;
    throw unexpectedStatus(upstream, status, headers);
  }

  /** Does the same for an answer that is read as a stream. */
  async function attemptStream<Other>(
    request: UpstreamRequest<Other>,
    call: Call,
    isRetry = false,
  ): Promise<StreamedAnswerBody | Other> {
    const options = await optionsOf(request, call, BODY_TIMEOUT.stream).catch(asFailure);
    const response = pool.request({ ...options, signal: call.signal });
    // undici ignores the signal of a request that waits for a connection, so abort the waiting here.
    const answer = await (bulkhead.mayQueue() ? orAborted(response, call.signal) : response).catch(asFailure);
    const { statusCode: status, headers, body } = answer;
    if (isAnswer(status)) return opened(headers, body);
    if (request.otherwise === undefined && credential === undefined) {
      // Only the status is needed. The body is discarded without waiting, so that the connection can be used again.
      body.dump({ limit: MAX_REFUSAL }).catch(() => undefined);
    } else {
      const json = await readRefusal(body);
      if (!isRetry && credential?.isStale(status, json)) return attemptStream(request, call, true);
      const meaning = request.otherwise?.(status, json, headers);
      if (meaning !== undefined) return meaning;
    }
    throw unexpectedStatus(upstream, status, headers);
  }

  async function opened(headers: ResponseHeaders, body: Dispatcher.ResponseData['body']): Promise<StreamedAnswerBody> {
    // The reader receives this error too. Without a listener, an error before there is a reader would end the process.
    body.on('error', () => undefined);
    if (NOT_A_DOCUMENT.test(String(headers['content-type']))) {
      body.destroy();
      throw new UpstreamFailure(upstream, 'unreadable', 'a page instead of a document');
    }
    await firstByte(upstream, body);
    return new StreamedAnswerBody(headers, body);
  }

  const asFailure = (error: unknown): never => {
    throw connectionFailure(upstream, error);
  };

  return {
    ask: (request, call) => bulkhead.run(() => attempt(request, call), { retry: request.retry ?? false, call }),
    open: (request, call) =>
      bulkhead.run(() => attemptStream(request, call), {
        retry: request.retry ?? false,
        call,
        kind: request.method === 'GET' ? 'downloads' : 'calls',
        bodyOf: (answer) => (answer instanceof StreamedAnswerBody ? answer.bytes : null),
      }),
    stats() {
      const { connected, running } = pool.stats;
      return { upstream, ...bulkhead.stats(), connected, running };
    },
    close: () => pool.destroy(),
  };
}

const toJson = (body: unknown): string | null => (body === undefined ? null : JSON.stringify(body));

/**
 * Returns a random W3C span id: 16 hexadecimal digits. `randomUUID` is cached by Node; `randomBytes` is a system call
 * each time.
 */
const spanId = (): string => randomUUID().replaceAll('-', '').slice(16);
