import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import type * as z from 'zod';
import { type Call, UpstreamError, type UpstreamFault } from '../src/ports/call.ts';
import type { OpenDocument } from '../src/ports/documents.ts';
import type { Bron } from '../src/wire/values.ts';
import { Failed, noAnswer, secondsOf } from './failure.ts';
import type { TlsOptions } from './fetch-json.ts';
import { firstByte, MAX_ANSWER, MAX_REFUSAL, parse, read, readRefusal } from './reading.ts';

/**
 * The one door to every upstream: a bounded pool, deadlines, one retry where that is allowed, an exact list of headers,
 * answers bounded and parsed. Whatever goes wrong comes out as `UpstreamError`.
 */
export interface HttpClient {
  ask<Body, Other = never>(request: UpstreamRequest<Body, Other>, call: Call): Promise<Body | Other>;
  /** Begins to read an answer that is no JSON: a 200, or what `otherwise` makes of another status. */
  open<Other = never>(request: Opening<Other>, call: Call): Promise<Opened | Other>;
  close(): Promise<void>;
}

/** What every call says. */
interface Question<Other> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** After the path of the upstream's URL; segments encoded by `segment`. */
  readonly path?: string;
  /** JSON. */
  readonly body?: unknown;
  /** Instead of `body`: bytes that come from elsewhere, made anew for every attempt. */
  readonly content?: Content;
  /** In lower case; these win over the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What any other status than 200, 201 and 202 means, with its JSON where it has any; undefined: it is no answer. */
  otherwise?(status: number, json: unknown, headers: ResponseHeaders): Other | undefined;
  /** Milliseconds to wait for the answer to begin, where the usual 1,500 would give up on work that is being done. */
  readonly patience?: number;
  /** One more try on a connection that failed or a 502, 503, 504. For what may be done twice. */
  readonly retry?: boolean;
}

export interface UpstreamRequest<Body, Other> extends Question<Other> {
  /** What a 200, 201 or 202 must look like. */
  readonly schema: z.ZodType<Body>;
  /** Whether a well-formed answer is about what was asked; if not, it is no answer. */
  check?(body: Body): boolean;
}

type Opening<Other> = Question<Other>;

export type ResponseHeaders = Dispatcher.ResponseData['headers'];

/** A body of a known length, which may be too large to hold. */
export interface Content {
  readonly type: string;
  readonly length: number;
  bytes(): AsyncIterable<Uint8Array>;
}

export interface Opened {
  readonly headers: ResponseHeaders;
  /** Ends with an error when the upstream breaks off or stands still. */
  readonly bytes: Readable;
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
  /** For a source whose answers are read for as long as somebody reads them; it then has more of these. */
  readonly streams?: { readonly connections: number };
}

export interface Credential {
  /** Gives up, with its reason, when the signal aborts. */
  authorization(signal: AbortSignal): Promise<string>;
  /** Whether a refusal says no more than that it was too old; then a new one is tried, once. */
  isStale(status: number, json: unknown): boolean;
}

/** What has been opened, as a document that can be read. */
export function toOpen({ headers, bytes }: Opened): OpenDocument {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return { omvang: Number.isSafeInteger(length) ? length : null, bytes };
}

/** What a 404 means, where it is an answer: `otherwise: missing(null)`. */
export const missing =
  <Other>(value: Other) =>
  (status: number): Other | undefined =>
    status === 404 ? value : undefined;

/** The upstream has read what was sent and will not have it; every other 4xx is about how it was sent. */
export const refused =
  <Other>(value: Other) =>
  (status: number): Other | undefined =>
    status === 400 || status === 409 || status === 422 ? value : undefined;

const CONNECTIONS = 64;
/** Calls that may wait for a connection; one more is refused at once. */
const QUEUE = 64;
/** Milliseconds that an answer may stand still: less for what is checked as a whole than for what is read as it comes. */
const STANDSTILL = { json: 1_500, stream: 10_000 };
/** Milliseconds before the second try, spread so that many callers do not return at once. */
const RETRY_WAIT = { least: 50, spread: 100 };
/** Retries stay under a tenth of all calls, so that a source in trouble is not pushed further (design.md, "Deadlines"). */
const RETRY_BUDGET = { perCall: 0.1, most: 5 };
/** A source that asks for more seconds than this gets no second try from us. */
const RETRY_PATIENCE = 1;

