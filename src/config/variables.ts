import * as z from 'zod';
import { passesElfproef } from '../domain/elfproef.ts';
import { DEFAULT_UPLOAD_LIMITS } from '../domain/upload-limits.ts';
import { identityVariables } from './variables-identity.ts';
import { commaList, origins, pemFile, value } from './variables-kinds.ts';
import { documents, oauth, upstream } from './variables-upstream.ts';

const PORT_FAULT = 'must be a whole number from 0 to 65535';
const anyPort = z.coerce.number(PORT_FAULT).int(PORT_FAULT).min(0, PORT_FAULT).max(65_535, PORT_FAULT);
const port = (standard: number, text: string) => anyPort.default(standard).describe(text);
const flag = (text: string) => z.enum(['yes', 'no']).default('no').describe(text);
/** `clamd://host:port`. */
const scanner = z
  .string()
  .refine(
    (text) => /^(none|simulator)$/.test(text) || /^clamd:\/\/[^/:@]+:\d{1,5}$/.test(text),
    'must be "none", "simulator", or clamd://<host>:<port>',
  )
  .optional();

const count = (standard: number, text: string) =>
  z.coerce.number().int('must be a whole number').positive('must be 1 or more').default(standard).describe(text);

const limit = (text: string) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .nonnegative('must be 0 or more')
    .optional()
    .describe(text);

