import { Agent, type Dispatcher } from 'undici';
import { timeoutSignal } from '../../src/ports/call.ts';
import type { TlsOptions } from '../../src/ports/connection.ts';
import { TIMING, type Timing } from '../../src/ports/timing.ts';
import { decode } from './body.ts';
import { createConnector } from './connector.ts';
import { ANSWER_LIMITS, parseJsonOrUndefined } from './request.ts';

export interface JsonAnswer {
  readonly status: number;
  /** Undefined when the body is not JSON, is nested too deep, or has too many values. */
  readonly json: unknown;
}

const MAX_BODY = ANSWER_LIMITS.bytes;

/** A client of a token issuer. It always verifies the server's certificate, with TLS 1.2 or later. */
export interface IssuerClient {
  /**
   * Throws when no complete answer of at most `MAX_BODY` bytes arrives in time. Does not follow redirects, because they
   * could lead to a server that is not configured.
   */
  ask(url: URL, options?: IssuerRequest): Promise<JsonAnswer>;
  close(): Promise<void>;
}

interface IssuerRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export function createIssuerClient(tls: TlsOptions, timing: Timing = TIMING): IssuerClient {
  const connect = createConnector(timing.issuer, tls);
  const agent = new Agent({ connections: 4, maxResponseSize: MAX_BODY, connect });
  return { ask: (url, options) => fetchJson(agent, timing.issuer, url, options), close: () => agent.destroy() };
}

async function fetchJson(agent: Agent, timeout: number, url: URL, options: IssuerRequest = {}): Promise<JsonAnswer> {
  const request: Dispatcher.RequestOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: options.method ?? 'GET',
    headers: { accept: 'application/json', ...options.headers },
    body: options.body ?? null,
    signal: timeoutSignal(timeout),
  };
  const { statusCode: status, headers: received, body } = await agent.request(request);
  const bytes = await body.bytes();
  const text = new TextDecoder().decode(await decode(Buffer.from(bytes), received['content-encoding'], MAX_BODY));
  return { status, json: parseJsonOrUndefined(text) };
}
