import * as z from 'zod';
import type { ClientKey } from '../ports/connection.ts';
import { parseClientKey } from './certificates.ts';
import { contentOf, httpUrl, NO_FILE, pemFile, prefixed, value } from './variables-kinds.ts';

// The HTTP client sets these itself.
const RESERVED =
  /^(host|connection|content-length|content-type|transfer-encoding|expect|upgrade|keep-alive|te|trailer|accept|traceparent)$/;

/** A JSON object of headers. The parsed names are in lower case. */
export const headerList = z.string().transform((text, issue) => {
  const { data } = z.record(z.string(), z.string()).safeParse(parsedOrUndefined(text));
  if (data === undefined) {
    issue.addIssue('must be a JSON object of header names and values, such as {"x-origin-oin":"00000001"}');
    return z.NEVER;
  }
  const lower = Object.entries(data).map(([name, content]) => [name.toLowerCase(), content] as const);
  const wrong = Object.keys(data).filter((name) => !/^[A-Za-z0-9-]+$/.test(name));
  if (wrong.length > 0)
    issue.addIssue(
      `may not have ${wrong.map((name) => JSON.stringify(name)).join(', ')} as a name: only letters, digits and -`,
    );
  const reserved = lower.map(([name]) => name).filter((name) => RESERVED.test(name));
  if (reserved.length > 0) issue.addIssue(`may not set ${reserved.join(', ')}: the HTTP client does`);
  for (const [name, content] of lower)
    if (!value.safeParse(content).success)
      issue.addIssue(
        `the value of ${name} has a character that a header cannot have (only printable ASCII); send it in the encoding that the gateway reads, such as percent-encoding (%C3%AB for \u00eb)`,
      );
  return Object.fromEntries(lower);
});

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Returns whether a path can be appended to the URL, and it has no credentials.
const isPlain = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === '';

const URL_FAULT = 'must be "simulator" or an http(s) URL';
const upstreamUrl = z
  .union([z.literal('simulator'), z.url({ protocol: /^https?$/, error: URL_FAULT })], { error: URL_FAULT })
  .refine(
    (url) => !URL.canParse(url) || isPlain(new URL(url)),
    'may not contain a user name, a password, a query or a fragment; use _API_KEY or _HEADERS',
  )
  .optional();

// `s3:` before the URL of a bucket, with or without a prefix.
function isBucket(text: string): boolean {
  if (!text.startsWith('s3:') || !URL.canParse(text.slice(3))) return false;
  const url = new URL(text.slice(3));
  return /^https?:$/.test(url.protocol) && url.pathname.length > 1 && isPlain(url) && isDecodable(url.pathname);
}

// Returns whether the percent-encoding is complete and is UTF-8.
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const documents = z
  .string()
  .refine(
    (text) => upstreamUrl.safeParse(text).success || isBucket(text),
    'must be "simulator", an http(s) URL without a user name, password, query or fragment, or "s3:" before the URL of a bucket',
  )
  .optional();

/** A JSON object without the times, which have variables of their own. */
export const tokenClaims = z.string().transform((text, issue) => {
  const { data } = z.record(z.string(), z.unknown()).safeParse(parsedOrUndefined(text));
  if (data === undefined) issue.addIssue('must be a JSON object of claims, such as {"user_representation":"BFF"}');
  else if ('iat' in data || 'exp' in data)
    issue.addIssue('may not have iat or exp; use DOCUMENTS_TOKEN_BACKDATE_SECONDS and DOCUMENTS_TOKEN_EXPIRES_SECONDS');
  return data ?? z.NEVER;
});

const text = value.optional();
const parameters = z
  .string()
  .regex(/^[\w.~%+-]+=[^\s&]*(&[\w.~%+-]+=[^\s&]*)*$/, 'must be name=value, with & between more of them')
  .optional();
const clientKey = z
  .string()
  .transform((path, issue): ClientKey => {
    const content = contentOf(path);
    const found = content === null ? NO_FILE : parseClientKey(content);
    if (typeof found !== 'string') return found;
    issue.addIssue(found);
    return z.NEVER;
  })
  .optional();

/** @param url - words that say which URL is needed, for the description */
export const upstream = <Name extends string>(name: Name, url: string) =>
  prefixed(name, {
    UPSTREAM: upstreamUrl.describe(`\`simulator\` (the default outside production-like deployments) or ${url}`),
    API_KEY: text.describe('API key, sent in the header `x-api-key`'),
    HEADERS: headerList.optional().describe('Extra request headers, as a JSON object: `{"x-origin-oin":"…"}`'),
    TLS_CERT: pemFile.describe('PEM file with the client certificate for mutual TLS; needs `_TLS_KEY`'),
    TLS_KEY: pemFile.describe('PEM file with the private key of that certificate, without a passphrase'),
    TLS_CA: pemFile.describe('PEM file with the CA certificates for the connection, instead of those of Node'),
  });

/** OAuth2 client credentials (RFC 6749, 4.4). */
export const oauth = <Name extends string>(name: Name) =>
  prefixed(name, {
    OAUTH_TOKEN_URL: httpUrl
      .optional()
      .describe('URL of the OAuth2 token endpoint (client credentials). The token is sent in `Authorization`'),
    OAUTH_CLIENT_ID: text.describe('Client id for the token endpoint'),
    OAUTH_CLIENT_SECRET: text.describe(
      'Client secret for the token endpoint. Absent: `_OAUTH_CLIENT_KEY` or the client certificate `_TLS_CERT` identifies the client',
    ),
    OAUTH_CLIENT_KEY: clientKey.describe(
      'File with the private key that identifies the client (`private_key_jwt`, RFC 7523), instead of a secret: a JWK, whose `kid` and `alg` are used, or PEM, also with its certificate (`x5t#S256`)',
    ),
    OAUTH_CLIENT_AUTH: z
      .enum(['post', 'basic'])
      .default('post')
      .describe('How id and secret are sent: in the body (`post`) or in `Authorization` (`basic`)'),
    OAUTH_SCOPE: text.describe('OAuth2 scope'),
    OAUTH_PARAMETERS: parameters.describe(
      'Extra parameters for the token endpoint, such as `resourceServer=ResourceServer01`',
    ),
  });
