import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { BreakerState, HealthReport, Meters, UpstreamStats } from '../../src/ports/meters.ts';
import { requestMetrics } from './requests.ts';
import { type StateSources, stateMetrics } from './state.ts';

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

/** Each label has few values: an unknown operation is `none`, an unknown method `other`. */
export function createMetrics(sources: MetricSources): Metrics {
  const { upstreams, load, health } = sources;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const registers = [registry];
  const { sweep } = stateMetrics(registry, sources);
  const { request } = requestMetrics(registry);

  // This gauge also sets `connections`, so that both come from one reading. Gauges are collected in the order of
  // creation.
  const breaker = new Gauge({
    name: 'upstream_breaker_state',
    help: '1 for the current state of the circuit breaker of an upstream, 0 for the other states',
    labelNames: ['bron', 'state'] as const,
    registers,
    collect() {
      for (const { upstream: bron, breaker: now, ...counts } of upstreams()) {
        for (const state of STATES) breaker.set({ bron, state }, state === now ? 1 : 0);
        for (const [what, count] of Object.entries(counts)) connections.set({ bron, what }, count);
      }
    },
  });
  const connections = new Gauge({
    name: 'upstream_calls',
    help: 'Calls in flight, open connections, and connections in use, by upstream',
    labelNames: ['bron', 'what'] as const,
    registers,
  });
  const underway = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in flight, without uploads and downloads',
    registers,
    collect() {
      const now = load();
      underway.set(now.underway);
      delay.set(now.delay / 1_000);
    },
  });
  const delay = new Gauge({
    name: 'event_loop_delay_seconds',
    help: 'Mean delay of the event loop over the last half second',
    registers,
  });
  const storePing = new Gauge({
    name: 'store_ping_seconds',
    help: 'Time that the store took to answer when these metrics were read; infinite when it did not answer',
    registers,
  });
  const storeUp = new Gauge({ name: 'store_up', help: '1 when the store answers, else 0', registers });
  const storeAway = new Gauge({
    name: 'store_away_seconds',
    help: 'Time for which the store has not answered; 0 when it answers',
    registers,
  });
  const ready = new Gauge({ name: 'service_ready', help: '1 when /health/ready answers 200, else 0', registers });

  return {
    contentType: registry.contentType,
    async text() {
      // Before `metrics()`: it reads a gauge without `collect` as soon as its turn comes, so these must be set by then.
      const { ready: isReady, storeAwaySeconds, storePingSeconds } = await health();
      storePing.set(storePingSeconds);
      storeUp.set(Number.isFinite(storePingSeconds) ? 1 : 0);
      storeAway.set(storeAwaySeconds);
      ready.set(isReady ? 1 : 0);
      return registry.metrics();
    },
    sweep,
    request,
  };
}
