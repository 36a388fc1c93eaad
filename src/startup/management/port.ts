import { createServer } from 'node:http';
import type { Metrics } from '../../../adapters/metrics/index.ts';
import { leavePausesOut } from '../../http/server/server.ts';
import { listen } from '../listen.ts';
import type { Health } from './health.ts';

/** The management port for operators: metrics and health probes. It is not part of the interface specification. */
export interface Management {
  readonly url: string;
  close(): Promise<void>;
}

interface ManagementAnswer {
  readonly status: number;
  readonly type?: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The timeouts of one request, in milliseconds. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
/** Milliseconds without traffic after which a connection is closed. */
const IDLE_TIMEOUT = 10_000;
const MAX_CONNECTIONS = 64;

/** Starts the management port with `/metrics`, `/health` and `/health/ready`, and returns it when it listens. */
export async function startManagement(
  at: { readonly host: string; readonly port: number },
  metrics: Metrics,
  health: Health,
): Promise<Management> {
  const ready = async (): Promise<ManagementAnswer> => {
    const { ready, degraded, storeAwaySeconds } = await health();
    const status = !ready ? 'unready' : degraded.length > 0 ? 'degraded' : 'ready';
    return {
      status: ready ? 200 : 503,
      type: 'application/json',
      text: JSON.stringify({ status, degraded, storeAwaySeconds }),
      headers: { 'X-Degraded': degraded.join(','), ...(!ready && { 'Retry-After': '1' }) },
    };
  };
  const paths: Readonly<Record<string, () => Promise<ManagementAnswer>>> = {
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
    '/health': async () => ({ status: 200 }),
    '/health/ready': ready,
  };
  const server = createServer(LIMITS, (request, response) => {
    const answer = request.method === 'GET' ? paths[request.url ?? ''] : undefined;
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    answer().then(
      ({ status, type = 'text/plain', text = '', headers }) =>
        response.writeHead(status, { 'content-type': type, ...headers }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  leavePausesOut(server);
  server.timeout = IDLE_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  return {
    url: await listen(server, at, 'MANAGEMENT_'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
