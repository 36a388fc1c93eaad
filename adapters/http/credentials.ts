import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import * as z from 'zod';
import type { ClientCredentials, ClientKey, TlsOptions } from '../../src/ports/connection.ts';
import type { Timing } from '../../src/ports/timing.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import type { Credential } from './client.ts';
import { createIssuerClient } from './issuer-client.ts';
import { differencesIn } from './request.ts';
import { codeOf, UpstreamFailure } from './upstream-failure.ts';

export interface ClientCredentialsOptions extends ClientCredentials {
  readonly upstream: UpstreamName;
  readonly tls: TlsOptions;
  readonly timing?: Timing;
}

export interface TokenCredential extends Credential {
  close(): Promise<void>;
}

// RFC 6749, 5.1. Some issuers have other characters in a token than RFC 6750 allows, such as `|`. A missing or invalid
// `expires_in` is read as 60 seconds.
const TokenWire = z.object({
  access_token: z
    .string()
    .max(8_192)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().positive().default(60).catch(60),
});

// RFC 6749, 5.2. Any other text could be a secret or a name.
const ErrorWire = z.object({
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
  ]),
});

const errorIn = (json: unknown): string => {
  const { data } = ErrorWire.safeParse(json);
  return data === undefined ? '' : `: ${data.error}`;
};

// Milliseconds before the expiry of a token: a new one is requested from `renew` (at most a tenth of its lifetime), and
// the old one is not used from `end` (at most a twentieth).
const MARGIN = { renew: 60_000, end: 5_000 };
// Minimum age in milliseconds of a refused token before it is replaced.
const MIN_AGE = 1_000;
// Milliseconds after a failed request.
const RETRY_DELAY = 1_000;

// Moments are of `performance.now()`, because the clock may be set back.
interface Token {
  readonly authorization: string;
  readonly since: number;
  // When to request the next token; this one is used until `end`. In milliseconds.
  readonly renew: number;
  readonly end: number;
}

/**
 * Authenticates calls with OAuth2 client credentials (RFC 6749, 4.4). The token is cached and renewed shortly before it
 * expires. Without a token `authorization` rejects with `UpstreamError` `unavailable`: the call is not sent.
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenCredential {
  const { upstream, tokenUrl } = options;
  const issuer = createIssuerClient(options.tls, options.timing);
  let token: Token | null = null;
  let pending: Promise<Token> | null = null;
  let failed: { error: UpstreamFailure; until: number } | null = null;

  async function ask(): Promise<Token> {
    const since = performance.now();
    const answer = await issuer.ask(tokenUrl, await tokenRequest(options)).catch((error: unknown) => {
      throw failure(codeOf(error));
    });
    if (answer.status !== 200) throw failure(`status ${answer.status}${errorIn(answer.json)}`);
    const parsed = TokenWire.safeParse(answer.json);
    if (!parsed.success)
      throw failure(`no token in the answer${errorIn(answer.json) || ` at ${differencesIn(parsed.error.issues)}`}`);
    const life = parsed.data.expires_in * 1_000;
    return {
      authorization: `Bearer ${parsed.data.access_token}`,
      since,
      renew: since + life - Math.min(MARGIN.renew, life / 10),
      end: since + life - Math.min(MARGIN.end, life / 20),
    };
  }

  const failure = (why: string): UpstreamFailure =>
    new UpstreamFailure(upstream, 'unavailable', `token endpoint: ${why}`, { undone: true });

  function renew(): Promise<Token> {
    pending ??= ask()
      .then(
        (next) => {
          failed = null;
          token = next;
          return next;
        },
        (error: UpstreamFailure) => {
          failed = { error, until: performance.now() + RETRY_DELAY };
          throw error;
        },
      )
      .finally(() => {
        pending = null;
      });
    return pending;
  }

  return {
    async authorization(signal) {
      const now = performance.now();
      if (token !== null && now < token.renew) return token.authorization;
      const isPaused = failed !== null && now < failed.until;
      if (token !== null && now < token.end) {
        // Renews in the background: this token is still valid, so a failure to renew it does not matter yet.
        if (!isPaused) renew().catch(() => undefined);
        return token.authorization;
      }
      if (failed !== null && isPaused) throw failed.error;
      return (await orAborted(renew(), signal)).authorization;
    },
    isStale(status) {
      if (status !== 401) return false;
      // Of many callers refused at the same time, the first drops the token; the others use the new one.
      if (token !== null && performance.now() - token.since > MIN_AGE) token = null;
      return true;
    },
    close: issuer.close,
  };
}

// Does not cancel `work`, because other callers may wait for it too.
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function tokenRequest(options: ClientCredentials) {
  const { tokenUrl, clientId, clientSecret, clientKey, clientAuth, scope, parameters } = options;
  const form = new URLSearchParams(parameters);
  form.set('grant_type', 'client_credentials');
  if (scope !== undefined) form.set('scope', scope);
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (clientAuth === 'basic' && clientSecret !== undefined) headers.authorization = basicOf(clientId, clientSecret);
  else {
    form.set('client_id', clientId);
    if (clientSecret !== undefined) form.set('client_secret', clientSecret);
  }
  if (clientKey !== undefined) {
    form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    form.set('client_assertion', await clientAssertion(clientId, clientKey, tokenUrl));
  }
  return { method: 'POST' as const, headers, body: form.toString() };
}

// Seconds before and after now: the clock of the token endpoint may be behind, and some endpoints refuse an assertion
// that is valid for more than a minute.
const ASSERTION = { before: 30, after: 30 };

// RFC 7523, section 3.
function clientAssertion(clientId: string, { key, header }: ClientKey, tokenUrl: URL): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT()
    .setProtectedHeader({ ...header, typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(tokenUrl.href)
    .setJti(randomUUID())
    .setIssuedAt(now - ASSERTION.before)
    .setExpirationTime(now + ASSERTION.after)
    .sign(key);
}

/**
 * Returns the value of an `Authorization` header for Basic. Both parts are form-encoded before they are joined (RFC
 * 6749, section 2.3.1).
 */
export const basicOf = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`;

// RFC 6749, appendix B.
const formEncoded = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2);
