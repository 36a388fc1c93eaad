import * as z from 'zod';

const PORT_FAULT = 'must be a whole number from 0 to 65535';
const port = (standard: number, text: string) =>
  z.coerce
    .number(PORT_FAULT)
    .int(PORT_FAULT)
    .min(0, PORT_FAULT)
    .max(65_535, PORT_FAULT)
    .default(standard)
    .describe(text);
const flag = (text: string) => z.enum(['yes', 'no']).default('no').describe(text);
const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** Headers that the HTTP client decides about; setting them here would break every call or send them twice. */
const RESERVED =
  /^(host|connection|content-length|content-type|transfer-encoding|expect|upgrade|keep-alive|te|trailer|accept|traceparent)$/;

const value = z.string().regex(/^[\x20-\x7e]*$/);

const headerList = z.string().transform((text, issue) => {
  try {
    const given = z.record(z.string().regex(/^[A-Za-z0-9-]+$/), value).parse(JSON.parse(text));
    const lower = Object.entries(given).map(([name, content]) => [name.toLowerCase(), content] as const);
    const reserved = lower.map(([name]) => name).filter((name) => RESERVED.test(name));
    if (reserved.length > 0) issue.addIssue(`may not set ${reserved.join(', ')}: the HTTP client does`);
    return Object.fromEntries(lower);
  } catch {
    issue.addIssue('must be a JSON object of header names and values, such as {"x-origin-oin":"00000001"}');
    return z.NEVER;
  }
});

const where = z
  .union([z.literal('simulator'), z.url({ protocol: /^https?$/ })], { error: 'must be "simulator" or an http(s) URL' })
  .refine(
    (url) => !URL.canParse(url) || new URL(url).username === '',
    'may not hold a user name; use _API_KEY or _HEADERS',
  )
  .optional();
const apiKey = value.optional();
const headers = headerList.optional();

type UpstreamVariables<Name extends string> = Record<`${Name}_UPSTREAM`, typeof where> &
  Record<`${Name}_API_KEY`, typeof apiKey> &
  Record<`${Name}_HEADERS`, typeof headers>;

/** The variables of one upstream; every upstream has the same ones. */
const upstream = <Name extends string>(name: Name, url: string) =>
  ({
    [`${name}_UPSTREAM`]: where.describe(`\`simulator\` (the default outside production-like deployments) or ${url}`),
    [`${name}_API_KEY`]: apiKey.describe('Sent as `x-api-key`'),
    [`${name}_HEADERS`]: headers.describe('More headers to send, as a JSON object: `{"x-origin-oin":"…"}`'),
  }) as UpstreamVariables<Name>;

/** Every variable, in the order of the README's table, which is made from these descriptions. */
export const variables = z.object({
  DEPLOYMENT: z
    .enum(['development', 'demo', 'integration', 'acceptance', 'production'])
    .default('development')
    .describe(
      'Where this runs. The last two are production-like: no stand-in, no simulator, no pages, TLS upstreams only',
    ),
  PORT: port(3000, 'Port to listen on; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  IDENTITY: z
    .enum(['stand-in'])
    .optional()
    .describe(
      'Who tells who calls: `stand-in` (request headers; the default outside production-like deployments, impossible in them)',
    ),
  ALLOW_STAND_IN: flag('Second key for a stand-in on a non-loopback `HOST` or in front of a non-loopback upstream'),
  CORS_ORIGINS: commaList
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
    .describe('PostgreSQL to keep everything in, `postgres://…`; without it a file in `DATA_DIR`'),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('Folder for the SQLite file and for the world of the simulated register; `:memory:` keeps nothing'),
  SIMULATOR_TODAY: z.iso
    .date()
    .optional()
    .describe('Freezes the clock of the simulators and of the service at this date, `YYYY-MM-DD`'),
  SIMULATORS_PORT: port(4010, 'First of the three ports of `npm run simulators`: register, then BRP, then DUO'),
  ...upstream('REGISTER', 'the base URL of the register (`adapters/register/openapi.yaml`)'),
  ...upstream('BRP', 'the whole URL of BRP Personen bevragen v2, `…/personen` included'),
  ...upstream('DUO', 'the base URL of the diploma register (`adapters/duo/openapi.yaml`)'),
});
