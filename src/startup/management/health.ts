/**
 * Determines whether this instance can serve requests, for the probes and the metrics. This file belongs to the
 * composition root.
 */
import type { Logger } from 'pino';
import { Deadline } from '../../ports/deadline.ts';
import type { UpstreamStats } from '../../ports/meters.ts';
import { type Store, StoreUnavailable } from '../../ports/store/store.ts';
import type { Timing } from '../../ports/timing.ts';

/** The state of an instance: whether it is ready, and which parts do not work. */
export interface HealthReport {
  /**
   * False while the process starts or stops, when the keys of the token issuers are not known, and when the store has
   * not answered for too long.
   */
  readonly ready: boolean;
  /** The parts that do not work: `store`, and each upstream whose circuit breaker is not closed. */
  readonly degraded: readonly string[];
  /** Seconds since the first check to which the store did not answer; 0 while the store answers. */
  readonly storeAwaySeconds: number;
  /** Seconds that the store took to answer this check; infinite when it did not answer. */
  readonly storePingSeconds: number;
}

/** A function that checks the state of this instance. It waits at most half a second for the store. */
export type Health = () => Promise<HealthReport>;

/** The parts of the service whose state `watchHealth` reads. */
export interface HealthSources {
  readonly store: Pick<Store, 'ping'>;
  readonly timing: Timing;
  /** Seconds without the store after which the instance is no longer ready (`READY_WITHOUT_STORE_SECONDS`). */
  readonly readyWithoutStore: number;
  /** Returns true when the process has started, is not stopping, and knows the keys of the token issuers. */
  isServing(): boolean;
  upstreams(): readonly UpstreamStats[];
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Returns a function that pings the store and reports the state of this instance. Calls at the same time share one
 * ping. The function logs a warning when the store has stopped answering, and another when it answers again.
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