/** Schema of all variables. The table in reference/configuration.md is generated from it, in this order. */
export const variables = z.object({
  DEPLOYMENT: z
    .enum(['development', 'demo', 'integration', 'acceptance', 'production'])
    .default('development')
    .describe(
      'Where this runs. The last two are production-like: no stand-in, no simulator, no pages, TLS upstreams only',
    ),
  PORT: port(3000, 'Port to listen on; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  MANAGEMENT_PORT: anyPort
    .optional()
    .describe(
      'Port for `/metrics` (Prometheus), `/health` and `/health/ready`, for who runs the service; none when absent',
    ),
  MANAGEMENT_HOST: z.string().default('127.0.0.1').describe('Address of the management port'),
  IDENTITY: z
    .enum(['stand-in', 'oidc'])
    .optional()
    .describe(
      'Who tells who calls: `stand-in` (request headers; the default outside production-like deployments, impossible in them) or `oidc` (bearer tokens)',
    ),
  ALLOW_STAND_IN: flag('Second key for a stand-in on a non-loopback `HOST` or in front of a non-loopback upstream'),
  ...identityVariables,
  CORS_ORIGINS: origins
    .default([])
    .describe(
      'Origins that may call, separated by commas. Every port of localhost may, outside production-like deployments',
    ),
  ALLOWED_HOSTS: commaList
    .optional()
    .describe('Names under which it may be called, without port; the loopback names when `HOST` is one, else any'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level to log'),
  LOG_FORMAT: z
    .enum(['json', 'pretty'])
    .optional()
    .describe('One JSON line a request, or coloured text. `pretty` when standard output is a terminal'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'PostgreSQL to keep everything in, `postgres://…`; without it a file in `DATA_DIR`. In production-like deployments with `sslmode=verify-full`, unless it is on this machine',
    ),
  DATABASE_TLS_CA: pemFile.describe(
    'File with the certificates (PEM) to trust PostgreSQL by, instead of the usual ones',
  ),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('Folder for the SQLite file and for the world of the simulated register; `:memory:` keeps nothing'),
  PROCESSING_LOG: z
    .string()
    .refine((text) => /^(stderr|nowhere)$/.test(text) || /[/.]/.test(text), 'must be "stderr", "nowhere" or a file')
    .optional()
    .describe(
      'Where the processing log and the audit trail go: `stderr` (the default in production-like deployments) or a file; else `processing.log` in `DATA_DIR`. `nowhere` outside production-like deployments only',
    ),
  PROCESSING_LOG_KEY: value
    .optional()
    .describe(
      'Key of the pseudonyms in it, 32 bytes or more, the same in all instances. Needed in production-like deployments; else one of the process itself',
    ),
  PROCESSING_ACTIVITIES: z
    .url()
    .default('urn:verwerkingsactiviteit:zorgregister:')
    .describe(
      'What goes before the name of an activity, to make the URI under which your register of processing activities has it',
    ),
  SIMULATOR_TODAY: z.iso
    .date('must be a day, such as 2026-06-01')
    .optional()
    .describe('Freezes the clock of the simulators and of the service at this date, `YYYY-MM-DD`'),
  SIMULATORS_PORT: port(
    4010,
    'First of the five ports of `npm run simulators`: register, BRP, DUO, documents, scanner',
  ),
  ...upstream('REGISTER', 'the base URL of the register (`adapters/register/openapi.yaml`)'),
  ...oauth('REGISTER'),
  ...upstream('BRP', 'the whole URL of BRP Personen bevragen v2, `…/personen` included'),
  ...oauth('BRP'),
  ...upstream('DUO', 'the base URL of the diploma register (`adapters/duo/openapi.yaml`)'),
  ...oauth('DUO'),
  ...upstream('DOCUMENTS', ''),
  DOCUMENTS_UPSTREAM: documents.describe(
    '`simulator` (the default outside production-like deployments), the base URL of a ZGW Documenten API, or `s3:` before the URL of a bucket',
  ),
  DOCUMENTS_CLIENT_ID: value.optional().describe('Client id at the Documenten API, or access key id of S3'),
  DOCUMENTS_SECRET: value
    .optional()
    .describe('The secret that goes with it; at least 32 characters for the Documenten API'),
  DOCUMENTS_RSIN: z
    .string()
    .refine(passesElfproef, 'must be nine digits that pass the 11-test')
    .optional()
    .describe('RSIN of the organisation whose documents these are'),
  DOCUMENTS_INFORMATIEOBJECTTYPE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of the type that the documents get, in the catalogue of the Documenten API'),
  DOCUMENTS_PARTS_ABOVE_MB: z.coerce
    .number('must be a number')
    .positive()
    .default(20)
    .describe('Documents larger than this go to the Documenten API in parts'),
  DOCUMENTS_REGION: z.string().default('us-east-1').describe('Region of S3'),
  SCANNER: scanner.describe(
    'Virus scanner: `none` (the default outside production-like deployments), `clamd://<host>:<port>`, or `simulator`, which finds the EICAR test file',
  ),
  REQUESTS_AT_ONCE: count(128, 'Requests at work at the same time, uploads and downloads apart; more are 503'),
  CONNECTIONS_AT_ONCE: count(
    2_048,
    'Connections at the same time, at most half of the files that the process may open; a new one closes the longest idle one',
  ),
  RATE_LIMIT_PER_MINUTE: limit(
    'Requests in a minute of one person; more are 429. 600 in production-like deployments, else 0: no limit',
  ),
  RATE_LIMIT_SUBMITS_PER_MINUTE: limit('The same for POSTs that make something: 30, else 0'),
  UPLOADS_RECEIVING: count(
    DEFAULT_UPLOAD_LIMITS.receiving,
    'Uploads under way at the same time in this process; more are 503. One address may have half of them; more are 429',
  ),
  UPLOADS_SPOOL_MB: count(
    DEFAULT_UPLOAD_LIMITS.spoolMb,
    'What these may have in memory and in temporary files together; more is 503. One address may have half of it',
  ),
  UPLOADS_AT_ONCE: count(
    DEFAULT_UPLOAD_LIMITS.atOnce,
    'Files that are checked and stored at the same time in this process; others wait for 30 seconds, and then are 503',
  ),
  UPLOADS_PER_PERSON: count(
    DEFAULT_UPLOAD_LIMITS.perPersonAtOnce,
    'Uploads at the same time of one person; more are 429',
  ),
  UPLOADS_PER_HOUR: count(DEFAULT_UPLOAD_LIMITS.perPersonPerHour, 'Uploads in an hour of one person; more are 429'),
  UPLOADS_ORPHAN_HOURS: z.coerce
    .number('must be a number')
    .nonnegative()
    .default(DEFAULT_UPLOAD_LIMITS.orphanHours)
    .describe('Hours after which a document to which no application refers is removed'),
});

/** The parsed variables. */
export type Values = z.output<typeof variables>;
