import { webcrypto } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import type { SimulatedAnswer } from '../../transport/operation.ts';
import { DOCUMENTS_ACCESS } from './access.ts';
import { fout } from './fout.ts';

/** Number of seconds after its time of issue (`iat`) in which a token is valid. */
const TOKEN_LIFETIME = 3_600;
// Not the bytes themselves: jose refuses those where jsdom has replaced `Uint8Array`, as in a test of a page.
const KEY = webcrypto.subtle.importKey(
  'raw',
  Buffer.from(DOCUMENTS_ACCESS.secret),
  { name: 'HMAC', hash: 'SHA-256' },
  false,
  ['verify'],
);

/**
 * Checks the JWT in an `Authorization` header. Returns null when it is valid, or else a 403 response, as Open Zaak
 * does.
 */
export async function tokenFault(authorization: string | null): Promise<SimulatedAnswer | null> {
  const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
  if (token === undefined) return fout(403, 'permission_denied');
  try {
    const { payload } = await jwtVerify(token, await KEY, { algorithms: ['HS256'] });
    if (payload.client_id === undefined)
      return fout(403, 'missing-client-identifier', 'Client identifier is not present in JWT');
    if (payload.client_id !== DOCUMENTS_ACCESS.clientId)
      return fout(403, 'invalid-client-identifier', 'Client identifier does not exist');
    if (payload.aud !== undefined) return fout(403, 'jwt-decode-error', 'The JWT could not be decoded');
    if (typeof payload.iat !== 'number') return fout(403, 'jwt-missing-iat-claim', 'The `iat` claim is missing.');
    if (payload.iat + TOKEN_LIFETIME < Date.now() / 1_000)
      return fout(403, 'jwt-expired', 'The JWT used for this request is expired');
    return null;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return fout(403, 'invalid-jwt-signature', 'Client credentials are not valid');
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf')
      return fout(403, 'jwt-immaturesignatureerror', 'The JWT used for this request is not yet valid');
    if (error instanceof errors.JWTExpired) return fout(403, 'jwt-expired', 'The JWT used for this request is expired');
    return fout(403, 'jwt-decode-error', 'The JWT could not be decoded');
  }
}
