import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect } from 'vitest';

/** The redirect URI of a login. No server listens there. */
export const CALLBACK = 'http://localhost:5173/terug';
export const LOA_PREFIX = 'http://eidas.europa.eu/LoA/';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** Returns a client of a token issuer that logs in as a page in a browser does, with cookies and redirects. */
export async function createLoginClient(issuer: string) {
  const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, string>;
  const jar = new Map<string, { value: string; path: string }>();

  /** Sends a request with the cookies for its path, and follows redirects within the issuer. */
  async function visit(url: string, form?: Record<string, string>): Promise<Response> {
    const { pathname } = new URL(url);
    const cookie = [...jar]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
      .join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; path=([^;]*)/i.exec(line)?.[1] ?? '/';
      if (value === '') jar.delete(`${name} ${path}`);
      else jar.set(`${name} ${path}`, { value, path });
    }
    const to = answer.headers.get('location');
    if (to === null) return answer;
    const next = new URL(to, url);
    return next.origin === new URL(issuer).origin ? visit(next.href) : answer;
  }

  const token = async (body: Record<string, string>) => {
    const answer = await fetch(metadata.token_endpoint ?? '', {
      method: 'POST',
      headers: { origin: new URL(CALLBACK).origin },
      body: new URLSearchParams({ client_id: 'portal', ...body }),
    });
    const json = (await answer.json()) as Tokens & { readonly error?: string };
    return { status: answer.status, cors: answer.headers.get('access-control-allow-origin'), json };
  };

  return {
    metadata,
    visit,
    token,
    /**
     * Starts a login, with `extra` query parameters. Returns the login page or the redirect with a code, and the PKCE
     * verifier.
     */
    async authorize(extra: Record<string, string> = {}) {
      const verifier = randomBytes(32).toString('base64url');
      const query = new URLSearchParams({
        client_id: 'portal',
        response_type: 'code',
        scope: 'openid profile',
        redirect_uri: CALLBACK,
        state: 'abc',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...extra,
      });
      return { answer: await visit(`${metadata.authorization_endpoint}?${query}`), verifier };
    },
    /** Starts a login, submits the login page with these fields, and returns the tokens. */
    async logIn(form: Record<string, string>, extra: Record<string, string> = {}): Promise<Tokens> {
      const { answer, verifier } = await this.authorize(extra);
      expect(answer.status).toBe(200);
      const back = await visit(answer.url, form);
      return this.redeem(back, verifier);
    },
    /** Exchanges the code in the redirect `back` for tokens. `verifier` is the PKCE verifier of that login. */
    async redeem(back: Response, verifier: string): Promise<Tokens> {
      const to = new URL(back.headers.get('location') ?? 'about:blank');
      expect([to.origin + to.pathname, to.searchParams.get('state')]).toEqual([CALLBACK, 'abc']);
      const code = to.searchParams.get('code') ?? '';
      const { status, json } = await token({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: CALLBACK,
      });
      expect([status, json]).toEqual([200, expect.anything()]);
      return json;
    },
  };
}

export const claimsOf = (token: string) => decodeJwt(token);
