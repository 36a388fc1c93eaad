import { SignJWT } from 'jose';
import type { Credential } from '../http/client.ts';
import { codesOf } from './wire.ts';

/**
 * Returns a credential that signs a new token for every call (ZGW "Authenticatie en autorisatie"). The token has no
 * `aud`, because the document store refuses that claim, and no `nbf`, because that claim fails when the document
 * store's clock is behind. The `user_id` in the token is the service, never a citizen, because the audit trail of a
 * document keeps the `user_id`. `secret` must have at least 32 bytes; jose does not check its length.
 */
export const zgwCredential = (clientId: string, secret: string): Credential => ({
  async authorization() {
    const token = await new SignJWT({ client_id: clientId, user_id: clientId, user_representation: 'Zorgregister BFF' })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(clientId)
      .setIssuedAt()
      .sign(new TextEncoder().encode(secret));
    return `Bearer ${token}`;
  },
  // The store answers 403 for any problem with a token. Only an expired one can be solved with a new token.
  isStale: (status, json) => status === 403 && codesOf(json).includes('jwt-expired'),
});
