import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import type { TrustedIssuer } from '../../src/auth/trusted-issuer.ts';
import { UpstreamError } from '../../src/ports/call.ts';
import type { Timing } from '../../src/ports/timing.ts';
import { createIssuerClient, type IssuerClient } from '../http/issuer-client.ts';
import { codeOf } from '../http/upstream-failure.ts';
import { TokenRefused } from './claims.ts';
import { DiscoveryWire, JwksWire, JwkWire } from './wire.ts';

/** The public keys of one issuer. They are loaded at the start and at an interval until `close`. */
export interface IssuerKeys {
  /**
   * Returns the key for the `kid` of a token. For an unknown `kid` it loads the keys again, within a rate limit. When a
   * token needs no `kid`, the key of one without it is any key, and that of one with an unknown `kid` any key without a
   * name. Throws `TokenRefused` when the key stays unknown, and `UpstreamError` when no keys have been loaded yet or
   * `MAX_WAITING` requests already wait.
   */
  readonly find: JWTVerifyGetKey;
  /**
   * Loads the keys again, within the same rate limit, for a token whose `kid` did not tie it to one key. Resolves with
   * true when the keys have changed.
   */
  renewFor(header: { readonly kid?: unknown }): Promise<boolean>;
  /** Returns true when keys have been loaded. They stay in use when the issuer stops answering. */
  isLoaded(): boolean;
  /** Returns a number that changes each time the keys change. */
  generation(): number;
  close(): Promise<void>;
}

export interface IssuerKeysOptions
  extends Pick<TrustedIssuer, 'issuer' | 'discoveryUrl' | 'jwksUrl' | 'needsKid' | 'ca'> {
  notice(event: 'keys-unavailable' | 'keys-available', why: string): void;
  readonly timing?: Timing | undefined;
}

// Milliseconds. Also without requests, so that a withdrawn key is no longer used.
const REFRESH = 5 * 60_000;
// Milliseconds until the next load: doubled after each failure.
const RETRY = { min: 1_000, max: 5_000 };
// For tokens with an unknown key: `burst` loads at once, and one more per `every` milliseconds.
const KEY_REQUESTS = { burst: 2, every: 30_000 };
// A request needs no valid token to be one of those that wait.
const MAX_WAITING = 16;
// RFC 7518, 3.3.
const MIN_RSA_BITS = 2_048;

interface KeySet {
  readonly keys: readonly JWK[];
  // Has undefined when there is a key without a name.
  readonly kids: ReadonlySet<string | undefined>;
  readonly get: JWTVerifyGetKey;
  readonly getUnnamed: JWTVerifyGetKey;
}

