import { Agent, type Dispatcher } from 'undici';

/** One question with JSON for an answer, to those who are no source of the service: issuers of tokens. */
export interface JsonAnswer {
  readonly status: number;
  /** Undefined when it is no JSON. */
  readonly json: unknown;
}

/** Milliseconds for all of it. Whoever waits for it has three seconds for everything (reliability.md, "Deadlines"). */
const TIMEOUT = 2_000;
/** Far above any honest answer. */
const MAX_BODY = 512 * 1024;

export interface TlsOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** Connections on which the other side is always verified, whatever the environment says, and at least TLS 1.2. */
export const secureAgent = (tls: TlsOptions): Agent =>
  new Agent({
    connections: 4,
    maxResponseSize: MAX_BODY,
    connect: { timeout: TIMEOUT, minVersion: 'TLSv1.2', rejectUnauthorized: true, ...tls },
  });

/** Redirects are not followed: they would be a way to have us ask someone else. Throws when there is no whole answer. */
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
    signal: AbortSignal.timeout(TIMEOUT),
  };
  const { statusCode: status, body } = await agent.request(request);
  const text = await body.text();
  try {
    return { status, json: JSON.parse(text) };
  } catch {
    return { status, json: undefined };
  }
}
