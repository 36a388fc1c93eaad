import { createHash } from 'node:crypto';
import { bearerToken } from '../../src/auth/bearer.ts';
import type { Caller, Identified, Identity, Sent } from '../../src/auth/identity.ts';
import { Problem } from '../../src/problem.ts';
import { type IssuerKeys, issuerKeys } from './keys.ts';
import { type ClaimPaths, toCaller } from './map.ts';
import { demandStepUp, type Login, type StepUpPolicy } from './step-up.ts';
import { TokenRefused } from './token-refused.ts';
import { claimedIssuer, type TokenRules, verify } from './verify.ts';

/** An issuer whose tokens count, and for whom. */
export interface TrustedIssuer extends TokenRules {
  readonly claims: ClaimPaths;
  readonly stepUp: StepUpPolicy;
  /** PEM to trust it by instead of the usual certificates. */
  readonly ca: string | undefined;
}

export interface OidcOptions {
  readonly professional: TrustedIssuer;
  /** Without one nobody is staff. */
  readonly staff: TrustedIssuer | null;
  /** For whoever watches the log. Says nothing of any caller. */
  notice(
    event: 'keys-unavailable' | 'keys-available' | 'stand-in-headers',
    kind: Caller['kind'] | null,
    why: string,
  ): void;
}

export interface OidcIdentity extends Identity {
  /** Whether the keys of every issuer have come, once. */
  ready(): boolean;
  close(): Promise<void>;
}

/** Milliseconds that a token is taken at its word without being verified anew, and how many are remembered. */
const REMEMBERED = { ms: 60_000, max: 10_000 };
/** What the stand-in listens to. Whoever sends these here tries something, or has the wrong address. */
const STAND_IN_HEADERS = ['x-subject', 'x-role', 'x-medewerker', 'x-rollen'];

interface RememberedToken {
  readonly caller: Caller;
  readonly login: Login;
  readonly trusted: Issuer;
  readonly generation: number;
  /** Milliseconds. */
  readonly until: number;
}

interface Issuer {
  readonly kind: Caller['kind'];
  readonly rules: TrustedIssuer;
  readonly keys: IssuerKeys;
}

/** Bearer tokens of two issuers, one for professionals and one for staff: who someone is follows from whose token it is. */
export function createOidc({ professional, staff, notice }: OidcOptions): OidcIdentity {
  const trust = (kind: Caller['kind'], rules: TrustedIssuer): Issuer => ({
    kind,
    rules,
    keys: issuerKeys({ ...rules, notice: (event, why) => notice(event, kind, why) }),
  });
  const issuers = [trust('professional', professional), ...(staff === null ? [] : [trust('staff', staff)])];
  const remembered = new Map<string, RememberedToken>();
  let isWarned = false;

  function warnOfStandInHeaders({ headersDistinct }: Sent): void {
    if (isWarned || !STAND_IN_HEADERS.some((name) => name in headersDistinct)) return;
    isWarned = true;
    notice('stand-in-headers', null, 'headers of the stand-in were sent, and ignored; said once');
  }

  /** A token that was verified less than a minute ago, with keys that are still the keys. */
  function recallToken(id: string): RememberedToken | undefined {
    const known = remembered.get(id);
    if (known === undefined) return undefined;
    remembered.delete(id);
    if (known.until <= Date.now() || known.generation !== known.trusted.keys.generation()) return undefined;
    // Back at the end of the queue: the one that was not asked for longest is forgotten first.
    remembered.set(id, known);
    return known;
  }

  async function verifyNew(id: string, token: string): Promise<RememberedToken> {
    const iss = claimedIssuer(token);
    const trusted = issuers.find(({ rules }) => rules.issuer === iss);
    if (trusted === undefined) throw new TokenRefused('iss');
    // From before: keys that change meanwhile make it a token to verify again.
    const generation = trusted.keys.generation();
    const claims = await verify(token, trusted.rules, trusted.keys);
    const known: RememberedToken = {
      caller: toCaller(trusted.kind, claims, trusted.rules.claims),
      login: { acr: claims.acr, auth_time: claims.auth_time },
      trusted,
      generation,
      until: Math.min(claims.exp * 1_000, Date.now() + REMEMBERED.ms),
    };
    remembered.set(id, known);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED.max && oldest !== undefined) remembered.delete(oldest);
    return known;
  }

  return {
    identify(request) {
      warnOfStandInHeaders(request);
      const token = bearerToken(request);
      const id = createHash('sha256').update(token).digest('base64');
      const known = recallToken(id);
      return known === undefined ? verifyNew(id, token).then(identified, refuse) : identified(known);
    },
    ready: () => issuers.every(({ keys }) => keys.loaded()),
    close: async () => {
      await Promise.all(issuers.map(({ keys }) => keys.close()));
    },
  };
}

const identified = ({ caller, login, trusted }: RememberedToken): Identified => ({
  caller,
  demandStepUp: () => demandStepUp(login, trusted.rules.stepUp),
});

/** One answer for every token that does not count: which check it failed is for the log (RFC 6750, section 3.1). */
function refuse(error: unknown): never {
  if (!(error instanceof TokenRefused)) throw error;
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  const reason = error.message;
  if (reason.endsWith('claim'))
    throw new Problem('identiteit-onbekend', 'Uit het token is niet op te maken wie u bent.', { headers, reason });
  throw new Problem('niet-ingelogd', 'Het token is ongeldig of verlopen. Log opnieuw in.', { headers, reason });
}
