import type { UploadLimits } from '../domain/upload-limits.ts';
import type { StoreConfig } from './database.ts';
import type { IdentityConfig } from './identity.ts';
import type { UpstreamConfig } from './upstream.ts';
import type { Source } from './upstreams.ts';

/** What it takes to be let in to the store of documents, and what documents are there. Absent with a simulator. */
export type DocumentsConfig =
  | {
      readonly kind: 'zgw';
      readonly clientId: string;
      readonly secret: string;
      readonly rsin: string;
      readonly informatieobjecttype: string;
    }
  | { readonly kind: 's3'; readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string };

export type ScannerConfig =
  | { readonly kind: 'none' | 'simulator' }
  | { readonly kind: 'clamd'; readonly host: string; readonly port: number };

export interface Config {
  readonly deployment: string;
  readonly productionLike: boolean;
  readonly identity: IdentityConfig;
  readonly port: number;
  readonly host: string;
  readonly corsOrigins: readonly string[];
  /** Null: any name. */
  readonly allowedHosts: readonly string[] | null;
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty' | undefined;
  readonly store: StoreConfig;
  readonly dataDir: string;
  readonly simulatorToday: string | undefined;
  readonly simulatorsPort: number;
  readonly upstreams: Readonly<Record<Source, UpstreamConfig>>;
  readonly documents: DocumentsConfig | null;
  /** Bytes above which a document goes in parts. */
  readonly partsAbove: number;
  readonly scanner: ScannerConfig;
  readonly uploadLimits: UploadLimits;
  /** Null: no management port. */
  readonly management: { readonly host: string; readonly port: number } | null;
  /** Requests at work at the same time. */
  readonly atOnce: number;
  /** Connections at the same time. */
  readonly connections: number;
  /** Of one person in a minute; 0 is no limit. */
  readonly rateLimits: { readonly all: number; readonly making: number };
  readonly processingLog: ProcessingLogConfig;
}

export interface ProcessingLogConfig {
  readonly to: 'stderr' | 'nowhere' | { readonly file: string };
  /** Absent: one that this process makes for itself. */
  readonly key: Buffer | undefined;
  readonly activities: string;
}

/** All that is wrong with a configuration, one line each, to be read by whoever started the process. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}
