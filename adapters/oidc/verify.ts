import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { UpstreamError } from '../../src/ports/call.ts';
import type { IssuerKeys } from './keys.ts';
import { TokenRefused } from './token-refused.ts';

/** What a token must be to count, beside being signed by its issuer. */
export interface TokenRules {
  /** Exactly as in `iss`. */
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly typ: string;
  /** Clients whose tokens count; empty: any. */
  readonly clients: readonly string[];
}

/** Claims of a token that counts. */
export interface Claims extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
}

/** Seconds that clocks may differ. */
const LEEWAY = 60;
const MAX_TOKEN_LENGTH = 16 * 1024;
/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. No blanks around it, so that no two look the same. */
const SUBJECT = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Who says to have issued a token. Believed by nobody yet; it only tells with whose keys to look. */
export function claimedIssuer(token: string): unknown {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefused('too long');
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new TokenRefused('no JWT');
  }
}

/**
 * RFC 8725 and RFC 9068, section 4: what the header says about keys (`jku`, `x5u`, `jwk`, `x5c`) is not looked at, and what can
 * be refused without a key is, so that nobody makes us ask the issuer for nothing. After `jwtVerify` what it lets through:
 * a `sub` of any kind, an `exp` without end, an `iat` in the future.
 */
export async function verify(token: string, rules: TokenRules, keys: IssuerKeys): Promise<Claims> {
  checkHeader(token, rules);
  const { payload } = await jwtVerify(token, keys.find, {
    issuer: rules.issuer,
    audience: rules.audience,
    algorithms: [...rules.algorithms],
    requiredClaims: ['iss', 'aud', 'sub', 'exp'],
    clockTolerance: LEEWAY,
  }).catch((error: unknown) => {
    throw error instanceof UpstreamError || error instanceof TokenRefused ? error : new TokenRefused(reasonOf(error));
  });
  const { sub, exp, iat } = payload;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw new TokenRefused('sub');
  if (exp === undefined || !Number.isFinite(exp)) throw new TokenRefused('exp');
  if (iat !== undefined && !(typeof iat === 'number' && iat <= Date.now() / 1_000 + LEEWAY))
    throw new TokenRefused('iat');
  checkClient(payload, rules.clients);
  return { ...payload, sub, exp };
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

/** RFC 7515, 4.1.9: `application/` may be left out, and case does not matter. */
const mediaType = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

/** NL GOV OAuth profile: for whom the token was issued. Every claim that says so must be one of ours. */
function checkClient({ azp, client_id }: JWTPayload, clients: readonly string[]): void {
  if (clients.length === 0) return;
  const named = [azp, client_id].filter((client) => client !== undefined);
  const ours = named.every((client) => typeof client === 'string' && clients.includes(client));
  if (named.length === 0 || !ours) throw new TokenRefused('client');
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return REPORTED_CLAIMS.find((claim) => claim === error.claim) ?? 'claims';
  return error instanceof errors.JOSEError ? error.code : 'unreadable';
}

const REPORTED_CLAIMS = ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat'];
