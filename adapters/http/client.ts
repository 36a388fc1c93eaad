import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { Call } from '../../src/ports/call.ts';
import type { OpenDocument } from '../../src/ports/documents.ts';
import type { UpstreamStats } from '../../src/ports/meters.ts';
import type { Bron } from '../../src/wire/values.ts';
import type { BreakerOptions } from './breaker.ts';
import { BULKHEAD_LIMITS, createBulkhead } from './bulkhead.ts';
import type { TlsOptions } from './fetch-json.ts';
import { orAborted } from './or-aborted.ts';
import { firstByte, MAX_ANSWER, MAX_REFUSAL, readBody, readRefusal } from './read-body.ts';
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
 * The one door to every upstream: a bounded pool, deadlines, one retry where that is allowed, an exact list of headers,
 * answers bounded and parsed. Whatever goes wrong comes out as `UpstreamError`.
 */
export interface HttpClient extends JsonClient {
  /** Begins to read an answer that is no JSON: a 200, or what `otherwise` makes of another status. */
  open<Other = never>(request: UpstreamRequest<Other>, call: Call): Promise<StreamedAnswer | Other>;
  /** How it is at this moment, for whoever watches. */
  stats(): UpstreamStats;
  close(): Promise<void>;
}

export interface StreamedAnswer {
  readonly headers: ResponseHeaders;
  /** Ends with an error when the upstream breaks off or stands still. */
  readonly bytes: Readable;
}

/** An `StreamedAnswer` that is told apart from what `otherwise` makes of another status. */
class StreamedAnswerBody implements StreamedAnswer {
  readonly headers: ResponseHeaders;
  readonly bytes: Readable;

  constructor(headers: ResponseHeaders, bytes: Readable) {
    this.headers = headers;
    this.bytes = bytes;
  }
}

export interface HttpClientOptions {
  readonly bron: Bron;
  readonly url: URL;
  /** Credentials and whatever a gateway wants on every call; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who we are, and whom the source may be; it is always verified, and TLS 1.2 at least. */
  readonly tls?: TlsOptions;
  /** For a source that wants something new in `Authorization` on every call. */
  readonly credential?: Credential;
  /** Calls to this upstream at the same time, those that wait for one of 64 connections included; 128 unless told. */
  readonly calls?: number;
  /**
   * For an upstream whose answers are read for as long as a client reads them: so many downloads at the same time, beside its
   * calls, each with a connection of its own. Neither can use the connections of the other.
   */
  readonly downloads?: number;
  /** Other than what is promised, for tests. */
  readonly breaker?: Partial<BreakerOptions>;
}

export interface Credential {
  /** Gives up, with its reason, when the signal aborts. */
  authorization(signal: AbortSignal): Promise<string>;
  /** Whether a refusal says no more than that it was too old; then a new one is tried, once. */
  isStale(status: number, json: unknown): boolean;
}

/** What has been opened, as a document that can be read. */
export function toOpenDocument({ headers, bytes }: StreamedAnswer): OpenDocument {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return { omvang: Number.isSafeInteger(length) ? length : null, bytes };
}

/** What proxies and error handlers say with a 200; no document that we keep is of such a type. */
const NOT_A_DOCUMENT = /^(text\/html|application\/([\w.-]+\+)?json)\b/i;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const {
    bron,
    url,
    headers: fixed,
    tls,
    credential,
    calls = BULKHEAD_LIMITS.calls,
    downloads = BULKHEAD_LIMITS.downloads,
  } = options;
  const streams = downloads > 0;
  const connections = streams ? calls + downloads : Math.min(BULKHEAD_LIMITS.connections, calls);
  const pool = new Pool(url.origin, {
    connections,
    connect: { timeout: 500, minVersion: 'TLSv1.2', rejectUnauthorized: true, ...tls },
    headersTimeout: HEADERS_TIMEOUT,
    bodyTimeout: BODY_TIMEOUT.json,
    ...(!streams && { maxResponseSize: MAX_ANSWER }),
  });
  const base = url.pathname.replace(/\/$/, '');
  const bulkhead = createBulkhead(bron, { connections, calls, downloads }, options.breaker);

  async function send(
    request: UpstreamRequest<unknown>,
    call: Call,
    bodyTimeout: number,
  ): Promise<Dispatcher.ResponseData> {
    const { content, body } = request;
    try {
      const asked = pool.request({
        method: request.method,
        path: base + (request.path ?? '') + url.search,
        headers: {
          accept: 'application/json',
          traceparent: `00-${call.traceId}-${spanId()}-${call.traceFlags}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(content !== undefined && { 'content-type': content.type, 'content-length': String(content.length) }),
          ...(credential !== undefined && { authorization: await credential.authorization(call.signal) }),
          ...fixed,
          ...request.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // undici takes any iterable, though its types do not say so.
        ...(content !== undefined && { body: content.bytes() as AsyncIterable<Uint8Array> & Readable }),
        ...(request.headersTimeout !== undefined && { headersTimeout: request.headersTimeout }),
        bodyTimeout,
        signal: call.signal,
      });
      // One that waits for a connection does not look at its signal until it has one.
      return await (bulkhead.mayQueue() ? orAborted(asked, call.signal) : asked);
    } catch (error) {
      throw connectionFailure(bron, error);
    }
  }

  /** One attempt at an answer that counts; else what another status means, or a failure that knows whether to try again. */
  async function attempt<Answer, Other>(
    request: UpstreamRequest<Other>,
    call: Call,
    bodyTimeout: number,
    take: (answer: Dispatcher.ResponseData) => Promise<Answer>,
    isSecond = false,
  ): Promise<Answer | Other> {
    const answer = await send(request, call, bodyTimeout);
    const { statusCode: status, headers, body } = answer;
    if (isAnswer(status)) return take(answer);
    if (request.otherwise === undefined && credential === undefined) {
      // The status says enough; the rest is read to keep the connection, and nobody waits for it.
      body.dump({ limit: MAX_REFUSAL }).catch(() => undefined);
    } else {
      const json = await readRefusal(body);
      if (!isSecond && credential?.isStale(status, json)) return attempt(request, call, bodyTimeout, take, true);
      const meaning = request.otherwise?.(status, json, headers);
      if (meaning !== undefined) return meaning;
    }
    throw unexpectedStatus(bron, status, headers);
  }

  return {
    ask: (request, call) =>
      bulkhead.run(
        () =>
          attempt(request, call, BODY_TIMEOUT.json, async ({ body }) =>
            parseAnswer(bron, await readBody(bron, body, streams), request),
          ),
        { retry: request.retry ?? false, call },
      ),
    open: (request, call) =>
      bulkhead.run(
        () =>
          attempt(request, call, BODY_TIMEOUT.stream, async ({ headers, body }) => {
            // A reader gets this error too; without this listener it would end the process when there is no reader.
            body.on('error', () => undefined);
            if (NOT_A_DOCUMENT.test(String(headers['content-type']))) {
              body.destroy();
              throw new UpstreamFailure(bron, 'unreadable', 'a page instead of a document');
            }
            await firstByte(bron, body);
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
      return { bron, ...bulkhead.stats(), connected, running };
    },
    close: () => pool.destroy(),
  };
}

/** Sixteen hexadecimal digits. Node keeps random UUIDs in store; fresh bytes cost a system call each. */
const spanId = (): string => randomUUID().replaceAll('-', '').slice(16);
