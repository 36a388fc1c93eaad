import type { IntrospectionEndpoint } from '../../src/auth/trusted-issuer.ts';
import { UpstreamError } from '../../src/ports/call.ts';
import { basicOf } from '../http/credentials.ts';
import { fetchJson, secureAgent } from '../http/fetch-json.ts';
import { IntrospectionWire } from './wire.ts';

/** A client that asks the issuer whether a token is still active. */
export interface Introspection {
  /**
   * Returns true when the issuer says that the token is active, and false when it says that the token is not. Throws
   * `UpstreamError` when it gives no usable answer.
   */
  isActive(token: string): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Returns the client of an introspection endpoint.
 *
 * @param ca - PEM text of the trusted CA; undefined to trust the CAs of Node
 */
export function createIntrospection(
  { url, clientId, clientSecret }: IntrospectionEndpoint,
  ca: string | undefined,
): Introspection {
  const agent = secureAgent(ca === undefined ? {} : { ca });
  const endpoint = new URL(url);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: basicOf(clientId, clientSecret),
  };

  return {
    async isActive(token) {
      const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
      const { status, json } = await fetchJson(agent, endpoint, { method: 'POST', headers, body }).catch(() => {
        throw new UpstreamError('identiteit', 'unavailable', 'no answer to introspection', { undone: true });
      });
      const parsed = IntrospectionWire.safeParse(json);
      if (status !== 200 || !parsed.success)
        throw new UpstreamError('identiteit', 'unavailable', `introspection: status ${status}`, { undone: true });
      return parsed.data.active;
    },
    close: () => agent.destroy(),
  };
}