export function createHttpClient({
  bron,
  url,
  headers: fixed,
  tls,
  credential,
  streams,
}: HttpClientOptions): HttpClient {
  const connections = streams?.connections ?? CONNECTIONS;
  const pool = new Pool(url.origin, {
    connections,
    connect: { timeout: 500, minVersion: 'TLSv1.2', rejectUnauthorized: true, ...tls },
    headersTimeout: 1_500,
    bodyTimeout: STANDSTILL.json,
    ...(streams === undefined && { maxResponseSize: MAX_ANSWER }),
  });
  const base = url.pathname.replace(/\/$/, '');
  let underway = 0;
  let retryTokens = 1;

  async function send(request: Question<unknown>, call: Call, bodyTimeout: number): Promise<Dispatcher.ResponseData> {
    const { content, body } = request;
    try {
      return await pool.request({
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
        ...(content !== undefined && { body: Readable.from(content.bytes(), { objectMode: false }) }),
        ...(request.patience !== undefined && { headersTimeout: request.patience }),
        bodyTimeout,
        signal: call.signal,
      });
    } catch (error) {
      throw noAnswer(bron, error);
    }
  }

  /** One attempt at an answer that counts; else what another status means, or a failure that knows whether to try again. */
  async function attempt<Answer, Other>(
    request: Question<Other>,
    call: Call,
    bodyTimeout: number,
    take: (answer: Dispatcher.ResponseData) => Promise<Answer>,
    isSecond = false,
  ): Promise<Answer | Other> {
    const answer = await send(request, call, bodyTimeout);
    const { statusCode: status, headers, body } = answer;
    if (status === 200 || status === 201 || status === 202) return take(answer);
    if (request.otherwise === undefined && credential === undefined) {
      // The status says enough; the rest is read to keep the connection, and nobody waits for it.
      body.dump({ limit: MAX_REFUSAL }).catch(() => undefined);
    } else {
      const json = await readRefusal(body);
      if (!isSecond && credential?.isStale(status, json)) return attempt(request, call, bodyTimeout, take, true);
      const meaning = request.otherwise?.(status, json, headers);
      if (meaning !== undefined) return meaning;
    }
    if (status < 400) throw new Failed(bron, 'unreadable', `status ${status}`, { status });
    throw new Failed(bron, 'unavailable', `status ${status}`, {
      status,
      again: status >= 502 && status <= 504,
      retryAfter: secondsOf(headers['retry-after']),
      undone: status < 500,
    });
  }

  /** At most two attempts. */
  async function withRetry<Answer>(request: Question<unknown>, call: Call, once: () => Promise<Answer>) {
    try {
      return await once();
    } catch (error) {
      if (!request.retry || !(error instanceof Failed) || !error.again || retryTokens < 1) throw error;
      if ((error.retryAfter ?? 0) > RETRY_PATIENCE) throw error;
      retryTokens -= 1;
      const wait = (error.retryAfter ?? 0) * 1_000 + RETRY_WAIT.least + Math.random() * RETRY_WAIT.spread;
      await setTimeout(wait, undefined, { signal: call.signal }).catch(() => {
        throw error;
      });
      return await once();
    }
  }

  /** Counts a call while it is under way, and writes down what it came to. */
  async function counted<Answer>(request: Question<unknown>, call: Call, once: () => Promise<Answer>): Promise<Answer> {
    const start = performance.now();
    let attempts = 0;
    const record = (outcome: number | UpstreamFault | 'aborted') =>
      call.record({ bron, outcome, ms: performance.now() - start, attempts });
    try {
      if (underway >= connections + QUEUE) {
        throw new Failed(bron, 'unavailable', 'too many calls under way', { retryAfter: 1, undone: true });
      }
      underway += 1;
      retryTokens = Math.min(RETRY_BUDGET.most, retryTokens + RETRY_BUDGET.perCall);
      try {
        const answer = await withRetry(request, call, () => {
          attempts += 1;
          return once();
        });
        record(200);
        return answer;
      } finally {
        underway -= 1;
      }
    } catch (error) {
      if (error instanceof UpstreamError) record(error instanceof Failed && error.status ? error.status : error.fault);
      else record('aborted');
      throw error;
    }
  }

  return {
    ask: (request, call) =>
      counted(request, call, () =>
        attempt(request, call, STANDSTILL.json, async ({ body }) => {
          const answer = parse(bron, await read(bron, body, streams !== undefined), request.schema);
          if (request.check?.(answer) === false) throw new Failed(bron, 'unreadable', 'about something else');
          return answer;
        }),
      ),
    open: (request, call) =>
      counted(request, call, () =>
        attempt(request, call, STANDSTILL.stream, async ({ headers, body }) => {
          // Whoever reads hears of it; without a listener it would end the process when nobody does.
          body.on('error', () => undefined);
          await firstByte(bron, body);
          return { headers, bytes: body };
        }),
      ),
    close: () => pool.destroy(),
  };
}

/** Sixteen hexadecimal digits. Node keeps random UUIDs in store; fresh bytes cost a system call each. */
const spanId = (): string => randomUUID().replaceAll('-', '').slice(16);

/** One segment of a path. Whatever it holds, it stays one segment. */
export const segment = (value: string): string =>
  value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value.toWellFormed());
