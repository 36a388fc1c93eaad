import { webcrypto } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Credential } from '../http/client.ts';
import { codesOf } from './wire.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Returns a credential that signs tokens for a Documenten API (ZGW "Authenticatie en autorisatie"). The token names the
 * service as user, never a citizen. It has no `aud`, which the document store refuses, and no `nbf`, which fails when
 * the store's clock is behind.
 *
 * @param secret - at least 32 bytes; this is not checked here
 */
export function zgwCredential(clientId: string, secret: string): Credential {
  // Not the bytes themselves: jose refuses those where jsdom has replaced `Uint8Array`, as in a test of a page.
  const key = webcrypto.subtle.importKey('raw', Buffer.from(secret), HMAC, false, ['sign']);
  let second = 0;
  let token = Promise.resolve('');

  const sign = async (issuedAt: number): Promise<string> =>
    new SignJWT({ client_id: clientId, user_id: clientId, user_representation: 'Zorgregister BFF' })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(clientId)
      .setIssuedAt(issuedAt)
      .sign(await key);

  return {
    async authorization() {
      const now = Math.floor(Date.now() / 1_000);
      if (now !== second) {
        second = now;
        token = sign(now);
      }
      return `Bearer ${await token}`;
    },
    // The store answers 403 for any problem with a token. Only an expired one can be solved with a new token.
    isStale: (status, json) => status === 403 && codesOf(json).includes('jwt-expired'),
  };
}
