import type { UploadLimits } from '../domain/upload-limits.ts';
import type { AllowedHosts, ZgwTokenOptions } from '../ports/connection.ts';
import type { Timing } from '../ports/timing.ts';
import type { StoreConfig } from './database.ts';
import type { IdentityConfig } from './identity.ts';
import type { ConfiguredUpstream, UpstreamConfig } from './upstreams.ts';
import type { Values } from './variables.ts';

/** A ZGW Documenten API, or S3. */
export type DocumentsConfig =
  | {
      readonly kind: 'zgw';
      readonly clientId: string;
      readonly secret: string;
      readonly rsin: string;
      readonly informatieobjecttype: string;
      readonly token: ZgwTokenOptions;
    }
  | { readonly kind: 's3'; readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string };

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
  readonly allowedHosts: AllowedHosts;
  readonly logLevel: Values['LOG_LEVEL'];
  readonly logFormat: 'json' | 'pretty' | undefined;
  readonly store: StoreConfig;
  readonly dataDir: string;
  /** Personas that the user of the simulator adds; null when there are none. */
  readonly personasDir: string | null;
  readonly simulatorToday: string | undefined;
  /** By function calls, or over sockets on this machine. The scanner is always on a socket. */
  readonly simulatorTransport: 'in-process' | 'loopback';
  readonly simulatorsPort: number;
  readonly upstreams: Readonly<Record<ConfiguredUpstream, UpstreamConfig>>;
  /** Headers of requests to the BRP about the addressee of a letter. */
  readonly brpLetterHeaders: Readonly<Record<string, string>>;
  /** Null when the document store is simulated. */
  readonly documents: DocumentsConfig | null;
  readonly scanner: ScannerConfig;
  readonly uploadLimits: UploadLimits;
  /** Days after which an unchanged Concept is deleted; 0 means never. */
  readonly conceptDays: number;
  /** With health and metrics; null when there is none. */
  readonly management: { readonly host: string; readonly port: number } | null;
  /** Seconds without the database after which the instance is not ready. */
  readonly readyWithoutStore: number;
  /** Requests at the same time, not counting uploads and downloads. */
  readonly atOnce: number;
  /** The process may use a lower number, when it may open few files. */
  readonly connections: number;
  /** Requests of one person per minute to this instance; `submits` are those that create something. 0 means no limit. */
  readonly rateLimits: { readonly all: number; readonly submits: number };
  readonly processingLog: ProcessingLogConfig;
  readonly timing: Timing;
  /** OTLP over HTTP; null when there is no collector. */
  readonly tracing: {
    readonly endpoint: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly name: string;
  } | null;
}

/** The settings of the processing log and the audit trail. */
export interface ProcessingLogConfig {
  readonly to: 'stderr' | 'nowhere' | { readonly file: string };
  /** Key of the pseudonyms of persons; undefined when each process uses a random one. */
  readonly key: Buffer | undefined;
  /** Prefix and name of an activity together are its URI. */
  readonly activities: string;
}

/** `faults` has one line in English per fault, for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}
