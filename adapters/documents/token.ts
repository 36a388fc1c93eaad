import { SignJWT } from 'jose';
import type { Credential } from '../http/client.ts';
import { codesOf } from './wire.ts';

/**
 * Returns a credential that signs a new token for every call (ZGW "Authenticatie en autorisatie"). No `aud`: the store
 * refuses it. No `nbf`: a store whose clock is behind would refuse it. `user_id` stays in the store's audit trail as
 * long as the document: it is the name of the service, never of a citizen. `secret` has at least 32 bytes; the
 * configuration checks that, jose does not.
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
