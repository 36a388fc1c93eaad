import * as z from 'zod';
import { passesElfproef } from '../domain/identifiers.ts';
import { DEFAULT_UPLOAD_LIMITS } from '../domain/upload-limits.ts';
import { identityVariables } from './variables-identity.ts';
import { headerPairs, hostNames, httpUrl, origins, pemFile, value } from './variables-kinds.ts';
import { documents, headerList, oauth, tokenClaims, upstream } from './variables-upstream.ts';

const portUpTo = (highest: number) => {
  const fault = `must be a whole number from 0 to ${highest}`;
  return z.coerce.number(fault).int(fault).min(0, fault).max(highest, fault);
};
const anyPort = portUpTo(65_535);
const port = (standard: number, text: string) => anyPort.default(standard).describe(text);
const flag = (text: string) => z.enum(['yes', 'no']).default('no').describe(text);
const CLAMD = /^clamd:\/\/([^/:@]+|\[[\da-fA-F:.]+\]):[1-9]\d*$/;
const scanner = z
  .string()
  .refine(
    (text) => /^(none|simulator)$/.test(text) || (CLAMD.test(text) && URL.canParse(text)),
    'must be "none", "simulator", or clamd://<host>:<port> (an IPv6 address between [ and ])',
  )
  .optional();

const wholeNumber = z.coerce.number('must be a number').int('must be a whole number');

const count = (standard: number, text: string) =>
  wholeNumber.positive('must be 1 or more').default(standard).describe(text);

const limit = (text: string) => wholeNumber.nonnegative('must be 0 or more').optional().describe(text);

export const DEPLOYMENTS = ['development', 'demo', 'integration', 'acceptance', 'production'] as const;

