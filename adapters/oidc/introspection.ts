import type { JWTPayload } from 'jose';
import type { IntrospectionEndpoint } from '../../src/auth/trusted-issuer.ts';
import { UpstreamError } from '../../src/ports/call.ts';
import type { Timing } from '../../src/ports/timing.ts';
import { basicOf } from '../http/credentials.ts';
import { createIssuerClient } from '../http/issuer-client.ts';
import { limitWaiting } from './keys.ts';
import { IntrospectionWire } from './wire.ts';

export interface Introspection {
  /**
   * Returns the claims of an active token; null when it is not active. Throws `UpstreamError` when there is no usable
   * answer, or when `maxWaiting` requests, or a quarter of these of the same owner, already wait. Requests with one
   * token share a question, and an owner has at most two questions at a time: one person cannot occupy all connections.
   *
   * @param owner - the subject of a token whose signature is right; another token is its own owner
   */
  ask(token: string, owner: string): Promise<JWTPayload | null>;
  close(): Promise<void>;
}

/** @param ca - PEM text of the trusted CA; undefined to trust the CAs of Node */
export function createIntrospection(
  { url, clientId, clientSecret }: IntrospectionEndpoint,
  ca: string | undefined,
  maxWaiting: number,
  timing?: Timing,
): Introspection {
  const issuer = createIssuerClient(ca === undefined ? {} : { ca }, timing);
  const endpoint = new URL(url);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: basicOf(clientId, clientSecret),
  };

  const asking = new Map<string, Promise<JWTPayload | null>>();
  const inLimit = limitWaiting(maxWaiting, Math.ceil(maxWaiting / 4));
  const inQuestionLimit = limitWaiting(maxWaiting, QUESTIONS_OF_ONE);

  async function ask(token: string): Promise<JWTPayload | null> {
    const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
    const { status, json } = await issuer.ask(endpoint, { method: 'POST', headers, body }).catch(() => {
      throw new UpstreamError('identiteit', 'unavailable', 'no answer to introspection', { undone: true });
    });
    const parsed = IntrospectionWire.safeParse(json);
    if (status !== 200 || !parsed.success)
      throw new UpstreamError('identiteit', 'unavailable', `introspection: status ${status}`, { undone: true });
    const { active, ...claims } = parsed.data;
    return active ? claims : null;
  }

  function askOnce(token: string, owner: string): Promise<JWTPayload | null> {
    let answer = asking.get(token);
    if (answer === undefined) {
      answer = inQuestionLimit(() => ask(token), owner).finally(() => asking.delete(token));
      asking.set(token, answer);
    }
    return answer;
  }

  return { ask: (token, owner) => inLimit(() => askOnce(token, owner), owner), close: issuer.close };
}

// Half of the connections (`createIssuerClient`).
const QUESTIONS_OF_ONE = 2;
