import { join } from 'node:path';
import { isLoopback } from '../domain/host-name.ts';
import type { AllowedHosts, ZgwTokenOptions } from '../ports/connection.ts';
import { TIMING } from '../ports/timing.ts';
import { toStore } from './database.ts';
import { toIdentity } from './identity.ts';
import { toUpstream } from './upstreams.ts';
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

/** Returns true for `acceptance` and `production`, which accept no simulated login and no simulated upstream. */
export const isProductionLike = (deployment: string | undefined): boolean =>
  deployment === 'acceptance' || deployment === 'production';

/** The configuration of the service, made from the environment variables. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** @param env - has what pg uses for what a URL does not say */
export function toConfig(values: Values, env: Readonly<Record<string, string | undefined>>) {
  const productionLike = isProductionLike(values.DEPLOYMENT);
  return {
    deployment: values.DEPLOYMENT,
    productionLike,
    identity: toIdentity(values),
    port: values.PORT,
    host: withoutBrackets(values.HOST),
    corsOrigins: values.CORS_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS ?? defaultHosts(values),
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    store: toStore(values, env),
    dataDir: values.DATA_DIR,
    /** Personas that the user of the simulator adds; null when there are none. */
    personasDir: toPersonasDir(values, productionLike),
    simulatorToday: values.SIMULATOR_TODAY,
    /** By function calls, or over sockets on this machine. The scanner is always on a socket. */
    simulatorTransport: values.SIMULATOR_TRANSPORT,
    simulatorsPort: values.SIMULATORS_PORT,
    upstreams: {
      register: toUpstream(values, 'REGISTER'),
      brp: toUpstream(values, 'BRP'),
      duo: toUpstream(values, 'DUO'),
      documenten: toUpstream(values, 'DOCUMENTS'),
    },
    /** Headers of requests to the BRP about the addressee of a letter. */
    brpLetterHeaders: values.BRP_LETTER_HEADERS ?? {},
    /** Null when the document store is simulated. */
    documents: toDocuments(values),
    scanner: toScanner(values.SCANNER ?? 'none'),
    uploadLimits: {
      receiving: values.UPLOADS_RECEIVING,
      spoolMb: values.UPLOADS_SPOOL_MB,
      atOnce: values.UPLOADS_AT_ONCE,
      perPersonAtOnce: values.UPLOADS_PER_PERSON,
      perPersonPerHour: values.UPLOADS_PER_HOUR,
      orphanHours: values.UPLOADS_ORPHAN_HOURS,
    },
    /** Days after which an unchanged Concept is deleted; 0 means never. */
    conceptDays: values.CONCEPT_RETENTION_DAYS ?? (productionLike ? DEFAULT_CONCEPT_DAYS : 0),
    /** With health and metrics; null when there is none. */
    management:
      values.MANAGEMENT_PORT === undefined
        ? null
        : { host: withoutBrackets(values.MANAGEMENT_HOST), port: values.MANAGEMENT_PORT },
    // A SQLite file that cannot be read does not become readable by itself, and no other instance can use it.
    /** Seconds without the database after which the instance is not ready. */
    readyWithoutStore: values.DATABASE_URL ? values.READY_WITHOUT_STORE_SECONDS : 0,
    /** Requests at the same time, not counting uploads and downloads. */
    atOnce: values.REQUESTS_AT_ONCE,
    /** The process may use a lower number, when it may open few files. */
    connections: values.CONNECTIONS_AT_ONCE,
    /** Requests of one person per minute to this instance; `submits` are those that create something. 0 means no limit. */
    rateLimits: {
      all: values.RATE_LIMIT_PER_MINUTE ?? (productionLike ? DEFAULT_RATES.all : 0),
      submits: values.RATE_LIMIT_SUBMITS_PER_MINUTE ?? (productionLike ? DEFAULT_RATES.submits : 0),
    },
    /** OTLP over HTTP; null when there is no collector. */
    tracing: toTracing(values),
    timing: TIMING,
    processingLog: {
      to: toProcessingLog(values, productionLike),
      key: values.PROCESSING_LOG_KEY === undefined ? undefined : Buffer.from(values.PROCESSING_LOG_KEY),
      activities: values.PROCESSING_ACTIVITIES,
    },
  };
}

// As Node listens to it.
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

// When the configuration names none.
function defaultHosts({ HOST, IDENTITY }: Values): AllowedHosts {
  if (isLoopback(HOST)) return 'loopback';
  // With a stand-in every caller can be any person, so a web page elsewhere may not reach the service either.
  return IDENTITY === 'oidc' ? null : 'own-network';
}

// Requests of one person per minute. Other deployments have no limit, because a whole team can use one persona.
const DEFAULT_RATES = { all: 600, submits: 30 };
// In production-like deployments. Others do not delete drafts, because a simulated clock may be years ahead.
const DEFAULT_CONCEPT_DAYS = 365;
const S3 = 's3:';

function toDocuments(values: Values): DocumentsConfig | null {
  const upstream = values.DOCUMENTS_UPSTREAM ?? 'simulator';
  if (upstream === 'simulator') return null;
  const [id = '', secret = ''] = [values.DOCUMENTS_CLIENT_ID, values.DOCUMENTS_SECRET];
  if (upstream.startsWith(S3))
    return { kind: 's3', accessKeyId: id, secretAccessKey: secret, region: values.DOCUMENTS_REGION };
  return {
    kind: 'zgw',
    clientId: id,
    secret,
    rsin: values.DOCUMENTS_RSIN ?? '',
    informatieobjecttype: values.DOCUMENTS_INFORMATIEOBJECTTYPE ?? '',
    token: {
      backdateSeconds: values.DOCUMENTS_TOKEN_BACKDATE_SECONDS,
      expiresSeconds: values.DOCUMENTS_TOKEN_EXPIRES_SECONDS,
      claims: values.DOCUMENTS_TOKEN_CLAIMS ?? {},
    },
  };
}

function toProcessingLog(
  { PROCESSING_LOG, DATA_DIR }: Values,
  productionLike: boolean,
): 'stderr' | 'nowhere' | { readonly file: string } {
  if (PROCESSING_LOG === 'stderr' || PROCESSING_LOG === 'nowhere') return PROCESSING_LOG;
  if (PROCESSING_LOG !== undefined) return { file: PROCESSING_LOG };
  if (productionLike) return 'stderr';
  return DATA_DIR === ':memory:' ? 'nowhere' : { file: join(DATA_DIR, 'processing.log') };
}

function toTracing(values: Values) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = values;
  return endpoint === undefined ? null : { endpoint: new URL(endpoint), headers, name: values.OTEL_SERVICE_NAME };
}

function toPersonasDir({ PERSONAS_DIR, DATA_DIR }: Values, productionLike: boolean): string | null {
  if (productionLike) return null;
  return PERSONAS_DIR ?? (DATA_DIR === ':memory:' ? null : join(DATA_DIR, 'personas'));
}

function toScanner(text: string): ScannerConfig {
  if (text === 'none' || text === 'simulator') return { kind: text };
  const [, host = '', port = ''] = /^clamd:\/\/\[?([^/@\]]+?)\]?:(\d+)$/.exec(text) ?? [];
  return { kind: 'clamd', host, port: Number(port) };
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