/** The table in reference/configuration.md is generated from it. */
export const variables = z.object({
  DEPLOYMENT: z
    .enum(DEPLOYMENTS)
    .default('development')
    .describe(
      'Environment of the service: `development`, `demo`, `integration`, `acceptance` or `production`. `acceptance` and `production` are production-like: no stand-in identity, no simulators, no development pages, and only upstreams with TLS. The build of `npm run build` has no default',
    ),
  PORT: port(3000, 'Port of the service; 0 selects a free port'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  MANAGEMENT_PORT: anyPort
    .optional()
    .describe('Management port: `/metrics` (Prometheus), `/health` and `/health/ready`. Absent: no management port'),
  MANAGEMENT_HOST: z.string().default('127.0.0.1').describe('Address of the management port'),
  READY_WITHOUT_STORE_SECONDS: z.coerce
    .number('must be a number')
    .nonnegative('must be 0 or more')
    .default(60)
    .describe(
      'Seconds for which `/health/ready` stays 200 while PostgreSQL does not answer; what needs no store then still works. Longer than a failover of the database takes. SQLite: always 0',
    ),
  IDENTITY: z
    .enum(['stand-in', 'simulated-oidc', 'oidc'])
    .optional()
    .describe(
      'How callers are identified: `stand-in` (request headers), `simulated-oidc` (a login page of the simulator) or `oidc` (bearer tokens). Default `stand-in`; production-like deployments accept only `oidc`',
    ),
  ALLOW_STAND_IN: flag(
    '`yes` allows the stand-in identity on a `HOST` that other machines can reach, or with an upstream on another machine',
  ),
  ...identityVariables,
  OIDC_SIMULATED_PORT: port(
    4020,
    'Port on 127.0.0.1 of the issuers of `IDENTITY=simulated-oidc`, for professionals and for staff; 0 selects a free port',
  ),
  OIDC_SIMULATED_TOKEN_SECONDS: count(300, 'Seconds after which an access token of these issuers expires'),
  CORS_ORIGINS: origins
    .default([])
    .describe(
      'Origins that may call the service from a browser (CORS), separated by commas. Outside production-like deployments every port of this machine may call too: localhost, names below it such as app.localhost, and loopback addresses',
    ),
  ALLOWED_HOSTS: hostNames
    .optional()
    .describe(
      'Host names that requests may use, without port, separated by commas. Default: the names and addresses of this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`) when `HOST` is one of them. Otherwise every name with `IDENTITY=oidc`, and with another identity IP addresses, names without a dot, `*.local`, `*.internal` and `*.localhost`',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Minimum level of log lines: `trace`, `debug`, `info`, `warn` or `error`; `silent` writes none'),
  LOG_FORMAT: z
    .enum(['json', 'pretty'])
    .optional()
    .describe(
      '`json`: one JSON line per request. `pretty`: coloured text, the default when standard output is a terminal',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'Base URL of an OpenTelemetry collector (OTLP over HTTP), which gets a trace of each request. Absent: no tracing. Other `OTEL_BSP_…` variables of the SDK work as well',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: headerPairs
    .optional()
    .describe('Request headers for the collector: `name=value`, separated by commas'),
  OTEL_SERVICE_NAME: z.string().default('zorgregister-bff').describe('Name of the service in traces'),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a postgres:// URL with one host; in a password / is %2F, # is %23 and ? is %3F',
    })
    .optional()
    .describe(
      'URL of the PostgreSQL database, `postgres://…`. Absent: a SQLite file in `DATA_DIR`. Production-like deployments need `sslmode=verify-full`, unless the database is on the same machine',
    ),
  DATABASE_TLS_CA: pemFile.describe(
    'PEM file with the CA certificates for the connection to PostgreSQL, instead of those of Node',
  ),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe(
      'Folder for the SQLite file and the data of the simulators. `:memory:`: all data is lost when the service stops',
    ),
  PERSONAS_DIR: z
    .string()
    .optional()
    .describe(
      'Folder with personas of your own, a JSON file for each. A change is read without a restart. Default: `personas` in `DATA_DIR`. Not allowed in production-like deployments',
    ),
  PROCESSING_LOG: z
    .string()
    .refine((text) => /^(stderr|nowhere)$/.test(text) || /[/.]/.test(text), 'must be "stderr", "nowhere" or a file')
    .optional()
    .describe(
      'Destination of the processing log and the audit trail: `stderr`, a file, or `nowhere` (not in production-like deployments). A pipe (FIFO, also `/dev/stdout` when that is one) or a socket is refused: a write to it can wait for its reader without end. Default: `stderr` in production-like deployments, else `processing.log` in `DATA_DIR`',
    ),
  PROCESSING_LOG_KEY: value
    .optional()
    .describe(
      'Key for the pseudonyms in the processing log: at least 32 bytes, the same in all instances. Required in production-like deployments; elsewhere the default is a random key for each process',
    ),
  PROCESSING_ACTIVITIES: z
    .url('must be a URI')
    .default('urn:verwerkingsactiviteit:zorgregister:')
    .describe(
      'Start of the URI of a processing activity. The name of the activity follows it; the whole is its URI in your register of processing activities',
    ),
  SIMULATOR_TODAY: z.iso
    .date('must be a day, such as 2026-06-01')
    // Lives and terms reach a century from it, and a date has a year of four digits.
    .refine((day) => /^(19|20|21)/.test(day), 'must be a day from 1900 to 2199')
    .optional()
    .describe(
      'Date at which the clock of the simulators and of the service stands still, `YYYY-MM-DD`, from 1900 to 2199',
    ),
  SIMULATOR_TRANSPORT: z
    .enum(['in-process', 'loopback'])
    .default('in-process')
    .describe(
      'How the service reaches its simulated upstreams: within its own process, or over sockets on loopback. The scanner is always on a socket',
    ),
  SIMULATORS_PORT: portUpTo(65_531)
    .default(4010)
    .describe('First of the five ports of `npm run simulators`, in this order: register, BRP, DUO, documents, scanner'),
  ...upstream('REGISTER', 'the base URL of the register (`adapters/register/openapi.yaml`)'),
  ...oauth('REGISTER'),
  ...upstream('BRP', 'the complete URL of BRP Personen bevragen v2, with `/personen` at the end'),
  ...oauth('BRP'),
  BRP_LETTER_HEADERS: headerList
    .optional()
    .describe(
      'Request headers, as a JSON object, of questions about the addressee of a letter, such as another `x-doelbinding`. They replace those of `BRP_HEADERS` with the same name, which are those of questions of people about themselves',
    ),
  ...upstream('DUO', 'the base URL of the diploma register (`adapters/duo/openapi.yaml`)'),
  ...oauth('DUO'),
  ...upstream('DOCUMENTS', ''),
  DOCUMENTS_UPSTREAM: documents.describe(
    '`simulator` (the default outside production-like deployments), the base URL of a ZGW Documenten API, or `s3:` before the URL of a bucket',
  ),
  DOCUMENTS_CLIENT_ID: value.optional().describe('Client id for the Documenten API, or access key id for S3'),
  DOCUMENTS_SECRET: value
    .optional()
    .describe('Secret of that client id or access key; at least 32 bytes for the Documenten API'),
  DOCUMENTS_RSIN: z
    .string()
    .refine(passesElfproef, 'must be nine digits that pass the 11-test')
    .optional()
    .describe('RSIN of the organisation that owns the documents'),
  DOCUMENTS_INFORMATIEOBJECTTYPE: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
    .optional()
    .describe('URL of the informatieobjecttype that every document gets (Documenten API)'),
  DOCUMENTS_TOKEN_BACKDATE_SECONDS: wholeNumber
    .nonnegative('must be 0 or more')
    .default(30)
    .describe(
      'Seconds by which the time of issue (`iat`) of a token for the Documenten API is earlier than now, for a store whose clock is behind',
    ),
  DOCUMENTS_TOKEN_EXPIRES_SECONDS: wholeNumber
    .positive('must be 1 or more')
    .optional()
    .describe(
      'Seconds from `iat` to `exp` in that token. Absent: no `exp`, and the store decides how long it is valid',
    ),
  DOCUMENTS_TOKEN_CLAIMS: tokenClaims
    .optional()
    .describe(
      'Claims of that token as a JSON object: `{"user_representation":"…","aud":"…"}`. They are added to `iss`, `client_id`, `user_id` and `user_representation`, or replace them',
    ),
  DOCUMENTS_REGION: z.string().default('us-east-1').describe('Region of S3'),
  SCANNER: scanner.describe(
    'Virus scanner: `none` (the default outside production-like deployments), `clamd://<host>:<port>`, or `simulator`, which finds the EICAR test file',
  ),
  REQUESTS_AT_ONCE: count(
    128,
    'Maximum number of requests that are handled at the same time, without uploads and downloads. More get 503. One person may have a sixteenth of it (at least 4) in progress; more of that person wait',
  ),
  CONNECTIONS_AT_ONCE: count(
    2_048,
    'Maximum number of open connections, and never more than half of the files that the process may open. A new connection closes the one that has been idle for longest',
  ),
  RATE_LIMIT_PER_MINUTE: limit(
    'Maximum number of requests per person per minute to this instance; more get 429. Default: 600 in production-like deployments, else 0 (no limit)',
  ),
  RATE_LIMIT_SUBMITS_PER_MINUTE: limit(
    'The same for POST requests that create something; uploads have limits of their own. Default: 30 in production-like deployments, else 0 (no limit)',
  ),
  UPLOADS_RECEIVING: count(
    DEFAULT_UPLOAD_LIMITS.receiving,
    'Maximum number of uploads that this process receives at the same time; more get 503',
  ),
  UPLOADS_SPOOL_MB: count(
    DEFAULT_UPLOAD_LIMITS.spoolMb,
    'Maximum size in MB of all uploads that are being received, in memory and in temporary files together; more get 503. Production-like deployments need at least 25',
  ),
  UPLOADS_AT_ONCE: count(
    DEFAULT_UPLOAD_LIMITS.atOnce,
    'Maximum number of files that this process checks and stores at the same time, of which one person may have a quarter. Others wait for at most 30 seconds, and then get 503',
  ),
  UPLOADS_PER_PERSON: count(
    DEFAULT_UPLOAD_LIMITS.perPersonAtOnce,
    'Maximum number of uploads of one person at the same time; more get 429',
  ),
  UPLOADS_PER_HOUR: count(
    DEFAULT_UPLOAD_LIMITS.perPersonPerHour,
    'Maximum number of uploads of one person per hour; more get 429',
  ),
  UPLOADS_ORPHAN_HOURS: z.coerce
    .number('must be a number')
    .nonnegative('must be 0 or more')
    .default(DEFAULT_UPLOAD_LIMITS.orphanHours)
    .describe(
      'Hours after which a document is removed when no application refers to it; 0 removes it with the next sweep (at least 1 in production-like deployments)',
    ),
  CONCEPT_RETENTION_DAYS: limit(
    'Days after its last change after which a Concept is deleted with its documents; 0 keeps it until its owner deletes it. Default: 365 in production-like deployments, else 0',
  ),
});

/** The parsed variables. Without a default, a variable that is not set is undefined. */
export type Values = z.output<typeof variables>;
