import { Agent } from 'undici';
import { timeoutSignal } from '../../src/ports/call.ts';
import type { TlsOptions } from '../../src/ports/connection.ts';
import { TIMING } from '../../src/ports/timing.ts';
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
  ask(
    url: URL,
    options?: { readonly method?: 'GET' | 'POST'; readonly headers?: Record<string, string>; readonly body?: string },
  ): Promise<JsonAnswer>;
  close(): Promise<void>;
}

export function createIssuerClient(tls: TlsOptions, timing = TIMING): IssuerClient {
  const connect = createConnector(timing.issuer, tls);
  const agent = new Agent({ connections: 4, maxResponseSize: MAX_BODY, connect });
  return {
    async ask({ origin, pathname, search }, { method = 'GET', headers, body = null } = {}) {
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method,
        headers: { accept: 'application/json', ...headers },
        body,
        signal: timeoutSignal(timing.issuer),
      });
      const bytes = Buffer.from(await answer.body.bytes());
      const text = new TextDecoder().decode(await decode(bytes, answer.headers['content-encoding'], MAX_BODY));
      return { status: answer.statusCode, json: parseJsonOrUndefined(text) };
    },
    close: () => agent.destroy(),
  };
}
