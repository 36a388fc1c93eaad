import type { UploadLimits } from '../domain/upload-limits.ts';
import type { AllowedHosts } from '../ports/connection.ts';
import type { Timing } from '../ports/timing.ts';
import type { StoreConfig } from './database.ts';
import type { IdentityConfig } from './identity.ts';
import type { ConfiguredUpstream, UpstreamConfig } from './upstreams.ts';
import type { Values } from './variables.ts';

/** What the tokens for a Documenten API contain besides the claims of ZGW. */
export interface DocumentsToken {
  /** Seconds by which `iat` is earlier than now; default 0. */
  readonly backdateSeconds?: number;
  /** Seconds from `iat` to `exp`; undefined for tokens without `exp`. */
  readonly expiresSeconds?: number | undefined;
  /** More claims, or other values of the claims of ZGW. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The settings of the document store: a ZGW Documenten API, or S3. */
export type DocumentsConfig =
  | {
      readonly kind: 'zgw';
      readonly clientId: string;
      readonly secret: string;
      readonly rsin: string;
      readonly informatieobjecttype: string;
      readonly token: DocumentsToken;
    }
  | { readonly kind: 's3'; readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string };

/** The virus scanner: none, simulated, or clamd at an address. */
export type ScannerConfig =
  | { readonly kind: 'none' | 'simulator' }
  | { readonly kind: 'clamd'; readonly host: string; readonly port: number };

/** The configuration of the service, made from the environment variables. */
export interface Config {
  readonly deployment: Values['DEPLOYMENT'];
  readonly productionLike: boolean;
  readonly identity: IdentityConfig;
  readonly port: number;
  readonly host: string;
  readonly corsOrigins: readonly string[];
  /** Host names that requests may use. */
  readonly allowedHosts: AllowedHosts;
  readonly logLevel: Values['LOG_LEVEL'];
  readonly logFormat: 'json' | 'pretty' | undefined;
  readonly store: StoreConfig;
  readonly dataDir: string;
  /** Folder with personas (simulated persons) that the user of the simulator adds; null when there is none. */
  readonly personasDir: string | null;
  readonly simulatorToday: string | undefined;
  /**
   * How the service reaches its simulated upstreams: by function calls, or over sockets on this machine. The scanner is
   * always on a socket.
   */
  readonly simulatorTransport: 'in-process' | 'loopback';
  readonly simulatorsPort: number;
  readonly upstreams: Readonly<Record<ConfiguredUpstream, UpstreamConfig>>;
  /** Headers of requests to the BRP about the addressee of a letter. */
  readonly brpLetterHeaders: Readonly<Record<string, string>>;
  /** Settings of the document store; null when the document store is simulated. */
  readonly documents: DocumentsConfig | null;
  /** Size in bytes above which a document is sent in parts; only for a ZGW Documenten API. */
  readonly partsAbove: number;
  readonly scanner: ScannerConfig;
  readonly uploadLimits: UploadLimits;
  /** Number of days after which an unchanged draft application (Concept) is deleted; 0 means never. */
  readonly conceptDays: number;
  /** Address of the management port, with health and metrics; null when there is none. */
  readonly management: { readonly host: string; readonly port: number } | null;
  /** Seconds without the database after which the instance reports that it is not ready. */
  readonly readyWithoutStore: number;
  /** Maximum number of requests handled at the same time, not counting uploads and downloads. */
  readonly atOnce: number;
  /** Maximum number of open connections of clients. The process may use a lower number, when it may open few files. */
  readonly connections: number;
  /**
   * Maximum number of requests of one person per minute (`all`), and of requests that create something (`submits`); 0 means
   * no limit.
   */
  readonly rateLimits: { readonly all: number; readonly submits: number };
  readonly processingLog: ProcessingLogConfig;
  readonly timing: Timing;
  /** The collector to which traces are sent (OTLP over HTTP); null when there is none. */
  readonly tracing: {
    readonly endpoint: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly name: string;
  } | null;
}

/** The settings of two logs: the processing log and the audit trail. */
export interface ProcessingLogConfig {
  readonly to: 'stderr' | 'nowhere' | { readonly file: string };
  /** Key for the pseudonyms of persons in the log; undefined when each process uses a random key. */
  readonly key: Buffer | undefined;
  /** Prefix of the URIs of processing activities: `activities` and the name of an activity together are its URI. */
  readonly activities: string;
}

/**
 * The error that is thrown for an unusable configuration. `faults` has one line in English per fault, for the operator.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}
