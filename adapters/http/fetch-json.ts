import { Agent, type Dispatcher } from 'undici';
import { timeoutSignal } from '../../src/ports/call.ts';
import type { TlsOptions } from '../../src/ports/connection.ts';
import { createConnector } from './connector.ts';
import { decode } from './content-coding.ts';
import { ANSWER_LIMITS, parseJsonOrUndefined } from './parse.ts';

/** The answer of a token issuer: a token, a key set or a discovery document. */
export interface JsonAnswer {
  readonly status: number;
  /** The parsed body; undefined when it is not JSON, is nested too deep, or has too many values. */
  readonly json: unknown;
}

/** Timeout in milliseconds, from the start of a request to a token issuer to the end of its answer. */
const TIMEOUT = 2_000;
/** Maximum number of bytes of a token issuer's answer. */
const MAX_BODY = ANSWER_LIMITS.bytes;

/** Returns an HTTP agent that always verifies the server's certificate, with TLS 1.2 or later. */
export const secureAgent = (tls: TlsOptions): Agent =>
  new Agent({
    connections: 4,
    maxResponseSize: MAX_BODY,
    connect: createConnector(TIMEOUT, tls),
  });

/**
 * Sends one request to a token issuer and returns the status and the parsed body. Throws when no complete answer of at
 * most `MAX_BODY` bytes arrives within `TIMEOUT`. Does not follow redirects, because they could lead to a server that
 * is not configured.
 */
export async function fetchJson(
  agent: Agent,
  url: URL,
  options: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<JsonAnswer> {
  const request: Dispatcher.RequestOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: options.method ?? 'GET',
    headers: { accept: 'application/json', ...options.headers },
    body: options.body ?? null,
    signal: timeoutSignal(TIMEOUT),
  };
  const { statusCode: status, headers: received, body } = await agent.request(request);
  const bytes = await body.bytes();
  const text = new TextDecoder().decode(await decode(Buffer.from(bytes), received['content-encoding'], MAX_BODY));
  return { status, json: parseJsonOrUndefined(text) };
}
