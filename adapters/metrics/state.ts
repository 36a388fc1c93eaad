import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConnectionStats, Meters, PoolStats, ProcessingLogStats } from '../../src/ports/meters.ts';

/** Moments are in seconds since 1970. */
export interface ConfiguredCertificate {
  readonly variable: string;
  /** When our client certificate becomes valid; null for a file with trusted authorities. */
  readonly from: number | null;
  /** When the first of the certificates expires. */
  readonly expires: number;
}

export interface StateSources {
  processingLog(): ProcessingLogStats;
  /** Connections of the public port; null before it listens. */
  connections(): ConnectionStats | null;
  /** Null when another store than PostgreSQL is used. */
  pool(): PoolStats | null;
  readonly certificates: readonly ConfiguredCertificate[];
  readonly version: string;
  /** Id of the artefact; null when it is none. */
  readonly build: string | null;
}

/** Returns the functions that make a gauge or a counter, with its labels if it has any. */
export const metersOf = (registry: Registry) => ({
  gauge: <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] }),
  counter: <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] }),
});

/** `readState` sets the gauges to what their sources say now. */
export function stateMetrics(
  registry: Registry,
  { processingLog, connections, pool, certificates, version, build }: StateSources,
): Pick<Meters, 'sweep'> & { readState(): void } {
  const { gauge, counter } = metersOf(registry);
  gauge(
    'service_build_info',
    '1, with the version of the interface, the id of the build and the version of Node as labels',
    ['version', 'build', 'node'],
  ).set({ version, build: build ?? '', node: process.versions.node }, 1);

  const expiry = gauge(
    'certificate_expiry_timestamp_seconds',
    'When a configured certificate expires, by the variable that names its file',
    ['variable'],
  );
  const notBefore = gauge(
    'certificate_not_before_timestamp_seconds',
    'From when a configured client certificate is valid, by the variable that names its file',
    ['variable'],
  );
  for (const { variable, from, expires } of certificates) {
    expiry.set({ variable }, expires);
    if (from !== null) notBefore.set({ variable }, from);
  }

  const lines = gauge('processing_log_lines_waiting', 'Lines of the processing log that are not written yet');
  const lag = gauge(
    'processing_log_lag_seconds',
    'Time for which the oldest line of the processing log has been waiting to be written',
  );
  const failing = gauge('processing_log_failing', '1 while the processing log cannot be written, else 0');

  const clients = gauge('http_connections', 'Connections to the public port, idle or with a request in progress', [
    'state',
  ]);
  const mostClients = gauge('http_connections_max', 'Maximum number of connections to the public port');
  const refusedClients = counter(
    'http_connections_refused_total',
    'Connections to the public port that were closed because all others were in use',
  );

  const inPool =
    pool() &&
    gauge(
      'store_connections',
      'Connections to PostgreSQL that are idle or busy, and statements that are waiting for one',
      ['state'],
    );

  const removed = counter('orphans_removed_total', 'Documents without a request that were deleted');
  const failures = counter(
    'orphan_sweep_failures_total',
    'Rounds of the sweeper that ended with an error or could not delete a document',
  );
  const last = gauge(
    'orphan_sweep_last_success_timestamp_seconds',
    'When the sweeper of this instance last ended a round without a failure',
  );
  return {
    sweep({ removed: count, failed, error }) {
      removed.inc(count);
      if (error === undefined && failed === 0) last.setToCurrentTime();
      else failures.inc();
    },
    readState() {
      const { waiting, oldest, isFailing } = processingLog();
      lines.set(waiting);
      lag.set(oldest / 1_000);
      failing.set(isFailing ? 1 : 0);

      const { idle, busy, max, refused } = connections() ?? { idle: 0, busy: 0, max: 0, refused: 0 };
      clients.set({ state: 'idle' }, idle);
      clients.set({ state: 'busy' }, busy);
      mostClients.set(max);
      refusedClients.reset();
      refusedClients.inc(refused);

      for (const [state, count] of Object.entries(pool() ?? {})) inPool?.set({ state }, count);
    },
  };
}
