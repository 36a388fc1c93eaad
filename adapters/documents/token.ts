import { webcrypto } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ZgwTokenOptions } from '../../src/ports/connection.ts';
import type { Credential } from '../http/client.ts';
import { parseRefusal } from '../http/upstream-failure.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

// Open Zaak names the error of PyJWT, such as `jwt-expired` and `jwt-immaturesignatureerror`.
const ABOUT_TIME = /^jwt-?(expired|immature|not-?yet|iat|nbf|exp)/;

/**
 * Signs tokens for a Documenten API (ZGW "Authenticatie en autorisatie"). They name the service as user, never a
 * citizen. By default without `aud`, which Open Zaak refuses, and `nbf`, which fails when the clock of the store is
 * behind.
 *
 * @param secret - at least 32 bytes; this is not checked here
 */
export function zgwCredential(
  clientId: string,
  secret: string,
  { backdateSeconds = 0, expiresSeconds, claims = {} }: ZgwTokenOptions = {},
): Credential {
  // A key, and not the bytes themselves: jose refuses bytes where jsdom has replaced `Uint8Array`, as in a test of a
  // page.
  const key = webcrypto.subtle.importKey('raw', Buffer.from(secret), HMAC, false, ['sign']);
  let second = 0;
  let token = Promise.resolve('');

  const sign = async (iat: number): Promise<string> =>
    new SignJWT({
      iss: clientId,
      client_id: clientId,
      user_id: clientId,
      user_representation: 'Zorgregister BFF',
      ...claims,
      iat,
      ...(expiresSeconds !== undefined && { exp: iat + expiresSeconds }),
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(await key);

  return {
    async authorization() {
      const now = Math.floor(Date.now() / 1_000);
      if (now !== second) {
        second = now;
        token = sign(now - backdateSeconds);
      }
      return `Bearer ${await token}`;
    },
    // The store answers 403 for any problem with a token. A new token can only solve one about time.
    isStale: (status, json) => status === 403 && parseRefusal(json).codes.some((code) => ABOUT_TIME.test(code)),
  };
}
