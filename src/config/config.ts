import type { UploadLimits } from '../domain/upload-limits.ts';
import type { StoreConfig } from './database.ts';
import type { IdentityConfig } from './identity.ts';
import type { UpstreamConfig } from './upstream.ts';
import type { ConfiguredUpstream } from './upstreams.ts';

/** The credentials and settings of the document store: a ZGW Documenten API, or S3. */
export type DocumentsConfig =
  | {
      readonly kind: 'zgw';
      readonly clientId: string;
      readonly secret: string;
      readonly rsin: string;
      readonly informatieobjecttype: string;
    }
  | { readonly kind: 's3'; readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string };

/** The virus scanner: none, simulated, or clamd at an address. */
export type ScannerConfig =
  | { readonly kind: 'none' | 'simulator' }
  | { readonly kind: 'clamd'; readonly host: string; readonly port: number };

/** The configuration of the service, made from the environment variables. */
export interface Config {
  readonly deployment: string;
  readonly productionLike: boolean;
  readonly identity: IdentityConfig;
  readonly port: number;
  readonly host: string;
  readonly corsOrigins: readonly string[];
  /** Names that the `Host` header of a request may have; null allows every name. */
  readonly allowedHosts: readonly string[] | null;
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty' | undefined;
  readonly store: StoreConfig;
  readonly dataDir: string;
  /** Folder of the project's own personas; null when there is none. */
  readonly personasDir: string | null;
  /** Folder to which the answers of real upstreams about test persons are written; null when they are not recorded. */
  readonly recordTo: string | null;
  readonly simulatorToday: string | undefined;
  /** How the service reaches its simulated upstreams. The virus scanner is always reached over a socket. */
  readonly simulatorTransport: 'in-process' | 'loopback';
  readonly simulatorsPort: number;
  readonly upstreams: Readonly<Record<ConfiguredUpstream, UpstreamConfig>>;
  /** Settings of the document store; null when it is simulated. */
  readonly documents: DocumentsConfig | null;
  /** Size in bytes above which a document is sent to the document store in parts. */
  readonly partsAbove: number;
  readonly scanner: ScannerConfig;
  readonly uploadLimits: UploadLimits;
  /** Number of days after which a Concept (draft application) that was not changed is deleted; 0 means never. */
  readonly conceptDays: number;
  /** Address of the management port; null when it is not configured. */
  readonly management: { readonly host: string; readonly port: number } | null;
  /** Seconds without the store after which the instance is no longer ready. */
  readonly readyWithoutStore: number;
  /** Maximum number of requests in progress. */
  readonly atOnce: number;
  /** Maximum number of open connections; a new connection above it closes an idle one. */
  readonly connections: number;
  /**
   * Maximum number of requests of one person per minute (`all`), and of the requests among them that create something
   * (`making`); 0 means no limit.
   */
  readonly rateLimits: { readonly all: number; readonly making: number };
  readonly processingLog: ProcessingLogConfig;
  /** The collector for distributed tracing (OTLP over HTTP); null when there is none. */
  readonly tracing: {
    readonly endpoint: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly name: string;
  } | null;
}

/** The settings of the processing log. */
export interface ProcessingLogConfig {
  readonly to: 'stderr' | 'nowhere' | { readonly file: string };
  /** Key from which the pseudonyms of persons are made; undefined when the process must use a random key. */
  readonly key: Buffer | undefined;
  /** Text before the name of a processing activity; together they are the URI of the activity. */
  readonly activities: string;
}

/** The error of an unusable configuration. `faults` has one line in English for each fault, for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}
