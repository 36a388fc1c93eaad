import type { ServerOptions } from 'node:https';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { type ScriptedServer, sendJson, startScriptedServer } from './scripted-server.ts';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A token issuer for tests, which can publish wrong keys and sign wrong tokens. */
export interface TestIssuer extends ScriptedServer {
  /** The keys that the issuer publishes. The first one signs its tokens. */
  keys: SigningKey[];
  /** Returns how many times the service has fetched the keys. */
  fetches(): number;
  /**
   * Returns an access token, which is valid without arguments. `claims` and `header` replace or (undefined) remove
   * members; `key` signs the token.
   */
  token(claims?: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: SigningKey): Promise<string>;
}

export const AUDIENCE = 'https://bff.example';
const JWKS = '/keys';
const DISCOVERY = '/.well-known/openid-configuration';
export const epochSeconds = (offset = 0): number => Math.floor(Date.now() / 1_000) + offset;

export async function startIssuer(keys: SigningKey[], tls?: ServerOptions): Promise<TestIssuer> {
  const scripted = await startScriptedServer(({ url }, response) => {
    if (url === DISCOVERY) return sendJson(response, { issuer: issuer.url, jwks_uri: issuer.url + JWKS });
    if (url === JWKS) return sendJson(response, { keys: issuer.keys.map(({ jwk }) => jwk) });
    return sendJson(response, {}, 404);
  }, tls);
  const issuer: TestIssuer = Object.assign(scripted, {
    keys,
    fetches: () => scripted.received.filter(({ url }) => url === JWKS).length,
    token: (claims: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}, key = issuer.keys[0]) => {
      if (key === undefined) throw new Error('an issuer without keys signs nothing');
      return new SignJWT({
        iss: issuer.url,
        aud: AUDIENCE,
        sub: 'person-1',
        client_id: 'portal',
        iat: epochSeconds(),
        exp: epochSeconds(300),
        jti: crypto.randomUUID(),
        ...claims,
      })
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header } as JWTHeaderParameters)
        .sign(key.privateKey);
    },
  });
  return issuer;
}

/** Returns a token of these parts without any check, for tokens that a library would not make. */
export const assembleToken = (header: unknown, payload: unknown, signature = ''): string =>
  `${base64urlOf(header)}.${base64urlOf(payload)}.${signature}`;

export const base64urlOf = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/**
 * Returns the environment variables of a service that trusts two token issuers: one for professionals, one for staff.
 */
export const issuerVariables = (professionals: { url: string }, staff: { url: string }): Record<string, string> => ({
  IDENTITY: 'oidc',
  OIDC_ISSUER: professionals.url,
  OIDC_AUDIENCE: AUDIENCE,
  OIDC_STEP_UP_ACR: 'substantieel,hoog',
  OIDC_STAFF_ISSUER: staff.url,
  OIDC_STAFF_AUDIENCE: AUDIENCE,
  OIDC_STAFF_STEP_UP_ACR: 'mfa',
});
