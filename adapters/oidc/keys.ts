import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import { UpstreamError } from '../../src/ports/call.ts';
import { fetchJson, secureAgent } from '../http/fetch-json.ts';
import { Refused } from './refused.ts';
import { DiscoveryWire, JwksWire, JwkWire } from './wire.ts';

/** The public keys of one issuer, as long as the process lives. */
export interface IssuerKeys {
  /**
   * The key that a token names. One that is not known is asked for, but seldom; then `Refused`. Throws `UpstreamError` when
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
const RETRY = { least: 1_000, most: 5_000 };
/**
 * Tokens that name an unknown key make us ask at most this often: twice in a row, so that a rotation right after another is
 * seen at once, then once in half a minute, however many there are.
 */
const ASKS = { burst: 2, every: 30_000 };
/** Bits: shorter RSA keys are not trusted by anyone (RFC 7518, 3.3). */
const SHORTEST_RSA = 2_048;

/** OpenID Connect Discovery 1.0 and RFC 7517. Only a set with usable keys takes the place of the last one. */
export function issuerKeys({ issuer, ca, notice }: IssuerKeysOptions): IssuerKeys {
  const agent = secureAgent(ca === undefined ? {} : { ca });
  let set: { keys: readonly JWK[]; kids: Set<string | undefined>; get: JWTVerifyGetKey } | null = null;
  let generation = 0;
  let jwksUri: URL | null = null;
  let pending: Promise<void> | null = null;
  let failures = 0;
  let asks = { left: ASKS.burst, at: Date.now() };
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function load(whereAnew: boolean): Promise<void> {
    if (whereAnew || jwksUri === null) {
      jwksUri = await discover().catch((error) => {
        // Where they were is where they are, until we hear otherwise.
        if (jwksUri === null) throw error;
        return jwksUri;
      });
    }
    const { status, json } = await fetchJson(agent, jwksUri);
    const parsed = JwksWire.safeParse(json);
    if (status !== 200 || !parsed.success) throw new Unusable(`keys: status ${status}`);
    const keys = parsed.data.keys.flatMap((key) => JwkWire.safeParse(key).data ?? []).filter(isUsable);
    if (keys.length === 0) throw new Unusable('keys: none that can be used');
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
    if (status !== 200 || !parsed.success) throw new Unusable(`discovery: status ${status}`);
    if (parsed.data.issuer !== issuer) throw new Unusable('discovery: of another issuer');
    const uri = new URL(parsed.data.jwks_uri);
    if (new URL(issuer).protocol === 'https:' && uri.protocol !== 'https:')
      throw new Unusable('discovery: keys without TLS');
    return uri;
  }

  /** Never fails: what is known stays known. One at a time, whoever asks. */
  function refresh(whereAnew: boolean): Promise<void> {
    pending ??= load(whereAnew)
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
    const wait = failures === 0 ? REFRESH : Math.min(RETRY.least * 2 ** (failures - 1), RETRY.most);
    timer = setTimeout(() => void refresh(true), wait).unref();
  }

  function mayAsk(): boolean {
    const earned = Math.floor((Date.now() - asks.at) / ASKS.every);
    if (earned > 0) asks = { left: Math.min(ASKS.burst, asks.left + earned), at: Date.now() };
    if (asks.left === 0) return false;
    if (asks.left === ASKS.burst) asks.at = Date.now();
    asks.left -= 1;
    return true;
  }

  void refresh(true);

  return {
    async find(header, token) {
      if (set === null) await pending;
      if (set !== null && !set.kids.has(header.kid)) {
        if (pending !== null) await pending;
        else if (mayAsk()) await refresh(false);
      }
      if (set === null) throw new UpstreamError('identiteit', 'unavailable', 'keys never came', { undone: true });
      if (!set.kids.has(header.kid)) throw new Refused('kid unknown');
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
class Unusable extends Error {}

const reasonOf = (error: unknown): string => {
  if (error instanceof Unusable) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
};

/** A key that the platform can read. */
function isUsable(jwk: JWK): boolean {
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= SHORTEST_RSA;
  } catch {
    return false;
  }
}
