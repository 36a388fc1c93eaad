import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import type { TrustedIssuer } from '../../src/auth/trusted-issuer.ts';
import { UpstreamError } from '../../src/ports/call.ts';
import { describeClaims, describeHeader, TokenRefused, withFound } from './claims.ts';
import type { IssuerKeys } from './keys.ts';

export interface Claims extends JWTPayload {
  readonly exp: number;
}

const MAX_TOKEN_LENGTH = 16 * 1024;
// At most 255 ASCII characters (OpenID Connect Core 1.0, section 2), without a space at its start or end.
const SUBJECT = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Returns the `iss` of a token that is not verified yet, to choose the keys; null when the token is not a JWT. Throws
 * `TokenRefused` when the token is too long.
 */
export function claimedIssuer(token: string): { readonly iss: unknown } | null {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefused('too long', `more than ${MAX_TOKEN_LENGTH} characters`);
  try {
    return { iss: decodeJwt(token).iss };
  } catch {
    return null;
  }
}

/**
 * Verifies a token (RFC 8725; RFC 9068, section 4) and returns its claims. Throws `TokenRefused`, and `UpstreamError`
 * when the issuer's keys have not been loaded. Ignores keys in the token itself (`jku`, `x5u`, `jwk`, `x5c`).
 */
export async function verify(token: string, rules: TrustedIssuer, keys: IssuerKeys): Promise<Claims> {
  const header = headerOf(token);
  const found = () => describeHeader(header);
  withFound(found, () => {
    checkHeader(header, rules);
    checkSpelling(token);
  });
  const payload = await payloadOf(token, header, keys, {
    issuer: rules.issuer,
    ...(rules.audience !== null && { audience: rules.audience }),
    algorithms: [...rules.algorithms],
    requiredClaims: ['iss', 'exp', ...(rules.audience === null ? [] : ['aud'])],
    clockTolerance: rules.leeway,
  }).catch((error: unknown) => {
    if (error instanceof UpstreamError) throw error;
    // jose compares claims after it has verified the signature, so these may be described.
    const claims = error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired;
    return withFound(claims ? () => describeClaims(error.payload) : found, () => {
      throw error instanceof TokenRefused ? error : new TokenRefused(reasonOf(error));
    });
  });
  return withFound(
    () => describeClaims(payload),
    () => checkClaims(payload, rules),
  );
}

/**
 * Checks what an introspection endpoint says about an active token (RFC 7662, section 2.2), and returns the claims.
 * Without `exp` the token expires in a minute. Throws `TokenRefused`.
 */
export function checkIntrospected(answer: JWTPayload, rules: TrustedIssuer): Claims {
  return withFound(
    () => describeClaims(answer),
    () => {
      const now = Date.now() / 1_000;
      const { iss, aud, exp = now + 60, nbf, token_type: type = 'bearer' } = answer;
      if (iss !== undefined && iss !== rules.issuer) throw new TokenRefused('iss');
      if (rules.audience !== null && ![aud].flat().includes(rules.audience)) throw new TokenRefused('aud');
      if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') throw new TokenRefused('token_type');
      if (typeof exp !== 'number') throw new TokenRefused('exp');
      if (exp < now - rules.leeway) throw new TokenRefused('expired');
      if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + rules.leeway)) throw new TokenRefused('nbf');
      return checkClaims({ ...answer, exp }, rules);
    },
  );
}

// The claims that jose does not check.
function checkClaims(payload: JWTPayload, rules: TrustedIssuer): Claims {
  const { sub, exp, iat } = payload;
  if (rules.claims.subject === 'sub' && (typeof sub !== 'string' || !SUBJECT.test(sub))) throw new TokenRefused('sub');
  if (exp === undefined || !Number.isFinite(exp)) throw new TokenRefused('exp');
  if (iat !== undefined && !(typeof iat === 'number' && iat <= Date.now() / 1_000 + rules.leeway))
    throw new TokenRefused('iat');
  checkLifetime(exp, iat, rules);
  if (rules.audience === null && payload.aud !== undefined) throw new TokenRefused('aud');
  if (isOtherToken(payload)) throw new TokenRefused('not an access token');
  if (isForDpop(payload)) throw new TokenRefused('token_type');
  checkClient(payload, rules.clients);
  return { ...payload, exp };
}

