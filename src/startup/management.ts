import { createServer } from 'node:http';
import type { Logger } from 'pino';
import type { MetricSources, Metrics } from '../../adapters/metrics/index.ts';
import type { ConfiguredCertificate } from '../../adapters/metrics/state.ts';
import { parseCertificates } from '../config/certificates.ts';
import { certificatesIn } from '../config/database.ts';
import type { Config } from '../config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../config/upstreams.ts';
import { API_VERSION } from '../http/middleware/headers.ts';
import { leavePausesOut } from '../http/server/server.ts';
import { Deadline } from '../ports/deadline.ts';
import type { HealthReport, UpstreamStats } from '../ports/meters.ts';
import { type Store, StoreUnavailable } from '../ports/store/store.ts';
import type { Timing } from '../ports/timing.ts';
import { readBuildId } from './banner.ts';
import { listen } from './listen.ts';

type Sources = Omit<MetricSources, 'certificates' | 'version' | 'build'>;

/** Null when no management port is configured. */
export async function openManagement(config: Config, sources: Sources) {
  const { management } = config;
  if (management === null) return null;
  const { createMetrics } = await import('../../adapters/metrics/index.ts');
  const metrics = createMetrics({
    ...sources,
    certificates: certificatesOf(config),
    version: API_VERSION,
    build: readBuildId(),
  });
  return { metrics, ...(await startManagement(management, metrics, sources.health)) };
}

/** Metrics and health probes for operators. Not part of the interface specification. */
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

// Milliseconds.
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
// Milliseconds without traffic.
const IDLE_TIMEOUT = 10_000;
const MAX_CONNECTIONS = 64;

async function startManagement(
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
    const answer = /^(GET|HEAD)$/.test(request.method ?? '') ? paths[request.url ?? ''] : undefined;
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

/** Waits at most half a second for the store. */
export type Health = () => Promise<HealthReport>;

export interface HealthSources {
  readonly store: Pick<Store, 'ping'>;
  readonly timing: Timing;
  /** Seconds (`READY_WITHOUT_STORE_SECONDS`). */
  readonly readyWithoutStore: number;
  /** The process has started, is not stopping, and knows the keys of the token issuers. */
  isServing(): boolean;
  upstreams(): readonly UpstreamStats[];
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Pings the store and reports the state of this instance. Calls at the same time share one ping. Logs when the store
 * has stopped answering, and when it answers again.
 */
export function watchHealth({ store, timing, readyWithoutStore, isServing, upstreams, logger }: HealthSources): Health {
  let asked: Promise<string | null> | undefined;
  let awaySince: number | undefined;

  const ask = () => {
    asked ??= store
      .ping()
      .then(
        () => null,
        (error: Error) => (error instanceof StoreUnavailable ? error.message : error.name),
      )
      .finally(() => {
        asked = undefined;
      });
    return Promise.race([
      asked,
      new Promise<string>((resolve) => {
        new Deadline(timing.ping, () => resolve('no answer'));
      }),
    ]);
  };

  return async () => {
    const start = performance.now();
    const why = await ask();
    const now = performance.now();
    if (why !== null && awaySince === undefined) {
      awaySince = now;
      logger.warn({ store: 'away', why, readyFor: readyWithoutStore });
    } else if (why === null && awaySince !== undefined) {
      logger.warn({ store: 'back', seconds: secondsSince(awaySince, now) });
      awaySince = undefined;
    }
    const storeAwaySeconds = awaySince === undefined ? 0 : secondsSince(awaySince, now);
    const isWithinLimit = awaySince === undefined || storeAwaySeconds < readyWithoutStore;
    const away = upstreams().flatMap(({ upstream, breaker }) => (breaker === 'closed' ? [] : [upstream]));
    return {
      ready: isServing() && isWithinLimit,
      degraded: [...(awaySince === undefined ? [] : ['store']), ...away],
      storeAwaySeconds,
      storePingSeconds: why === null ? (now - start) / 1_000 : Number.POSITIVE_INFINITY,
    };
  };
}

const secondsSince = (start: number, now: number): number => Math.round((now - start) / 100) / 10;

function certificatesOf({ upstreams, store, identity }: Config): readonly ConfiguredCertificate[] {
  const named: [variable: string, pem: string | undefined][] = CONFIGURED_UPSTREAMS.flatMap((name) => {
    const upstream = upstreams[name];
    if (upstream.kind !== 'url') return [];
    const prefix = VARIABLE_PREFIX[name];
    return [
      [`${prefix}_TLS_CERT`, upstream.tls.cert],
      [`${prefix}_TLS_CA`, upstream.tls.ca],
    ];
  });
  if (store.kind === 'postgres') named.push(['DATABASE_TLS_CA', store.ca], ['DATABASE_URL', certificatesIn(store)]);
  if (identity.kind === 'oidc')
    named.push(['OIDC_TLS_CA', identity.professional.ca], ['OIDC_STAFF_TLS_CA', identity.staff?.ca]);
  return named.flatMap(([variable, pem]) => (pem === undefined ? [] : [toConfigured(variable, pem)]));
}

function toConfigured(variable: string, pem: string): ConfiguredCertificate {
  const certificates = parseCertificates(pem);
  const [own] = variable.endsWith('_TLS_CERT') ? certificates : [];
  return {
    variable,
    from: own === undefined ? null : seconds(own.validFrom),
    expires: Math.min(...certificates.map(({ validTo }) => seconds(validTo))),
  };
}

const seconds = (date: string): number => Date.parse(date) / 1_000;

/** Warns of each certificate that has expired or is not valid yet. */
export function warnAboutCertificates(config: Config, logger: Pick<Logger, 'warn'>): void {
  const now = Date.now() / 1_000;
  for (const { variable, from, expires } of certificatesOf(config)) {
    if (expires <= now) logger.warn({ certificate: { variable, expired: toIso(expires) } });
    else if (from !== null && from > now) logger.warn({ certificate: { variable, validFrom: toIso(from) } });
  }
}

const toIso = (moment: number): string => new Date(moment * 1_000).toISOString();
