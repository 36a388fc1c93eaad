import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BreakerState, HealthReport, Meters, UpstreamStats } from '../../src/ports/meters.ts';
import { requestMetrics } from './requests.ts';
import { metersOf, type StateSources, stateMetrics } from './state.ts';

/** The functions are called each time the metrics are read. */
export interface MetricSources extends StateSources {
  upstreams(): readonly UpstreamStats[];
  /** `delay` is the mean delay of the event loop in milliseconds. */
  load(): { readonly underway: number; readonly delay: number };
  health(): Promise<HealthReport>;
}

export interface Metrics extends Meters {
  readonly contentType: string;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
}

// Gauges whose names end like those of counters, which `promtool check metrics` refuses.
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];
const STATES: readonly BreakerState[] = ['closed', 'half-open', 'open'];

/**
 * Creates the metrics of the service. Each label has few values: an unknown operation is `none`, an unknown method
 * `other`.
 */
export function createMetrics(sources: MetricSources): Metrics {
  const { upstreams, load, health } = sources;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const { sweep, readState } = stateMetrics(registry, sources);
  const { request } = requestMetrics(registry);

  const { gauge } = metersOf(registry);
  const breaker = gauge(
    'upstream_breaker_state',
    '1 for the current state of the circuit breaker of an upstream, 0 for the other states',
    ['bron', 'state'],
  );
  const connections = gauge(
    'upstream_calls',
    'Calls in flight, open connections, and connections in use, by upstream',
    ['bron', 'what'],
  );
  const underway = gauge('http_requests_in_flight', 'Requests in flight, without uploads and downloads');
  const delay = gauge('event_loop_delay_seconds', 'Mean delay of the event loop over the last half second');
  const storePing = gauge(
    'store_ping_seconds',
    'Time that the store took to answer when these metrics were read; infinite when it did not answer',
  );
  const storeUp = gauge('store_up', '1 when the store answers, else 0');
  const storeAway = gauge('store_away_seconds', 'Time for which the store has not answered; 0 when it answers');
  const ready = gauge('service_ready', '1 when /health/ready answers 200, else 0');

  return {
    contentType: registry.contentType,
    async text() {
      const { ready: isReady, storeAwaySeconds, storePingSeconds } = await health();
      storePing.set(storePingSeconds);
      storeUp.set(Number.isFinite(storePingSeconds) ? 1 : 0);
      storeAway.set(storeAwaySeconds);
      ready.set(isReady ? 1 : 0);
      for (const { upstream: bron, breaker: now, ...counts } of upstreams()) {
        for (const state of STATES) breaker.set({ bron, state }, state === now ? 1 : 0);
        for (const [what, count] of Object.entries(counts)) connections.set({ bron, what }, count);
      }
      const now = load();
      underway.set(now.underway);
      delay.set(now.delay / 1_000);
      readState();
      return registry.metrics();
    },
    sweep,
    request,
  };
}
