import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, errors, Pool } from 'undici';
import type * as z from 'zod';
import {
  type Call,
  CallerGone,
  DeadlinePassed,
  UpstreamError,
  type UpstreamFacts,
  type UpstreamFault,
} from '../src/ports/call.ts';
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
  /** What a 200, 201 or 202 must look like. */
  readonly schema: z.ZodType<Body>;
  /** Whether a well-formed answer is about what was asked; if not, it is no answer. */
  check?(body: Body): boolean;
  /** What a 404 means; without it a 404 is a wrong path, and so no answer at all. */
  readonly missing?: Missing;
  /** What a refusal of what was sent means (400, 409, 422); without it that too is no answer. */
  readonly refused?: Missing;
  /** Milliseconds to wait for the answer to begin, where the usual 1,500 would give up on work that is being done. */
  readonly patience?: number;
  /** One more try on a connection that failed or a 502, 503, 504. For calls that only read. */
  readonly retry?: boolean;
}

export interface HttpClientOptions {
  readonly bron: Bron;
  readonly url: URL;
  /** Credentials and whatever a gateway wants on every call; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The upstream has read what was sent and will not have it; every other 4xx is about how it was sent. */
const REFUSALS = new Set([400, 409, 422]);

const CONNECTIONS = 64;
/** Calls that may wait for a connection; one more is refused at once. */
const QUEUE = 64;
/** Far above any honest answer: reading and checking more would hold up everybody else. */
const MAX_ANSWER = 2 * 1024 * 1024;
/** Milliseconds before the second try, spread so that many callers do not return at once. */
const RETRY_WAIT = { least: 50, spread: 100 };
/** Retries stay under a tenth of all calls, so that a source in trouble is not pushed further (design.md, "Deadlines"). */
const RETRY_BUDGET = { perCall: 0.1, most: 5 };
/** A source that asks for more seconds than this gets no second try from us. */
const RETRY_PATIENCE = 1;

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

  async function send(request: UpstreamRequest<unknown, unknown>, call: Call): Promise<Dispatcher.ResponseData> {
    try {
      return await pool.request({
        method: request.method,
        path: base + (request.path ?? '') + url.search,
        headers: {
          accept: 'application/json',
          traceparent: `00-${call.traceId}-${spanId()}-${call.traceFlags}`,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...fixed,
          ...request.headers,
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        ...(request.patience !== undefined && { headersTimeout: request.patience }),
        signal: call.signal,
      });
    } catch (error) {
      throw noAnswer(bron, error);
    }
  }

  /** One attempt: the parsed body, or a failure that knows whether another attempt makes sense. */
  async function attempt<Body, Missing>(request: UpstreamRequest<Body, Missing>, call: Call): Promise<Body | Missing> {
    const { statusCode: status, headers, body } = await send(request, call);
    if (status === 200 || status === 201 || status === 202) {
      const answer = parse(bron, await read(bron, body), request.schema);
      if (request.check?.(answer) === false) throw new Failed(bron, 'unreadable', 'about something else');
      return answer;
    }
    // The status says enough; the rest is read to keep the connection, and nobody waits for it.
    body.dump({ limit: 64 * 1024 }).catch(() => undefined);
    if (status === 404 && request.missing !== undefined) return request.missing;
    if (REFUSALS.has(status) && request.refused !== undefined) return request.refused;
    if (status < 400) throw new Failed(bron, 'unreadable', `status ${status}`, { status });
    throw new Failed(bron, 'unavailable', `status ${status}`, {
      status,
      again: status >= 502 && status <= 504,
      retryAfter: secondsOf(headers['retry-after']),
      undone: status < 500,
    });
  }

  /** At most two attempts. */
  async function withRetry<Body, Missing>(request: UpstreamRequest<Body, Missing>, call: Call, count: () => void) {
    count();
    try {
      return await attempt(request, call);
    } catch (error) {
      if (!request.retry || !(error instanceof Failed) || !error.again || retryTokens < 1) throw error;
      if ((error.retryAfter ?? 0) > RETRY_PATIENCE) throw error;
      retryTokens -= 1;
      const wait = (error.retryAfter ?? 0) * 1_000 + RETRY_WAIT.least + Math.random() * RETRY_WAIT.spread;
      await setTimeout(wait, undefined, { signal: call.signal }).catch(() => {
        throw error;
      });
      count();
      return await attempt(request, call);
    }
  }

  return {
    async ask(request, call) {
      const start = performance.now();
      let attempts = 0;
      const record = (outcome: number | UpstreamFault | 'aborted') =>
        call.record({ bron, outcome, ms: performance.now() - start, attempts });
      try {
        if (underway >= CONNECTIONS + QUEUE) {
          throw new Failed(bron, 'unavailable', 'too many calls under way', { retryAfter: 1, undone: true });
        }
        underway += 1;
        retryTokens = Math.min(RETRY_BUDGET.most, retryTokens + RETRY_BUDGET.perCall);
        try {
          const answer = await withRetry(request, call, () => {
            attempts += 1;
          });
          record(200);
          return answer;
        } finally {
          underway -= 1;
        }
      } catch (error) {
        if (error instanceof UpstreamError)
          record(error instanceof Failed && error.status ? error.status : error.fault);
        else record('aborted');
        throw error;
      }
    },
    close: () => pool.destroy(),
  };
}

interface FailureFacts extends UpstreamFacts {
  readonly status?: number;
  /** Whether another try may well succeed. */
  readonly again?: boolean;
}

class Failed extends UpstreamError {
  readonly status: number | undefined;
  readonly again: boolean;

  constructor(bron: Bron, fault: UpstreamFault, why: string, facts: FailureFacts = {}) {
    super(bron, fault, why, facts);
    this.status = facts.status;
    this.again = facts.again ?? false;
  }
}

/** `Retry-After`, which is seconds or a date, in seconds and within reason. */
function secondsOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), 3_600);
}

/** Codes of undici and Node for a connection that was never made: nothing can have been done on the other side. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** A kept connection that was closed under us: for a read, asking again is safe. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const LATE = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

/** What happened when no answer began. */
function noAnswer(bron: Bron, error: unknown): Error {
  if (error instanceof CallerGone) return error;
  if (error instanceof DeadlinePassed) return new Failed(bron, 'late', 'deadline of the request');
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new Failed(bron, 'unreadable', 'not HTTP');
  }
  const undone = NEVER_SENT.has(code);
  return new Failed(bron, LATE.has(code) ? 'late' : 'unavailable', code, {
    again: undone || CLOSED.has(code),
    undone,
    lost: !undone,
  });
}

/** Reads a body to its end. One that breaks off or stops is an answer that cannot be read; one that never stops is late. */
async function read(bron: Bron, body: Dispatcher.ResponseData['body']): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    if (error instanceof DeadlinePassed) throw new Failed(bron, 'late', 'deadline of the request');
    throw new Failed(bron, 'unreadable', `body: ${codeOf(error)}`, { lost: true });
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

/** Sixteen hexadecimal digits. Node keeps random UUIDs in store; fresh bytes cost a system call each. */
const spanId = (): string => randomUUID().replaceAll('-', '').slice(16);

/** One segment of a path. Whatever it holds, it stays one segment. */
export const segment = (value: string): string =>
  value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value.toWellFormed());