// What Keycloak and Cognito write in ID, refresh and logout tokens.
const OTHER_TOKENS: Readonly<Record<string, readonly unknown[]>> = {
  typ: ['ID', 'Refresh', 'Offline', 'Logout'],
  token_use: ['id'],
};

// The `typ` of an access token says what it is (RFC 9068); an issuer without such a `typ` tells them apart in other
// ways (RFC 8725, section 3.12).
const isOtherToken = (payload: JWTPayload): boolean =>
  'at_hash' in payload ||
  'c_hash' in payload ||
  Object.entries(OTHER_TOKENS).some(([name, values]) => [payload[name]].flat().some((one) => values.includes(one)));

// Bound to a key of the client, so not to be accepted as a bearer token (RFC 9449, section 7.2). A token that is bound to
// a client certificate (`x5t#S256`, RFC 8705) is sent as one, and checked where TLS ends.
const isForDpop = ({ cnf }: JWTPayload): boolean =>
  (cnf as { readonly jkt?: unknown } | null | undefined)?.jkt !== undefined;

// When no `kid` ties the token to a key, a wrong signature can also mean that the issuer has a new key.
async function payloadOf(
  token: string,
  header: ProtectedHeaderParameters,
  keys: IssuerKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return await tryKeys(token, keys, options);
  } catch (error) {
    const isOtherKey =
      error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey;
    if (!isOtherKey || !(await keys.renewFor(header))) throw error;
    return tryKeys(token, keys, options);
  }
}

// Keys that are tried for one token. Each takes up to a millisecond, also for a token that anyone made.
const MAX_KEYS = 16;

// Several keys may match: RFC 7517, 4.5, only advises different values of `kid`.
async function tryKeys(token: string, keys: IssuerKeys, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys.find, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      tried += 1;
      if (tried > MAX_KEYS) throw new TokenRefused('keys', `more than ${MAX_KEYS} match`);
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (other) {
        if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

// Such a token is a mistake of its issuer, and would work for years after it was stolen.
function checkLifetime(exp: number, iat: number | undefined, { maxLifetime, leeway }: TrustedIssuer): void {
  const lifetime = iat === undefined ? exp - Date.now() / 1_000 - leeway : exp - iat;
  if (lifetime > maxLifetime) throw new TokenRefused('lifetime');
}

function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw new TokenRefused('header', 'no JSON object');
  }
}

function checkHeader(header: ProtectedHeaderParameters, { algorithms, types, needsKid }: TrustedIssuer): void {
  const { alg, typ, kid } = header;
  if (typeof alg !== 'string' || !algorithms.includes(alg)) throw new TokenRefused('alg');
  if (!types.some((type) => (type === 'none' ? typ === undefined : isOfType(typ, type)))) throw new TokenRefused('typ');
  if ((needsKid || kid !== undefined) && (typeof kid !== 'string' || kid === '')) throw new TokenRefused('kid');
  if ('crit' in header || 'b64' in header) throw new TokenRefused('crit');
}

const isOfType = (typ: unknown, type: string): boolean => typeof typ === 'string' && mediaType(typ) === mediaType(type);

// RFC 7515, section 2, allows one spelling. jose also accepts padding and any unused last bits: a client could then
// send one token in 32 spellings, and the service, which knows a token by the hash of its text, would ask the issuer
// about each.
function checkSpelling(token: string): void {
  for (const part of token.split('.'))
    if (Buffer.from(part, 'base64url').toString('base64url') !== part) throw new TokenRefused('spelling');
}

// The prefix `application/` is optional (RFC 7515, 4.1.9).
const mediaType = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

// The names in OpenID Connect, RFC 9068, Entra ID and ADFS, and Okta.
const CLIENT_CLAIMS = ['azp', 'client_id', 'appid', 'cid'];

// NL GOV OAuth profile: with `clients`, a token without a claim that names the client is refused too.
function checkClient(payload: JWTPayload, clients: readonly string[]): void {
  if (clients.length === 0) return;
  const named = CLIENT_CLAIMS.map((claim) => payload[claim]).filter((client) => client !== undefined);
  const ours = named.every((client) => typeof client === 'string' && clients.includes(client));
  if (named.length === 0 || !ours) throw new TokenRefused('client');
}

// A fixed word, never a value from the token.
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return REPORTED_CLAIMS.find((claim) => claim === error.claim) ?? 'claims';
  return error instanceof errors.JOSEError ? error.code : 'unreadable';
}

const REPORTED_CLAIMS = ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat'];
