import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import { UpstreamError } from '../../src/ports/call.ts';
import { fetchJson, secureAgent } from '../http/fetch-json.ts';
import { TokenRefused } from './token-refused.ts';
import { DiscoveryWire, JwksWire, JwkWire } from './wire.ts';

/** The public keys of one issuer, as long as the process lives. */
export interface IssuerKeys {
  /**
   * The key that a token names. One that is not known is asked for, but seldom; then `TokenRefused`. Throws `UpstreamError` when
   * the issuer's keys never came.
   */
  readonly find: JWTVerifyGetKey;
  /** Whether keys have ever come. From then on an issuer that does not answer changes nothing. */
  loaded(): boolean;
  /** Another number when the keys are others. */
  generation(): number;
  close(): Promise<void>;
}

export interface IssuerKeysOptions {
  readonly issuer: string;
  readonly ca: string | undefined;
  /** Told when the issuer stops to give keys, and when it does again. */
  notice(event: 'keys-unavailable' | 'keys-available', why: string): void;
}

/** Milliseconds. Keys are asked for anew this often, whoever calls: so a key that was withdrawn goes. */
const REFRESH = 5 * 60_000;
/** After a failure, a little longer each time. */
const RETRY = { min: 1_000, max: 5_000 };
/**
 * Tokens that name an unknown key make us ask at most this often: twice in a row, so that a rotation right after another is
 * seen at once, then once in half a minute, however many there are.
 */
const KEY_REQUESTS = { burst: 2, every: 30_000 };
/** Bits: shorter RSA keys are not trusted by anyone (RFC 7518, 3.3). */
const MIN_RSA_BITS = 2_048;

/** OpenID Connect Discovery 1.0 and RFC 7517. Only a set with usable keys takes the place of the last one. */
export function issuerKeys({ issuer, ca, notice }: IssuerKeysOptions): IssuerKeys {
  const agent = secureAgent(ca === undefined ? {} : { ca });
  let set: { keys: readonly JWK[]; kids: Set<string | undefined>; get: JWTVerifyGetKey } | null = null;
  let generation = 0;
  let jwksUri: URL | null = null;
  let pending: Promise<void> | null = null;
  let failures = 0;
  let requests = { left: KEY_REQUESTS.burst, at: Date.now() };
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function load(rediscover: boolean): Promise<void> {
    if (rediscover || jwksUri === null) {
      jwksUri = await discover().catch((error) => {
        // Where they were is where they are, until we hear otherwise.
        if (jwksUri === null) throw error;
        return jwksUri;
      });
    }
    const { status, json } = await fetchJson(agent, jwksUri);
    const parsed = JwksWire.safeParse(json);
    if (status !== 200 || !parsed.success) throw new UnusableKeys(`keys: status ${status}`);
    const keys = parsed.data.keys.flatMap((key) => JwkWire.safeParse(key).data ?? []).filter(isUsable);
    if (keys.length === 0) throw new UnusableKeys('keys: none that can be used');
    if (JSON.stringify(keys) === JSON.stringify(set?.keys)) return;
    set = { keys, kids: new Set(keys.map(({ kid }) => kid)), get: createLocalJWKSet({ keys: [...keys] }) };
    generation += 1;
  }

  async function discover(): Promise<URL> {
    const { status, json } = await fetchJson(
      agent,
      new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
    );
    const parsed = DiscoveryWire.safeParse(json);
    if (status !== 200 || !parsed.success) throw new UnusableKeys(`discovery: status ${status}`);
    if (parsed.data.issuer !== issuer) throw new UnusableKeys('discovery: of another issuer');
    const uri = new URL(parsed.data.jwks_uri);
    if (new URL(issuer).protocol === 'https:' && uri.protocol !== 'https:')
      throw new UnusableKeys('discovery: keys without TLS');
    return uri;
  }

  /** Never fails: what is known stays known. One at a time, whoever requests. */
  function refresh(rediscover: boolean): Promise<void> {
    pending ??= load(rediscover)
      .then(
        () => {
          if (failures > 0) notice('keys-available', 'the issuer answers again');
          failures = 0;
        },
        (error: unknown) => {
          failures += 1;
          if (failures === 1) notice('keys-unavailable', reasonOf(error));
        },
      )
      .finally(() => {
        pending = null;
        schedule();
      });
    return pending;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (closed) return;
    const wait = failures === 0 ? REFRESH : Math.min(RETRY.min * 2 ** (failures - 1), RETRY.max);
    timer = setTimeout(() => void refresh(true), wait).unref();
  }

  function mayRequest(): boolean {
    const earned = Math.floor((Date.now() - requests.at) / KEY_REQUESTS.every);
    if (earned > 0) requests = { left: Math.min(KEY_REQUESTS.burst, requests.left + earned), at: Date.now() };
    if (requests.left === 0) return false;
    if (requests.left === KEY_REQUESTS.burst) requests.at = Date.now();
    requests.left -= 1;
    return true;
  }

  void refresh(true);

  return {
    async find(header, token) {
      if (set === null) await pending;
      if (set !== null && !set.kids.has(header.kid)) {
        if (pending !== null) await pending;
        else if (mayRequest()) await refresh(false);
      }
      if (set === null) throw new UpstreamError('identiteit', 'unavailable', 'keys never came', { undone: true });
      if (!set.kids.has(header.kid)) throw new TokenRefused('kid unknown');
      return set.get(header, token);
    },
    loaded: () => set !== null,
    generation: () => generation,
    async close() {
      closed = true;
      clearTimeout(timer);
      await agent.destroy();
    },
  };
}

/** An answer that is none. Its message holds nothing that the issuer said. */
class UnusableKeys extends Error {}

const reasonOf = (error: unknown): string => {
  if (error instanceof UnusableKeys) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
};

/** A key that the platform can read. */
function isUsable(jwk: JWK): boolean {
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}
