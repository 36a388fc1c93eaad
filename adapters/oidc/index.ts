import { hash } from 'node:crypto';
import {
  bearerToken,
  type Caller,
  type Identified,
  type Identity,
  INVALID_TOKEN,
  type IncomingRequest,
  invalidToken,
} from '../../src/auth/identity.ts';
import { type StepUpPolicy, stepUpNeeded, stepUpSwitchedOff } from '../../src/auth/step-up.ts';
import type { ClaimPaths, TokenSettings, TrustedIssuer } from '../../src/auth/trusted-issuer.ts';
import { remember } from '../../src/domain/remember.ts';
import type { Timing } from '../../src/ports/timing.ts';
import { Problem } from '../../src/problem.ts';
import { type ClaimSet, claimAt, describeClaims, kindOf, TokenRefused, withFound } from './claims.ts';
import { createIntrospection, type Introspection } from './introspection.ts';
import { type IssuerKeys, issuerKeys } from './keys.ts';
import { toCaller } from './map.ts';
import { createRenamer, type RenameOwner, type Subjects } from './subjects.ts';
import { type Claims, checkIntrospected, claimedIssuer, verify } from './verify.ts';

export interface OidcOptions extends TokenSettings {
  /** Maximum number of requests that wait for the answers of one introspection endpoint. */
  readonly maxWaiting: number;
  /** Changes the owner name of data that are stored under an earlier one (`Subjects`). */
  readonly rename: RenameOwner;
  readonly timing?: Timing | undefined;
  /**
   * Reports an event for the log, without data of a caller. `kind` is null for an event that is not about an issuer.
   */
  notice(
    event: 'keys-unavailable' | 'keys-available' | 'stand-in-headers',
    kind: Caller['kind'] | null,
    why: string,
  ): void;
}

export interface OidcIdentity extends Identity {
  /** Returns true when the keys of every issuer have been loaded at least once. */
  ready(): boolean;
  close(): Promise<void>;
}

// Headers of the stand-in. This adapter accepts only tokens.
const STAND_IN_HEADERS = ['x-subject', 'x-role', 'x-medewerker', 'x-rollen'];

interface CachedToken extends Identified {
  readonly subjects: Subjects;
  readonly trusted: Issuer;
  readonly generation: number;
  // In milliseconds since 1970.
  readonly expires: number;
  // By `performance.now()`, because the clock may be set back.
  readonly until: number;
}

// Maximum number of tokens in a cache.
const MAX_TOKENS = 10_000;
// Maximum milliseconds during which the answer about an opaque token is used again.
const OPAQUE_CACHE = 60_000;

interface Issuer {
  readonly kind: Caller['kind'];
  readonly rules: TrustedIssuer;
  // Null when no token of the issuer is read as a JWT.
  readonly keys: IssuerKeys | null;
  readonly introspection: Introspection | null;
}

/**
 * Returns the identity adapter for OpenID Connect. It accepts bearer tokens of the issuer for professionals and, when
 * `staff` is not null, of that for staff; the issuer decides what its caller is.
 */
export function createOidc({
  professional,
  staff,
  tokenCache,
  subjectKeys,
  maxWaiting,
  rename,
  notice,
  timing,
}: OidcOptions): OidcIdentity {
  const issuerOf = (kind: Caller['kind'], rules: TrustedIssuer): Issuer => ({
    kind,
    rules,
    keys:
      rules.types.length === 0
        ? null
        : issuerKeys({ ...rules, timing, notice: (event, why) => notice(event, kind, why) }),
    introspection: rules.introspection && createIntrospection(rules.introspection, rules.ca, maxWaiting, timing),
  });
  const issuers = [issuerOf('professional', professional), ...(staff === null ? [] : [issuerOf('staff', staff)])];
  const tokens = new Map<string, CachedToken>();
  // Until when (`performance.now()`) a token that is not active is refused. Apart from `tokens`, so that refused tokens
  // never push accepted ones out.
  const inactive = new Map<string, number>();
  const renameOwner = createRenamer(rename);
  let isWarned = false;

  function warnOfStandInHeaders({ headersDistinct }: IncomingRequest): void {
    if (isWarned || !STAND_IN_HEADERS.some((name) => name in headersDistinct)) return;
    isWarned = true;
    notice('stand-in-headers', null, 'headers of the stand-in were sent, and ignored; said once');
  }

  function findCached(id: string): CachedToken | undefined {
    const known = tokens.get(id);
    if (known === undefined) return undefined;
    tokens.delete(id);
    if (known.until <= performance.now() || known.expires <= Date.now()) return undefined;
    if (known.generation !== generationOf(known.trusted)) return undefined;
    // Inserted again at the end, so that the least recently used token is dropped first.
    tokens.set(id, known);
    return known;
  }

  // The issuer that a JWT names in `iss`, or those that give tokens that are no JWT.
  function issuersOf(token: string): readonly Issuer[] {
    const claimed = claimedIssuer(token);
    const trusted = claimed && issuers.find(({ rules }) => rules.issuer === claimed.iss);
    if (trusted) return [trusted];
    if (claimed !== null) throw new TokenRefused('iss', issFound(claimed.iss, issuers));
    const opaque = issuers.filter(({ rules }) => rules.opaque);
    if (opaque.length === 0)
      throw new TokenRefused('no JWT', token.includes('.') ? 'text with dots' : 'text without dots');
    return opaque;
  }

  // Null when introspection says that the token is not active.
  async function claimsOf(token: string, { rules, keys, introspection }: Issuer): Promise<Claims | null> {
    const signed = keys === null || claimedIssuer(token) === null ? null : await verify(token, rules, keys);
    if (introspection === null) return signed;
    const owner = signed === null ? token : JSON.stringify(claimAt(signed, rules.claims.subject) ?? null);
    const answer = await introspection.ask(token, owner);
    return answer && (signed ?? checkIntrospected(answer, rules));
  }

  // An inactive token is refused again without a question for `tokenCache` milliseconds.
  async function verifyAndCache(id: string, token: string): Promise<CachedToken> {
    if ((inactive.get(id) ?? 0) > performance.now()) throw new TokenRefused('inactive', INACTIVE);
    const candidates = issuersOf(token);
    for (const trusted of candidates) {
      // Read before the token is verified: when keys change meanwhile, the cached token counts as outdated.
      const generation = generationOf(trusted);
      const claims = await claimsOf(token, trusted);
      if (claims === null) continue;
      const found = describeClaims(claims);
      const { rules } = trusted;
      const known: CachedToken = {
        ...withFound(
          () => found,
          () => toCaller(trusted.kind, claims, rules, subjectKeys),
        ),
        found,
        demandStepUp: stepUpCheck(loginOf(claims, rules.claims), rules.stepUp, found),
        trusted,
        generation,
        expires: claims.exp * 1_000,
        until: performance.now() + cacheTime(rules),
      };
      remember(tokens, id, known, MAX_TOKENS);
      return known;
    }
    const shortest = Math.min(...candidates.map(({ rules }) => cacheTime(rules)));
    remember(inactive, id, performance.now() + shortest, MAX_TOKENS);
    throw new TokenRefused('inactive', INACTIVE);
  }

  const cacheTime = ({ opaque }: TrustedIssuer): number => (opaque ? Math.min(tokenCache, OPAQUE_CACHE) : tokenCache);

  return {
    identify(request) {
      warnOfStandInHeaders(request);
      const token = bearerToken(request);
      const id = hash('sha256', token, 'base64');
      const known = findCached(id);
      if (known !== undefined && known.subjects.former.length === 0) return known;
      const verified = known === undefined ? verifyAndCache(id, token).catch(refuse) : Promise.resolve(known);
      return verified.then(async (one) => {
        await renameOwner(one.subjects, one.caller.workspace, request);
        return one;
      });
    },
    ready: () => issuers.every(({ keys }) => keys?.isLoaded() ?? true),
    close: async () => {
      await Promise.all(issuers.flatMap(({ keys, introspection }) => [keys?.close(), introspection?.close()]));
    },
  };
}

