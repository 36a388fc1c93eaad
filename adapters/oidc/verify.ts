import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import type { TokenRules } from '../../src/auth/trusted-issuer.ts';
import { UpstreamError } from '../../src/ports/call.ts';
import type { IssuerKeys } from './keys.ts';
import { TokenRefused } from './token-refused.ts';

/** The claims of a verified token. */
export interface Claims extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
}

const MAX_TOKEN_LENGTH = 16 * 1024;
/**
 * Matches a valid `sub`: at most 255 ASCII characters (OpenID Connect Core 1.0, section 2), without a space at its
 * start or end.
 */
const SUBJECT = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Returns the `iss` of a token that is not verified yet. Use it only to choose the keys that verify the token. Throws
 * `TokenRefused` when the token is not a JWT or has more than 16,384 characters.
 */
export function claimedIssuer(token: string): unknown {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefused('too long');
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new TokenRefused('no JWT');
  }
}

/**
 * Verifies a token (RFC 8725; RFC 9068, section 4) and returns its claims. Throws `TokenRefused` for an invalid token,
 * and `UpstreamError` when the issuer's keys have not been loaded. Keys in the token itself (`jku`, `x5u`, `jwk`,
 * `x5c`) are ignored.
 */
export async function verify(token: string, rules: TokenRules, keys: IssuerKeys): Promise<Claims> {
  checkHeader(token, rules);
  checkSpelling(token);
  const payload = await payloadOf(token, keys, {
    issuer: rules.issuer,
    audience: rules.audience,
    algorithms: [...rules.algorithms],
    requiredClaims: ['iss', 'aud', 'sub', 'exp'],
    clockTolerance: rules.leeway,
  }).catch((error: unknown) => {
    throw error instanceof UpstreamError || error instanceof TokenRefused ? error : new TokenRefused(reasonOf(error));
  });
  const { sub, exp, iat } = payload;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw new TokenRefused('sub');
  if (exp === undefined || !Number.isFinite(exp)) throw new TokenRefused('exp');
  if (iat !== undefined && !(typeof iat === 'number' && iat <= Date.now() / 1_000 + rules.leeway))
    throw new TokenRefused('iat');
  checkLifetime(exp, iat, rules);
  checkClient(payload, rules.clients);
  return { ...payload, sub, exp };
}

/**
 * Returns the payload of a token after jose has verified it. When several keys of the issuer have the `kid` of the token,
 * tries one after another until one verifies the signature: RFC 7517, 4.5, only advises different values. Throws the error
 * of jose when the token is not valid, or when no key verifies it.
 */
async function payloadOf(token: string, keys: IssuerKeys, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys.find, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (other) {
        if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/**
 * Throws `TokenRefused` when a token is valid for too long. Such a token is a mistake of its issuer, and would work for
 * years after it was stolen.
 */
function checkLifetime(exp: number, iat: number | undefined, { maxLifetime, leeway }: TokenRules): void {
  const lifetime = iat === undefined ? exp - Date.now() / 1_000 - leeway : exp - iat;
  if (lifetime > maxLifetime) throw new TokenRefused('lifetime');
}

function checkHeader(token: string, { algorithms, typ }: TokenRules): void {
  let header: ProtectedHeaderParameters;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw new TokenRefused('header');
  }
  if (typeof header.alg !== 'string' || !algorithms.includes(header.alg)) throw new TokenRefused('alg');
  if (typeof header.typ !== 'string' || mediaType(header.typ) !== mediaType(typ)) throw new TokenRefused('typ');
  if (typeof header.kid !== 'string' || header.kid === '') throw new TokenRefused('kid');
  if ('crit' in header || 'b64' in header) throw new TokenRefused('crit');
}

/**
 * Throws `TokenRefused` when the signature is not in the only base64url that RFC 7515, section 2, allows. jose also
 * accepts padding and any unused last bits: a client could then send one token in 32 spellings, and the service, which
 * knows a token by the hash of its text, would ask the issuer about each of them.
 */
function checkSpelling(token: string): void {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) throw new TokenRefused('spelling');
}

/** Returns `typ` for comparison: in lower case and without the optional prefix `application/` (RFC 7515, 4.1.9). */
const mediaType = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

/**
 * Throws `TokenRefused` when `azp` and `client_id` are both absent, or when one of them is not in `clients` (NL GOV
 * OAuth profile). Accepts every client when `clients` is empty.
 */
function checkClient({ azp, client_id }: JWTPayload, clients: readonly string[]): void {
  if (clients.length === 0) return;
  const named = [azp, client_id].filter((client) => client !== undefined);
  const ours = named.every((client) => typeof client === 'string' && clients.includes(client));
  if (named.length === 0 || !ours) throw new TokenRefused('client');
}

/** Returns the reason of a refusal for the log: a fixed word, never a value from the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return REPORTED_CLAIMS.find((claim) => claim === error.claim) ?? 'claims';
  return error instanceof errors.JOSEError ? error.code : 'unreadable';
}

const REPORTED_CLAIMS = ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat'];