/** Starts to load the keys of an issuer, now and at an interval (OpenID Connect Discovery 1.0, RFC 7517). */
export function issuerKeys({ ca, needsKid, notice, timing, ...place }: IssuerKeysOptions): IssuerKeys {
  const client = createIssuerClient(ca === undefined ? {} : { ca }, timing);
  let set: KeySet | null = null;
  let generation = 0;
  let jwksUri: URL | null = null;
  let pending: Promise<void> | null = null;
  let failures = 0;
  const inLimit = limitWaiting(MAX_WAITING);
  const mayRequest = createLoadLimit();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  // Reads the discovery document each time, unless the URL is configured: an issuer may move its keys and still publish
  // the old ones at the old URL.
  async function load(): Promise<void> {
    jwksUri = await locate(client, place).catch((error) => {
      // Keep the last known URL while discovery fails.
      if (jwksUri === null) throw error;
      return jwksUri;
    });
    const { status, json } = await askFor('keys', client, jwksUri);
    const parsed = JwksWire.safeParse(json);
    if (status !== 200 || !parsed.success) throw new UnusableKeys(`keys: status ${status}`);
    const usable = parsed.data.keys.flatMap((key) => JwkWire.safeParse(key).data ?? []).filter(isUsable);
    const keys = usable.filter(({ kid }) => !needsKid || kid !== undefined);
    if (keys.length === 0)
      throw new UnusableKeys(usable.length === 0 ? 'keys: none that can be used' : 'keys: none with a kid');
    if (JSON.stringify(keys) === JSON.stringify(set?.keys)) return;
    set = {
      keys,
      kids: new Set(keys.map(({ kid }) => kid)),
      get: createLocalJWKSet({ keys }),
      getUnnamed: createLocalJWKSet({ keys: keys.filter(({ kid }) => kid === undefined) }),
    };
    generation += 1;
  }

  // Never rejects: after a failure the previous keys stay in use.
  function refresh(): Promise<void> {
    pending ??= load()
      .then(
        () => {
          if (failures > 0) notice('keys-available', 'the issuer answers again');
          failures = 0;
        },
        (error: unknown) => {
          // The load that `close` ends says nothing about the issuer.
          if (isClosed) return;
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

  async function waitFor(loading: Promise<void> | null): Promise<void> {
    if (loading !== null) await inLimit(() => loading);
  }

  const renew = (): Promise<void> => waitFor(pending ?? (mayRequest() ? refresh() : null));

  function schedule(): void {
    clearTimeout(timer);
    if (isClosed) return;
    const wait = failures === 0 ? REFRESH : Math.min(RETRY.min * 2 ** (failures - 1), RETRY.max);
    timer = setTimeout(() => void refresh(), wait).unref();
  }

  // Null when none of the keys can be it.
  function keysFor({ kids, get, getUnnamed }: KeySet, { kid }: { kid?: string }): JWTVerifyGetKey | null {
    if (kid !== undefined && kids.has(kid)) return get;
    if (needsKid) return null;
    if (kid === undefined) return get;
    return kids.has(undefined) ? ({ kid: _, ...header }, token) => getUnnamed(header, token) : null;
  }

  void refresh();

  return {
    async find(header, token) {
      if (set === null) await waitFor(pending);
      if (set !== null && keysFor(set, header) === null) await renew();
      if (set === null) throw new UpstreamError('identiteit', 'unavailable', 'keys never came', { undone: true });
      const get = keysFor(set, header);
      if (get === null) throw new TokenRefused('kid unknown');
      return get(header, token);
    },
    async renewFor({ kid }) {
      if (kid !== undefined && set?.kids.has(String(kid))) return false;
      const before = generation;
      await renew();
      return generation !== before;
    },
    isLoaded: () => set !== null,
    generation: () => generation,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client.close();
    },
  };
}

// The document may be about another issuer only where its place is configured. Keys over http would undo its https.
async function locate(
  client: IssuerClient,
  { issuer, discoveryUrl, jwksUrl }: Pick<TrustedIssuer, 'issuer' | 'discoveryUrl' | 'jwksUrl'>,
): Promise<URL> {
  if (jwksUrl !== null) return new URL(jwksUrl);
  const from = new URL(discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { status, json } = await askFor('discovery', client, from);
  const parsed = DiscoveryWire.safeParse(json);
  if (status !== 200 || !parsed.success) throw new UnusableKeys(`discovery: status ${status}`);
  if (discoveryUrl === null && parsed.data.issuer !== issuer) throw new UnusableKeys('discovery: of another issuer');
  const uri = new URL(parsed.data.jwks_uri);
  if (from.protocol === 'https:' && uri.protocol !== 'https:') throw new UnusableKeys('discovery: keys without TLS');
  return uri;
}

const askFor = (what: 'discovery' | 'keys', client: IssuerClient, url: URL) =>
  client.ask(url).catch((error: unknown) => {
    throw new UnusableKeys(`${what}: ${codeOf(error)}`);
  });

// Counts a load that it allows.
function createLoadLimit(): () => boolean {
  let requests = { left: KEY_REQUESTS.burst, at: performance.now() };
  return () => {
    // The clock of the system may be set back.
    const now = performance.now();
    const earned = Math.floor((now - requests.at) / KEY_REQUESTS.every);
    if (earned > 0) requests = { left: Math.min(KEY_REQUESTS.burst, requests.left + earned), at: now };
    if (requests.left === 0) return false;
    if (requests.left === KEY_REQUESTS.burst) requests.at = now;
    requests.left -= 1;
    return true;
  };
}

// Its message is logged: a fixed text, at most with the status of the answer.
class UnusableKeys extends Error {}

const reasonOf = (error: unknown): string => (error instanceof UnusableKeys ? error.message : codeOf(error));

function isUsable(jwk: JWK): boolean {
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}

/**
 * Limits the calls of `wait` in progress to `max`, and to `perOwner` for one owner; one more throws `UpstreamError`.
 * Else requests that wait for an issuer could take all slots, also those of callers who can be identified without that
 * issuer.
 */
export function limitWaiting(max: number, perOwner: number = max) {
  const owners: string[] = [];
  return async <Result>(wait: () => Promise<Result>, owner = ''): Promise<Result> => {
    if (owners.length >= max || owners.filter((one) => one === owner).length >= perOwner)
      throw new UpstreamError('identiteit', 'unavailable', 'too many requests wait', { retryAfter: 1, undone: true });
    owners.push(owner);
    try {
      return await wait();
    } finally {
      owners.splice(owners.indexOf(owner), 1);
    }
  };
}
