import { join } from 'node:path';
import { closestMatch } from 'leven';
import type * as z from 'zod';
import { isEveryAddress, isLoopback } from '../domain/host-name.ts';
import type { AllowedHosts } from '../ports/connection.ts';
import { TIMING } from '../ports/timing.ts';
import {
  type Config,
  ConfigError,
  type DocumentsConfig,
  type ProcessingLogConfig,
  type ScannerConfig,
} from './config.ts';
import { findContradictions } from './contradictions.ts';
import { toStore } from './database.ts';
import { toIdentity } from './identity.ts';
import { toUpstream } from './upstreams.ts';
import { findUnknownVariables, withSecretFiles } from './variable-names.ts';
import { DEPLOYMENTS, type Values, variables } from './variables.ts';

export type * from './config.ts';
export { ConfigError } from './config.ts';

/** Returns true for `acceptance` and `production`, which accept no simulated login and no simulated upstream. */
export const isProductionLike = (deployment: string | undefined): boolean =>
  deployment === 'acceptance' || deployment === 'production';

/**
 * Throws a `ConfigError` with all faults found. An empty variable counts as absent; an unknown variable that looks like
 * a known one is a fault. With `needsDeployment` an absent `DEPLOYMENT` is a fault too.
 */
export function readConfig(env: NodeJS.ProcessEnv, { needsDeployment = false } = {}): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const secrets = withSecretFiles(present);
  // Parsed once, so zod need not generate code for it.
  const parsed = variables.safeParse(secrets.values, { jitless: true });
  const issues = parsed.error?.issues ?? [];
  const lacksDeployment = needsDeployment && present.DEPLOYMENT === undefined;
  const wrong = new Set([
    ...issues.map((issue) => String(issue.path[0])),
    ...secrets.faults.map((fault) => fault.replace(/_FILE:.*/, '')),
    ...(lacksDeployment ? ['DEPLOYMENT'] : []),
  ]);
  const faults = [
    ...findUnknownVariables(Object.keys(present)),
    ...secrets.faults,
    ...issues.map((issue) => `${issue.path.join('.')}: ${messageOf(issue)}`),
    ...(lacksDeployment ? [NO_DEPLOYMENT] : []),
  ];
  const usable = Object.entries(secrets.values).filter(([name]) => !wrong.has(name));
  // A misspelled IDENTITY is checked as the one that was meant, so that the faults of its variables are reported too.
  const { options: identities } = variables.shape.IDENTITY.unwrap();
  const IDENTITY = wrong.has('IDENTITY')
    ? closestMatch(`${present.IDENTITY}`.toLowerCase(), identities, { maxDistance: 2 })
    : undefined;
  const values = parsed.data ?? variables.parse({ ...Object.fromEntries(usable), ...(IDENTITY && { IDENTITY }) });
  const config = toConfig(values, present);
  const isReported = (fault: string) => wrong.has(fault.split(':')[0] ?? '');
  // The rules between variables depend on the deployment, so they need a valid one.
  if (!wrong.has('DEPLOYMENT'))
    faults.push(...findContradictions(config, values, present).filter((fault) => !isReported(fault)));
  if (!wrong.has('PORT')) faults.push(...findPortFaults(config));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function toConfig(values: Values, env: Readonly<Record<string, string | undefined>>): Config {
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
    personasDir: toPersonasDir(values, productionLike),
    simulatorToday: values.SIMULATOR_TODAY,
    simulatorTransport: values.SIMULATOR_TRANSPORT,
    simulatorsPort: values.SIMULATORS_PORT,
    upstreams: {
      register: toUpstream(values, 'REGISTER'),
      brp: toUpstream(values, 'BRP'),
      duo: toUpstream(values, 'DUO'),
      documenten: toUpstream(values, 'DOCUMENTS'),
    },
    brpLetterHeaders: values.BRP_LETTER_HEADERS ?? {},
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
    conceptDays: values.CONCEPT_RETENTION_DAYS ?? (productionLike ? DEFAULT_CONCEPT_DAYS : 0),
    management:
      values.MANAGEMENT_PORT === undefined
        ? null
        : { host: withoutBrackets(values.MANAGEMENT_HOST), port: values.MANAGEMENT_PORT },
    // A SQLite file that cannot be read does not become readable by itself, and no other instance can use it.
    readyWithoutStore: values.DATABASE_URL ? values.READY_WITHOUT_STORE_SECONDS : 0,
    atOnce: values.REQUESTS_AT_ONCE,
    connections: values.CONNECTIONS_AT_ONCE,
    rateLimits: {
      all: values.RATE_LIMIT_PER_MINUTE ?? (productionLike ? DEFAULT_RATES.all : 0),
      submits: values.RATE_LIMIT_SUBMITS_PER_MINUTE ?? (productionLike ? DEFAULT_RATES.submits : 0),
    },
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

const NO_DEPLOYMENT = `DEPLOYMENT: this build has no default; set it to ${DEPLOYMENTS.join(', ')}`;

// The words of zod for a list of values are not for a user.
const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value' ? `must be ${issue.values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}` : issue.message;

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

function toProcessingLog({ PROCESSING_LOG, DATA_DIR }: Values, productionLike: boolean): ProcessingLogConfig['to'] {
  if (PROCESSING_LOG === 'stderr' || PROCESSING_LOG === 'nowhere') return PROCESSING_LOG;
  if (PROCESSING_LOG !== undefined) return { file: PROCESSING_LOG };
  if (productionLike) return 'stderr';
  return DATA_DIR === ':memory:' ? 'nowhere' : { file: join(DATA_DIR, 'processing.log') };
}

function toTracing(values: Values): Config['tracing'] {
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

// The management port may not be the port of the service.
function findPortFaults({ host, port, management }: Config): string[] {
  if (port === 0 || management?.port !== port) return [];
  const isOneAddress = host === management.host || [host, management.host].some(isEveryAddress);
  return isOneAddress ? ['MANAGEMENT_PORT: must differ from PORT'] : [];
}
