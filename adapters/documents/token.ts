import { SignJWT } from 'jose';
import type { Credential } from '../http/client.ts';
import { codesOf } from './wire.ts';

/**
 * A token for every call (ZGW "Authenticatie en autorisatie"). No `aud`, which the verifier refuses, and no `nbf`, which a slow
 * clock would. `user_id` is kept in the store's audit trail for as long as the document is: it names the service, never a
 * citizen. `secret`: at least 32 bytes; jose takes shorter ones without a word, so the configuration is checked for it.
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
  // Every trouble with a token is a 403; only of this one does another token help.
  isStale: (status, json) => status === 403 && codesOf(json).includes('jwt-expired'),
});
