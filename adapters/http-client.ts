import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, errors, Pool } from 'undici';
import type * as z from 'zod';
import { type Call, CallerGone, DeadlinePassed, UpstreamError, type UpstreamFault } from '../src/ports/call.ts';
import type { Bron } from '../src/wire/values.ts';

/**
 * The one door to every upstream: a bounded pool, deadlines, one retry where that is allowed, an exact list of headers,
 * answers bounded and parsed. Whatever goes wrong comes out as `UpstreamError`.
 */
export interface HttpClient {
  ask<Body, Missing = never>(request: UpstreamRequest<Body, Missing>, call: Call): Promise<Body | Missing>;
  close(): Promise<void>;
}

export interface UpstreamRequest<Body, Missing> {
  readonly method: 'GET' | 'POST';
  /** After the path of the upstream's URL; segments encoded by `segment`. */
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a 200 must look like. */
  readonly schema: z.ZodType<Body>;
  /** What a 404 means; without it a 404 is a wrong path, and so no answer at all. */
  readonly missing?: Missing;
  /** One more try on a connection that failed or a 502, 503, 504. For calls that only read. */
  readonly retry?: boolean;
}

export interface HttpClientOptions {
  readonly bron: Bron;
  readonly url: URL;
  /** Credentials and whatever a gateway wants on every call. */
  readonly headers: Readonly<Record<string, string>>;
}

const CONNECTIONS = 64;
/** Calls that may wait for a connection; one more is refused at once. */
const QUEUE = 64;
const MAX_ANSWER = 10 * 1024 * 1024;
/** Milliseconds before the second try, spread so that many callers do not return at once. */
const RETRY_WAIT = { least: 50, spread: 100 };
/** Retries stay under a tenth of all calls, so that a source in trouble is not pushed further (design.md, "Deadlines"). */
const RETRY_BUDGET = { perCall: 0.1, most: 10 };

export function createHttpClient({ bron, url, headers: fixed }: HttpClientOptions): HttpClient {
  const pool = new Pool(url.origin, {
    connections: CONNECTIONS,
    connect: { timeout: 500 },
    headersTimeout: 1_500,
    bodyTimeout: 1_500,
    maxResponseSize: MAX_ANSWER,
  });
  const base = url.pathname.replace(/\/$/, '');
  let underway = 0;
  let retryTokens = 1;

  /** One attempt: the parsed body, or a failure that knows whether another attempt makes sense. */
  async function attempt<Body, Missing>(request: UpstreamRequest<Body, Missing>, call: Call): Promise<Body | Missing> {
    const { statusCode, headers, body } = await send(request, call);
    if (statusCode === 200) return parse(bron, await read(bron, body), request.schema);
    await body.dump({ limit: 64 * 1024 }).catch(() => undefined);
    if (statusCode === 404 && request.missing !== undefined) return request.missing;
    if (statusCode < 400) throw new Failed(bron, 'unreadable', `status ${statusCode}`, { status: statusCode });
    const again = statusCode >= 502 && statusCode <= 504;
    throw new Failed(bron, 'unavailable', `status ${statusCode}`, {
      status: statusCode,
      again,
      retryAfter: headers['retry-after'],
    });
  }

  async function send(request: UpstreamRequest<unknown, unknown>, call: Call): Promise<Dispatcher.ResponseData> {
    try {
      return await pool.request({
        method: request.method,
        path: base + (request.path ?? '') + url.search,
        headers: {
          accept: 'application/json',
          traceparent: `00-${call.traceId}-${randomBytes(8).toString('hex')}-${call.traceFlags}`,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...fixed,
          ...request.headers,
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        signal: call.signal,
      });
    } catch (error) {
      throw noAnswer(bron, error);
    }
  }

  return {
    async ask(request, call) {
      const start = performance.now();
      let attempts = 0;
      const once = async () => {
        attempts += 1;
        return attempt(request, call);
      };
      if (underway >= CONNECTIONS + QUEUE)
        throw new Failed(bron, 'unavailable', 'too many calls under way', { retryAfter: '1' });
      underway += 1;
      retryTokens = Math.min(RETRY_BUDGET.most, retryTokens + RETRY_BUDGET.perCall);
      try {
        const answer = await once().catch(async (error) => {
          if (!request.retry || !(error instanceof Failed && error.again) || retryTokens < 1) throw error;
          retryTokens -= 1;
          await setTimeout(RETRY_WAIT.least + Math.random() * RETRY_WAIT.spread, undefined, {
            signal: call.signal,
          }).catch(() => {
            throw error;
          });
          return once();
        });
        call.record({ bron, outcome: 200, ms: performance.now() - start, attempts });
        return answer;
      } catch (error) {
        if (error instanceof UpstreamError) {
          const outcome = error instanceof Failed && error.status !== undefined ? error.status : error.fault;
          call.record({ bron, outcome, ms: performance.now() - start, attempts });
        }
        throw error;
      } finally {
        underway -= 1;
      }
    },
    close: () => pool.destroy(),
  };
}

interface FailureFacts {
  readonly status?: number;
  /** Whether another try may well succeed. */
  readonly again?: boolean;
  readonly retryAfter?: string | string[] | undefined;
}

class Failed extends UpstreamError {
  readonly status: number | undefined;
  readonly again: boolean;

  constructor(bron: Bron, fault: UpstreamFault, why: string, facts: FailureFacts = {}) {
    super(bron, fault, why, secondsOf(facts.retryAfter));
    this.status = facts.status;
    this.again = facts.again ?? false;
  }
}

/** `Retry-After` in seconds, within reason; as a date or out of bounds it is not passed on. */
function secondsOf(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === 'string' && /^\d{1,4}$/.test(header) ? Number(header) : undefined;
  return seconds !== undefined && seconds >= 1 && seconds <= 300 ? seconds : undefined;
}

const LATE = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);
/** Nothing can have been done yet, or a kept connection was closed under us: asking again is safe for a read. */
const AGAIN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** What happened when no answer began. */
function noAnswer(bron: Bron, error: unknown): Error {
  if (error instanceof CallerGone) return error;
  if (error instanceof DeadlinePassed) return new Failed(bron, 'late', 'deadline of the request');
  if (error instanceof errors.HTTPParserError) return new Failed(bron, 'unreadable', 'not HTTP');
  const code = codeOf(error);
  return new Failed(bron, LATE.has(code) ? 'late' : 'unavailable', code, { again: AGAIN.has(code) });
}

/** Reads a body to its end. One that breaks off or stops is an answer that cannot be read; one that never stops is late. */
async function read(bron: Bron, body: Dispatcher.ResponseData['body']): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    if (error instanceof DeadlinePassed) throw new Failed(bron, 'late', 'deadline of the request');
    throw new Failed(bron, 'unreadable', `body: ${codeOf(error)}`);
  }
}

/** JSON of the agreed shape, or nothing. The paths of what is wrong are kept for the log, the values are not. */
function parse<Body>(bron: Bron, text: string, schema: z.ZodType<Body>): Body {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Failed(bron, 'unreadable', 'not JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 5).map((issue) => `/${issue.path.join('/')} ${issue.code}`);
  throw new Failed(bron, 'unreadable', `not the agreed shape at ${where.join(', ')}`);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no connection';

/** One segment of a path. Whatever it holds, it stays one segment. */
export const segment = (value: string): string =>
  value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value);
