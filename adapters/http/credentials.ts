import * as z from 'zod';
import type { Bron } from '../../src/wire/values.ts';
import type { Credential } from './client.ts';
import { fetchJson, secureAgent, type TlsOptions } from './fetch-json.ts';
import { orAborted } from './or-aborted.ts';
import { codeOf, UpstreamFailure } from './upstream-failure.ts';

export interface ClientCredentialsOptions {
  readonly bron: Bron;
  readonly tokenUrl: URL;
  readonly clientId: string;
  /** Without one the client certificate tells who we are (RFC 8705, section 2). */
  readonly clientSecret: string | undefined;
  /** In the form, as the BRP wants it, or in `Authorization`, as RFC 6749 prefers it (2.3.1). */
  readonly clientAuth: 'post' | 'basic';
  readonly scope: string | undefined;
  /** More for the form, as `name=value&name=value`. */
  readonly parameters: string;
  readonly tls: TlsOptions;
}

export interface TokenCredential extends Credential {
  close(): Promise<void>;
}

/** RFC 6749, 5.1. A server that does not tell for how long gets asked again after a minute. */
const TokenWire = z.object({
  access_token: z.string().regex(/^[\w.~+/=-]{1,8192}$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().positive().default(60).catch(60),
});

/** Milliseconds before its end that the next token is asked for, or a tenth of its life when that is less; and at which it is over. */
const MARGIN = { renew: 60_000, end: 5_000 };
/** Milliseconds in which a token that was refused is not asked for anew: then it is we who are refused, not the token. */
const MIN_AGE = 1_000;
/** Milliseconds in which a token endpoint that failed is left alone. */
const RETRY_DELAY = 1_000;

interface Token {
  readonly authorization: string;
  readonly since: number;
  /** When the next is asked for, while this one still does. */
  readonly renew: number;
  readonly end: number;
}

/**
 * A token of our own organisation for an upstream: OAuth2 client credentials (RFC 6749, 4.4). Kept until it ends, asked for by
 * one caller on behalf of all, and anew a little before. Without it the upstream is unavailable, and was not asked.
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenCredential {
  const { bron, tokenUrl } = options;
  const agent = secureAgent(options.tls);
  let token: Token | null = null;
  let pending: Promise<Token> | null = null;
  let failed: { error: UpstreamFailure; until: number } | null = null;

  async function ask(): Promise<Token> {
    const since = Date.now();
    const answer = await fetchJson(agent, tokenUrl, tokenRequest(options)).catch((error: unknown) => {
      throw failure(codeOf(error));
    });
    if (answer.status !== 200) throw failure(`status ${answer.status}`);
    const parsed = TokenWire.safeParse(answer.json);
    if (!parsed.success) throw failure('no token in the answer');
    const life = parsed.data.expires_in * 1_000;
    return {
      authorization: `Bearer ${parsed.data.access_token}`,
      since,
      renew: since + life - Math.min(MARGIN.renew, life / 10),
      end: since + life - Math.min(MARGIN.end, life / 20),
    };
  }

  const failure = (why: string): UpstreamFailure =>
    new UpstreamFailure(bron, 'unavailable', `token endpoint: ${why}`, { undone: true });

  function renew(): Promise<Token> {
    pending ??= ask()
      .then(
        (next) => {
          failed = null;
          token = next;
          return next;
        },
        (error: UpstreamFailure) => {
          failed = { error, until: Date.now() + RETRY_DELAY };
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
      const now = Date.now();
      if (token !== null && now < token.renew) return token.authorization;
      const isPaused = failed !== null && now < failed.until;
      if (token !== null && now < token.end) {
        // Nobody waits for the next while this one does, nor minds when it does not come yet.
        if (!isPaused) renew().catch(() => undefined);
        return token.authorization;
      }
      if (failed !== null && isPaused) throw failed.error;
      return (await orAborted(renew(), signal)).authorization;
    },
    isStale(status) {
      if (status !== 401) return false;
      // Of many callers refused at once the first drops it; the others try with the new one.
      if (token !== null && Date.now() - token.since > MIN_AGE) token = null;
      return true;
    },
    close: () => agent.destroy(),
  };
}

function tokenRequest({ clientId, clientSecret, clientAuth, scope, parameters }: ClientCredentialsOptions) {
  const form = new URLSearchParams(parameters);
  form.set('grant_type', 'client_credentials');
  if (scope !== undefined) form.set('scope', scope);
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (clientAuth === 'basic' && clientSecret !== undefined) {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    form.set('client_id', clientId);
    if (clientSecret !== undefined) form.set('client_secret', clientSecret);
  }
  return { method: 'POST' as const, headers, body: form.toString() };
}

/** RFC 6749, appendix B. */
const formEncoded = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2);
