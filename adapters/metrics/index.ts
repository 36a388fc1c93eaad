import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BreakerState, Meters, UpstreamStats } from '../../src/ports/meters.ts';

/** What is asked of others at the moment that somebody reads the metrics. */
export interface MetricSources {
  upstreams(): readonly UpstreamStats[];
  /** Requests under way, and the mean delay of the event loop in milliseconds. */
  load(): { readonly underway: number; readonly delay: number };
  /** Resolves when the store answers. */
  ping(): Promise<void>;
}

export interface Metrics extends Meters {
  readonly contentType: string;
  /** All of it, in Prometheus' text format. */
  text(): Promise<string>;
}

/** Seconds: around the budgets of reads and writes, and the figures of the bench (reliability.md, "Speed"). */
const BUCKETS = [0.005, 0.015, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 3.5, 8.5, 30, 120];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
const STATES: readonly BreakerState[] = ['closed', 'half-open', 'open'];

/** Metrics for Prometheus. Every label has few values, known beforehand: what a caller makes up is `none` or `other`. */
export function createMetrics({ upstreams, load, ping }: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: BUCKETS,
    registers,
  });
  const calls = new Histogram({
    name: 'upstream_duration_seconds',
    help: 'One call to a source, its second try included; outcome is ok, a status, or what happened instead',
    labelNames: ['bron', 'outcome'] as const,
    buckets: BUCKETS,
    registers,
  });
  const retries = new Counter({
    name: 'upstream_retries_total',
    help: 'Second tries',
    labelNames: ['bron'] as const,
    registers,
  });

  // What belongs together is read together, by the first of it: metrics are collected in the order in which they are made.
  const breaker = new Gauge({
    name: 'upstream_breaker_state',
    help: '1 for the state that the breaker of a source is in',
    labelNames: ['bron', 'state'] as const,
    registers,
    collect() {
      for (const { bron, breaker: now, ...counts } of upstreams()) {
        for (const state of STATES) breaker.set({ bron, state }, state === now ? 1 : 0);
        for (const [what, count] of Object.entries(counts)) connections.set({ bron, what }, count);
      }
    },
  });
  const connections = new Gauge({
    name: 'upstream_calls',
    help: 'Calls under way, connections open, and connections at work, by source',
    labelNames: ['bron', 'what'] as const,
    registers,
  });
  const underway = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests at work, uploads and downloads apart',
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
  const store = new Gauge({
    name: 'store_ping_seconds',
    help: 'How long the store took to answer when these metrics were read; infinite when it did not',
    registers,
    async collect() {
      const start = performance.now();
      const isUp = await ping().then(
        () => true,
        () => false,
      );
      store.set(isUp ? (performance.now() - start) / 1_000 : Number.POSITIVE_INFINITY);
    },
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request({ operation, method, status, ms, upstream }) {
      const known = METHODS.has(method) ? method : 'other';
      requests.observe({ operation: operation ?? 'none', method: known, status: String(status) }, ms / 1_000);
      for (const { bron, outcome, ms: took, attempts } of upstream) {
        calls.observe({ bron, outcome: outcome === 200 ? 'ok' : String(outcome) }, took / 1_000);
        if (attempts > 1) retries.inc({ bron }, attempts - 1);
      }
    },
  };
}
