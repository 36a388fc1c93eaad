import { SignJWT } from 'jose';
import type { Credential } from '../http/client.ts';
import { codesOf } from './wire.ts';

/**
 * Returns a credential that signs tokens for a Documenten API (ZGW "Authenticatie en autorisatie"). The token has no
 * `aud`, because the document store refuses that claim, and no `nbf`, because that claim fails when the document
 * store's clock is behind. The `user_id` in the token is the service, never a citizen, because the audit trail of a
 * document keeps the `user_id`. All calls of one second have the same token: `iat` counts seconds, so to sign again
 * would give the same text. `secret` must have at least 32 bytes; jose does not check its length.
 */
export function zgwCredential(clientId: string, secret: string): Credential {
  const key = new TextEncoder().encode(secret);
  let second = 0;
  let token = Promise.resolve('');

  const sign = (issuedAt: number): Promise<string> =>
    new SignJWT({ client_id: clientId, user_id: clientId, user_representation: 'Zorgregister BFF' })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(clientId)
      .setIssuedAt(issuedAt)
      .sign(key);

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