const INACTIVE = 'active false';

const generationOf = ({ keys }: Issuer): number => keys?.generation() ?? 0;

function issFound(iss: unknown, issuers: readonly Issuer[]): string {
  if (typeof iss !== 'string' || iss === '') return `iss ${kindOf(iss)}`;
  const trusted = issuers.map(({ rules }) => rules.issuer);
  const withoutSlash = (text: string) => text.replace(/\/$/, '');
  const hostOf = (text: string) => (URL.canParse(text) ? new URL(text).host : text);
  if (trusted.some((one) => withoutSlash(one) === withoutSlash(iss))) return 'iss that differs in the slash at its end';
  return trusted.some((one) => hostOf(one) === hostOf(iss))
    ? 'iss with the host of a configured issuer, and another scheme or path'
    : 'iss with another host';
}

const NO_SUBJECT = {
  detail: 'Uit het token is niet op te maken wie u bent.',
  english: 'The token does not say who you are.',
};

// 401 as in RFC 6750, section 3.1. An error that is no `TokenRefused` is thrown unchanged.
function refuse(error: unknown): never {
  if (!(error instanceof TokenRefused)) throw error;
  const { message: reason, found = '' } = error;
  if (reason.endsWith('claim'))
    throw new Problem('identiteit-onbekend', NO_SUBJECT, { headers: INVALID_TOKEN, reason, found });
  throw invalidToken(reason, found);
}

// Seconds by which the issuer's clock may be ahead.
const LEEWAY = 60;

interface Login {
  readonly levels: readonly string[];
  // Seconds since 1970; NaN when the token does not say it.
  readonly time: number;
}

export function loginOf(claims: ClaimSet, { level, loginTime }: ClaimPaths): Login {
  const value = claimAt(claims, level ?? 'acr');
  const values: readonly unknown[] = level !== null && Array.isArray(value) ? value : [value];
  const time = claimAt(claims, loginTime ?? 'auth_time');
  return {
    levels: values.flatMap((one) =>
      typeof one === 'string' || (level !== null && typeof one === 'number') ? `${one}` : [],
    ),
    time: typeof time === 'number' ? time : loginTime === null ? Number.NaN : secondsOf(time),
  };
}

// A number of seconds since 1970, or a date and time of ISO 8601 with its zone.
function secondsOf(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) / 1_000 : Number.NaN;
}

/**
 * Returns a function that throws 401 `step-up-nodig` when the login is too weak or too old, with a challenge that names
 * the required login (RFC 9470), and 403 when `policy` is null. It keeps nothing of the token but the login and `found`
 * (for the log).
 */
export const stepUpCheck =
  ({ levels, time }: Login, policy: StepUpPolicy | null, found: string) =>
  (): void => {
    if (policy === null) throw stepUpSwitchedOff();
    const { acr: accepted, maxAge } = policy;
    const age = Date.now() / 1_000 - time;
    if (!levels.some((level) => accepted.includes(level)))
      throw stepUpNeeded(policy, { reason: 'login too weak', found });
    if (!(age >= -LEEWAY && age <= maxAge)) throw stepUpNeeded(policy, { reason: 'login too old', found });
  };
