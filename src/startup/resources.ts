import { createSecretKey, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { OidcOptions } from '../../adapters/oidc/index.ts';
import type { OtlpTracing } from '../../adapters/otlp/index.ts';
import {
  createProcessingLog,
  fileSink,
  type MeasuredProcessingLog,
  NotAFile,
  type ProcessingLogOptions,
  type Sink,
  stderrSink,
} from '../../adapters/processing-log/index.ts';
import type { Identity } from '../auth/identity.ts';
import { type Config, ConfigError } from '../config/index.ts';
import { API_VERSION } from '../http/middleware/headers.ts';
import { UpstreamError } from '../ports/call.ts';
import type { Meters } from '../ports/meters.ts';
import { StoreUnavailable } from '../ports/store/store.ts';
import { type OrphanSweeper, sweepOrphans } from '../uploads/sweeper.ts';
import type { Composition } from './development.ts';

interface Closable {
  close(): unknown;
}

/** Closed in reverse order. (`AsyncDisposableStack` does the same, but Node 22 does not have it.) */
export interface Resources {
  keep<Resource extends Closable>(resource: Resource): Resource;
  /** Also when one of them fails to close. Rejects with the first error. */
  close(): Promise<void>;
}

export function createResources(): Resources {
  const resources: Closable[] = [];
  return {
    keep(resource) {
      resources.push(resource);
      return resource;
    },
    async close() {
      const failures: unknown[] = [];
      for (const resource of resources.splice(0).reverse()) {
        try {
          await resource.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Undefined when no traces are configured. */
export async function openTracing({ tracing, deployment }: Config): Promise<OtlpTracing | undefined> {
  if (tracing === null) return undefined;
  const { createTracing } = await import('../../adapters/otlp/index.ts');
  return createTracing({ ...tracing, version: API_VERSION, deployment });
}

/** Writes its results to the log and the metrics. */
export function startSweeper(
  deps: Parameters<typeof sweepOrphans>[0] & { readonly logger: Logger; readonly meters?: Meters },
): OrphanSweeper {
  const { logger, meters } = deps;
  return sweepOrphans(deps, (round) => {
    const { removed, failed, expired, error } = round;
    meters?.sweep(round);
    if (error === undefined) {
      if (failed > 0) logger.warn({ orphans: removed, failed });
      else if (removed > 0) logger.info({ orphans: removed });
      if (expired !== undefined && expired.concepts > 0) logger.info({ expired });
    }
    // An unavailable upstream or store is reported elsewhere; the next round tries again.
    else if (!(error instanceof UpstreamError || error instanceof StoreUnavailable))
      logger.error({ orphans: removed, error: error instanceof Error ? error.name : typeof error });
  });
}

/**
 * Logs failures and recoveries. Throws a `ConfigError` when the file cannot be written.
 *
 * @param options - not in the configuration, for tests
 */
export async function openProcessingLog(
  { processingLog, identity }: Config,
  logger: Logger,
  options: Partial<Pick<ProcessingLogOptions, 'sink' | 'maxWaiting'>> = {},
): Promise<MeasuredProcessingLog> {
  const { to, key, activities } = processingLog;
  const { sink, maxWaiting } = options;
  return createProcessingLog({
    sink: sink ?? (await sinkOf(to)),
    // Without a configured key a random one is used, so that the pseudonyms cannot be traced back to a person.
    key: createSecretKey(key ?? randomBytes(32)),
    subjectKey: identity.kind === 'oidc' ? identity.subjectKeys[0] : undefined,
    activities,
    ...(maxWaiting !== undefined && { maxWaiting }),
    version: API_VERSION,
    onStateChange: (change) => logger[change.state === 'recovered' ? 'warn' : 'error']({ processingLog: change }),
  });
}

async function sinkOf(to: Config['processingLog']['to']): Promise<Sink> {
  if (to === 'nowhere') return async () => undefined;
  if (to === 'stderr') return stderrSink();
  return fileSink(to.file).catch((error: NodeJS.ErrnoException) => {
    const why =
      error instanceof NotAFile
        ? 'is a pipe or a socket, not a file; choose a file, or "stderr"'
        : `cannot be written to (${error.code})`;
    throw new ConfigError([`PROCESSING_LOG: ${to.file} ${why}`]);
  });
}

// The OIDC adapter is imported only when it is used.
interface OpenIdentity {
  readonly identity: Identity;
  // Callers can be identified: for tokens, the keys of the issuers are known.
  ready(): boolean;
  close(): Promise<void>;
}

interface IdentityParts extends Pick<Composition, 'withPersonIds'> {
  // Undefined in a build that does not contain it.
  readonly standIn: Identity | undefined;
  readonly rename: OidcOptions['rename'];
}

/** Throws a `ConfigError` when the simulated login is configured and this build has none. */
export async function openIdentity(
  { identity: config, atOnce, timing }: Config,
  { standIn, withPersonIds, rename }: IdentityParts,
  logger: Logger,
): Promise<OpenIdentity> {
  if (config.kind === 'oidc') {
    const { createOidc } = await import('../../adapters/oidc/index.ts');
    const oidc = createOidc({
      ...config,
      // The other half is for callers whom the service can identify without that issuer.
      maxWaiting: Math.max(1, Math.floor(atOnce / 2)),
      rename,
      timing,
      notice: (event, kind, why) =>
        logger[event === 'keys-available' ? 'info' : 'warn']({ identity: event, kind, why }),
    });
    return { identity: withPersonIds?.(oidc) ?? oidc, ready: oidc.ready, close: oidc.close };
  }
  if (standIn === undefined) throw new ConfigError(['IDENTITY: this build has no stand-in']);
  return { identity: standIn, ready: () => true, close: async () => {} };
}
