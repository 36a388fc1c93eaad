import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { Call } from '../../src/ports/call.ts';
import type { OpenDocument } from '../../src/ports/documents.ts';
import type { UpstreamStats } from '../../src/ports/meters.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import type { BreakerOptions } from './breaker.ts';
import { BULKHEAD_LIMITS, createBulkhead } from './bulkhead.ts';
import type { TlsOptions } from './fetch-json.ts';
import { orAborted } from './or-aborted.ts';
import { firstByte, MAX_ANSWER, MAX_REFUSAL, readAnswerBody, readRefusal } from './read-body.ts';
import {
  BODY_TIMEOUT,
  HEADERS_TIMEOUT,
  isAnswer,
  type JsonClient,
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
) => Pick<Pool, 'request' | 'stats'> & { destroy(): Promise<void> };

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
    ...(!hasDownloads && { maxResponseSize: MAX_ANSWER }),
  });
  const base = url.pathname.replace(/\/$/, '');
  const bulkhead = createBulkhead(upstream, { connections, calls, downloads }, options.breaker);

  async function send(
    request: UpstreamRequest<unknown>,
    call: Call,
    bodyTimeout: number,
  ): Promise<Dispatcher.ResponseData> {
    const { content, body } = request;
    try {
      const response = pool.request({
        method: request.method,
        path: base + (request.path ?? '') + url.search,
        headers: {
          accept: 'application/json',
          traceparent: `00-${call.traceId}-${spanId()}-${call.traceFlags}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(content !== undefined && { 'content-type': content.type, 'content-length': String(content.length) }),
          ...(credential !== undefined && { authorization: await credential.authorization(call.signal) }),
          ...defaultHeaders,
          ...request.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // undici takes any iterable, though its types do not say so.
        ...(content !== undefined && { body: content.bytes() as AsyncIterable<Uint8Array> & Readable }),
        ...(request.headersTimeout !== undefined && { headersTimeout: request.headersTimeout }),
        bodyTimeout,
        signal: call.signal,
      });
      // undici ignores the signal of a request that waits for a connection, so abort the waiting here.
      return await (bulkhead.mayQueue() ? orAborted(response, call.signal) : response);
    } catch (error) {
      throw connectionFailure(upstream, error);
    }
  }

  /**
   * Sends the request once. Returns what `take` makes of a 200, 201 or 202, or what `otherwise` returns for another
   * status; else throws an `UpstreamFailure`. Sends it a second time when the credential had expired.
   */
  async function attempt<Answer, Other>(
    request: UpstreamRequest<Other>,
    call: Call,
    bodyTimeout: number,
    take: (answer: Dispatcher.ResponseData) => Promise<Answer>,
    isRetry = false,
  ): Promise<Answer | Other> {
    const answer = await send(request, call, bodyTimeout);
    const { statusCode: status, headers, body } = answer;
    if (isAnswer(status)) return take(answer);
    if (request.otherwise === undefined && credential === undefined) {
      // Only the status is needed. The body is discarded without waiting, so that the connection can be used again.
      body.dump({ limit: MAX_REFUSAL }).catch(() => undefined);
    } else {
      const json = await readRefusal(body);
      if (!isRetry && credential?.isStale(status, json)) return attempt(request, call, bodyTimeout, take, true);
      const meaning = request.otherwise?.(status, json, headers);
      if (meaning !== undefined) return meaning;
    }
    throw unexpectedStatus(upstream, status, headers);
  }

  return {
    ask: (request, call) =>
      bulkhead.run(
        () =>
          attempt(request, call, BODY_TIMEOUT.json, async ({ body }) =>
            parseAnswer(upstream, await readAnswerBody(upstream, body, hasDownloads), request),
          ),
        { retry: request.retry ?? false, call },
      ),
    open: (request, call) =>
      bulkhead.run(
        () =>
          attempt(request, call, BODY_TIMEOUT.stream, async ({ headers, body }) => {
            // The reader receives this error too. Without a listener, an error before there is a reader would end the
            // process.
            body.on('error', () => undefined);
            if (NOT_A_DOCUMENT.test(String(headers['content-type']))) {
              body.destroy();
              throw new UpstreamFailure(upstream, 'unreadable', 'a page instead of a document');
            }
            await firstByte(upstream, body);
            return new StreamedAnswerBody(headers, body);
          }),
        {
          retry: request.retry ?? false,
          call,
          kind: request.method === 'GET' ? 'downloads' : 'calls',
          bodyOf: (answer) => (answer instanceof StreamedAnswerBody ? answer.bytes : null),
        },
      ),
    stats() {
      const { connected, running } = pool.stats;
      return { upstream, ...bulkhead.stats(), connected, running };
    },
    close: () => pool.destroy(),
  };
}

/**
 * Returns a random W3C span id: 16 hexadecimal digits. `randomUUID` is cached by Node; `randomBytes` is a system call
 * each time.
 */
const spanId = (): string => randomUUID().replaceAll('-', '').slice(16);
