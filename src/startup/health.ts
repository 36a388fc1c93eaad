/** Whether this instance can serve requests, for the probes and the metrics. Part of the composition root. */
import type { Logger } from 'pino';
import type { UpstreamStats } from '../ports/meters.ts';
import type { Store } from '../ports/store.ts';

/** Whether an instance is ready, and what does not work in it. */
export interface HealthReport {
  /** False while the process starts or stops, without keys of the issuers, or too long without its store. */
  readonly ready: boolean;
  /** What is away: `store`, and the upstreams whose circuit breaker is not closed. Only `store` can end `ready`. */
  readonly degraded: readonly string[];
  /** Seconds since the first check in a row that the store did not answer; 0 when it answers. */
  readonly storeAwaySeconds: number;
  /** Seconds that the store took to answer this check; infinite when it did not. */
  readonly storePingSeconds: number;
}

/** Returns the state of this instance now, within half a second. */
export type Health = () => Promise<HealthReport>;

/** What `watchHealth` looks at. */
export interface HealthSources {
  readonly store: Pick<Store, 'ping'>;
  /** Seconds without the store after which the instance is no longer ready (`READY_WITHOUT_STORE_SECONDS`). */
  readonly readyWithoutStore: number;
  /** True when the process has started, does not stop, and knows the keys of the issuers. */
  isServing(): boolean;
  upstreams(): readonly UpstreamStats[];
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Milliseconds that a check waits for the store. A load balancer gives a probe one or two seconds, and a database that
 * takes no packets lets a statement wait for longer than that.
 */
const PING_TIMEOUT = 500;

/**
 * Returns the function that reports on this instance. Each report asks the store; reports at the same time share one
 * question. A store that goes away or comes back gives one log line.
 */
export function watchHealth({ store, readyWithoutStore, isServing, upstreams, logger }: HealthSources): Health {
  let asked: Promise<string | null> | undefined;
  let awaySince: number | undefined;

  const ask = () => {
    asked ??= store
      .ping()
      .then(
        () => null,
        (error: Error & { code?: string }) => error.code ?? error.name,
      )
      .finally(() => {
        asked = undefined;
      });
    return Promise.race([asked, timeout(PING_TIMEOUT)]);
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
    const isBearable = awaySince === undefined || storeAwaySeconds < readyWithoutStore;
    const away = upstreams().flatMap(({ upstream, breaker }) => (breaker === 'closed' ? [] : [upstream]));
    return {
      ready: isServing() && isBearable,
      degraded: [...(awaySince === undefined ? [] : ['store']), ...away],
      storeAwaySeconds,
      storePingSeconds: why === null ? (now - start) / 1_000 : Number.POSITIVE_INFINITY,
    };
  };
}

const secondsSince = (start: number, now: number): number => Math.round((now - start) / 100) / 10;

/** Resolves with the word for the log after `ms` milliseconds. Does not keep the process alive. */
const timeout = (ms: number) =>
  new Promise<string>((resolve) => {
    setTimeout(resolve, ms, 'no answer').unref();
  });
